"""An implementation refuses a value: a test's body, helper, factory, fixture, table, data file or generated file
supplies it, or the implementation itself has spoilt it on the way. The two differ only in who is right.

`tests/data/wrong_file_suppliers/<runner>.json` holds, by the name of the supplier, the files, what was run, the three
edits of the implementation and what the runner really printed before and after each. In cases whose name ends in
`_code` the test passes what is asked for, and the implementation takes the dash away.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from analyzer.detectors import detect
from analyzer.failures.roles import same_file
from analyzer.model.finding import Finding
from analyzer.model.words import Severity
from tests.build import Part, timeline
from tests.dress.agents import AGENTS, PLAIN, Agent

CASES = Path(__file__).resolve().parent.parent / "data" / "wrong_file_suppliers"
RETURNED = ("_error", "_result")
"""Cases in which the implementation returns an error, so that the trace shows nothing of it."""
FROM_FILES = ("_data", "_generated")
"""Suppliers that stand in no trace, so that they can only be named once something shows them."""


@dataclass(frozen=True)
class Case:
    """One recorded case. `line` is that of the bad value in the supplier."""

    expect: str
    command: str
    exit_code: int
    supplier: str
    line: int
    implementation: str
    files: dict[str, str]
    edits: list[tuple[str, str]]
    outputs: list[str]


@cache
def cases() -> dict[str, Case]:
    return {
        f"{path.stem}_{name}": Case(**case)
        for path in sorted(CASES.glob("*.json"))
        for name, case in json.loads(path.read_text(encoding="utf-8")).items()
    }


def session(case: Case, agent: Agent, *, shown: bool, rounds: int = 3) -> list[Part]:
    read = [agent.read(path, text) for path, text in case.files.items() if path != case.implementation and shown]
    outputs = [output.replace("/tmp/harbour", agent.root or "/tmp/harbour") for output in case.outputs]
    return [
        *read,
        agent.run(case.command, outputs[0], case.exit_code),
        agent.read(case.implementation, case.files[case.implementation]),
        *(
            [agent.edit(case.implementation, before, after), agent.run(case.command, output, case.exit_code)]
            for (before, after), output in list(zip(whole_lines(case), outputs[1:], strict=True))[:rounds]
        ),
    ]


def whole_lines(case: Case) -> list[tuple[str, str]]:
    """The edits with the rest of the lines in which they lie, as patches have them."""
    text, found = case.files[case.implementation], []
    for before, after in case.edits:
        start = text.index(before)
        first, last = text.rfind("\n", 0, start) + 1, text.index("\n", start + len(before) - 1)
        old = text[first:last]
        found.append((old, old.replace(before, after, 1)))
        text = text.replace(before, after, 1)
    return found


def wrong_files(case: Case, agent: Agent, *, shown: bool = True, rounds: int = 3) -> list[Finding]:
    made = timeline(*session(case, agent, shown=shown, rounds=rounds), task="Make the tests pass.")
    return [found for found in detect(made, select=["wrong-file"]) if found.severity is not Severity.INFO]


SUPPLIED = [name for name, case in cases().items() if case.expect == "test"]
SPOILT = [name for name, case in cases().items() if case.expect == "implementation"]


@pytest.mark.slow
@pytest.mark.parametrize("name", SUPPLIED)
def test_the_supplier_is_named_whoever_the_agent_is(name: str) -> None:
    case = cases()[name]
    for agent in AGENTS:
        (found,) = wrong_files(case, agent)
        assert found.fault is not None, agent.name
        assert same_file(found.fault.file, case.supplier), (agent.name, found.fault)
        assert found.fault.line == case.line, (agent.name, found.fault)
        assert [same_file(path, case.implementation) for path in found.edited_instead] == [True], agent.name


@pytest.mark.parametrize("name", [name for name in SUPPLIED if name.endswith(RETURNED)])
def test_a_returned_error_says_nothing_without_the_file(name: str) -> None:
    assert wrong_files(cases()[name], PLAIN, shown=False) == []


@pytest.mark.parametrize("name", [name for name in SUPPLIED if not name.endswith(RETURNED)])
def test_without_the_file_shown_the_test_is_likely(name: str) -> None:
    case = cases()[name]
    (found,) = wrong_files(case, PLAIN, shown=False)
    assert found.fault is not None
    if not name.endswith(FROM_FILES):
        assert same_file(found.fault.file, case.supplier)


@pytest.mark.slow
@pytest.mark.parametrize("name", SPOILT)
def test_it_is_silent_where_the_implementation_spoils_the_value(name: str) -> None:
    for agent in AGENTS:
        assert [found.title for found in wrong_files(cases()[name], agent)] == [], agent.name


@pytest.mark.parametrize("name", SPOILT)
def test_without_the_file_shown_nothing_is_said_for_certain(name: str) -> None:
    assert all(found.confidence <= 0.6 for found in wrong_files(cases()[name], PLAIN, shown=False))


@pytest.mark.parametrize("name", SUPPLIED)
def test_it_is_silent_after_the_first_edit(name: str) -> None:
    assert wrong_files(cases()[name], PLAIN, rounds=1) == []
