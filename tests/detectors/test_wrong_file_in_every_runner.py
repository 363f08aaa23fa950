"""A test passes three oars where a gig needs four, in every runner; and its neighbour, where the implementation itself
goes wrong.

`tests/data/wrong_file/<case>` holds what the runner really printed, the source of the file that holds the bad value
(or, of an own bug, of the test) and what was run. Only the implementation is edited, three times.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from analyzer.model.finding import Finding
from tests.build import Part, edit, findings, read, run

CASES = Path(__file__).resolve().parent.parent / "data" / "wrong_file"
SHOWN_BY_THE_TRACE = {"pytest", "pytest_fixture", "unittest", "jest", "vitest"}
"""Runners whose own output shows the line with the bad value."""


@dataclass(frozen=True)
class Case:
    """One recorded case."""

    command: str
    exit_code: int
    test: str
    implementation: str
    fault_line: int | None
    expect: str
    output: str
    source: str
    reader: str | None = None
    reader_source: str = ""


@cache
def cases() -> dict[str, Case]:
    return {
        folder.name: Case(
            **json.loads((folder / "case.json").read_text(encoding="utf-8")),
            output=(folder / "output.txt").read_text(encoding="utf-8"),
            source=(folder / "source.txt").read_text(encoding="utf-8"),
            reader_source=(folder / "reader.txt").read_text(encoding="utf-8")
            if (folder / "reader.txt").exists()
            else "",
        )
        for folder in sorted(CASES.iterdir())
    }


def session(case: Case, *, shown: bool, rounds: int = 3) -> list[Part]:
    opening: list[Part] = [read(case.test, numbered(case.source))] if shown else []
    if shown and case.reader:
        opening.append(read(case.reader, numbered(case.reader_source)))
    drafts = [f"self.oars.len() / 2{' + 0' * n}\n" for n in range(rounds + 1)]
    return [
        *opening,
        *(
            [edit(case.implementation, drafts[n], drafts[n + 1]), run(case.command, case.output, case.exit_code)]
            for n in range(rounds)
        ),
    ]


def numbered(source: str) -> str:
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(source.splitlines(), 1))


def wrong_files(case: Case, *, shown: bool = True, rounds: int = 3) -> list[Finding]:
    return findings(*session(case, shown=shown, rounds=rounds), detector="wrong-file")


@pytest.mark.parametrize("name", [name for name, case in cases().items() if case.expect == "test"])
def test_it_names_the_line_that_passes_too_little(name: str) -> None:
    case = cases()[name]
    (found,) = wrong_files(case)
    assert found.fault is not None
    assert found.fault.file.endswith(case.test) or case.test.endswith(found.fault.file)
    assert found.fault.line == case.fault_line
    assert found.fault.code is not None
    assert found.edited_instead == [case.implementation]
    assert found.confidence >= 0.8


@pytest.mark.parametrize("name", sorted(SHOWN_BY_THE_TRACE))
def test_the_trace_alone_is_enough_where_it_shows_the_line(name: str) -> None:
    (found,) = wrong_files(cases()[name], shown=False)
    assert found.fault is not None
    assert found.fault.line == cases()[name].fault_line


@pytest.mark.parametrize("shown", [True, False], ids=["test-read", "test-never-read"])
@pytest.mark.parametrize("name", [name for name, case in cases().items() if case.expect == "implementation"])
def test_it_is_silent_where_the_implementation_passes_too_little_to_itself(name: str, *, shown: bool) -> None:
    assert [found.title for found in wrong_files(cases()[name], shown=shown)] == []


@pytest.mark.parametrize("name", sorted(cases()))
def test_it_is_silent_after_two_rounds(name: str) -> None:
    assert wrong_files(cases()[name], rounds=2) == []
