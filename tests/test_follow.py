"""Following a session that is being written."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from analyzer.follow import Follower
from analyzer.guard import Guard
from tests.formats.corpus_files import SAMPLES


def test_a_database_is_followed_by_what_its_log_holds(tmp_path: Path) -> None:
    place = tmp_path / "crush.db"
    writer = sqlite3.connect(place)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.executescript((SAMPLES / "crush.sql").read_text(encoding="utf-8"))
    writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    follower = Follower(str(place), Guard)
    list(follower.poll())
    before = follower.actions
    call = {"type": "tool_call", "data": {"id": "c9", "name": "bash", "input": "{}"}}
    answer = {"type": "tool_result", "data": {"tool_call_id": "c9", "content": "x", "is_error": False}}
    row = "INSERT INTO messages (id, session_id, role, parts, created_at, updated_at) VALUES (?, 's1', ?, ?, ?, 0)"
    writer.execute(row, ("m98", "assistant", json.dumps([call]), 1777881630))
    writer.execute(row, ("m99", "tool", json.dumps([answer]), 1777881631))
    writer.commit()
    list(follower.poll())
    assert follower.actions == before + 1
    writer.close()
