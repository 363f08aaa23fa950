"""Findings as JUnit XML: one test case per session and detector, which fails where the detector found something.

https://github.com/testmoapp/junitxml
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from analyzer.model.words import Severity
from analyzer.report.results import Result, Results, Session, relative
from analyzer.report.safe import clip, visible
from analyzer.text.expressions import compiled

MOST_CASES = 200_000
"""Beyond so many test cases those that passed are left out, since services refuse larger files."""
_NO_XML = compiled("[\ufffe\uffff]")


def render(results: Results, detectors: Sequence[str], base: str, level: Severity = Severity.LOW) -> str:
    """The findings as JUnit XML, ending in a newline.

    `detectors` are the names of those that were asked, `base` the folder from which files are named, `level` the
    severity from which on a finding is a failure; one below it is reported in the output of a case that passes. A file
    that could not be read is an error.
    """
    found: dict[tuple[str, str], dict[str, list[Result]]] = defaultdict(lambda: defaultdict(list))
    for result in results.results:
        found[result.session.path, result.session.key][result.detector].append(result)
    names = list(dict.fromkeys([*detectors, *sorted({result.detector for result in results.results})]))
    brief = len(results.sessions) * len(names) > MOST_CASES
    failing = sum(_worst(own).rank >= level.rank for session in found.values() for own in session.values())
    suites = [
        part
        for session in results.sessions
        for part in _suite(session, found[session.path, session.key], names, base, level, brief=brief)
    ]
    suites += _unread(results.problems, base)
    total = (
        len(results.problems) + sum(len(entry) for entry in found.values())
        if brief
        else len(results.problems) + len(results.sessions) * len(names)
    )
    head = f'<testsuites name="analyze-session" tests="{total}" failures="{failing}" errors="{len(results.problems)}">'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *suites, "</testsuites>"]) + "\n"


def _worst(results: list[Result]) -> Severity:
    return max((result.severity for result in results), key=lambda severity: severity.rank)


def _suite(
    session: Session, found: dict[str, list[Result]], names: list[str], base: str, level: Severity, *, brief: bool
) -> Iterator[str]:
    names = [name for name in names if name in found] if brief else names
    failing = sum(_worst(own).rank >= level.rank for own in found.values())
    place, _ = relative(session.path, base)
    title = f"{place}: {session.id}"
    more = f' time="{session.seconds:g}"' if session.seconds is not None else ""
    # Such a time has no zone; the log's own digits say most.
    more += f" timestamp={_attribute(session.started_at[:19])}" if session.started_at else ""
    yield f'<testsuite name={_attribute(title)} tests="{len(names)}" failures="{failing}" errors="0" skipped="0"{more}>'
    facts = {"agent": session.agent, "model": session.model, "outcome": session.outcome, "headline": session.headline}
    yield "<properties>"
    yield from (f'<property name="{name}" value={_attribute(value)}/>' for name, value in facts.items() if value)
    yield "</properties>"
    for name in names:
        head = f"<testcase classname={_attribute(title)} name={_attribute(name)} file={_attribute(place)}"
        own = found.get(name)
        if own is None:
            yield f"{head}/>"
            continue
        text = _text("\n\n".join(f"{result.severity}: {result.summary()}" for result in own))
        worst = max(own, key=lambda result: result.severity.rank)
        if worst.severity.rank >= level.rank:
            yield (
                f"{head}><failure type={_attribute(worst.kind)} "
                f"message={_attribute(worst.title)}>{text}</failure></testcase>"
            )
        else:
            yield f"{head}><system-out>{text}</system-out></testcase>"
    yield "</testsuite>"


def _unread(problems: Sequence[tuple[str, str]], base: str) -> Iterator[str]:
    """A suite with an error for every file that could not be read."""
    if not problems:
        return
    yield (
        f'<testsuite name="files that could not be read" tests="{len(problems)}" failures="0" '
        f'errors="{len(problems)}" skipped="0">'
    )
    for path, what in problems:
        place = _attribute(relative(path, base)[0])
        yield (
            f'<testcase classname={place} name="read" file={place}><error type="unreadable" '
            f"message={_attribute(what)}/></testcase>"
        )
    yield "</testsuite>"


def _attribute(text: str) -> str:
    return quoteattr(_NO_XML.sub("\ufffd", clip(text, 1_000)))


def _text(text: str) -> str:
    return escape(_NO_XML.sub("\ufffd", visible(text)))
