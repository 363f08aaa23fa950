"""What can be quoted as an agent's last words: what was handed in, else what was said aloud last."""

from __future__ import annotations

import pytest

from analyzer.model.session import Message
from analyzer.timeline.closing.closing_message import ClosingMessage, closing_message
from tests.build import Part, call, edit, run, says, submit, timeline, user

THOUGHT = Message("assistant", "I could just say that it works.", thought=True)


def _speaks(name: str, text: str) -> Message:
    return Message("assistant", f"{name}: {text}", speaker=name)


def _ends(tool: str, arguments: object, said: str = "") -> Part:
    return call(tool, arguments, None, said=said, task_done=True)  # type: ignore[arg-type]


QUOTED = [
    pytest.param([says("The tide is right.")], ClosingMessage("The tide is right."), id="said"),
    pytest.param([says("I look."), says("It is 4 m.")], ClosingMessage("It is 4 m."), id="the-last-of-several"),
    pytest.param([says("It is 4 m."), THOUGHT], ClosingMessage("It is 4 m."), id="a-thought-after-it"),
    pytest.param(
        [says("It is 4 m."), says("TERMINATE")], ClosingMessage("It is 4 m.", sign_off="TERMINATE"), id="a-stop-word"
    ),
    pytest.param(
        [says("It is 4 m."), says("TASK_DONE!")], ClosingMessage("It is 4 m.", sign_off="TASK_DONE!"), id="two-words"
    ),
    pytest.param([says("TERMINATE")], ClosingMessage("TERMINATE"), id="nothing-but-a-stop-word"),
    pytest.param([says("Is it 4 m?"), says("NO")], ClosingMessage("NO"), id="a-short-answer-is-no-stop-word"),
    pytest.param([says("It was wrong."), says("Done.")], ClosingMessage("Done."), id="a-sentence-is-no-stop-word"),
    pytest.param(
        [_speaks("Pilot", "It is 4 m."), _speaks("Clerk", "TERMINATE")],
        ClosingMessage("It is 4 m.", speaker="Pilot", sign_off="TERMINATE"),
        id="the-speaker-is-no-part-of-it",
    ),
    pytest.param([says("Note: it is 4 m.")], ClosingMessage("Note: it is 4 m."), id="a-colon-is-no-speaker"),
    pytest.param(
        [_ends("submit", {"raw": "submit tide{4}"}, "I submit it.")],
        ClosingMessage("tide{4}", handed_in=True),
        id="the-call-as-a-whole",
    ),
    pytest.param([_ends("submit", "submit tide{4}")], ClosingMessage("tide{4}", handed_in=True), id="the-call-as-text"),
    pytest.param([_ends("finish", "4 m")], ClosingMessage("4 m", handed_in=True), id="a-text"),
    pytest.param([submit("Here it is.")], ClosingMessage("Here it is."), id="nothing-handed-in"),
    pytest.param(
        [_ends("submit", {"raw": "submit"}, "Here it is.")], ClosingMessage("Here it is."), id="only-the-name"
    ),
    pytest.param([THOUGHT, submit()], None, id="only-a-thought"),
    pytest.param([THOUGHT, submit("Here it is.")], ClosingMessage("Here it is."), id="a-thought-before-it"),
    pytest.param(
        [_ends("finish", {"message": "4 m", "task_completed": "true"})],
        ClosingMessage("4 m", handed_in=True),
        id="a-verdict-beside-it",
    ),
    pytest.param(
        [_ends("finish", {"task_completed": "true"}, "Here it is.")], ClosingMessage("Here it is."), id="only-a-verdict"
    ),
    pytest.param(
        [_ends("final_answer", {"reasoning": "The gauge shows it, and so does the table.", "answer": "4"})],
        ClosingMessage("4", handed_in=True),
        id="reasoning-beside-it",
    ),
    pytest.param(
        [_ends("final_answer", {"value": "true"})], ClosingMessage("true", handed_in=True), id="nothing-but-a-verdict"
    ),
    pytest.param(
        [_ends("complete", {"result": "The page is there.", "command": "open page.html"})],
        ClosingMessage("The page is there.", handed_in=True),
        id="a-command-beside-it",
    ),
    pytest.param([says("It is 4 m."), user("Thanks.")], None, id="the-user-speaks-last"),
    pytest.param([says("I look."), run("ls")], None, id="said-before-a-call"),
]


@pytest.mark.parametrize(("parts", "words"), QUOTED)
def test_the_last_words_are_what_was_handed_in_or_said_last(parts: list[Part], words: ClosingMessage | None) -> None:
    made = timeline(user("How high is it?"), edit("a.py", "1", "2"), *parts)
    assert closing_message(made, made.lane()[-1]) == words
