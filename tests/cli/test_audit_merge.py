from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.runs import long_ago, write_runs
from tests.cli.conftest import Program

pytestmark = pytest.mark.slow


@pytest.fixture
def runs(elsewhere: Path) -> Path:
    """Twelve runs."""
    long_ago(*write_runs(elsewhere / "runs", 12))
    return elsewhere / "runs"


def files(folder: Path) -> dict[str, bytes]:
    """Every file of the folder but the database."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and not file.name.startswith("audit.db")
    }


def test_the_report_of_merged_parts_is_that_of_the_whole(program: Program, elsewhere: Path, runs: Path) -> None:
    for number in (1, 2, 3):
        assert program("audit", runs, "-o", f"part-{number}", "--shard", f"{number}/3", "-q").code == 0

    merged = program("audit", "merge", "part-1", "part-2", "part-3", "-o", "audit")

    assert (merged.code, merged.out) == (0, "")
    assert "12 sessions in 12 files of 3 parts" in merged.err
    by_parts = files(elsewhere / "audit")
    (elsewhere / "audit").rename(elsewhere / "merged")
    assert program("audit", runs, "-o", "audit", "-q").code == 0
    assert "report.md" in by_parts
    assert by_parts == files(elsewhere / "audit")


def test_a_part_that_is_not_there_is_reported(program: Program, runs: Path) -> None:
    program("audit", runs, "-o", "part-2", "--shard", "2/3", "-q")

    merged = program("audit", "merge", "part-2", "-o", "audit")

    assert merged.code == 0
    assert "parts that are not there: 1/3, 3/3\n" in merged.err
