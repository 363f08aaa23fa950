"""A session of Claude Code of which only a part is named: its file, or the folder with its sub-agents' files."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from analyzer import api
from analyzer.api import analyze
from analyzer.audit.sources.discover import discover
from analyzer.diagnosis.step_texts import recording_of
from analyzer.follow import Follower
from analyzer.formats.loading.folders import session_at
from analyzer.formats.loading.load import load
from analyzer.guard import Guard
from analyzer.model.errors import UnreadableInput
from analyzer.report.html.session import render as html
from analyzer.report.markdown import render as markdown
from tests.audit.trees import write
from tests.formats.test_claude_code_folder import AGENT, MAIN, OTHER, SESSION, result, said, use

SECOND = [
    said("user", 3, "Read.", isSidechain=True, agentId="b9"),
    said("assistant", 7, use("s2", "Read"), isSidechain=True, agentId="b9"),
    said("user", 8, result("s2", "text"), isSidechain=True, agentId="b9"),
]
CALLS = [("Task", "main"), ("Grep", "agent-a7f"), ("Read", "agent-b9")]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A session with two sub-agents, what else is kept in its folder, and another session."""
    root = tmp_path / "project"
    files: dict[str, object] = {
        f"{MAIN}.jsonl": SESSION,
        f"{MAIN}/subagents/agent-a7f.jsonl": AGENT,
        f"{MAIN}/subagents/deeper/agent-b9.jsonl": SECOND,
        f"{MAIN}/subagents/agent-acompact-1.jsonl": SESSION,
        f"{MAIN}/subagents/agent-a7f.meta.json": [{"agentType": "search"}],
        f"{OTHER}.jsonl": [said("user", 1, "Other.", OTHER)],
    }
    write(root, files)
    return root


def report(place: Path, input_format: str | None = None) -> Any:
    made = analyze(place, input_format).model_dump()
    made["source"].pop("path")
    return made


def calls_of(place: Path) -> list[tuple[str, str]]:
    (session,) = load(place).sessions
    return [(call.name, call.lane) for call in session.calls()]


def test_a_sessions_file_and_its_folder_are_each_the_whole_session(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, folder = project / f"{MAIN}.jsonl", project / MAIN
    assert calls_of(file) == CALLS
    (session,) = load(file).sessions
    assert (session.id, session.sub_agents_read, session.warnings) == (MAIN, 2, [])
    assert report(file) == report(folder) == report(file, "claude-code")
    monkeypatch.chdir(folder)
    assert report(Path()) == report(file)


def test_a_page_says_how_many_sub_agents_were_read(project: Path) -> None:
    loaded = api.load(project / f"{MAIN}.jsonl")
    made = api.report_of(loaded)
    assert made.sessions[0].session.sub_agents_read == 2
    for page in (markdown(made), html(made, [recording_of(timeline) for timeline in loaded.sessions])):
        assert "2 sub-agents read" in page
    (project / MAIN / "subagents" / "agent-a7f.jsonl").unlink()
    assert "1 sub-agent read" in markdown(analyze(project / MAIN))
    assert "sub-agent" not in markdown(analyze(project / f"{OTHER}.jsonl"))


@pytest.mark.parametrize("damage", ["binary", "link", "dangling"])
def test_a_file_of_a_sub_agent_that_cannot_be_read_is_a_warning(project: Path, damage: str) -> None:
    broken = project / MAIN / "subagents" / "agent-a7f.jsonl"
    if damage == "binary":
        broken.write_bytes(b"\x00\xff\x00")
    else:
        elsewhere = project.parent / "elsewhere.jsonl"
        if damage == "link":
            broken.rename(elsewhere)
        else:
            broken.unlink()
        broken.symlink_to(elsewhere)
    (session,) = load(project / f"{MAIN}.jsonl").sessions
    assert [(call.name, call.lane) for call in session.calls()] == [CALLS[0], CALLS[2]]
    assert session.sub_agents_read == 1
    assert [warning.where for warning in session.warnings] == [f"{MAIN}/subagents/agent-a7f.jsonl"]
    assert report(project / MAIN) == report(project / f"{MAIN}.jsonl")


def test_a_link_to_a_folder_of_sub_agents_is_not_followed(project: Path) -> None:
    (project / MAIN / "subagents").rename(project.parent / "elsewhere")
    (project / MAIN / "subagents").symlink_to(project.parent / "elsewhere")
    assert calls_of(project / f"{MAIN}.jsonl") == CALLS[:1]


def test_what_the_sessions_file_has_of_a_sub_agent_is_read_once(project: Path) -> None:
    spent = {"input_tokens": 100, "output_tokens": 10}
    first, second = ([records[0], counted(records[1], spent), records[2]] for records in (AGENT, SECOND))
    write(project, {f"{MAIN}/subagents/agent-a7f.jsonl": first, f"{MAIN}/subagents/deeper/agent-b9.jsonl": second})
    told = [
        said("progress", 20 + number, "", data={"type": "agent_progress", "agentId": "b9", "message": record})
        for number, record in enumerate(second)
    ]
    (alone,) = load(project / f"{MAIN}.jsonl").sessions
    write(project, {f"{MAIN}.jsonl": [*SESSION[:2], *first, *told, SESSION[2]]})
    (session,) = load(project / f"{MAIN}.jsonl").sessions
    assert sorted(map(repr, session.events)) == sorted(map(repr, alone.events))
    assert (session.tokens.input, session.tokens.output) == (alone.tokens.input, alone.tokens.output) == (200, 20)


def counted(record: dict[str, Any], usage: dict[str, int]) -> dict[str, Any]:
    return {**record, "message": {**record["message"], "usage": usage}}


def test_a_folder_without_the_sessions_file_is_refused(project: Path) -> None:
    (project / f"{MAIN}.jsonl").unlink()
    with pytest.raises(UnreadableInput, match="directory"):
        load(project / MAIN)


def test_a_folder_whose_agents_did_no_work_is_its_sessions_file(project: Path) -> None:
    for name in ("agent-a7f.jsonl", "deeper/agent-b9.jsonl"):
        (project / MAIN / "subagents" / name).unlink()
    assert calls_of(project / MAIN) == calls_of(project / f"{MAIN}.jsonl") == CALLS[:1]


def test_another_file_with_a_folder_of_its_name_is_read_alone(tmp_path: Path) -> None:
    files = {
        "talk.jsonl": [{"role": "user", "content": "Go."}, {"role": "assistant", "content": "Gone."}],
        "talk/subagents/agent-a7f.jsonl": [],
        "talk/notes.jsonl": [{"note": 1}],
    }
    write(tmp_path, files)
    assert load(tmp_path / "talk.jsonl").format == "chat"
    assert load(tmp_path / "talk.jsonl", "chat").format == "chat"


def test_the_top_of_all_folders_is_no_session() -> None:
    assert session_at("/") is None


def test_standard_input_has_nothing_beside_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    data = (project / f"{MAIN}.jsonl").read_bytes()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    transcript = load("-")
    assert (transcript.format, transcript.size_bytes, len(list(transcript.sessions[0].calls()))) == (
        "claude-code",
        len(data),
        1,
    )


def test_an_audit_counts_a_session_once_whichever_part_is_named(project: Path) -> None:
    file, folder = project / f"{MAIN}.jsonl", project / MAIN
    whole = [Path(source.path) for source in discover([str(project)])]
    assert whole == [file, project / f"{OTHER}.jsonl"]
    assert [Path(source.path) for source in discover([str(folder)])] == [file]
    sources = list(discover([str(project), str(folder), str(file), str(folder / "subagents" / "agent-a7f.jsonl")]))
    assert [Path(source.path) for source in sources] == whole
    assert sources[0].members == tuple(
        os.path.relpath(path, project)
        for path in (file, folder / "subagents" / "agent-a7f.jsonl", folder / "subagents" / "deeper" / "agent-b9.jsonl")
    )


@pytest.mark.parametrize("part", [f"{MAIN}.jsonl", MAIN])
def test_sub_agents_are_followed_while_their_call_waits(project: Path, part: str) -> None:
    (project / MAIN / "subagents" / "deeper" / "agent-b9.jsonl").unlink()
    write(project, {f"{MAIN}.jsonl": SESSION[:2]})
    follower = Follower(str(project / part), Guard)
    shown = []
    for name, records in (
        (f"{MAIN}.jsonl", SESSION[:2]),
        (f"{MAIN}/subagents/deeper/agent-b9.jsonl", SECOND),
        (f"{MAIN}.jsonl", SESSION),
    ):
        write(project, {name: records})
        list(follower.poll())
        shown.append(follower.actions)
    assert shown == [1, 2, 3]
