"""What a turn of the user asks for, names, forbids and approves, and whose words count as the user's."""

from __future__ import annotations

import pytest

from analyzer.model.session import Message
from analyzer.task import Request, read_turn
from analyzer.task.names import names_of
from analyzer.task.prohibitions import rules_of
from analyzer.task.turns import turns_in
from tests.build import read, says, session, user
from tests.tables import table


@table("requests")
def test_requests(text: str, requests: set[Request]) -> None:
    assert read_turn(text).requests == requests


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param("Fix src/tide.py and `buoys.ts`", ["src/tide.py", "buoys.ts"], id="files"),
        pytest.param("`high_water` is wrong, see low_water()", ["high_water", "low_water"], id="symbols"),
        pytest.param("See https://tides.example.org/a.html, e.g. 3.5 or v1.2", [], id="a link and numbers"),
        pytest.param("It runs on node.js, etc. and so on.", [], id="a runtime"),
        pytest.param("Read it. Then go on.", [], id="ends of sentences"),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    found = names_of(text)
    assert [*found.files, *found.symbols] == names


@table("prohibitions")
def test_prohibitions(text: str, forbids: int) -> None:
    assert len(list(rules_of(read_turn(text).text))) == forbids


@table("approvals")
def test_approvals(text: str, approves: bool) -> None:
    assert read_turn(text).approves is approves


def test_only_the_user_is_the_user() -> None:
    made = session(
        user("Fix the tide table."),
        Message("system", "Fix everything."),
        Message("harness", "Fix the format."),
        says("Shall I use the old table?"),
        read("tide.py"),
        user("Fix the buoys.", lane="helper"),
        user("no, pilot"),
        says("Done."),
        user("no, pilot"),
    )
    turns = [turn.read for turn in turns_in(made)]
    assert [turn.text for turn in turns] == ["Fix the tide table.", "no, pilot", "no, pilot"]
    assert [len(turn.corrections) for turn in turns] == [0, 0, 1]
