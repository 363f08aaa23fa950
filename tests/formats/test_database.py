"""SQLite databases are opened without locking or changing them, with what waits in their logs."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.formats.container.database import Database, log_of
from analyzer.formats.container.unpack import is_database
from analyzer.formats.loading import load as load_module
from analyzer.formats.loading.load import load, load_bytes
from analyzer.model.errors import UnreadableInput
from tests.formats.corpus_files import SAMPLES
from tests.formats.databases import bytes_of, database_of

LAMPS = "CREATE TABLE lamp (name TEXT, lit INTEGER); INSERT INTO lamp VALUES ('a', 2), ('b', 1), ('abc', 3);"


def names(database: Database, *order: str) -> list[object]:
    return [row["name"] for row in database.rows("lamp", *order)]


@pytest.fixture
def written_to(tmp_path: Path) -> Iterator[Path]:
    """A database that another program is writing, with a row that's only in its log."""
    place = tmp_path / "lamps.db"
    writer = sqlite3.connect(place)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.executescript(LAMPS)
    writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    writer.execute("INSERT INTO lamp VALUES ('late', 4)")
    writer.commit()
    yield place
    writer.close()


def test_tables_columns_and_rows() -> None:
    database = Database(bytes_of(LAMPS), "lamps.db")
    assert (database.tables, database.outline) == ({"lamp": ("name", "lit")}, "TABLE lamp (name, lit)")
    assert (database.has("lamp", "name"), database.has("lamp", "x"), database.has("x")) == (True, False, False)
    assert (names(database), names(database, "lit", "unknown")) == (["a", "b", "abc"], ["b", "a", "abc"])
    assert [row["lit"] for row in database.rows("lamp", name="b")] == [1]
    assert [row["name"] for row in database.beginning("lamp", "name", "a")] == ["a", "abc"]


def test_a_log_beside_the_database_is_read_and_nothing_is_changed(written_to: Path) -> None:
    files = sorted(written_to.parent.iterdir())
    before = [hashlib.sha256(file.read_bytes()).digest() for file in files]
    for source in (written_to, written_to.read_bytes()):
        assert names(Database(source, "lamps.db", log_of(written_to))) == ["a", "b", "abc", "late"]
    assert names(Database(written_to, "lamps.db")) == ["a", "b", "abc"]
    assert sorted(written_to.parent.iterdir()) == files
    assert [hashlib.sha256(file.read_bytes()).digest() for file in files] == before


def test_reading_does_not_keep_the_other_program_from_writing(written_to: Path) -> None:
    rows = Database(written_to, "lamps.db", log_of(written_to)).rows("lamp")
    next(rows)
    writer = sqlite3.connect(written_to, timeout=0)
    writer.execute("INSERT INTO lamp VALUES ('later', 5)")
    writer.commit()
    writer.close()
    assert len(list(rows)) == 3


def test_a_large_database_is_read_from_disk_and_hashed_only_when_it_is_an_agents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load_module, "STREAMED", 0)
    agents = database_of(SAMPLES / "crush.sql")
    in_memory = load_bytes(agents.read_bytes(), str(agents))
    from_disk = load(agents)
    assert (from_disk.sha256, from_disk.format, len(from_disk.sessions)) == (
        in_memory.sha256,
        "crush",
        len(in_memory.sessions),
    )
    monkeypatch.setattr(load_module, "sha256_of", None)
    (tmp_path / "shop.db").write_bytes(bytes_of(LAMPS))
    with pytest.raises(UnreadableInput, match="none that a known agent"):
        load(tmp_path / "shop.db")


def test_a_database_that_was_cut_off_is_refused() -> None:
    data = bytes_of(LAMPS + "".join(f"INSERT INTO lamp VALUES ('{'x' * 500}', {number});" for number in range(60)))
    for size in range(0, len(data), 512):
        with pytest.raises(UnreadableInput, match="is a damaged database"):
            Database(data[:size], "x")


def test_damage_in_the_middle_ends_the_table_with_a_warning() -> None:
    data = bytes_of(LAMPS + "".join(f"INSERT INTO lamp VALUES ('{'x' * 500}', {number});" for number in range(60)))
    assert data[18:20] == b"\x01\x01"
    pages = len(data) // 4096
    database = Database(data[: 4096 * (pages // 2)] + b"\xff" * 4096 + data[4096 * (pages // 2 + 1) :], "x")
    assert len(names(database)) < 63
    assert [one.where for one in database.warnings] == ["table lamp"]


@pytest.mark.parametrize("table", ["CREATE TABLE t (k TEXT PRIMARY KEY, v) WITHOUT ROWID", "CREATE TABLE t (k, v)"])
def test_tables_with_and_without_row_numbers(table: str) -> None:
    database = Database(bytes_of(f"{table}; INSERT INTO t VALUES ('b', 1), ('a', x'c3a9ff');"), "x")
    assert [row["v"] for row in database.rows("t", "k")] == ["é\N{REPLACEMENT CHARACTER}", 1]


def test_what_is_no_table_of_rows_is_not_there() -> None:
    database = Database(bytes_of(f"{LAMPS} CREATE VIEW v AS SELECT * FROM lamp;"), "x")
    assert (list(database.tables), is_database(b"SQLite format 2\0")) == (["lamp"], False)


AGENTS = database_of(SAMPLES / "crush.sql")
PAGE = 4096


def broken(page: int, fill: bytes) -> bytes:
    data = AGENTS.read_bytes()
    return data[: page * PAGE] + fill * PAGE + data[(page + 1) * PAGE :]


@pytest.mark.parametrize("fill", [b"\xff", b"\0"], ids=["noise", "nothing"])
@pytest.mark.parametrize("page", [1, 3], ids=["the sessions", "the messages"])
def test_an_agents_database_whose_pages_are_broken_is_said_to_be_damaged(page: int, fill: bytes) -> None:
    with pytest.raises(UnreadableInput, match="is a damaged database") as raised:
        load_bytes(broken(page, fill), "crush.db")
    assert "holds no" not in raised.value.message
    assert raised.value.hint is not None
    assert not raised.value.foreign


def test_one_of_which_the_rest_can_be_read_is_read() -> None:
    assert len(load_bytes(broken(2, b"\xff"), "crush.db").sessions) == len(load(AGENTS).sessions)


def test_rows_that_a_broken_page_hides_are_missed() -> None:
    data = bytearray(AGENTS.read_bytes())
    cells = slice(3 * PAGE + 3, 3 * PAGE + 5)
    data[cells] = (int.from_bytes(data[cells]) - 1).to_bytes(2)
    whole, hidden = load(AGENTS), load_bytes(bytes(data), "crush.db")
    assert sum(len(one.events) for one in hidden.sessions) < sum(len(one.events) for one in whole.sessions)
    (warning,) = hidden.sessions[0].warnings
    assert warning.where == "the database"
    assert "rows may be missing" in warning.what
    assert not whole.sessions[0].warnings


def test_a_row_that_breaks_the_tables_own_rules_is_no_damage() -> None:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(AGENTS.read_bytes())
    connection.executescript(
        "CREATE TABLE buoy (name TEXT); INSERT INTO buoy VALUES (NULL); PRAGMA writable_schema = ON;"
        "UPDATE sqlite_master SET sql = 'CREATE TABLE buoy (name TEXT NOT NULL)' WHERE name = 'buoy'"
    )
    database = Database(connection.serialize(), "crush.db")
    connection.close()
    assert "NULL" in (database.damage() or "")
    assert database.broken_page() is None


@pytest.mark.parametrize("table", ["sessions", "messages"])
def test_a_sound_one_without_a_message_is_not_damaged(table: str) -> None:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(AGENTS.read_bytes())
    connection.execute(f"DELETE FROM {table}")
    connection.commit()
    with pytest.raises(UnreadableInput, match="holds no message of Crush"):
        load_bytes(connection.serialize(), "crush.db")
    connection.close()


def test_a_large_one_that_was_cut_off_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load_module, "STREAMED", 0)
    (tmp_path / "crush.db").write_bytes(AGENTS.read_bytes()[: 2 * PAGE])
    with pytest.raises(UnreadableInput, match="is a damaged database: the file is cut off"):
        load(tmp_path / "crush.db")
