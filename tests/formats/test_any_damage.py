"""Whatever is put in the place of a value of a sample gives sessions or the one proper refusal, for every format."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Any

import pytest
from hypothesis import given

from analyzer.formats.container.unpack import is_database
from tests.drawn import examples
from tests.formats import test_aider as aider
from tests.formats import test_kiro_ide as kiro_ide
from tests.formats import test_mini_swe_agent as mini_swe_agent
from tests.formats import test_openhands as openhands
from tests.formats import test_openhands_sdk as openhands_sdk
from tests.formats.cline_builders import HISTORY, MANIFEST, MESSAGES
from tests.formats.mutations import mutated, read_or_refuse
from tests.formats.samples import ALL_SAMPLES, Sample
from tests.formats.swe_agent_runs import HISTORY as AGENT_HISTORY
from tests.formats.swe_agent_runs import NEW, OLD

OF_JSON = [sample for sample in ALL_SAMPLES if sample.file.endswith((".json", ".jsonl", ".traj"))]
DATABASES = [one for one in ALL_SAMPLES if is_database(one.path.read_bytes())]
OTHERS: dict[str, tuple[Any, ...]] = {
    "aider": (aider.RECORD,),
    "cline": (HISTORY, MESSAGES, MANIFEST),
    "kiro-ide": (kiro_ide.history(kiro_ide.ASKED, kiro_ide.DID),),
    "mini-swe-agent": (mini_swe_agent.V1, mini_swe_agent.V2),
    "openhands": (openhands.EVENTS, openhands.INSTANCE, openhands.RAW),
    "openhands-sdk": (openhands_sdk.EVENTS, openhands_sdk.HEADER),
    "swe-agent": (OLD, NEW, AGENT_HISTORY),
}
"""Documents of a format that differ in kind from its sample."""


def parsed(sample: Sample) -> Any:
    """The JSON value of a sample, or the list of those of its lines."""
    text = sample.path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()] if sample.file.endswith(".jsonl") else json.loads(text)


def read_as(data: bytes, *formats: str | None) -> None:
    for session in (session for name in formats for session in read_or_refuse(data, name)):
        assert session.id
        json.dumps([str(event) for event in session.events])


@pytest.mark.slow
@pytest.mark.parametrize("sample", OF_JSON, ids=lambda sample: sample.file)
def test_any_damage_gives_sessions_or_a_refusal(sample: Sample) -> None:
    @given(mutated(parsed(sample)))
    def survives(value: Any) -> None:
        rows = value if sample.file.endswith(".jsonl") and isinstance(value, list) else [value]
        read_as("\n".join(map(json.dumps, rows)).encode(), None, sample.format)

    survives()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value"), [pytest.param(name, one, id=name) for name, values in OTHERS.items() for one in values]
)
def test_any_damage_of_other_documents_gives_sessions_or_a_refusal(name: str, value: Any) -> None:
    @given(mutated(value))
    def survives(damaged: Any) -> None:
        read_as(json.dumps(damaged).encode(), None, name)

    survives()


def cells_of(connection: sqlite3.Connection) -> Iterator[tuple[str, str, int, Any]]:
    """The values of all tables, each with its table, column and row."""
    for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for _, column, *_ in connection.execute(f"PRAGMA table_info('{table}')").fetchall():
            for row, value in connection.execute(f'SELECT rowid, "{column}" FROM "{table}"').fetchall():
                yield table, column, row, value


def held_in(cell: object) -> Any:
    """The object or list that a cell holds as JSON, perhaps in hexadecimal digits; None where it's another value."""
    for text in (cell, bytes.fromhex(cell) if isinstance(cell, str) and re.fullmatch("(7B|5B)[0-9A-F]*", cell) else ""):
        with suppress(TypeError, ValueError):
            value = json.loads(text)  # type: ignore[arg-type]
            return value if isinstance(value, dict | list) else None
    return None


def stored_as(value: Any, cell: object) -> Any:
    """A value in the form of the cell in whose place it comes."""
    if isinstance(value, float | bytes | None) or (isinstance(value, int) and value.bit_length() < 64):
        return value
    text = value if isinstance(value, str) else json.dumps(value)
    if isinstance(cell, bytes):
        return text.encode()
    return text.encode().hex() if isinstance(cell, str) and cell.startswith("7B") else text


@pytest.mark.slow
@pytest.mark.parametrize("sample", DATABASES, ids=lambda sample: sample.file)
def test_any_damage_of_a_database_gives_sessions_or_a_refusal(sample: Sample) -> None:
    whole = sample.path.read_bytes()
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(whole)
        cells = list(cells_of(connection))
    structured = [cell for cell in cells if held_in(cell[-1]) is not None]
    plain = [cell for cell in cells if held_in(cell[-1]) is None]
    assert structured

    @examples(150)
    @given(mutated([held_in(cell[-1]) for cell in structured]), mutated([cell[-1] for cell in plain]))
    def survives(values: list[Any], others: list[Any]) -> None:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.deserialize(whole)
            for (table, column, row, cell), value in zip(structured + plain, [*values, *others], strict=False):
                with suppress(sqlite3.IntegrityError):  # what the table itself refuses stays as it was
                    new = stored_as(value, cell)
                    connection.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?', (new, row))
            connection.commit()
            read_as(connection.serialize(), None, sample.format)

    survives()
