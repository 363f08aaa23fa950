"""What a fork repeats of another session counts once, in every format that has forks."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from analyzer.audit.run import run
from analyzer.audit.settings import Settings
from analyzer.audit.store.store import Store
from analyzer.model.tables import columns
from tests.audit.runs import at_once, tables
from tests.audit.tables import row
from tests.audit.trees import write
from tests.formats.databases import bytes_of
from tests.tables import table

Json = dict[str, Any]
Counted = dict[str, tuple[int, int]]
COPIED, ACTIONS = (columns("sessions").index(name) for name in ("copied_actions", "actions"))


def audited(out: Path, *files: Path) -> tuple[Counted, dict[str, str]]:
    """By the name of its file, the actions of each session that count and those that are another one's; and which
    files are copies of which."""
    run([str(file) for file in files], out, Settings(), at_once)
    found = tables(out)
    sessions = {Path(row[1]).name: (row[ACTIONS], row[COPIED]) for row in found["sessions"]}
    assert len(found["actions"]) == sum(actions for actions, _ in sessions.values())
    return sessions, {Path(row[0]).name: Path(row[6]).name for row in found["files"] if row[6]}


def counted(root: Path, files: dict[str, object]) -> tuple[Counted, dict[str, str]]:
    """The same for a folder of files."""
    write(root / "runs", files)
    return audited(root / "out", root / "runs")


def codex(name: str, parts: str, origin: str | None = None, start: int = 0, copied: str = "") -> list[Json]:
    """A thread with one call per letter. What it copies of another thread is stamped with the time of the fork."""
    meta: Json = {"id": name, "cwd": "/lamp", **({"forked_from_id": origin} if origin else {})}

    def record(minute: int, kind: str, **payload: Any) -> Json:
        return {"timestamp": f"2026-02-01T10:{start + minute:02d}:00.125Z", "type": kind, "payload": payload}

    def call(minute: int, letter: str) -> list[Json]:
        asked = {"name": "exec_command", "arguments": json.dumps({"cmd": f"make {letter}"}), "call_id": f"c-{letter}"}
        usage = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}
        ended[0] += 1
        total = {key: count * ended[0] for key, count in usage.items()}
        return [
            record(minute, "response_item", type="function_call", **asked),
            record(minute, "response_item", type="function_call_output", call_id=f"c-{letter}", output="Done."),
            record(
                minute, "event_msg", type="token_count", info={"total_token_usage": total, "last_token_usage": usage}
            ),
        ]

    ended = [0]
    said = {"role": "user", "content": [{"type": "input_text", "text": "Light the lamp."}]}
    made = [record(0, "session_meta", **meta)]
    if origin:
        made.append(record(0, "session_meta", id=origin, cwd="/lamp"))
    made.append(record(0, "response_item", type="message", **said))
    for letter in copied:
        made += call(0, letter)
    for minute, letter in enumerate(parts, 1):
        made += call(minute, letter)
    return made


def claude(session: str, parts: str, start: int = 0, origin: str | None = None, copied: str = "") -> list[Json]:
    """A session of Claude Code with one call per letter; what it copies keeps its ids and times."""

    def record(letter: str, kind: str, content: object, own: bool) -> Json:
        source = (
            {"forkedFrom": {"sessionId": origin, "messageUuid": f"u-{letter}-{kind}"}} if origin and not own else {}
        )
        return {
            "type": kind,
            "uuid": f"u-{letter}-{kind}" + (f"-{session}" if own else ""),
            "parentUuid": None,
            "isSidechain": False,
            "sessionId": session,
            "timestamp": f"2026-02-01T10:{ord(letter) - ord('a'):02d}:00.25{kind == 'user':d}Z",
            "message": {"role": kind, "content": content, "id": f"m-{letter}"},
            **source,
        }

    made = [record("a", "user", "Sort the shelf.", not origin)]
    for letter in copied + parts:
        own = letter in parts
        call = {"type": "tool_use", "id": f"t-{letter}", "name": "Bash", "input": {"command": f"make {letter}"}}
        made.append(record(letter, "assistant", [call], own))
        made.append(
            record(letter, "user", [{"type": "tool_result", "tool_use_id": f"t-{letter}", "content": "."}], own)
        )
    return made


def pi(name: str, parts: str, origin: str | None = None) -> list[Json]:
    """A session of pi with one call per letter; a fork keeps ids and times of the entries that it copies."""
    head: Json = {"type": "session", "version": 3, "id": name, "timestamp": f"2026-02-01T1{len(parts)}:00:00.000Z"}
    made = [head | ({"parentSession": f"/home/ann/.pi/sessions/2026_{origin}.jsonl"} if origin else {})]
    before = None

    def entry(name: str, minute: int, **message: Any) -> Json:
        stamp = 1_769_940_000_123 + 60_000 * minute
        return {"type": "message", "id": name, "parentId": before, "message": {**message, "timestamp": stamp}}

    def add(name: str, minute: int, **message: Any) -> None:
        nonlocal before
        made.append(entry(name, minute, **message))
        before = name

    add("e0", 0, role="user", content=[{"type": "text", "text": "Sort the shelf."}])
    for letter in parts:
        minute = ord(letter) - ord("a")
        call = {"type": "toolCall", "id": f"t-{letter}", "name": "bash", "arguments": {"command": f"make {letter}"}}
        add(f"{letter}1", minute, role="assistant", content=[call], stopReason="toolUse")
        done = [{"type": "text", "text": "Done."}]
        add(f"{letter}2", minute, role="toolResult", toolCallId=f"t-{letter}", content=done, isError=False)
    return made


def gemini(name: str, parts: str) -> Json:
    """A chat of Gemini CLI with one call per letter; a checkpoint keeps the times."""
    asked: Json = {"id": "m0", "timestamp": "2026-02-01T10:00:00.001Z", "type": "user", "content": "Sort the shelf."}
    messages = [asked]
    for letter in parts:
        stamp = f"2026-02-01T10:{ord(letter) - ord('a'):02d}:09.123Z"
        call = {"id": f"t-{letter}", "name": "run_shell_command", "args": {"command": f"make {letter}"}}
        done = [{"functionResponse": {"id": f"t-{letter}", "response": {"output": "Done."}}}]
        tool = {**call, "result": done, "status": "success", "timestamp": stamp}
        messages.append(
            {"id": f"m-{letter}", "timestamp": stamp, "type": "gemini", "content": "Going on.", "toolCalls": [tool]}
        )
    begun = "2026-02-01T10:00:00.000Z"
    return {"sessionId": name, "projectHash": "ab12", "startTime": begun, "lastUpdated": begun, "messages": messages}


def opencode(name: str, parts: str, created: int = 0) -> Json:
    """An export of opencode with one call per letter; a fork has new ids, and the times of what it copies."""
    start = 1_769_940_000_123
    info = {"id": name, "slug": name, "projectID": "p", "directory": "/shelf", "title": "Shelf", "version": "1.2.24"}
    said = {"id": f"{name}-m0", "sessionID": name, "role": "user", "time": {"created": start}}
    messages: list[Json] = [{"info": said, "parts": [{"id": "p0", "type": "text", "text": "Sort the shelf."}]}]
    for letter in parts:
        at = start + 60_000 * (ord(letter) - ord("a"))
        state = {"status": "completed", "input": {"command": f"make {letter}"}, "output": "Done.", "title": "make"}
        tool = {
            "type": "tool",
            "tool": "bash",
            "callID": f"t-{letter}",
            "state": {**state, "time": {"start": at, "end": at + 5}},
        }
        about = {"id": f"{name}-m{letter}", "sessionID": name, "role": "assistant", "time": {"created": at}}
        messages.append({"info": about, "parts": [{"id": f"{name}-{letter}", **tool}]})
    return {"info": {**info, "time": {"created": start + created, "updated": start + created}}, "messages": messages}


CONTAINED: dict[str, dict[str, object]] = {
    "Codex": {"fork.jsonl": codex("t-2", "de", "t-1", start=30, copied="abc"), "parent.jsonl": codex("t-1", "abc")},
    "Claude Code": {
        "fork.jsonl": claude("s-2", "de", origin="s-1", copied="abc"),
        "parent.jsonl": claude("s-1", "abc"),
    },
    "pi": {"fork.jsonl": pi("s-2", "abcde", "s-1"), "parent.jsonl": pi("s-1", "abc")},
    "Gemini CLI": {"fork.json": gemini("g-1", "abcde"), "parent.json": gemini("g-1", "abc")},
    "opencode": {"fork.json": opencode("s-2", "abcde", created=9_000_000), "parent.json": opencode("s-1", "abc")},
}


@pytest.mark.parametrize("files", CONTAINED.values(), ids=CONTAINED)
def test_a_session_that_its_fork_tells_whole_is_counted_in_the_fork(tmp_path: Path, files: dict[str, object]) -> None:
    parent, fork = sorted(files, reverse=True)
    assert counted(tmp_path, files) == ({fork: (5, 0)}, {parent: fork})


BOTH_WENT_ON: dict[str, dict[str, object]] = {
    "Codex": {"fork.jsonl": codex("t-2", "de", "t-1", start=30, copied="abc"), "parent.jsonl": codex("t-1", "abcxyz")},
    "Claude Code": {
        "fork.jsonl": claude("s-2", "de", origin="s-1", copied="abc"),
        "parent.jsonl": claude("s-1", "abcxyz"),
    },
    "pi": {"fork.jsonl": pi("s-2", "abcde", "s-1"), "parent.jsonl": pi("s-1", "abcxyz")},
}


@pytest.mark.parametrize("files", BOTH_WENT_ON.values(), ids=BOTH_WENT_ON)
def test_where_both_went_on_the_shared_beginning_counts_once(tmp_path: Path, files: dict[str, object]) -> None:
    parent, fork = sorted(files, reverse=True)
    assert counted(tmp_path, files) == ({fork: (2, 3), parent: (6, 0)}, {})


def test_a_sub_agent_that_begins_with_its_parents_records_counts_what_it_did_itself(tmp_path: Path) -> None:
    child = codex("t-2", "de", "t-1", start=30, copied="abc")
    child[0]["payload"] = {"id": "t-2", "source": {"subagent": {"thread_spawn": {"parent_thread_id": "t-1"}}}}
    files: dict[str, object] = {"child.jsonl": child, "parent.jsonl": codex("t-1", "abcxyz")}
    assert counted(tmp_path, files) == ({"child.jsonl": (2, 3), "parent.jsonl": (6, 0)}, {})


def test_a_sub_agent_that_copies_nothing_counts_whole(tmp_path: Path) -> None:
    child = codex("t-2", "abde", start=30)
    child[0]["payload"] = {"id": "t-2", "source": {"subagent": {"thread_spawn": {"parent_thread_id": "t-1"}}}}
    files: dict[str, object] = {"child.jsonl": child, "parent.jsonl": codex("t-1", "abcxyz")}
    assert counted(tmp_path, files) == ({"child.jsonl": (4, 0), "parent.jsonl": (6, 0)}, {})


def test_of_two_that_began_in_the_same_moment_the_first_by_path_counts_whole(tmp_path: Path) -> None:
    files: dict[str, object] = {"a.json": opencode("s-1", "abcxyz"), "b.json": opencode("s-2", "abcde", created=9_000)}
    assert counted(tmp_path, files) == ({"a.json": (6, 0), "b.json": (2, 3)}, {})


def test_a_session_resumed_from_its_last_compaction_repeats_the_end_of_the_one_before(tmp_path: Path) -> None:
    files: dict[str, object] = {"one.jsonl": claude("s-1", "abcdef"), "two.jsonl": claude("s-2", "gh", copied="def")}
    assert counted(tmp_path, files) == ({"one.jsonl": (6, 0), "two.jsonl": (2, 3)}, {})


def test_a_fork_of_a_fork_counts_what_neither_of_the_others_tells(tmp_path: Path) -> None:
    files: dict[str, object] = {
        "1.jsonl": codex("t-1", "abcx"),
        "2.jsonl": codex("t-2", "dey", "t-1", start=20, copied="abc"),
        "3.jsonl": codex("t-3", "f", "t-2", start=40, copied="abcde"),
    }
    assert counted(tmp_path, files) == ({"1.jsonl": (4, 0), "2.jsonl": (3, 3), "3.jsonl": (1, 5)}, {})


NO_FORKS: dict[str, dict[str, object]] = {
    "another task's run that begins alike": {
        "one.jsonl": codex("t-1", "abcx"),
        "two.jsonl": codex("t-2", "abcde", start=30),
    },
    "a fork of a session that isn't here": {
        "one.jsonl": codex("t-1", "abcx"),
        "two.jsonl": codex("t-2", "de", "t-9", start=30, copied="abc"),
    },
    "a fork from before the first call": {
        "one.jsonl": codex("t-1", "abc"),
        "two.jsonl": codex("t-2", "xyz", "t-1", start=30),
    },
    "sessions of the same minute with other calls": {
        "one.jsonl": claude("s-1", "abc"),
        "two.jsonl": claude("s-2", "def"),
    },
    "times to the second only": {
        "one.json": {
            "session": {"id": "1", "task": "Go.", "started_at": "2026-02-01T10:00:00Z"},
            "actions": [
                {"tool": "bash", "arguments": {"command": "ls"}, "result": "a", "started_at": "2026-02-01T10:00:01Z"},
                {"tool": "bash", "arguments": {"command": "pwd"}, "result": "/", "started_at": "2026-02-01T10:00:02Z"},
                {"tool": "bash", "arguments": {"command": "id"}, "result": "0", "started_at": "2026-02-01T10:00:03Z"},
            ],
        },
        "two.json": {
            "session": {"id": "2", "task": "Go.", "started_at": "2026-02-01T10:00:00Z"},
            "actions": [
                {"tool": "bash", "arguments": {"command": "ls"}, "result": "a", "started_at": "2026-02-01T10:00:01Z"},
                {"tool": "bash", "arguments": {"command": "pwd"}, "result": "/", "started_at": "2026-02-01T10:00:02Z"},
                {"tool": "bash", "arguments": {"command": "w"}, "result": "-", "started_at": "2026-02-01T10:00:03Z"},
            ],
        },
    },
}


@pytest.mark.parametrize("files", NO_FORKS.values(), ids=NO_FORKS)
def test_sessions_that_only_resemble_each_other_count_whole(tmp_path: Path, files: dict[str, object]) -> None:
    sessions, copies = counted(tmp_path, files)
    assert (len(sessions), copies) == (2, {})
    assert all(copied == 0 for _, copied in sessions.values())


def test_tokens_findings_and_failures_of_the_copied_beginning_count_where_they_were_made(tmp_path: Path) -> None:
    files = BOTH_WENT_ON["Codex"]
    write(tmp_path / "runs", files)
    audited(tmp_path / "out", tmp_path / "runs")
    with Store(tmp_path / "out", "") as store:
        names = columns("sessions")
        rows = [dict(zip(names, row, strict=True)) for row in store.rows("sessions")]
    assert [(Path(row["path"]).name, row["tokens_input"], row["tokens_output"]) for row in rows] == [
        ("fork.jsonl", 200, 20),
        ("parent.jsonl", 600, 60),
    ]
    assert [row["forked_from"] for row in rows] == ["t-1", None]


def test_what_was_found_in_the_copied_beginning_counts_where_it_was_made(tmp_path: Path) -> None:
    write(tmp_path / "runs", BOTH_WENT_ON["Codex"])
    audited(tmp_path / "out", tmp_path / "runs")
    with sqlite3.connect(tmp_path / "out/audit.db") as database:
        sessions = dict(database.execute("SELECT session, copied_actions FROM stored_sessions"))
        for session, copied in sessions.items():
            # Of a session without actions something may be found before the first step.
            for position, step in enumerate((0, copied, copied + 1), 1):
                found = row("findings", {"session": session, "position": position, "detectable_at": step})
                marks = ", ".join("?" * len(found))
                database.execute(f"INSERT OR REPLACE INTO stored_findings VALUES ({marks})", found)
        counted = set(database.execute("SELECT session, detectable_at FROM findings"))
    forks = {session: copied for session, copied in sessions.items() if copied}
    assert forks
    assert counted == {(session, step) for session, copied in forks.items() for step in (copied + 1,)} | {
        (session, step) for session in sessions.keys() - forks.keys() for step in (0, 1)
    }
    database.close()


def test_without_its_parent_a_fork_counts_whole_again(tmp_path: Path) -> None:
    write(tmp_path / "runs", BOTH_WENT_ON["Codex"])
    both = audited(tmp_path / "out", tmp_path / "runs")
    assert audited(tmp_path / "out", tmp_path / "runs/fork.jsonl") == ({"fork.jsonl": (5, 0)}, {})
    assert audited(tmp_path / "out", tmp_path / "runs") == both


def cursor(parts: str) -> tuple[list[Json], bytes]:
    """A chat of Cursor with one call per letter: its transcript, which has neither times nor results, and its store."""
    used = [{"type": "tool_use", "name": "Shell", "input": {"command": f"make {letter}"}} for letter in parts]
    said = {"role": "user", "message": {"content": [{"type": "text", "text": "Sort the shelf."}]}}
    lines: list[Json] = [said, *({"role": "assistant", "message": {"content": [block]}} for block in used)]
    messages: list[Json] = [{"role": "user", "content": "<user_query>Sort the shelf.</user_query>"}]
    for letter in parts:
        call = {"type": "tool-call", "toolCallId": letter, "toolName": "Shell", "args": {"command": f"make {letter}"}}
        back = {"type": "tool-result", "toolCallId": letter, "toolName": "Shell", "result": "Done."}
        messages += [{"role": "assistant", "content": [call]}, {"role": "tool", "content": [back]}]
    facts = {"agentId": "chat-1", "latestRootBlobId": "f" * 64, "createdAt": 1777881600000}
    sql = "CREATE TABLE meta (key TEXT, value TEXT); CREATE TABLE blobs (id TEXT, data BLOB);"
    sql += f"INSERT INTO meta VALUES ('0', '{json.dumps(facts).encode().hex()}');"
    names = [f"{number:064x}" for number in range(len(messages))]
    for name, message in zip(names, messages, strict=True):
        sql += f"INSERT INTO blobs VALUES ('{name}', X'{json.dumps(message).encode().hex()}');"
    listed = "".join(f"0A20{name}" for name in names)
    return lines, bytes_of(f"{sql} INSERT INTO blobs VALUES ('{'f' * 64}', X'{listed}');")


@table("a_transcript_without_times_and_the_store_of_the_same_chat_are_one_session")
def test_a_transcript_without_times_and_the_store_of_the_same_chat_are_one_session(
    tmp_path: Path, of_lines: str, of_store: str, counts: str, copy: str
) -> None:
    files: dict[str, object] = {"chat-1.jsonl": cursor(of_lines)[0], "store.db": cursor(of_store)[1]}
    assert counted(tmp_path, files) == ({counts: (3, 0)}, {copy: counts})


@pytest.mark.parametrize(
    ("name", "of_lines"), [("chat-2.jsonl", "abc"), ("chat-1.jsonl", "abx")], ids=["another chat", "other calls"]
)
def test_a_transcript_without_times_of_another_chat_counts(tmp_path: Path, name: str, of_lines: str) -> None:
    sessions, copies = counted(tmp_path, {name: cursor(of_lines)[0], "store.db": cursor("abc")[1]})
    assert (len(sessions), copies) == (2, {})


def test_a_clock_that_stands_still_tells_no_sessions_apart(tmp_path: Path) -> None:
    def run_of(name: str, start: int) -> Json:
        moment = "2026-02-01T10:00:00.125Z"
        call = {"tool": "bash", "arguments": {"command": "ls"}, "result": "a", "started_at": moment}
        session = {"id": name, "task": f"Task {name}.", "started_at": f"2026-02-01T09:{start:02}:00.000Z"}
        return {"session": session, "actions": [call, call, call]}

    few: dict[str, object] = {f"{number}.json": run_of(str(number), number) for number in range(2)}
    many: dict[str, object] = {f"{number:02}.json": run_of(str(number), number) for number in range(22)}
    for name, files in {"few": few, "many": many}.items():
        assert {copied for _, copied in counted(tmp_path / name, files)[0].values()} == {0}
