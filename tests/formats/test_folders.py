"""Which files of a tree belong together."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.formats.container.tree import BundleTree, Unit
from analyzer.formats.loading.folders import units
from tests.formats.boxes import Box

ID = "0a1b2c3d-0000-4000-8000-000000000001"


def found(files: Mapping[str, bytes]) -> list[Unit]:
    return units(BundleTree(Box(files)))


def files_of(unit: Unit) -> list[str]:
    prefix = f"{unit.root}/" if unit.root else ""
    return [prefix + name for name in unit.members] or [unit.path]


FOLDERS = (
    "",
    "a",
    "b",
    "agent",
    "events",
    "sessions",
    "samples",
    "_journal",
    ID,
    f"{ID}/subagents",
    "subagents",
    "tool-results",
)
NAMES = (
    *(
        "base_state.json",
        "trajectory.json",
        "events.json",
        "event-1.json",
        "results.json",
        "commands.txt",
        "agent.log",
        "ui_messages.json",
        "start.json",
    ),
    *(
        "api_conversation_history.json",
        "header.json",
        "summaries.json",
        "x.messages.json",
        "x.json",
        "result.json",
        f"{ID}.jsonl",
        "agent-1.jsonl",
        "y.jsonl",
    ),
)
CONTENTS = (
    b"{}",
    b'{"schema_version": "ATIF-v1.5", "continued_trajectory_ref": "x.json"}',
    b'{"workspace_root": "/", "status": "x", "session_id": "x"}',
    json.dumps({"type": "user", "uuid": "u", "sessionId": ID, "message": {"content": "x"}}).encode(),
)
PATHS = st.lists(st.sampled_from(FOLDERS), max_size=3).flatmap(
    lambda parts: st.sampled_from(NAMES).map(lambda name: "/".join([*filter(None, parts), name]))
)


@pytest.mark.slow
@given(st.dictionaries(PATHS, st.sampled_from(CONTENTS), max_size=14))
def test_no_file_is_in_two_units_and_none_is_lost_but_what_belongs_to_a_session(files: dict[str, bytes]) -> None:
    counts = Counter(name for unit in found(files) for name in files_of(unit))
    assert set(counts) <= set(files)
    assert set(counts.values()) <= {1}
    for name in set(files) - set(counts):
        parts = name.split("/")
        belongs = ID in parts[:-1] and (
            "subagents" in parts
            or any(f"{ID}/tool-results/" in other or f"{ID}/subagents/" in other for other in files)
        )
        assert belongs or parts[-1] == "results.json", f"{name} is lost"


@given(st.dictionaries(PATHS, st.sampled_from(CONTENTS), max_size=14))
def test_paths_of_units_are_their_own(files: dict[str, bytes]) -> None:
    paths = [unit.path for unit in found(files)]
    assert paths == sorted(set(paths))


def test_a_sub_agent_with_a_first_record_of_any_length_belongs_to_its_session() -> None:
    record = json.dumps({"type": "user", "uuid": "u", "message": {"content": "x" * 100_000}, "sessionId": ID}).encode()
    for content in (record, record + b"\n", record + b"\n" + record):
        assert found({f"{ID}.jsonl": b"{}", "agent-1.jsonl": content}) == [
            Unit(f"{ID}.jsonl", "", (f"{ID}.jsonl", "agent-1.jsonl"))
        ]


def test_a_file_that_is_only_called_like_a_sub_agent_is_a_file() -> None:
    assert found({f"{ID}.jsonl": b"{}", "agent-1.jsonl": b'{"a": 1}\n[2]\nx'}) == [
        Unit(f"{ID}.jsonl"),
        Unit("agent-1.jsonl"),
    ]


def test_a_deep_tree_is_no_problem() -> None:
    assert found({"a/" * 5_000 + "x.json": b"{}"}) == [Unit("a/" * 5_000 + "x.json")]
