"""A loop weighs by what it cost, too."""

from __future__ import annotations

import pytest

from analyzer.model.session import Tokens, Usage
from analyzer.model.words import Severity
from tests.build import Part, call, findings, read, run

ERROR = "Error: could not reach the tide gauge"
AFTER = [read(f"plan{number}.md", f"plan {number}") for number in range(6)]


def tries(took: float | None) -> list[Part]:
    times = [{"at": 100.0 + (took or 0) * number, "took": 1.0} if took else {} for number in range(3)]
    return [run("./gauge --read", ERROR, 1, **given) for given in times]


@pytest.mark.parametrize(
    ("took", "severity"),
    [(None, Severity.LOW), (30.0, Severity.LOW), (500.0, Severity.MEDIUM), (2_000.0, Severity.HIGH)],
)
def test_three_rounds_weigh_by_their_time(took: float | None, severity: Severity) -> None:
    (found,) = findings(*tries(took), *AFTER, detector="loops")
    assert found.severity is severity


@pytest.mark.parametrize(
    ("tokens", "severity"), [(10_000, Severity.LOW), (900_000, Severity.MEDIUM), (4_000_000, Severity.HIGH)]
)
def test_three_rounds_weigh_by_their_tokens(tokens: int, severity: Severity) -> None:
    spent = Usage(Tokens(tokens, 10))
    (found,) = findings(*(run("./gauge --read", ERROR, 1, used=spent) for _ in range(3)), *AFTER, detector="loops")
    assert found.severity is severity


LISTED = run("ls harbour", "pier.csv")
ASKED = [LISTED, read("a.md", "a"), read("b.md", "b"), LISTED, read("c.md", "c"), read("d.md", "d"), LISTED]


@pytest.mark.parametrize(
    ("after", "severity", "escaped"),
    [
        pytest.param([], Severity.HIGH, False, id="nothing follows"),
        pytest.param([run("uname -r", "6.1")], Severity.LOW, True, id="another command follows"),
    ],
)
def test_a_call_between_others_ends_a_session_only_where_nothing_follows(
    after: list[Part], severity: Severity, *, escaped: bool
) -> None:
    (found,) = findings(*ASKED, *after, detector="loops")
    assert (found.severity, found.escaped) == (severity, escaped)


def fetch(page: int | str, *, found: bool) -> Part:
    result = "<h1>Tides</h1>" if found else '{"error": "Web fetch failed (404): Not Found"}'
    return call("web_fetch", {"url": f"https://tides.example/{page}"}, result, is_error=not found)


GUESSED = [fetch(f"page-{chr(97 + number)}", found=False) for number in range(13)]
FOUND = [fetch(f"index-{chr(97 + number)}", found=True) for number in range(13)]


@pytest.mark.parametrize(
    ("parts", "severity"),
    [
        pytest.param(
            [*GUESSED[:3], *FOUND[:3], *GUESSED[3:8], FOUND[3], *GUESSED[8:]], Severity.MEDIUM, id="some are found"
        ),
        pytest.param(GUESSED, Severity.HIGH, id="none is found"),
        pytest.param([fetch("page-a", found=False)] * 13, Severity.HIGH, id="the same address each time"),
    ],
)
def test_a_search_that_finds_something_is_no_costly_loop(parts: list[Part], severity: Severity) -> None:
    (found,) = findings(*parts, *AFTER, *AFTER, detector="loops")
    assert found.severity is severity
