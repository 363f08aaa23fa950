"""The tables of an audit as files: Parquet, CSV or JSON lines. This is where pyarrow lives."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any

from analyzer.atomic import replacing
from analyzer.audit.sources.source import TABLES as FOLDER
from analyzer.audit.sources.source import is_url
from analyzer.model.errors import AnalyzerError
from analyzer.model.tables import TABLES, TABLES_VERSION, columns, kinds
from analyzer.text.markdown import cell

Row = tuple[Any, ...]
Read = Callable[[str], Iterable[Row]]
KINDS = ("parquet", "csv", "jsonl")
"""The kinds of files, which are also their suffixes."""
_ROWS = 10_000
"""Rows that are held at once."""


def export(read: Read, folder: Path | str, kind: str) -> list[str]:
    """Write every table into `folder/tables/<table>.<kind>` and return the files; `read` gives the rows of a table by
    its name, as `analyzer.audit.store.store.Store.rows` does. The folder may be a URL that fsspec can write to.

    Each file appears whole or not at all, and the same rows are the same bytes. Lists are JSON texts, unknown is null
    (in CSV an empty cell), truth values are true and false. In CSV a text that a spreadsheet would run as a formula has
    an apostrophe in front. Raises `AnalyzerError` where the folder can't be written to, or pyarrow or fsspec would be
    needed and isn't installed.
    """
    put = {"parquet": _parquet, "csv": _csv, "jsonl": _jsonl}[kind]
    if kind == "parquet":
        _pyarrow()
    place = f"{str(folder).rstrip('/')}/{FOLDER}" if is_url(str(folder)) else str(Path(folder) / FOLDER)
    found = []
    try:
        for table in TABLES:
            with _file(place, f"{table}.{kind}") as (stream, name):
                put(table, _typed(table, read(table)), stream)
            found.append(name)
    except OSError as error:
        raise AnalyzerError(f"can't be written: {error.strerror or error}.", where=place) from error
    return found


@contextmanager
def _file(place: str, name: str) -> Iterator[tuple[IO[bytes], str]]:
    if is_url(place):
        from analyzer.audit.sources.remote import replacing_remote

        with replacing_remote(f"{place}/{name}") as stream:
            yield stream, f"{place}/{name}"
        return
    file = Path(place) / name
    file.parent.mkdir(parents=True, exist_ok=True)
    with replacing(file) as stream:
        yield stream, str(file)


def _typed(table: str, rows: Iterable[Row]) -> Iterator[Row]:
    """The rows with truth values as such: SQLite keeps them as numbers."""
    flags = [kind is bool for kind in kinds(table).values()]
    for row in rows:
        pairs = zip(row, flags, strict=True)
        yield tuple(bool(value) if flag and value is not None else value for value, flag in pairs)


def _jsonl(table: str, rows: Iterable[Row], stream: IO[bytes]) -> None:
    names = columns(table)
    for row in rows:
        line = json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False, separators=(",", ":"))
        stream.write(line.encode("utf-8", "replace") + b"\n")


def _csv(table: str, rows: Iterable[Row], stream: IO[bytes]) -> None:
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="replace", newline="", write_through=True)
    # With the line ends of RFC 4180 the writer quotes cells that hold either half of one.
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns(table))
    writer.writerows([cell(value) for value in row] for row in rows)
    text.flush()
    text.detach()


def _parquet(table: str, rows: Iterable[Row], stream: IO[bytes]) -> None:
    pyarrow = _pyarrow()
    types = {bool: pyarrow.bool_(), int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string()}
    fields = [(name, types[kind]) for name, kind in kinds(table).items()]
    schema = pyarrow.schema(
        fields, metadata={"analyze-session.table": table, "analyze-session.tables_version": str(TABLES_VERSION)}
    )
    rest = iter(rows)
    with pyarrow.parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        while chunk := list(islice(rest, _ROWS)):
            values = [
                pyarrow.array(column, type=field.type)
                for column, field in zip(zip(*chunk, strict=True), schema, strict=True)
            ]
            writer.write_table(pyarrow.Table.from_arrays(values, schema=schema))


def _pyarrow() -> Any:
    try:
        import pyarrow  # type: ignore[import-untyped]
        import pyarrow.parquet  # type: ignore[import-untyped]
    except ImportError:
        hint = "Install the extra: pip install 'analyze-session[parquet]'. CSV and JSON lines need none."
        raise AnalyzerError("to write Parquet, the package pyarrow is needed.", hint=hint) from None
    return pyarrow
