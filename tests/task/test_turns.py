"""What a turn of the user asks for, names, forbids and approves, and whose words count as the user's."""

from __future__ import annotations

import pytest

from analyzer.model.session import Message
from analyzer.task import CorrectionKind, Request, corrections_of, read_turn
from analyzer.task.names import names_of
from analyzer.task.prohibitions import lifted, rules_of
from analyzer.task.prose import prose
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


RULES = list(rules_of("Do not modify the tests. Don't change boats.md. Don't touch tides.json."))


@table("what_a_message_allows")
def test_what_a_message_allows(text: str, what: list[tuple[str, tuple[str, ...]]]) -> None:
    assert sorted((rule.what, rule.names) for rule in lifted(RULES, text)) == sorted(what)
    assert lifted([], text) == []


@table("corrects")
def test_corrects(text: str, kind: CorrectionKind) -> None:
    (found, *_) = corrections_of(text)
    assert (found.kind, found.quote in text) == (kind, True)


def test_what_is_wanted_instead() -> None:
    (found,) = corrections_of("No: use `pnpm`, not npm.")
    assert (found.wanted, found.unwanted) == ("pnpm", "npm")


@table("does_not_correct")
def test_does_not_correct(text: str) -> None:
    assert list(corrections_of(text)) == []


def test_a_no_may_be_an_answer() -> None:
    assert list(corrections_of("no, pnpm", answers=True)) == []


def test_a_long_report_is_a_new_task() -> None:
    assert list(corrections_of("It still fails. " + "The table ends in June. " * 400)) == []


EXAMPLE = "--- START OF EXAMPLE ---\nUSER: No, that is wrong!\n--- END OF EXAMPLE ---"


def test_an_example_is_nobodys_words() -> None:
    assert prose(f"Mend the lamp.\n{EXAMPLE}\nBe brief.").split("\n") == ["Mend the lamp.", "", "", "Be brief."]


def test_words_about_an_example_are_the_users() -> None:
    for text in (
        "Drop the START OF EXAMPLE line.",
        "--- START OF EXAMPLE ---\nNo end of it.",
        "The END OF EXAMPLE mark",
    ):
        assert prose(text) == text
