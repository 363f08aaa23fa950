"""OpenHands conversations kept as a folder."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from analyzer.audit.sources.discover import LocalTree
from analyzer.formats.container.bundle import DirectoryBundle
from analyzer.formats.container.document import Document
from analyzer.formats.loading.folders import units
from analyzer.formats.loading.load import load
from analyzer.formats.openhands.folder_format import FORMAT
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Session
from analyzer.model.words import Ending
from tests.audit.trees import write
from tests.formats.boxes import folder_of
from tests.formats.corpus_files import entries
from tests.formats.events import answered, calls, words
from tests.formats.mutations import mutated
from tests.tables import table

Json = dict[str, Any]


def event(number: int, kind: str, source: str = "environment", **rest: Any) -> Json:
    return {"id": f"e{number}", "timestamp": f"2026-01-02T03:04:{number:02}.5", "source": source, "kind": kind, **rest}


def said(number: int, source: str, words: str) -> Json:
    content = [{"type": "text", "text": words}]
    return event(number, "MessageEvent", source, llm_message={"role": source, "content": content})


def acted(number: int, tool: str, **action: Any) -> Json:
    return event(number, "ActionEvent", "agent", tool_name=tool, tool_call_id=f"c{number}", action=action, thought=[])


def observed(number: int, answered: int, words: str) -> Json:
    return event(
        number, "ObservationEvent", action_id=f"e{answered}", observation={"content": [{"type": "text", "text": words}]}
    )


STATE: Json = {
    "id": "01234567-89ab-cdef-0123-456789abcdef",
    "agent": {"llm": {"model": "some/model"}},
    "workspace": {"working_dir": "/rates"},
    "execution_status": "stuck",
    "stats": {
        "usage_to_metrics": {"agent": {"accumulated_cost": 0.25, "accumulated_token_usage": {"prompt_tokens": 9}}}
    },
}
EVENTS = [said(1, "user", "Fix it."), acted(2, "terminal", command="ls"), observed(3, 2, "zones.py"), acted(10, "grep")]


def names(events: list[Json], folder: str = "") -> dict[str, object]:
    return {f"{folder}events/event-{number:05}-{item['id']:0>8}.json": item for number, item in enumerate(events)}


def session_of(root: Path) -> Session:
    transcript = load(root)
    assert transcript.format == FORMAT.name
    (session,) = transcript.sessions
    return session


def test_one_file_per_event(tmp_path: Path) -> None:
    session = session_of(write(tmp_path, {"base_state.json": STATE, **names(EVENTS), "events/.eventlog.lock": ""}))

    assert (session.id, session.model, session.task) == (STATE["id"], "some/model", "Fix it.")
    assert answered(session) == [("terminal", "zones.py"), ("grep", None)]
    assert (session.ending, session.recorded_status, session.cost_usd) == (Ending.STUCK, "stuck", 0.25)
    assert (session.environment, session.warnings) == ({"working directory": "/rates"}, [])


def test_an_older_state_has_its_usage_and_status_under_other_names(tmp_path: Path) -> None:
    older = {key: value for key, value in STATE.items() if key not in ("execution_status", "stats")}
    metrics = {"service_to_metrics": STATE["stats"]["usage_to_metrics"]}
    state = {**older, "stats": metrics, "agent_status": "finished"}
    session = session_of(write(tmp_path, {"base_state.json": state, **names(EVENTS)}))
    assert (session.cost_usd, session.tokens.input, session.ending) == (0.25, 9, Ending.SUBMITTED)


@pytest.mark.parametrize("place", ["", "events/"])
def test_a_folder_of_events_alone_is_a_conversation(tmp_path: Path, place: str) -> None:
    files: dict[str, object] = {
        f"{place}event-{number:05}-{item['id']:0>8}.json": item for number, item in enumerate(EVENTS)
    }
    write(tmp_path / "talk", files)
    session = session_of(tmp_path / "talk")
    assert (session.id, answered(session)) == ("talk", [("terminal", "zones.py"), ("grep", None)])
    (unit,) = units(LocalTree(str(tmp_path)))
    assert (unit.path, len(unit.members)) == ("talk" if not place else "talk/events", 4)


def test_events_are_read_by_their_numbers(tmp_path: Path) -> None:
    files = {
        f"events/event-{number}-aaaaaaaa.json": item
        for number, item in zip(("99998", "100000", "99999"), EVENTS, strict=False)
    }
    session = session_of(write(tmp_path, {"base_state.json": STATE, **files}))
    assert [type(item).__name__ for item in session.events] == ["Message", "ToolResult", "ToolCall"]


@pytest.mark.parametrize(
    "listed",
    [
        pytest.param({"events.json": json.dumps(EVENTS)}, id="array"),
        pytest.param({"events.json": {"events": EVENTS}}, id="inside-an-object"),
        pytest.param({"events.jsonl": "\n".join(map(json.dumps, EVENTS))}, id="lines"),
    ],
)
def test_a_description_beside_its_events(tmp_path: Path, listed: dict[str, object]) -> None:
    session = session_of(write(tmp_path, {"trajectory.json": {"baseState": STATE, "eventCount": 4}, **listed}))
    assert (session.id, len(calls(session)), session.ending) == (STATE["id"], 2, Ending.STUCK)


def test_a_delegated_conversation_is_a_lane(tmp_path: Path) -> None:
    inner = {"subagents/99887766aa/base_state.json": STATE, **names([acted(5, "read")], "subagents/99887766aa/")}
    session = session_of(write(tmp_path, {"base_state.json": STATE, **names(EVENTS), **inner}))
    assert calls(session, "agent-99887766") == [("read", {})]
    assert len(calls(session)) == 2


def test_damaged_members_cost_only_themselves(tmp_path: Path) -> None:
    files = {"base_state.json": "{torn", **names(EVENTS), "events/event-00009-aaaaaaaa.json": "[1"}
    session = session_of(write(tmp_path, files))
    assert words(session) == [("user", "Fix it.")]
    assert [warning.where for warning in session.warnings] == [
        "events",
        "events/event-00009-aaaaaaaa.json",
        "base_state.json",
    ]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"base_state.json": STATE}, id="no-events"),
        pytest.param({"events.json": json.dumps(EVENTS)}, id="no-state"),
        pytest.param({"run/base_state.json": STATE, **names(EVENTS, "run/")}, id="deeper"),
    ],
)
def test_other_folders_are_not_taken(tmp_path: Path, files: dict[str, object]) -> None:
    write(tmp_path, files)
    assert not FORMAT.sniff(Document(str(tmp_path), "", bundle=DirectoryBundle(tmp_path)))
    assert not FORMAT.sniff(Document("x.json", json.dumps(EVENTS)))


def test_nothing_to_read_is_refused(tmp_path: Path) -> None:
    for document in (Document("x", "x"), Document(str(tmp_path), "", bundle=DirectoryBundle(tmp_path))):
        with pytest.raises(UnreadableInput):
            list(FORMAT.read(document))


@given(mutated({"base_state.json": STATE, **names(EVENTS)}))
def test_any_type_anywhere_is_survived(damaged: Json) -> None:
    document = folder_of(damaged)
    FORMAT.sniff(document)
    with suppress(UnreadableInput):
        assert len(list(FORMAT.read(document))) == 1


def test_an_event_cut_anywhere_costs_only_itself() -> None:
    files = {"base_state.json": STATE, **names(EVENTS)}
    (name,) = [name for name in files if "00003" in name]
    whole = json.dumps(files[name]).encode()
    for size in range(len(whole)):
        (session,) = FORMAT.read(folder_of({**files, name: whole[:size]}))
        assert answered(session) == [("terminal", "zones.py")]


def test_a_real_folder_is_its_events_and_its_description(corpus: Path) -> None:
    for path in entries(corpus, "openhands-sdk"):
        if path.name != "events.json":
            continue
        (alone,), session = load(path).sessions, session_of(path.parent)
        assert [call.id for call in session.calls()] == [call.id for call in alone.calls()]
        assert len(calls(session)) == path.read_text(encoding="utf-8").count('"ActionEvent"')
        assert session.ending is not None
        assert session.tokens.input


@table("events_that_are_left_out_are_said")
def test_events_that_are_left_out_are_said(tmp_path: Path, numbers: list[int], told: list[str]) -> None:
    files: dict[str, object] = {
        f"events/event-{number:05}-aaaaaaaa.json": said(place, "user", f"Fix zone {place}.")
        for place, number in enumerate(numbers)
    }
    session = session_of(write(tmp_path, {"base_state.json": STATE, **files}))
    assert [warning.what for warning in session.warnings if warning.where == "events"] == told
