"""What a change of one record would lose is remarked on, and what is sound isn't."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.checkup import check
from analyzer.formats.loading.load import load_bytes
from tests.formats.samples import ALL_SAMPLES, Sample

DATA = Path(__file__).resolve().parents[1] / "data/formats"


def changed(file: str, *path: str | int, to: Any) -> bytes:
    """A sample with one value in it changed."""
    value = json.loads((DATA / file).read_text(encoding="utf-8"))
    node = value
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = to
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    ("file", "path", "to", "what"),
    [
        ("openhands_v0.json", (2,), {"action": "stroll", "source": "agent"}, "unknown action 'stroll'"),
        ("openhands_v0.json", (1, "action"), ["message"], "neither an action nor an observation"),
        ("openhands_v0.json", (1, "args"), {"contents": "Repair it."}, "'message' without a text"),
        ("openhands_v0.json", (3, "cause"), 4711, "that answers no action"),
        ("openhands_v0.json", (4, "source"), "gardener", "unknown action 'read' of 'gardener'"),
        ("openhands_sdk.json", (0, "kind"), "StrollEvent", "unknown kind 'StrollEvent'"),
        ("openhands_sdk.json", (5, "kind"), "StrollEvent", "unknown kind 'StrollEvent'"),
        ("openhands_sdk.json", (5, "observation"), ["F.."], "an object in 'observation'"),
        ("openhands_sdk.json", (1, "llm_message"), "Repair it.", "an object in 'llm_message'"),
        ("swe_agent.traj", ("history", 1, "role"), "gardener", "unknown role 'gardener'"),
        ("mini_swe_agent.traj.json", ("messages", 2, "role"), "gardener", "unknown role 'gardener'"),
    ],
)
def test_a_record_of_an_unknown_kind(file: str, path: tuple[str | int, ...], to: Any, what: str) -> None:
    session = load_bytes(changed(file, *path, to=to), file).sessions[0]

    assert any(what in warning.what for warning in session.warnings), session.warnings
    assert not any(
        what in warning.what for warning in load_bytes((DATA / file).read_bytes(), file).sessions[0].warnings
    )


def records(count: int = 12) -> list[dict[str, Any]]:
    """A chat in which the user and the assistant take turns."""
    return [
        {"role": ("user", "assistant")[number % 2], "content": f"This is sentence number {number} of the talk."}
        for number in range(count)
    ]


def remarks(place: Path, value: list[dict[str, Any]]) -> list[str]:
    """What `check` says of a chat."""
    file = place / "chat.json"
    file.write_text(json.dumps({"messages": value}))
    return [f"{warning.where}: {warning.what}" for warning in check(str(file)).warnings]


UNREAD = {
    "another key": {"role": "user", "body": "Nobody would read this sentence."},
    "another type": {"role": "assistant", "content": {"body": {"words": 5}}, "body": "Nobody would read this."},
}


@pytest.mark.parametrize("odd", [UNREAD["another key"], UNREAD["another type"]], ids=["another key", "another type"])
def test_a_text_that_is_not_read_although_its_like_is(tmp_path: Path, odd: dict[str, Any]) -> None:
    value = records()
    value[4] = odd

    assert any("messages[4]: nothing was read of 'Nobody would read" in remark for remark in remarks(tmp_path, value))


@pytest.mark.parametrize(
    "odd",
    [
        {"role": "user", "content": "Something said.", "note": "A note of the program that nobody reads."},
        {"role": "user", "content": "", "is_demo": True, "body": "A demonstration that nobody reads."},
        {"role": "user", "content": ""},
        {"role": "user", "content": [{"type": "text", "text": "Said in a block."}]},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "user", "content": "ok", "id": "0b7f6a1e-34d5-4f2a-9c55-0a1de9c7f001"},
    ],
)
def test_an_odd_record_that_is_read_or_says_nothing(tmp_path: Path, odd: dict[str, Any]) -> None:
    value = records()
    value[4] = odd

    assert not [remark for remark in remarks(tmp_path, value) if "nothing was read" in remark]


@pytest.mark.parametrize("sample", ALL_SAMPLES, ids=lambda sample: sample.file)
def test_nothing_is_remarked_on_in_a_sample(sample: Sample) -> None:
    assert not [warning for warning in check(str(sample.path)).warnings if "nothing was read" in warning.what]
