"""Trajectories of Moatless."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Message, Session
from analyzer.model.words import Ending
from analyzer.timeline import build_timeline

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "formats" / "moatless.json"


def stored() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SAMPLE.read_text(encoding="utf-8"))
    return found


def read(value: Any) -> Session:
    (session,) = load_bytes(json.dumps(value).encode(), "trajectory.json", "moatless").sessions
    return session


def test_the_path_to_the_end_is_the_session() -> None:
    session = read(stored())
    actions = build_timeline(session).lane()
    assert [(action.tool, action.result) for action in actions] == [
        ("FindFunction", "Found 1 function."),
        ("StringReplace", "The file was edited."),
        ("Finish", "It's repaired."),
    ]
    assert actions[1].arguments == {"path": "src/bill.py", "old_str": "sum(items)", "new_str": "sum(prices)"}
    assert [call.name for call in session.calls() if call.lane == "branch 1"] == ["StringReplace"]
    assert not session.warnings


def test_the_header_the_thoughts_and_the_end() -> None:
    session = read(stored())
    assert (session.id, session.model, session.task) == ("shop-17", "m-1", "Repair the total.")
    assert (session.recorded_status, session.ending) == ("Finish", Ending.SUBMITTED)
    thoughts = [event.text for event in session.events if isinstance(event, Message) and event.thought]
    assert thoughts == ["thought 1", "thought 2", "thought 3", "thought 4"]


def test_a_tool_that_asks_for_a_correction_failed() -> None:
    value = stored()
    value["nodes"] = value["nodes"][:3]
    last = build_timeline(read(value)).actions[-1]
    assert (str(last.status), last.decided_by) == ("error", "the log's flag")


def test_nodes_within_nodes_and_several_actions_of_a_node_are_read() -> None:
    root, first, *_ = stored()["nodes"]
    step = {"action": first.pop("action"), "observation": first.pop("observation")}
    del root["parent_id"], first["parent_id"]
    nested = {"root": {**root, "children": [{**first, "action_steps": [step, step]}]}}
    session = read(nested)
    assert [call.name for call in session.calls()] == ["FindFunction", "FindFunction"]
    assert len({call.id for call in session.calls()}) == 2


def test_nodes_that_are_each_others_parents_are_survived() -> None:
    value = stored()
    value["nodes"][1]["parent_id"] = 4
    assert len(list(read(value).calls())) == 4
