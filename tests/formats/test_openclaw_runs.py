"""What is told of a run of which the recorder kept the first messages only."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.detectors import detect
from analyzer.diagnosis import post_mortem
from analyzer.formats.pi.trajectory_format import Run
from analyzer.timeline import build_timeline
from tests.formats.events import calls, order, words
from tests.formats.reading import read_lines

Json = dict[str, Any]
CUT: Json = {"truncated": True, "originalLength": 9}


def user(text: str, at: int = 0) -> Json:
    return {"role": "user", "content": text, "timestamp": 1777881600000 + at}


def agent(text: str, *tools: str, at: int = 0) -> Json:
    blocks = [{"type": "text", "text": text}, *({"type": "toolCall", "name": name, "arguments": {}} for name in tools)]
    return {"role": "assistant", "content": blocks, "timestamp": 1777881600000 + at}


def record(kind: str, at: int, **data: object) -> Json:
    stamp = f"2026-05-04T08:0{at}:00.000Z"
    return {
        "traceSchema": "openclaw-trajectory",
        "type": kind,
        "ts": stamp,
        "sessionId": "s",
        "runId": f"r{at // 4}",
        "data": data,
    }


def told(**more: object) -> Json:
    metas = [{"toolName": "read", "meta": "from a"}, {"toolName": "exec"}, {"toolName": "exec", "meta": "light it"}]
    return {"assistantTexts": ["I read.", "I look.", "I light.", "It is lit."], "toolMetas": metas, **more}


def left(messages: list[Json], **about: object) -> list[tuple[str, str | None]]:
    """Of each message that was left out its text and the tool it calls."""
    run = Run(0)
    run.messages, run.cut = messages, True
    run.tell(about, 1)
    found: list[tuple[str, str | None]] = []
    for message in run.left_out():
        blocks = message["content"] if isinstance(message["content"], list) else [{"text": message["content"]}]
        text = "".join(block.get("text", "") for block in blocks)
        found.append((text, next((block["name"] for block in blocks if "name" in block), None)))
    return found


READ = [user("Go"), agent("I read.", "read")]


@pytest.mark.parametrize(
    ("messages", "about", "found"),
    [
        pytest.param(
            READ, told(), [("I look.", "exec"), ("I light.", "exec"), ("It is lit.", None)], id="what comes after"
        ),
        pytest.param(
            READ,
            told(aborted=True),
            [("I look.", "exec"), ("I light.", "exec"), ("It is lit.", None)],
            id="a run that was broken off",
        ),
        pytest.param(
            READ,
            told(assistantTexts=["I read.", "It is lit."]),
            [("It is lit.", "exec"), ("", "exec")],
            id="calls without words",
        ),
        pytest.param(
            [],
            told(toolMetas=[], finalPromptText="Go"),
            [("Go", None), *((text, None) for text in told()["assistantTexts"])],
            id="nothing kept",
        ),
        pytest.param(READ, {}, [], id="nothing told"),
    ],
)
def test_what_was_left_out(messages: list[Json], about: Json, found: list[tuple[str, str | None]]) -> None:
    assert left(messages, **about) == found


def test_a_whole_run_is_as_its_messages_say() -> None:
    run = Run(0)
    run.messages = READ
    run.tell(told(), 1)
    assert run.left_out() == []


def test_a_cut_session() -> None:
    first = [user("Hello"), agent("Hello.", at=1)]
    session = read_lines(
        [
            record("model.completed", 1, messagesSnapshot=first),
            record("prompt.submitted", 4),
            record(
                "model.completed", 6, messagesSnapshot=[*first, CUT], finalPromptText="[Mon 2026-05-04 08:00 UTC] Go"
            ),
            record("trace.artifacts", 7, finalStatus="success", **told()),
        ],
        "openclaw-trajectory",
    )
    assert words(session)[-6:] == [
        ("assistant", "Hello."),
        ("user", "Go"),
        *(("assistant", text) for text in told()["assistantTexts"]),
    ]
    assert (order(session), session.user_messages, session.recorded_status) == ("mmmmcmcmcm", 2, "success")
    assert calls(session)[0] == ("read", {"description": "from a"})
    assert build_timeline(session).closing() == "It is lit."
    cut = "7 messages of a run left out by the recorder; of 3 calls in them only the tool is recorded"
    assert [(one.what, one.hides_actions) for one in session.warnings] == [(cut, True)]
    timeline = build_timeline(session)
    assert post_mortem(timeline, detect(timeline)).diagnosis.headline.endswith(f" Not all actions are known: {cut}.")


def test_what_the_program_says_of_itself_is_no_turn() -> None:
    own = user("A command has ended.", 1) | {"provenance": {"kind": "internal_system"}}
    session = read_lines([record("model.completed", 1, messagesSnapshot=[user("Go"), own])], "openclaw-trajectory")
    assert (words(session), session.user_messages) == ([("user", "Go"), ("harness", "A command has ended.")], 1)
