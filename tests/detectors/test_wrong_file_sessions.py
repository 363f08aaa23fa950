"""Whole sessions in which an agent mends the wrong file, and twins in which it mends the right one in the end.

`tests/data/wrong_file_sessions/<case>.json` holds the task and the events of a session: files read, edits, commands and
what they really printed. In a twin, whose name ends in `_code`, the test is right: the implementation spoils the value
or refuses too much, and in most the last edit mends that.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from analyzer.detectors import detect
from analyzer.failures.roles import same_file
from analyzer.model.finding import Finding
from analyzer.model.words import Severity
from tests.build import Part, timeline, user, write
from tests.dress.agents import AGENTS, IN_JSON, SHELL_ONLY, Agent

CASES = Path(__file__).resolve().parent.parent / "data" / "wrong_file_sessions"
ROOT = "/home/dev/app"
EVERYBODY = (*AGENTS, SHELL_ONLY, IN_JSON)


@cache
def cases() -> dict[str, dict[str, Any]]:
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(CASES.glob("*.json"))}


def part(event: list[Any], agent: Agent) -> Part:
    match event:
        case ["read", path, text]:
            return agent.read(path, text)
        case ["edit", path, before, after]:
            return agent.edit(path, before, after)
        case ["run", command, output, code]:
            return agent.run(command, output.replace(ROOT, agent.root or ROOT), code)
        case ["write", path, text]:
            return write(path, text)
        case ["user", text]:
            return user(text)
    raise AssertionError(event)


def wrong_files(name: str, agent: Agent, *, without: int = 0) -> list[Finding]:
    """The findings in a session, `without` so many of its last events."""
    case = cases()[name]
    events = case["events"][: len(case["events"]) - without]
    made = timeline(*(part(event, agent) for event in events), task=case["task"])
    return [found for found in detect(made, select=["wrong-file"]) if found.severity is not Severity.INFO]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, case in cases().items() if case["expect"] != "none"])
def test_the_file_at_fault_is_named_whoever_the_agent_is(name: str) -> None:
    for agent in EVERYBODY:
        (found,) = wrong_files(name, agent)
        assert found.fault is not None, agent.name
        assert same_file(found.fault.file, cases()[name]["fault"]), (agent.name, found.fault)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, case in cases().items() if case["expect"] == "none"])
def test_it_is_silent_where_the_implementation_is_wrong(name: str) -> None:
    for agent in EVERYBODY:
        assert [found.title for found in wrong_files(name, agent)] == [], agent.name


def test_a_refusal_that_an_edit_of_the_implementation_mends_is_none() -> None:
    """Before the last edit and its run nothing tells the session from one in which the test is wrong."""
    (found,) = wrong_files("iban_default_argument_code", AGENTS[0], without=2)
    assert found.fault is not None
    assert found.fault.file == "tests/support/accounts.py"
    assert wrong_files("iban_default_argument_code", AGENTS[0]) == []
