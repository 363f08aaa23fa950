"""Findings as JUnit XML: one test case per session and detector, which fails where the detector found something.

https://github.com/testmoapp/junitxml
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from analyzer.model.struct import Struct
from analyzer.model.words import Severity
from analyzer.report.html.page import environment
from analyzer.report.results import Result, Results, Session, relative
from analyzer.text.expressions import compiled

MOST_CASES = 200_000
"""Beyond so many test cases those that passed are left out, since services refuse larger files."""
_NO_XML = compiled("[\ufffe\uffff]")


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
    suites = []
    for session in results.sessions:
        own = found[session.path, session.key]
        cases = [_case(name, own[name], level) for name in names if name in own or not brief]
        suites.append(Suite(session, relative(session.path, base)[0], cases))
    text = (
        environment()
        .get_template("junit.xml.j2")
        .render(
            tests=len(results.problems) + sum(len(suite.cases) for suite in suites),
            failures=sum(suite.failures for suite in suites),
            suites=suites,
            problems=[(relative(path, base)[0], what) for path, what in results.problems],
        )
    )
    return _NO_XML.sub("\ufffd", text) + "\n"


def _case(name: str, found: Sequence[Result], level: Severity) -> Case:
    if not found:
        return Case(name)
    worst = max(found, key=lambda result: result.severity.rank)
    text = "\n\n".join(f"{result.severity}: {result.summary()}" for result in found)
    return Case(name, worst.severity.rank >= level.rank, worst, text)
