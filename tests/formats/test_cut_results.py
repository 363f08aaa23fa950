"""Results of which a recorder kept only the beginning are said to be cut, and no two of them count as the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.detectors import detect
from analyzer.formats.loading.load import load_bytes
from analyzer.timeline import build_timeline
from analyzer.timeline.timeline import Timeline

WORDS = "The gauge at the quay stands at four metres and rises by ten centimetres an hour. " * 12


def made(*results: str, tools: str = "abcdefgh", errors: bool = False) -> Timeline:
    actions: list[dict[str, Any]] = [
        {"tool": f"look_{tools[place % len(tools)]}", "arguments": {"at": place}, "result": text}
        | ({"is_error": True} if errors else {})
        for place, text in enumerate(results)
    ]
    document = {"format": "analyze-session/1", "session": {"id": "s"}, "actions": actions}
    (session,) = load_bytes(json.dumps(document).encode(), "s.json").sessions
    return build_timeline(session)


def told(timeline: Timeline) -> list[str]:
    return [warning.what for warning in timeline.warnings if "in the recording" in warning.what]


def text(number: int, length: int) -> str:
    return f"{number}{WORDS}"[:length]


@pytest.mark.parametrize(
    ("results", "said"),
    [
        pytest.param(
            [f"{text(1, 300)}…[+812 chars]", f"{text(2, 300)}…[+4 chars]", "short"],
            "2 results of 3 end after 300 characters",
            id="a count in brackets",
        ),
        pytest.param(
            [f"{text(1, 333)}... (1,812 more characters)", f"{text(2, 333)}... (4 more characters)"],
            "2 results of 2 end after 333 characters",
            id="a count in words",
        ),
        pytest.param(
            [f"{text(1, 300)}\n[truncated 12 chars]", f"{text(2, 300)}\n[truncated 2 chars]", text(3, 310)],
            "2 results of 3 end after 300 characters",
            id="and one that is hardly longer",
        ),
        pytest.param(
            [f"{text(1, 200)}… +40 bytes", f"{text(2, 200)}… +4 bytes"],
            "2 results of 2 end after 200 characters",
            id="a count without brackets",
        ),
        pytest.param(
            [*(f"{text(number, 497)}..." for number in range(3)), "short"],
            "3 results of 4 end after 497 characters",
            id="an ellipsis",
        ),
        pytest.param(
            [*(f"{text(number, 500)} [truncated]" for number in range(3)), "short"],
            "3 results of 4 end after 500 characters",
            id="a word",
        ),
        pytest.param(
            [*(text(number, 500) for number in range(4)), "short"],
            "4 results of 5 end after 500 characters",
            id="no mark",
        ),
        pytest.param([text(number, 256) for number in range(3)], "3 results of 3 end after 256 characters", id="256"),
    ],
)
def test_cut(results: list[str], said: str) -> None:
    known = "what followed isn't known, and none of them counts as the same output as another"
    assert told(made(*results)) == [f"{said} in the recording: {known}"]


@pytest.mark.parametrize(
    "results",
    [
        pytest.param(["short", "small", "large"], id="short ones of one length"),
        pytest.param([text(1, 500), text(2, 500), "short"], id="only two"),
        pytest.param([text(1, 500)] * 4, id="one text again and again"),
        pytest.param([text(number, 501) for number in range(4)], id="no round length"),
        pytest.param([*(text(number, 500) for number in range(4)), text(5, 620)], id="another one is longer"),
        pytest.param([f"{text(1, 300)}…[+12 chars]", f"{text(2, 280)}…[+12 chars]"], id="cut at two lengths"),
        pytest.param([f"{text(1, 300)}…[+12 chars]", "short"], id="one alone"),
        pytest.param([f"{text(number, 311 + number)}..." for number in range(4)], id="texts that end in an ellipsis"),
        pytest.param(["See 3 more (12 bytes)", "See 4 more (13 bytes)"], id="words about bytes"),
        pytest.param([], id="nothing"),
    ],
)
def test_not_cut(results: list[str]) -> None:
    assert told(made(*results)) == []


def test_pages_of_one_tool_are_not_cut() -> None:
    assert told(made(*(text(number, 500) for number in range(5)), tools="a")) == []


@pytest.mark.parametrize("mark", ["", "…[+90 chars]", "..."])
def test_nothing_is_said_to_come_back_the_same(mark: str) -> None:
    others = [f"{text(number, 500)}{mark}" for number in range(3)]
    cut = made(*others, *[f"{text(9, 500)}{mark}"] * 2)
    whole = made(*[text(9, 480)] * 2)
    assert len({action.keys.outcome for action in cut.actions}) == 5
    assert len({action.keys.outcome for action in whole.actions}) == 1


def test_a_poll_whose_answers_were_cut_is_no_loop() -> None:
    def polls(answers: list[str]) -> list[str]:
        first = [{"tool": f"look_{n}", "result": f"{text(n, 500)}…[+9 chars]"} for n in range(3)]
        again = [{"tool": "log", "arguments": {"of": "gauge"}, "result": answer} for answer in answers]
        document = {"format": "analyze-session/1", "session": {"id": "s"}, "actions": [*first, *again]}
        (session,) = load_bytes(json.dumps(document).encode(), "s.json").sessions
        return [finding.detector for finding in detect(build_timeline(session), select=["loops"])]

    assert polls([text(7, 480)] * 8) == ["loops"]
    assert polls([f"{text(7, 500)}…[+{n + 20} chars]" for n in range(8)]) == []
    assert polls([f"{text(7, 500)}…[+20 chars]"] * 8) == []


def test_an_error_that_the_beginning_shows_comes_back() -> None:
    error = f"KeyError: 'quay'\n{text(7, 482)}…[+20 chars]"
    timeline = made(*[f"{text(n, 499)}…[+9 chars]" for n in range(3)], *[error] * 4, tools="a", errors=True)
    assert len({action.failure.group for action in timeline.actions[3:] if action.failure}) == 1


LONG = "".join(f"level_{number} = {number}\n" for number in range(60))


def edited(length: int) -> Timeline:
    """A file is read, changed beyond what the recording keeps of it, and read again."""
    reads = [LONG, LONG.replace("level_50 = 50", "level_50 = 51")]
    actions: list[dict[str, Any]] = [
        {"tool": f"look_{place}", "arguments": {"at": place}, "result": f"{text(place, 500)}…[+9 chars]"}
        for place in range(3)
    ]
    for tool, arguments, result in (
        ("read", {"path": "/w/tide.py"}, f"{reads[0][:length]}…[+{len(LONG) - length} chars]"),
        ("edit", {"path": "/w/tide.py", "old": "level_50 = 50", "new": "level_50 = 51"}, "Edited."),
        ("read", {"path": "/w/tide.py"}, f"{reads[1][:length]}…[+{len(LONG) - length} chars]"),
    ):
        actions.append({"tool": tool, "arguments": arguments, "result": result})
    document = {"format": "analyze-session/1", "session": {"id": "s"}, "actions": actions}
    (session,) = load_bytes(json.dumps(document).encode(), "s.json").sessions
    return build_timeline(session)


def test_the_beginning_of_a_file_is_not_all_of_it() -> None:
    history = edited(500).history
    assert history is not None
    assert [step.outside for step in history.steps] == [()] * 6
    assert history.files.get("/w/tide.py").text is None
    assert [step.changed for step in history.steps if step.changed] == [("/w/tide.py",)]
    assert not history.files.made.get("/w/tide.py")
