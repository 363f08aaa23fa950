"""opencode's folder of JSON files: sessions with their messages and parts, in both layouts, and what damage costs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from analyzer.audit.sources.discover import discover
from analyzer.formats.container.bundle import DirectoryBundle
from analyzer.formats.container.document import Document
from analyzer.formats.loading.load import load, load_bundle
from analyzer.formats.opencode.format import FORMAT
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Tokens
from tests.audit.trees import looked_at, write
from tests.formats.boxes import Box, folder_of
from tests.formats.events import answered, results, words
from tests.formats.mutations import mutated

Json = dict[str, Any]


def about(name: str, **more: object) -> Json:
    times = {"created": 1777881600000, "updated": 1777881609000}
    return {"id": name, "directory": "/srv/mill", "projectID": "p", "version": "0.9", "time": times, **more}


def message(name: str, role: str, created: int, **more: object) -> Json:
    return {"id": name, "role": role, "time": {"created": 1777881600000 + 1000 * created}, **more}


TOOL = {
    "type": "tool",
    "tool": "bash",
    "callID": "c1",
    "state": {"status": "completed", "input": {"command": "make test"}, "output": "1 failed", "metadata": {"exit": 2}},
}
FINISH = {"type": "step-finish", "reason": "stop"}
SPENT = {"tokens": {"input": 260, "output": 20, "cache": {"read": 40, "write": 0}}, "cost": 0.5}
NEWER: dict[str, object] = {
    "session/p/ses_a.json": about("ses_a", title="Mill"),
    "session/p/ses_b.json": about("ses_b", parentID="ses_a"),
    "message/ses_a/msg_1.json": message("msg_1", "user", 1),
    "message/ses_a/msg_2.json": message("msg_2", "assistant", 2, modelID="example-4", **SPENT),
    "message/ses_b/msg_3.json": message("msg_3", "user", 3),
    "part/msg_1/prt_1.json": {"id": "prt_1", "messageID": "msg_1", "type": "text", "text": "The mill stands still."},
    "part/msg_2/prt_2.json": {"id": "prt_2", "messageID": "msg_2", **TOOL},
    "part/msg_2/prt_3.json": {"id": "prt_3", "messageID": "msg_2", **FINISH},
    "part/msg_3/prt_4.json": {"id": "prt_4", "messageID": "msg_3", "type": "text", "text": "Look at the wheel."},
    "session_diff/ses_a.json": [],
    "project/p.json": {"id": "p", "worktree": "/srv/mill"},
}
OLDER: dict[str, object] = {
    "session/info/ses_a.json": about("ses_a", title="Mill"),
    "session/message/ses_a/msg_1.json": NEWER["message/ses_a/msg_1.json"],
    "session/message/ses_a/msg_2.json": NEWER["message/ses_a/msg_2.json"],
    "session/part/ses_a/msg_1/prt_1.json": NEWER["part/msg_1/prt_1.json"],
    "session/part/ses_a/msg_2/prt_2.json": NEWER["part/msg_2/prt_2.json"],
    "session/part/ses_a/msg_2/prt_3.json": NEWER["part/msg_2/prt_3.json"],
}


@pytest.mark.parametrize("files", [NEWER, OLDER], ids=["newer", "older"])
def test_a_session_with_its_messages_and_parts(tmp_path: Path, files: dict[str, object]) -> None:
    transcript = load(write(tmp_path, files))
    session = transcript.sessions[0]
    assert transcript.format == "opencode"
    assert (session.id, session.title, session.model, session.task) == (
        "ses_a",
        "Mill",
        "example-4",
        "The mill stands still.",
    )
    assert (session.tokens, session.cost_usd) == (Tokens(300, 20, 40, 0), 0.5)
    assert answered(session) == [("bash", "1 failed")]
    assert [code for _, _, code, _ in results(session)] == [2]
    assert [one.warnings for one in transcript.sessions] == [[]] * len(transcript.sessions)


def test_an_audit_finds_each_session(tmp_path: Path) -> None:
    write(tmp_path / "storage", NEWER)
    write(tmp_path, {"log/today.txt": "started"})
    sources = list(discover([str(tmp_path)]))
    names = [Path(source.path).relative_to(tmp_path).as_posix() for source in sources]
    assert names == ["log/today.txt", "storage/session/p/ses_a.json", "storage/session/p/ses_b.json"]
    found = [looked_at(source) for source in sources[1:]]
    assert [(one.format, one.sessions, one.problems) for one in found] == [("opencode", 1, [])] * 2


def test_messages_are_in_the_order_of_their_times() -> None:
    files = {**NEWER, "message/ses_a/msg_0.json": message("msg_0", "user", 9)}
    files["part/msg_0/prt_9.json"] = {"id": "prt_9", "messageID": "msg_0", "type": "text", "text": "Thanks."}
    session = next(iter(read(files)))
    assert [text for role, text in words(session) if role == "user"] == ["The mill stands still.", "Thanks."]


def read(files: Mapping[str, object]) -> list[Any]:
    return load_bundle(Box(files), "storage").sessions


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("part/msg_2/prt_2.json", b"{", "not JSON; skipped"),
        ("part/msg_2/prt_2.json", ["x"], "an object was expected; skipped"),
        ("message/ses_a/msg_2.json", b"\x00", "skipped"),
        ("part/msg_1/prt_8.json", {"messageID": "msg_7", "type": "text", "text": "x"}, "part of a message that can't"),
        ("message/ses_a/msg_9.json", {"id": "msg_9", "role": "gardener"}, "message of neither the user nor the agent"),
    ],
)
def test_what_cannot_be_read_is_said(name: str, value: object, what: str) -> None:
    warnings = [warning for session in read({**NEWER, name: value}) for warning in session.warnings]
    assert any(what in warning.what for warning in warnings), warnings


@pytest.mark.parametrize(
    "names", [["session/p/ses_a.json"], ["part/msg_1/prt_1.json"], ["messages/a/b.json"], ["session/notes/a/b.json"]]
)
def test_folders_without_messages_are_refused(tmp_path: Path, names: list[str]) -> None:
    folder = write(tmp_path / "storage", {name: {"role": "user"} for name in names})
    document = Document(str(folder), b"", bundle=DirectoryBundle(folder))
    assert not FORMAT.sniff(document)
    with pytest.raises(UnreadableInput):
        list(FORMAT.read(document))


@given(mutated(NEWER))
def test_any_damage_gives_sessions_or_a_refusal(files: dict[str, object]) -> None:
    with suppress(UnreadableInput):
        sessions = list(FORMAT.read(folder_of(files)))
        assert all(isinstance(event.lane, str) for session in sessions for event in session.events)
