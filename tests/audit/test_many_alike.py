"""What is the same session in several files is found without reading what can't be, and without doing it again."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path

from analyzer.audit.store.forks import cover_named, mark_continued
from analyzer.audit.store.recorded_once import Duplicates
from analyzer.audit.store.tables import connect
from analyzer.model.tables import columns
from tests.audit.tables import row

MOMENT = "2026-01-02T10:00:00Z"


def stored(folder: Path, count: int, tasks: int) -> sqlite3.Connection:
    """A database of so many files with a session of two actions each, which all began in the same moment, with so many
    different tasks."""
    connection = connect(folder)
    files = [
        (f"/runs/{number:04}.json", "v", f"{number:064}", 10, 1, 1, "read", "actions", 1, 1, None)
        for number in range(count)
    ]
    connection.executemany(f"INSERT INTO stored_files VALUES ({', '.join('?' * 11)})", files)
    for number, (path, *_) in enumerate(files):
        key = f"{number:016x}"
        told = {"session": key, "path": path, "id": key, "task_key": f"t-{number % tasks}", "started_at": MOMENT}
        session = row("sessions", {**told, "actions": 2})
        insert(connection, "sessions", (*session, 1))
        for step in (1, 2):
            insert(
                connection,
                "actions",
                row("actions", {"session": key, "step": step, "target": f"make {number}", "started_at": MOMENT}),
            )
    return connection


def insert(connection: sqlite3.Connection, table: str, values: tuple[object, ...]) -> None:
    """Put one row into a table of the database."""
    assert len(values) - len(columns(table)) in (0, 1)
    connection.execute(f"INSERT INTO stored_{table} VALUES ({', '.join('?' * len(values))})", values)


def asked(connection: sqlite3.Connection, work: Callable[[], object]) -> list[str]:
    """The statements that the database is asked meanwhile."""
    found: list[str] = []
    connection.set_trace_callback(found.append)
    work()
    connection.set_trace_callback(None)
    return found


def test_sessions_of_other_tasks_are_not_read(tmp_path: Path) -> None:
    connection = stored(tmp_path, 40, tasks=40)
    statements = asked(connection, lambda: mark_continued(connection))
    assert len(Duplicates(connection).all) == 40
    assert len(statements) < 30


def test_only_sessions_of_the_same_task_are_beside_one_another(tmp_path: Path) -> None:
    connection = stored(tmp_path, 12, tasks=4)
    alike = Duplicates(connection)
    beside = {one.session: {int(other.session, 16) for other in alike.beside(one)} for one in alike.all}
    assert {int(key, 16): found for key, found in beside.items()} == {
        number: {other for other in range(12) if other % 4 == number % 4 and other != number} for number in range(12)
    }


def test_what_repeats_what_is_found_once_for_the_same_looks_at_the_same_files(tmp_path: Path) -> None:
    connection = stored(tmp_path, 6, tasks=2)
    everything = "SELECT path FROM stored_files"
    first, again = (asked(connection, lambda: cover_named(connection, everything)) for _ in range(2))
    assert any("TABLE alike" in statement for statement in first)
    assert not any("TABLE alike" in statement for statement in again)


def test_it_is_found_anew_for_other_files_and_for_another_look(tmp_path: Path) -> None:
    connection = stored(tmp_path, 6, tasks=2)
    everything, some = "SELECT path FROM stored_files", "SELECT path FROM stored_files WHERE path < '/runs/0004'"
    for change, paths in (
        ("UPDATE stored_files SET covered = 1", everything),
        ("UPDATE stored_files SET covered = 1", some),
        ("UPDATE stored_files SET checked_ns = 2 WHERE path LIKE '%0001.json'", some),
        ("UPDATE stored_files SET sha256 = 'x' WHERE path LIKE '%0002.json'", some),
        ("UPDATE stored_files SET covered = 1", everything),
    ):
        connection.execute(change)
        assert any("TABLE alike" in one for one in asked(connection, partial(cover_named, connection, paths)))
