"""Folders of Claude Code sessions with their sub-agents."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from analyzer.formats.claude_code.folder_format import FORMAT
from analyzer.formats.container.bundle import DirectoryBundle
from analyzer.formats.container.document import Document
from analyzer.formats.loading.load import load
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Session
from tests.audit.trees import write
from tests.formats.boxes import folder_of
from tests.formats.corpus_files import entries
from tests.formats.events import calls, words
from tests.formats.mutations import mutated
from tests.formats.reading import lines_of

Json = dict[str, Any]
MAIN, OTHER = "0a1b2c3d-0000-4000-8000-000000000001", "0a1b2c3d-0000-4000-8000-000000000002"


def said(kind: str, number: int, content: object, session: str = MAIN, **more: Any) -> Json:
    message = {"role": kind, "content": content, **({"id": f"msg-{session}-{number}"} if kind == "assistant" else {})}
    return {
        "type": kind,
        "uuid": f"{session}-{number}-{more.get('agentId', '')}",
        "parentUuid": None,
        "isSidechain": False,
        "sessionId": session,
        "timestamp": f"2025-03-01T10:00:{number:02}.000Z",
        "message": message,
        **more,
    }


def use(call_id: str, name: str = "Bash", **arguments: Any) -> list[Json]:
    return [{"type": "tool_use", "id": call_id, "name": name, "input": arguments}]


def result(call_id: str, text: str) -> list[Json]:
    return [{"type": "tool_result", "tool_use_id": call_id, "content": text}]


SESSION = [
    said("user", 1, "Fix the far zone."),
    said("assistant", 2, use("t1", "Task")),
    said("user", 6, result("t1", "done")),
]
AGENT = [
    said("user", 3, "Look.", isSidechain=True, agentId="a7f"),
    said("assistant", 4, use("s1", "Grep"), isSidechain=True, agentId="a7f"),
    said("user", 5, result("s1", "nothing"), isSidechain=True, agentId="a7f"),
]


def sessions_of(root: Path) -> list[Session]:
    transcript = load(root)
    assert transcript.format == FORMAT.name
    return transcript.sessions


@pytest.mark.parametrize("place", [f"{MAIN}/subagents/agent-a7f.jsonl", "agent-a7f.jsonl"])
def test_a_session_and_its_sub_agent_are_read_together(tmp_path: Path, place: str) -> None:
    write(tmp_path, {f"{MAIN}.jsonl": SESSION, place: AGENT})
    (session,) = sessions_of(tmp_path)

    assert (session.id, session.task) == (MAIN, "Fix the far zone.")
    assert [(call.name, call.lane) for call in session.calls()] == [("Task", "main"), ("Grep", "agent-a7f")]
    assert words(session) == [("user", "Fix the far zone."), ("harness", "Look.")]
    assert [event.time for event in session.events] == sorted(event.time or 0 for event in session.events)
    assert (session.user_messages, session.warnings) == (1, [])


def test_records_of_a_sub_agents_file_need_not_say_that_they_are_one(tmp_path: Path) -> None:
    write(tmp_path, {f"{MAIN}.jsonl": SESSION})
    plain = [
        {key: value for key, value in record.items() if key != "agentId"} | {"isSidechain": False} for record in AGENT
    ]
    write(tmp_path, {f"{MAIN}/subagents/agent-a7f.jsonl": plain})
    (session,) = sessions_of(tmp_path)
    assert calls(session, "agent-a7f") == [("Grep", {})]


def test_every_session_of_a_folder_has_its_own_sub_agents(tmp_path: Path) -> None:
    files: dict[str, object] = {
        f"{MAIN}.jsonl": SESSION,
        f"{OTHER}.jsonl": [said("user", 1, "Other.", OTHER), said("assistant", 2, use("x"), OTHER)],
        "agent-b9.jsonl": [said("assistant", 3, use("y", "Read"), OTHER, isSidechain=True, agentId="b9")],
        "agent-c3.jsonl": [said("assistant", 3, use("z", "Read"), "gone", isSidechain=True, agentId="c3")],
        "notes.jsonl": [{"note": 1}],
    }
    write(tmp_path, files)
    first, second, orphan = sessions_of(tmp_path)

    assert [(session.id, len(list(session.calls()))) for session in (first, second)] == [(MAIN, 1), (OTHER, 2)]
    assert calls(second, "agent-b9") == [("Read", {})]
    assert (orphan.id, calls(orphan)) == ("gone", [("Read", {})])
    assert [warning.where for warning in first.warnings] == ["notes.jsonl"]


def test_agents_that_only_summarise_repeat_the_session_and_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, {f"{MAIN}.jsonl": SESSION, f"{MAIN}/subagents/agent-acompact-12.jsonl": [*SESSION, *AGENT]})
    (session,) = sessions_of(tmp_path)
    assert len(list(session.calls())) == 1


def test_bad_lines_are_reported_with_their_file(tmp_path: Path) -> None:
    write(tmp_path, {f"{MAIN}.jsonl": SESSION})
    (tmp_path / f"{MAIN}.jsonl").write_text((tmp_path / f"{MAIN}.jsonl").read_text() + "\n{torn", encoding="utf-8")
    write(tmp_path, {"agent-a7f.jsonl": [*AGENT, {"type": "moon", "sessionId": MAIN}]})
    (session,) = sessions_of(tmp_path)
    assert {warning.where for warning in session.warnings} == {f"{MAIN}.jsonl, line 4", "agent-a7f.jsonl, line 4"}


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"a.jsonl": SESSION}, id="another-name"),
        pytest.param({f"{MAIN}.jsonl": [{"type": "x"}]}, id="another-content"),
        pytest.param({f"runs/{MAIN}.jsonl": SESSION}, id="deeper"),
    ],
)
def test_other_folders_are_not_taken(tmp_path: Path, files: dict[str, object]) -> None:
    write(tmp_path, files)
    document = Document(str(tmp_path), "", bundle=DirectoryBundle(tmp_path))
    assert not FORMAT.sniff(document)


def test_nothing_to_read_is_refused(tmp_path: Path) -> None:
    for document in (Document("x", "x"), Document(str(tmp_path), "", bundle=DirectoryBundle(tmp_path))):
        with pytest.raises(UnreadableInput):
            list(FORMAT.read(document))


@given(mutated({f"{MAIN}.jsonl": SESSION, f"{MAIN}/subagents/agent-a7f.jsonl": AGENT}))
def test_any_type_anywhere_is_survived(damaged: Json) -> None:
    files = {name: lines_of(records if isinstance(records, list) else [records]) for name, records in damaged.items()}
    document = folder_of(files)
    FORMAT.sniff(document)
    with suppress(UnreadableInput):
        assert all(session.id for session in FORMAT.read(document))


def test_a_file_cut_anywhere_is_read_up_to_there() -> None:
    main, whole = lines_of(SESSION), lines_of(AGENT)
    for size in range(0, len(whole), 7):
        session, *_ = FORMAT.read(folder_of({f"{MAIN}.jsonl": main, "agent-a7f.jsonl": whole[:size]}))
        assert calls(session)[0] == ("Task", {})


def test_real_sessions_have_the_same_calls_in_a_folder_as_alone(corpus: Path, tmp_path: Path) -> None:
    for number, path in enumerate(entries(corpus, "claude-code")[:6]):
        root = tmp_path / str(number)
        root.mkdir()
        shutil.copy(path, root / f"{MAIN}.jsonl")
        (alone,), (session,) = load(path).sessions, sessions_of(root)
        assert sorted(map(repr, alone.calls())) == sorted(map(repr, session.calls()))
        assert alone.tokens == session.tokens
