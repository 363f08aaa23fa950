"""The tables of an audit as files."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from analyzer.audit.run import run
from analyzer.audit.settings import Settings
from analyzer.audit.store.export import KINDS, export
from analyzer.audit.store.store import Store
from analyzer.model.errors import AnalyzerError
from analyzer.model.tables import TABLES, columns
from tests.audit.test_filters import here
from tests.audit.trees import log, write

STEP: dict[str, Any] = {
    "session": "0f",
    "lane": "main",
    "step": 3,
    "failure_group": None,
    "fingerprint": "1:ab",
    "kind": "test",
    "type": "ValueError",
    "message": "x",
    "template": "x",
    "runner": "pytest",
    "language": "python",
    "failing_tests": '["t.py::test_a"]',
    "expected": 1,
    "origin": "test",
    "origin_confidence": 0.5,
    "origin_file": "t.py",
    "origin_line": None,
    "origin_function": None,
}


def failures(*changes: dict[str, Any]) -> dict[str, list[tuple[Any, ...]]]:
    return {"failures": [tuple({**STEP, **change}[name] for name in columns("failures")) for change in changes]}


def exported(place: Path, rows: dict[str, list[tuple[Any, ...]]], kind: str) -> Path:
    files = export(lambda table: rows.get(table, []), place, kind)
    assert files == [str(place / "tables" / f"{table}.{kind}") for table in TABLES]
    assert sorted(map(str, place.rglob("*.*"))) == sorted(files), "nothing else is left behind"
    return place / "tables" / f"failures.{kind}"


def test_json_lines_have_the_columns_in_order(tmp_path: Path) -> None:
    line = exported(tmp_path, failures({"message": "Größe\u2028"}), "jsonl").read_bytes()
    assert (
        line
        == (
            '{"session":"0f","lane":"main","step":3,"failure_group":null,"fingerprint":"1:ab","kind":"test","type":"ValueError","message":"Größe\u2028","template":"x",'
            '"runner":"pytest","language":"python","failing_tests":"[\\"t.py::test_a\\"]","expected":true,"origin":"test","origin_confidence":0.5,'
            '"origin_file":"t.py","origin_line":null,"origin_function":null}\n'
        ).encode()
    )


def test_csv_has_a_header_and_survives_every_text(tmp_path: Path) -> None:
    text = 'a "quoted", two-\nlined text'
    file = exported(tmp_path, failures({"message": text, "expected": 0}), "csv")
    with file.open(encoding="utf-8", newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert tuple(row) == columns("failures")
    assert (row["message"], row["expected"], row["failure_group"], row["step"]) == (text, "false", "", "3")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])
def test_csv_cells_that_a_spreadsheet_would_run_are_defused(tmp_path: Path, text: str) -> None:
    file = exported(tmp_path, failures({"message": text, "origin_line": -1}), "csv")
    with file.open(encoding="utf-8", newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert (row["message"], row["origin_line"]) == (f"'{text}", "-1")


@pytest.mark.slow
def test_parquet_has_the_types_of_the_tables(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    many = failures(*({"step": step, "expected": step % 2} for step in range(25_000)))
    table = parquet.read_table(exported(tmp_path, many, "parquet"))
    assert table.column_names == list(columns("failures"))
    assert {
        name: str(table.schema.field(name).type)
        for name in ("step", "expected", "origin_confidence", "message", "origin_line")
    } == {
        "step": "int64",
        "expected": "bool",
        "origin_confidence": "double",
        "message": "string",
        "origin_line": "int64",
    }
    assert table.slice(24_999).to_pylist()[0] == {**STEP, "step": 24_999, "expected": True}
    assert parquet.read_table(tmp_path / "tables" / "findings.parquet").num_rows == 0
    assert table.schema.metadata[b"analyze-session.table"] == b"failures"


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_rows_are_the_same_bytes(tmp_path: Path, kind: str) -> None:
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    rows = failures(*({"step": step} for step in range(100)))
    assert exported(tmp_path / "a", rows, kind).read_bytes() == exported(tmp_path / "b", rows, kind).read_bytes()


def test_an_export_that_breaks_off_leaves_the_file_before_it(tmp_path: Path) -> None:
    before = exported(tmp_path, failures({}), "jsonl").read_bytes()

    def read(table: str) -> Iterable[tuple[Any, ...]]:
        yield from failures({"step": 4}).get(table, [])
        if table == "failures":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(read, tmp_path, "jsonl")
    assert (tmp_path / "tables" / "failures.jsonl").read_bytes() == before
    assert len(list((tmp_path / "tables").iterdir())) == len(TABLES)


def test_a_folder_that_can_not_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "tables").write_text("a file where the folder should be")
    with pytest.raises(AnalyzerError, match="tables: can't be written"):
        export(lambda _: [], tmp_path, "csv")


def test_without_pyarrow_the_extra_is_named_before_anything_is_written(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from pathlib import Path\n"
        "from analyzer.audit.store.export import export\n"
        "from analyzer.model.errors import AnalyzerError\n"
        f"try: export(lambda table: [], Path({str(tmp_path)!r}), 'parquet')\n"
        "except AnalyzerError as error: print(error)\n"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.startswith(
        "to write Parquet, the package pyarrow is needed.\nInstall the extra: pip install 'analyze-session[parquet]'."
    )
    assert list(tmp_path.iterdir()) == []


def test_a_real_audit_is_exported_whole(tmp_path: Path) -> None:
    write(tmp_path / "runs", {"a.json": log("one"), "b.json": log("two"), "half.json": '{"a": '})
    run([str(tmp_path / "runs")], tmp_path, Settings(), here)
    with Store(tmp_path, Settings().version()) as store:
        export(store.rows, tmp_path, "jsonl")
        lines = {
            table: [json.loads(line) for line in (tmp_path / "tables" / f"{table}.jsonl").read_text().splitlines()]
            for table in TABLES
        }
        assert {table: len(rows) for table, rows in lines.items()} == {table: store.count(table) for table in TABLES}
    assert [entry["id"] for entry in lines["sessions"]] == ["one", "two"]
