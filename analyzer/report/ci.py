"""Findings in the formats of code hosts and CI services: SARIF, JUnit XML and workflow commands of GitHub Actions."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from analyzer.model.struct import Struct
from analyzer.model.words import Severity
from analyzer.report.html.page import environment
from analyzer.report.results import Result, Results, Session, code_uri, relative, uri
from analyzer.report.safe import clip, visible
from analyzer.text.late import late

MOST_RESULTS = 5_000
"""GitHub shows so many results of a run, the worst first, and refuses files with many more."""
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "note", Severity.INFO: "none"}
_ROOT = "%SRCROOT%"
_LINK = late(r"\[(?=[^\]\n]*\]\()")
"""What a reader of SARIF takes for a link; a backslash makes it text."""
Json = dict[str, Any]


def sarif(results: Results, manuals: Mapping[str, str], version: str, base: str) -> str:
    """The findings as one SARIF 2.1.0 log, ending in a newline.

    https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html

    `manuals` are the manual pages of the detectors, by name, whose first line says it all; each becomes a rule, with
    the detector's name as its id. Files below the folder `base` are named from there on. Where there are more than
    `MOST_RESULTS` findings the worst are written, and a notification says how many are not. Files that could not be
    read are notifications as well.
    """
    shown, left = results.results[:MOST_RESULTS], max(0, len(results.results) - MOST_RESULTS)
    names = sorted({*manuals, *(result.detector for result in shown)})
    places = {name: number for number, name in enumerate(names)}
    invocation: Json = {"executionSuccessful": True}
    notes = [_unread(path, what, base) for path, what in results.problems[:MOST_RESULTS]]
    if left:
        text = f"{left} more findings, less severe than these {MOST_RESULTS}, are left out."
        notes.append({"level": "warning", "message": {"text": text}})
    if notes:
        invocation["toolExecutionNotifications"] = notes
    rules = [_rule(name, manuals.get(name, "")) for name in names]
    run: Json = {
        "tool": {"driver": {"name": "analyze-session", "version": version, "rules": rules}},
        "invocations": [invocation],
        "results": [_result(result, places[result.detector], base) for result in shown],
        "columnKind": "unicodeCodePoints",
        "properties": {"sessions": len(results.sessions), "findings": len(results.results)},
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=True, indent=1) + "\n"


def _rule(name: str, manual: str) -> Json:
    first = clip(manual.partition("\n")[0], 1_000) or name
    text = visible(manual) or first
    return {
        "id": name,
        "name": "".join(part.capitalize() for part in name.replace("_", "-").split("-")),
        "shortDescription": {"text": first},
        "fullDescription": {"text": first},
        "help": {"text": text, "markdown": _markdown(text)},
        "defaultConfiguration": {"level": "warning"},
    }


def _markdown(manual: str) -> str:
    """A manual page as Markdown: lines without indentation, but for the first, become headings."""
    parts = [
        f"**{line.rstrip(':')}**\n" if number and line.strip() and not line.startswith(" ") else line.strip()
        for number, line in enumerate(manual.split("\n"))
    ]
    return "\n".join(parts).strip()


def _result(result: Result, rule: int, base: str) -> Json:
    level, session = _LEVELS[result.severity], result.session
    artifact = _artifact(session.path, base)
    step = {
        "name": result.steps,
        "fullyQualifiedName": f"{visible(session.id)}/{visible(result.lane)}/{result.first_step}",
        "kind": "step",
    }
    made: Json = {
        "ruleId": result.detector,
        "ruleIndex": rule,
        "level": level,
        # A level is only for what fails.
        "kind": "informational" if level == "none" else "fail",
        "message": {"text": _LINK.sub(r"\\[", result.summary())},
        "locations": [
            {"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": 1}}, "logicalLocations": [step]}
        ],
        "partialFingerprints": _prints(result, artifact["uri"]),
        "properties": {
            "tags": list(dict.fromkeys((result.category, result.kind))),
            "severity": result.severity.value,
            "confidence": result.confidence,
            "session": visible(session.id),
            "agent": session.agent,
            "model": session.model,
            "outcome": session.outcome,
            "firstStep": result.first_step,
            "lastStep": result.last_step,
        },
    }
    code = code_uri(result.origin[0]) if result.origin else None
    if result.origin and code:
        there: Json = {"artifactLocation": {"uri": code, "uriBaseId": _ROOT}}
        if result.origin[1] and result.origin[1] > 0:
            there["region"] = {"startLine": result.origin[1]}
        text = {"text": "Where the failure comes from."}
        made["relatedLocations"] = [{"id": 1, "physicalLocation": there, "message": text}]
    return made


def _unread(path: str, what: str, base: str) -> Json:
    """A file that could not be read, as a notification of the tool."""
    place = {"artifactLocation": _artifact(path, base)}
    return {"level": "error", "message": {"text": clip(what, 1_000)}, "locations": [{"physicalLocation": place}]}


def _artifact(path: str, base: str) -> dict[str, str]:
    place, below = uri(path, base)
    return {"uri": place, "uriBaseId": _ROOT} if below else {"uri": place}


def _prints(result: Result, place: str) -> Json:
    """Names by which a service knows the finding again: equal whenever the same session is looked at again."""
    identity = "\0".join((result.detector, result.kind, place, result.session.id, result.lane, str(result.first_step)))
    own = hashlib.sha256(identity.encode("utf-8", "replace")).hexdigest()[:32]
    # The one that GitHub looks at is meant for the text of the line, which is the same for all findings of a file here.
    prints = {"primaryLocationLineHash": f"{own}:1", "finding/v1": own}
    return {**prints, "failure/v1": result.fingerprint} if result.fingerprint else prints


MOST_CASES = 200_000
"""Beyond so many test cases those that passed are left out, since services refuse larger files."""
_NO_XML = late("[\ufffe\uffff]")


class Case(Struct, frozen=True):
    """What a detector found in a session, and whether that's a failure; `worst` is None where it's nothing."""

    name: str
    fails: bool = False
    worst: Result | None = None
    text: str = ""


class Suite(Struct, frozen=True):
    """One session: the file that it's in, and a case for each detector."""

    session: Session
    place: str
    cases: Sequence[Case]

    @property
    def failures(self) -> int:
        """How many detectors found a failure."""
        return sum(case.fails for case in self.cases)


def junit(results: Results, detectors: Sequence[str], base: str, level: Severity = Severity.LOW) -> str:
    """The findings as JUnit XML, ending in a newline: one test case per session and detector, which fails where the
    detector found something.

    `detectors` are the names of those that were asked, `base` the folder from which files are named, `level` the
    severity from which on a finding is a failure; one below it is reported in the output of a case that passes. A file
    that could not be read is an error.
    """
    found: dict[tuple[str, str], dict[str, list[Result]]] = defaultdict(lambda: defaultdict(list))
    for result in results.results:
        found[result.session.path, result.session.key][result.detector].append(result)
    names = list(dict.fromkeys([*detectors, *sorted({result.detector for result in results.results})]))
    brief = len(results.sessions) * len(names) > MOST_CASES
    suites = []
    for session in results.sessions:
        own = found[session.path, session.key]
        cases = [_case(name, own[name], level) for name in names if name in own or not brief]
        suites.append(Suite(session, relative(session.path, base)[0], cases))
    template = environment().get_template("junit.xml.j2")
    text = template.render(
        tests=len(results.problems) + sum(len(suite.cases) for suite in suites),
        failures=sum(suite.failures for suite in suites),
        suites=suites,
        problems=[(relative(path, base)[0], what) for path, what in results.problems],
    )
    return _NO_XML.sub("\ufffd", text) + "\n"


def _case(name: str, found: Sequence[Result], level: Severity) -> Case:
    if not found:
        return Case(name)
    worst = max(found, key=lambda result: result.severity.rank)
    text = "\n\n".join(f"{result.severity}: {result.summary()}" for result in found)
    return Case(name, worst.severity.rank >= level.rank, worst, text)


_COMMANDS = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "notice"}


def github(results: Results, base: str) -> str:
    """Workflow commands, which GitHub Actions shows as annotations: one line per finding above `info`, the worst first,
    since only the first ten of each kind are shown; files below the folder `base` are named from there on.

    A file that could not be read is a warning, after the findings. Empty where there's neither.
    https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
    """
    lines = [
        _command(command, result.session.path, base, f"{result.detector}: {clip(result.kind, 100)}", result.summary())
        for result in results.results
        if (command := _COMMANDS.get(result.severity)) is not None
    ]
    unread = (
        _command("warning", path, base, "could not be read", clip(what, 1_000)) for path, what in results.problems
    )
    return "".join([*lines, *unread])


def _command(name: str, path: str, base: str, title: str, text: str) -> str:
    file = visible(relative(path, base)[0])
    return f"::{name} file={_property(file)},line=1,title={_property(title)}::{_data(text)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
