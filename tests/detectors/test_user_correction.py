"""What the user has to say again, and what only sounds like it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from analyzer.detectors.user_correction.user_correction import RepeatedWish
from analyzer.model.session import Event, Message
from tests.build import Part, call, edit, findings, run, says, user
from tests.sessions import Written, parts_of
from tests.tables import table

CHANGE = edit("oars.py", "a = 1", "a = 2")


@table("fires")
def test_fires(parts: Written, kind: str, severity: str, steps: list[int], count: int, rule: str) -> None:
    (found,) = findings(*parts_of(parts), detector="user-correction")
    assert isinstance(found.details, RepeatedWish)
    assert (found.kind, found.severity, found.steps, found.details.count) == (kind, severity, steps, count)
    assert found.details.rule == rule
    assert all(found.advice)


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        (("no, pnpm", "pnpm, not npm"), "Use `pnpm`, not `npm`."),
        (("no, pnpm",), "Use `pnpm`."),
        (("I said tabs in the tables.",), "Write tabs in the tables."),
    ],
)
def test_brings_the_rule(said: tuple[str, ...], rule: str) -> None:
    parts: list[Part] = [user("Write tabs in the tables."), *[part for text in said for part in (CHANGE, user(text))]]
    (found,) = findings(*parts, detector="user-correction")
    assert isinstance(found.details, RepeatedWish)
    assert found.details.rule == rule
    assert [entry.quote for entry in found.evidence][-len(said) :] == list(said)


DRESSES: dict[str, Callable[[], tuple[Event, ...]]] = {
    "Claude Code": lambda: call("Bash", {"command": "npm install", "description": "Install"}, "added"),
    "Codex": lambda: call("shell", {"command": ["bash", "-lc", "npm install"]}, "added"),
    "OpenHands": lambda: call("execute_bash", {"command": "npm install"}, "added"),
    "Cline": lambda: call("execute_command", {"command": "npm install", "requires_approval": "false"}, "added"),
    "a function": lambda: call("install_packages", {"manager": "npm"}, '{"ok": true}'),
    "raw arguments": lambda: call("bash", "npm install", "added"),
}


@pytest.mark.parametrize("dress", DRESSES)
def test_says_the_same_of_every_agent(dress: str) -> None:
    act: Callable[[], Any] = DRESSES[dress]
    (found,) = findings(
        user("Build it."), act(), user("no, pnpm"), act(), user("I said pnpm, not npm"), detector="user-correction"
    )
    assert (found.severity, found.steps) == ("medium", [1, 2])


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([user("It still doesn't work. pnpm, not npm."), CHANGE], id="before the agent acted"),
        pytest.param([user("Fix it."), CHANGE, user("commit"), CHANGE, user("commit")], id="the same request again"),
        pytest.param([user("Fix it."), CHANGE, user("yes"), CHANGE, user("yes, continue")], id="approvals"),
        pytest.param(
            [user("Fix it."), CHANGE, says("Shall I use npm?"), user("no, pnpm")], id="an answer to a question"
        ),
        pytest.param([user("Fix it."), CHANGE, Message("harness", "still broken: no test ran")], id="a harness"),
        pytest.param([user("Fix it."), CHANGE, Message("system", "You missed the format.")], id="the system"),
        pytest.param([user("Fix it.", "h"), run("ls", lane="h"), user("still broken", "h")], id="a sub-agent"),
        pytest.param(
            [user("Fix it."), CHANGE, user("[Request interrupted by user]"), user("Fix it.")], id="sent again"
        ),
        pytest.param([user("Fix it."), CHANGE, user("Now add a test for the buoys.")], id="a new request"),
        pytest.param([user("Fix it."), CHANGE, user("Is it still broken?")], id="a question"),
        pytest.param([user("Fix it."), CHANGE, user("```\nstill broken\n```\nWhat is this?")], id="pasted text"),
        pytest.param([user("Fix it."), CHANGE, user("No, that's all. Thanks.")], id="the end"),
        pytest.param([user("Fix it."), CHANGE, user("The pilot said tabs are fine.")], id="somebody else said it"),
        pytest.param([user("Use pnpm."), CHANGE, user("Use pnpm for the docs as well.")], id="a wish that goes on"),
        pytest.param([user("Fix it."), CHANGE, user("Great, it works now!")], id="praise"),
        pytest.param([user("Fix it."), CHANGE, user("If it is still broken tomorrow, tell me.")], id="a condition"),
        pytest.param([user("still broken"), says("What is?"), user("still broken")], id="no step at all"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert findings(*parts, detector="user-correction") == []


def test_what_is_not_the_same_is_counted_apart() -> None:
    parts: list[Part] = [user("Go."), CHANGE, user("no, pnpm"), CHANGE, user("no, pnpm"), CHANGE, user("wrong branch")]
    assert [found.severity for found in findings(*parts, detector="user-correction")] == ["medium", "info"]


APART: list[Any] = [
    pytest.param(["You missed oars.py.", "You missed sails.py."], id="two files"),
    pytest.param(["You forgot the folder.", "You didn't add a folder for it."], id="two folders perhaps"),
    pytest.param(
        ["I said that the log is in /srv/quay/log/.", "I said that the maps are in /srv/quay/maps/."], id="two folders"
    ),
]


@pytest.mark.parametrize("said", APART)
def test_what_may_be_something_else_is_neither_one_wish_nor_said_to_be_another(said: list[str]) -> None:
    parts: list[Part] = [part for text in said for part in (CHANGE, user(text))]
    (found,) = findings(user("Go."), *parts, detector="user-correction")
    assert (found.kind, found.severity) == ("correction", "low")
    assert found.title == f"The user corrects the agent twice, the last time: “{said[-1]}”"


def test_a_rule_is_no_sentence_that_is_cut() -> None:
    long = f"I told you to take {'the long way round the quay and ' * 9}back."
    (found,) = findings(user("Go."), CHANGE, user(long), detector="user-correction")
    assert isinstance(found.details, RepeatedWish)
    assert found.details.rule == ""
    assert found.advice[0].startswith("Act on what the user said after step 1: “I told you to take the long way")
