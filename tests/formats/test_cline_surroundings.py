"""What the prompts of Cline and Roo Code say about the surroundings, and conversations of which a part is kept."""

from __future__ import annotations

import pytest

from analyzer.diagnosis import post_mortem
from analyzer.model.postmortem import PostMortem
from analyzer.model.session import Session
from analyzer.timeline import build_timeline
from tests.formats.cline_builders import Json, session_of, text
from tests.formats.events import words


def page_of(session: Session) -> PostMortem:
    return post_mortem(build_timeline(session), [])


def cost_of(found: PostMortem) -> str:
    return next(row.text for row in found.diagnosis.lead if row.part == "cost")


def around(time: str, cost: str = "0.10", model: str = "model-a") -> Json:
    """What Roo Code writes about the surroundings."""
    return text(
        f"<environment_details>\n# Current Time\nCurrent time in ISO 8601 UTC format: 2026-03-01T08:{time}.000Z\n"
        f"\n# Current Cost\n${cost}\n\n# Current Mode\n<slug>code</slug>\n<model>{model}</model>\n\n"
        "# Current Workspace Directory (c:/tide) Files\nzones.py\n</environment_details>"
    )


def sent(at: int, *parts: Json) -> Json:
    return {"role": "user", "ts": 1_772_352_000_000 + at * 1000, "content": list(parts)}


def asks(at: int, path: str) -> Json:
    words = f"<read_file>\n<path>{path}</path>\n</read_file>"
    return {"role": "assistant", "ts": 1_772_352_000_000 + at * 1000, "content": [text(words)]}


TASK = sent(0, text("<task>\nFix the far zone.\n</task>"), around("00:00", "0.00"))
HEAD = text("[read_file for 'a'] Result:")
MORE = text("\n\nNew instructions for task continuation:\n<user_message>\nNot there!\n</user_message>")


def test_model_cost_and_folder_are_those_that_the_prompt_names() -> None:
    log = [
        TASK,
        asks(5, "a"),
        sent(6, HEAD, text("A"), around("00:06", "0.25")),
        asks(9, "b"),
        sent(10, text("[read_file for 'b'] Result:"), text("B"), around("00:10", "0.40", "model-b")),
        asks(12, "c"),
    ]
    session = session_of(log)
    assert [call.model for call in session.calls()] == ["model-a", "model-a", "model-b"]
    assert (session.model, session.cost_usd, session.cost_is_partial) == ("model-b", 0.4, True)
    assert session.environment["working directory"] == "c:/tide"
    assert "at least $0.40" in cost_of(page_of(session))


def test_a_recorded_cost_counts_for_more_than_what_the_prompt_names() -> None:
    answer = {**asks(5, "a"), "metrics": {"cost": 0.5}}
    session = session_of([TASK, answer, sent(6, HEAD, text("A"), around("00:06", "0.25"))])
    assert (session.cost_usd, session.cost_is_partial) == (0.5, False)


@pytest.mark.parametrize(
    ("parts", "took"),
    [
        pytest.param([HEAD, text("A"), around("00:06")], 1.0, id="a result"),
        pytest.param([HEAD, text("A"), around("00:06"), MORE, around("01:30")], 1.0, id="words after it, both timed"),
        pytest.param([HEAD, text("A"), MORE, around("01:30")], None, id="words after it, timed together"),
        pytest.param([HEAD, text("A"), MORE], None, id="words after it, not timed"),
        pytest.param([HEAD, text("A"), around("00:02")], 90.0 - 5.0, id="a time before the call"),
    ],
)
def test_what_the_user_takes_to_answer_is_no_time_of_the_tool(parts: list[Json], took: float | None) -> None:
    at = 90 if parts[-1] is MORE or len(parts) > 3 or parts[-1] == around("00:02") else 6
    session = session_of([TASK, asks(5, "a"), sent(at, *parts)])
    (action,) = build_timeline(session).actions
    assert (action.result, action.duration) == ("A", took)
    said = [said for role, said in words(session) if role == "user"]
    assert said == ["Fix the far zone.", *(["Not there!"] if MORE in parts else [])]


SUMMARY = {"role": "assistant", "ts": 1_772_380_800_000, "content": "Before: zones were read.", "isSummary": True}


def test_a_conversation_that_begins_with_a_summary_is_a_part() -> None:
    later = [{**one, "ts": one["ts"] + 28_800_000} for one in (asks(5, "a"), sent(6, HEAD, text("A"), around("00:06")))]
    session = session_of([TASK, SUMMARY, *later])
    found = page_of(session)
    assert (found.session.begins_after_compaction, found.session.messages.assistant) == (True, 1)
    assert (found.session.duration_seconds, found.session.active_seconds) == (6.0, 6.0)
    assert cost_of(found).endswith(" The recording begins after a compaction; what came before it isn't counted.")


def test_a_summary_later_on_is_a_compaction_only() -> None:
    session = session_of([TASK, asks(5, "a"), sent(6, HEAD, text("A")), {**SUMMARY, "ts": 1_772_352_008_000}])
    found = page_of(session)
    assert (found.session.begins_after_compaction, found.session.duration_seconds) == (False, 8.0)
