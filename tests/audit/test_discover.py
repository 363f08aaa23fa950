"""What is found at a path, and what belongs together."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
from pathlib import Path

import pytest

from analyzer.audit.sources.discover import discover
from analyzer.audit.sources.source import Source, digest
from analyzer.formats import load
from analyzer.model.errors import UnreadableInput
from tests.audit.trees import (
    FIRST,
    SECOND,
    THIRD,
    atif,
    below,
    claude,
    log,
    looked_at,
    openhands,
    sessions,
    trial,
    write,
)
from tests.tables import table


def at(*paths: Path | str) -> list[Source]:
    return list(discover([str(path) for path in paths]))


def under(folder: str, files: dict[str, object]) -> dict[str, object]:
    return {f"{folder}/{name}": content for name, content in files.items()}


def test_folders_are_searched_and_what_is_no_transcript_by_its_name_is_left_out(tmp_path: Path) -> None:
    names = ["a.json", "deep/er/b.jsonl", "notes.txt", "deep/c.traj"]
    others = ["code.py", ".hidden.json", ".git/x.json", "node_modules/p/package.json", "image.PNG"]
    write(tmp_path, dict.fromkeys([*names, *others], log()))
    assert below(tmp_path, at(tmp_path)) == sorted(names)


def test_the_history_of_aider_is_found_though_it_is_hidden(tmp_path: Path) -> None:
    write(tmp_path, {"shop/.aider.chat.history.md": "# aider chat started at 2025-01-01 10:00:00\n\n#### Sort it.\n"})
    assert below(tmp_path, at(tmp_path)) == ["shop/.aider.chat.history.md"]


def test_a_hidden_folder_that_is_named_is_searched(tmp_path: Path) -> None:
    write(tmp_path, {".agent/runs/a.json": log()})
    assert below(tmp_path, at(tmp_path / ".agent")) == [".agent/runs/a.json"]


def test_each_file_is_found_once_however_it_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"runs/a.json": log(), "runs/b.json": log()})
    found = at(
        tmp_path / "runs", tmp_path / "runs" / "a.json", tmp_path / "runs" / ".." / "runs", tmp_path / "*" / "*.json"
    )
    assert below(tmp_path, found) == ["runs/a.json", "runs/b.json"]
    assert all(source.named for source in found)


def test_a_pattern_that_fits_folders_searches_each_once(tmp_path: Path) -> None:
    write(tmp_path, {**under("runs/one", openhands()), "runs/two/a.json": log()})
    assert below(tmp_path, at(tmp_path / "runs" / "**")) == ["runs/one", "runs/two/a.json"]


@pytest.mark.parametrize("path", ["missing.json", "missing/*.json", "[", "file://elsewhere/x"])
def test_a_path_at_which_there_is_nothing_is_an_error(tmp_path: Path, path: str) -> None:
    with pytest.raises(UnreadableInput):
        at(path if "://" in path else tmp_path / path)


def test_a_name_with_the_marks_of_a_pattern_is_a_name_where_it_exists(tmp_path: Path) -> None:
    write(tmp_path, {"run[1].json": log()})
    assert below(tmp_path, at(tmp_path / "run[1].json")) == ["run[1].json"]


def test_a_file_url_is_a_path(tmp_path: Path) -> None:
    write(tmp_path, {"my runs/a.json": log()})
    assert below(tmp_path, at((tmp_path / "my runs").as_uri())) == ["my runs/a.json"]


def test_a_database_is_found_and_has_changed_when_its_log_has(tmp_path: Path) -> None:
    write(tmp_path, {"sessions.db": "x" * 100})
    (before,) = at(tmp_path)
    write(tmp_path, {"sessions.db-wal": "y" * 10, "sessions.db-shm": "z"})
    os.utime(tmp_path / "sessions.db-wal", ns=(before.changed + 5, before.changed + 5))
    (after,) = at(tmp_path)
    assert (after.path, after.size, after.changed) == (before.path, before.size + 10, before.changed + 5)


def test_what_an_audit_wrote_is_no_transcript(tmp_path: Path) -> None:
    own = ["audit.db", "report.md", "report.json", "tables/sessions.jsonl", "sessions/0123456789abcdef.md"]
    write(tmp_path, {**dict.fromkeys(own, "x"), "a.json": log(), "sessions/run.json": log()})
    assert below(tmp_path, at(tmp_path)) == ["a.json", "sessions/run.json"]


def test_what_an_audit_wrote_is_not_what_a_pattern_means(tmp_path: Path) -> None:
    write(
        tmp_path,
        {**dict.fromkeys(["out/audit.db", "out/report.json", "out/tables/sessions.jsonl"], "x"), "a.json": log()},
    )
    assert below(tmp_path, at(tmp_path / "*" / "*.json", tmp_path / "*.json")) == ["a.json"]
    assert below(tmp_path, at(tmp_path / "o*" / "*" / "*.jsonl")) == []
    assert below(tmp_path, at(tmp_path / "out" / "report.json")) == ["out/report.json"]


@table("a_folder_that_is_one_session_is_one_source")
def test_a_folder_that_is_one_session_is_one_source(tmp_path: Path, files: dict[str, object], members: int) -> None:
    write(tmp_path, {**under("runs/one", files), "runs/other.json": log()})
    one, other = at(tmp_path)
    assert below(tmp_path, [one, other]) == ["runs/one", "runs/other.json"]
    assert (len(one.members), one.root, other.members) == (members, one.path, ())
    assert one.size == sum(path.stat().st_size for path in (tmp_path / "runs/one").rglob("*") if path.is_file())


@pytest.mark.parametrize(
    "files",
    [
        {"results.json": {"accuracy": 0.5}, "commands.txt": "make"},
        {"trajectory.json": {"steps": []}, "events.json": [{"name": "party"}]},
        {"header.json": {"title": "x"}, "samples/a.json": {}},
        {"agent/trajectory.json": atif(), "baseline/trajectory.json": atif()},
        {"base_state.json": {}, "events/readme.json": {}},
    ],
    ids=["terminal-bench", "openhands", "inspect", "harbor", "openhands-without-events"],
)
def test_a_folder_that_only_looks_like_one_session_is_searched(tmp_path: Path, files: dict[str, object]) -> None:
    write(tmp_path, {**files, "deeper/other.json": log()})
    assert below(tmp_path, at(tmp_path)) == sorted([*files, "deeper/other.json"])


def test_such_a_folder_is_read_as_by_its_name(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            **under("a/conversation", openhands()),
            **under("b/trial", trial()),
            "c/agent/trajectory.json": atif(),
            "c/result.json": {},
        },
    )
    for source in at(tmp_path):
        by_name = load(source.path)
        found = looked_at(source)
        assert (found.format, found.sessions, found.state) == (by_name.format, len(by_name.sessions), "read")
        assert sessions([source]) == [(session.id, len(list(session.calls()))) for session in by_name.sessions]


def test_a_task_of_cline_is_its_files_and_nothing_below_them(tmp_path: Path) -> None:
    rows = [{"ts": 1, "type": "say", "say": "task", "text": "Sort it."}]
    task: dict[str, object] = {
        "ui_messages.json": str(rows).replace("'", '"'),
        "api_conversation_history.json": "[]",
        "task_metadata.json": "{}",
    }
    write(
        tmp_path,
        {
            **under("tasks/17", task),
            "tasks/17/more/a.json": log(),
            "tasks/18/ui_messages.json": task["ui_messages.json"],
        },
    )
    found = at(tmp_path)
    assert below(tmp_path, found) == ["tasks/17", "tasks/17/more/a.json", "tasks/18/ui_messages.json"]
    assert found[0].members == ("api_conversation_history.json", "task_metadata.json", "ui_messages.json")
    assert looked_at(found[0]).format == "cline"


def test_a_trajectory_takes_its_continuation_along_and_leaves_the_others(tmp_path: Path) -> None:
    first = atif(more={"continued_trajectory_ref": "part-two.json"})
    write(tmp_path, {"trajectory.json": first, "part-two.json": atif("trial-1b"), "other.json": atif("trial-2")})
    found = at(tmp_path)
    assert [(Path(source.path).name, source.members) for source in found] == [
        ("other.json", ()),
        ("trajectory.json", ("part-two.json", "trajectory.json")),
    ]
    assert [count for _, count in sessions(found)] == [1, 2]


def test_the_verdicts_of_a_run_are_not_counted_besides_its_trials(tmp_path: Path) -> None:
    verdict = trial()["results.json"]
    write(
        tmp_path,
        {
            **under("run/sort/sort.1-of-1", trial()),
            "run/results.json": {"results": [verdict]},
            "other/results.json": {"results": [verdict]},
        },
    )
    assert below(tmp_path, at(tmp_path)) == ["other/results.json", "run/sort/sort.1-of-1"]


def project(root: Path) -> Path:
    """A project of Claude Code: sessions with new and old sub-agents, one that was resumed, and sub-agents of sessions
    that are gone."""
    return write(
        root / "projects" / "shop",
        {
            f"{FIRST}.jsonl": claude(FIRST),
            f"{FIRST}/subagents/agent-a1.jsonl": claude(FIRST, None, "Grep", "a1"),
            f"{FIRST}/subagents/workflows/w/agent-a2.jsonl": claude(FIRST, None, "Read", "a2"),
            f"{FIRST}/subagents/agent-acompact-1.jsonl": claude(FIRST, None, "Never", "acompact-1"),
            f"{FIRST}/subagents/agent-a1.meta.json": {"agentType": "search"},
            f"{FIRST}/tool-results/t1.txt": "# aider chat started at 2025-01-01 10:00:00",
            f"{SECOND}.jsonl": [*claude(SECOND, start=5), *claude("resumed", None, start=6)],
            f"{THIRD}.jsonl": claude(THIRD),
            "agent-b1.jsonl": claude(SECOND, None, "Glob", "b1", 5),
            "agent-b2.jsonl": claude("resumed", None, "Glob", "b2", 6),
            "agent-c1.jsonl": claude("gone", "Look.", "Glob", "c1"),
            "agent-aprompt_suggestion-1.jsonl": claude(FIRST, None, "Never", "aprompt_suggestion-1"),
            "agent-notes.jsonl": [{"note": 1}],
            "9a1b2c3d-0000-4000-8000-000000000009/subagents/agent-d1.jsonl": claude("gone too", "Look.", "Glob", "d1"),
        },
    )


def test_a_session_of_claude_code_is_its_file_with_those_of_its_sub_agents(tmp_path: Path) -> None:
    root = project(tmp_path)
    found = at(tmp_path)
    assert {Path(source.path).relative_to(root).as_posix(): len(source.members) for source in found} == {
        f"{FIRST}.jsonl": 3,
        f"{SECOND}.jsonl": 3,
        f"{THIRD}.jsonl": 0,
        "agent-c1.jsonl": 1,
        "agent-notes.jsonl": 0,
        "9a1b2c3d-0000-4000-8000-000000000009/subagents/agent-d1.jsonl": 1,
    }


def test_a_project_has_the_sessions_that_reading_its_folder_has(tmp_path: Path) -> None:
    root = project(tmp_path)
    whole = sorted((session.id, len(list(session.calls()))) for session in load(root).sessions)
    assert sorted(sessions(at(tmp_path))) == whole
    assert whole == sorted([(FIRST, 3), (SECOND, 4), (THIRD, 1), ("gone", 1), ("gone too", 1)])


def test_a_new_session_leaves_the_others_of_its_project_as_they_were(tmp_path: Path) -> None:
    root = project(tmp_path)
    before = {source.path: (source, digest(source)) for source in at(tmp_path)}
    other = "0a1b2c3d-0000-4000-8000-000000000008"
    write(root, {f"{other}.jsonl": claude(other), f"{other}/subagents/agent-z.jsonl": claude(other, None, "Grep", "z")})
    after = {source.path: (source, digest(source)) for source in at(tmp_path)}
    assert {path: entry for path, entry in after.items() if path in before} == before
    assert set(after) - set(before) == {str(root / f"{other}.jsonl")}


def test_a_new_file_of_a_sub_agent_changes_its_session(tmp_path: Path) -> None:
    root = project(tmp_path)
    before = {source.path: source for source in at(tmp_path)}
    write(root, {f"{THIRD}/subagents/agent-z.jsonl": claude(THIRD, None, "Grep", "z")})
    changed = [source for source in at(tmp_path) if before.get(source.path) != source]
    assert [(Path(source.path).name, source.members) for source in changed] == [
        (f"{THIRD}.jsonl", (f"{THIRD}.jsonl", f"{THIRD}/subagents/agent-z.jsonl"))
    ]


def test_files_named_by_a_pattern_are_joined_like_those_of_a_folder(tmp_path: Path) -> None:
    root = project(tmp_path)
    named = sessions(at(*sorted(root.glob("*.jsonl"))))
    assert sorted(named) == sorted([(FIRST, 3), (SECOND, 4), (THIRD, 1), ("gone", 1)])


def test_a_sub_agent_that_is_named_besides_its_session_is_not_counted_twice(tmp_path: Path) -> None:
    root = project(tmp_path)
    assert at(root, root / "agent-b1.jsonl", root / FIRST / "subagents" / "agent-a1.jsonl") == at(root)
    (alone,) = at(root / "agent-b1.jsonl")
    assert sessions([alone]) == [(SECOND, 1)]


def test_a_damaged_file_of_a_sub_agent_loses_nothing_of_its_session(tmp_path: Path) -> None:
    write(tmp_path, {f"{FIRST}.jsonl": claude(FIRST), f"{FIRST}/subagents/agent-a1.jsonl": b"\x00\xff\x00"})
    found = at(tmp_path)
    assert sessions(found) == [(FIRST, 1)]
    assert [problem[2] for problem in looked_at(found[0]).problems] == ["warning"]


def test_an_archive_is_one_source(tmp_path: Path) -> None:
    box = io.BytesIO()
    project(tmp_path / "in")
    with tarfile.open(fileobj=box, mode="w") as archive:
        archive.add(tmp_path / "in", "export")
    write(tmp_path / "out", {"runs.tar.gz": gzip.compress(box.getvalue())})
    found = at(tmp_path / "out")
    assert below(tmp_path, found) == ["out/runs.tar.gz"]
    assert sorted(sessions(found)) == sorted(sessions(at(tmp_path / "in")))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_is_no_regular_file_is_left_out_of_a_search_and_refused_by_name(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "broken.json").symlink_to(tmp_path / "nowhere")
    assert at(tmp_path) == []
    with pytest.raises(UnreadableInput, match="no regular file"):
        at(tmp_path / "pipe.json")


def test_what_is_known_to_be_no_session_is_passed_over_by_a_search(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "tests.log": "asciinema rec /logs/tests.cast\n",
            "env_results.json": [{"is_success": False, "is_skip": False, "memory": []}],
        },
    )
    assert {looked_at(source).state for source in at(tmp_path)} == {"no transcript"}
    assert {looked_at(source).state for source in at(tmp_path / "tests.log")} == {"problem"}
