"""Recordings whose arguments and results a recorder took out, or that it cut: nothing is said of what isn't there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.detectors import detect
from analyzer.diagnosis import post_mortem
from analyzer.formats.loading.load import load_bytes
from analyzer.model.postmortem import PostMortem
from analyzer.model.session import ReadWarning
from analyzer.timeline import build_timeline
from tests.build import Part, diagnosed, says, user, write

Json = dict[str, Any]


def page(actions: list[Json]) -> PostMortem:
    said = {"role": "user", "text": "Mend the hull.", "before_action": 1}
    document = {"format": "analyze-session/1", "session": {"id": "s"}, "messages": [said], "actions": actions}
    (session,) = load_bytes(json.dumps(document).encode(), "s.json").sessions
    timeline = build_timeline(session)
    return post_mortem(timeline, detect(timeline))


def steps(
    result: str, *, tools: tuple[str, ...] = ("look", "bash"), given: object = None, times: int = 3
) -> list[Json]:
    """Calls of each tool in turn, which worked by the log's flag."""
    about: Json = {"result": result, "is_error": False} | ({} if given is None else {"arguments": given})
    return [{"tool": tool, **about} for tool in tools for _ in range(times)]


@pytest.mark.parametrize(
    "actions",
    [
        pytest.param(steps("{}", given={"at": "keel"}), id="what was asked is recorded"),
        pytest.param([*steps("{}"), *steps("The hull leaks.", times=1)], id="a result is recorded"),
        pytest.param(steps("{}", tools=("beat",), times=6), id="one tool that takes nothing"),
        pytest.param(steps("{}", times=1), id="two calls"),
        pytest.param(steps("", given={"at": "keel"}), id="nothing was printed"),
    ],
)
def test_other_recordings_are_not(actions: list[Json]) -> None:
    shown = page(actions)
    assert "blanked" not in shown.diagnosis.headline
    assert not any("blanked" in warning.what for warning in shown.warnings)


def test_a_result_that_changes_is_one_that_is_recorded() -> None:
    moving = [{"tool": "state", "result": f"{done} of 9", "is_error": False} for done in range(4)]
    assert [row.pattern for row in page(moving).repetition] == ["polling"]
    hollow = [{"tool": "state", "result": "{}", "is_error": False} for _ in range(4)]
    assert page(hollow).repetition == []


def test_a_cut_recording_says_so_and_nothing_of_what_was_not_done() -> None:
    parts: list[Part] = [
        user("Write down how to mend the hull."),
        write("notes.md", "Mend it."),
        says("All done: it is written."),
    ]
    cut = ReadWarning("messages", "3 messages left out by the recorder", hides_actions=True)
    whole, part = diagnosed(*parts).diagnosis.headline, diagnosed(*parts, warnings=[cut]).diagnosis.headline
    assert whole.endswith("`notes.md`, a document, was written, and nothing recorded says whether it is right.")
    assert part.endswith(
        "; no check of `notes.md` is recorded. Not all actions are known: 3 messages left out by the recorder."
    )
