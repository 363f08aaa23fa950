"""How a session ends, and whether success is claimed."""

from __future__ import annotations

import pytest

from analyzer.model.words import Ending
from analyzer.timeline.closing.ending import claim_of, closing_words
from tests.build import Part, call, edit, run, says, submit, timeline

CHANGED = edit("a.py", "1", "2")


@pytest.mark.parametrize(
    ("parts", "ending", "words"),
    [
        pytest.param([says("The bug is fixed.")], None, "The bug is fixed.", id="said"),
        pytest.param([submit("Here it is.")], None, "Here it is.", id="handed in by a call"),
        pytest.param([says("Here it is.")], Ending.SUBMITTED, "Here it is.", id="recorded as handed in"),
        pytest.param([], Ending.SUBMITTED, "edit", id="recorded as handed in without a word"),
        pytest.param([says("Here it is.")], None, None, id="nothing that claims success"),
        pytest.param([says("I could not fix it.")], Ending.SUBMITTED, None, id="an admission"),
        pytest.param([says("The bug is fixed.")], Ending.LIMIT, None, id="ended by a limit"),
    ],
)
def test_success_is_claimed(parts: list[Part], ending: Ending | None, words: str | None) -> None:
    made = timeline(CHANGED, *parts, ending=ending)
    claim = claim_of(made, made.lane())
    assert (claim.words if claim is not None else None) == words


HANDED = "echo DONE && git diff"
CLOSING = [
    pytest.param(
        [run("ls"), call("bash", {"command": HANDED}, None, said="Here it is.", task_done=True)],
        "Here it is.",
        id="a-command-line-as-other-calls-have",
    ),
    pytest.param(
        [run("ls"), call("finish", {"command": "The tide is read."}, None, task_done=True)],
        "The tide is read.",
        id="words-of-another-tool",
    ),
    pytest.param(
        [run("ls"), call("bash", {"command": HANDED, "note": "It is done."}, None, task_done=True)],
        f"{HANDED}\nIt is done.",
        id="words-beside-it",
    ),
]


@pytest.mark.parametrize(("parts", "words"), CLOSING)
def test_a_command_line_is_no_closing_word(parts: list[Part], words: str) -> None:
    made = timeline(CHANGED, *parts)
    assert closing_words(made, made.lane()[-1]) == words
