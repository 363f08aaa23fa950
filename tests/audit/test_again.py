"""What a further audit of the same folder looks at, and that nothing but the input decides what the tables hold."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from analyzer.audit.run import Done
from analyzer.audit.settings import Settings
from analyzer.audit.store.store import Store
from analyzer.model.errors import AnalyzerError
from tests.audit.runs import ROOT, a_run, audited, audited_elsewhere, long_ago, tables, write_runs

pytestmark = pytest.mark.slow
MIGRATIONS = ROOT / "analyzer" / "audit" / "migrations"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Six runs that were recorded long ago."""
    long_ago(*write_runs(tmp_path / "runs", 6))
    return tmp_path / "runs"


@pytest.fixture
def out(tmp_path: Path, runs: Path) -> Path:
    """The folder of an audit of them."""
    assert audited(tmp_path / "out", runs) == Done(sources=6, examined=6, problems=0)
    return tmp_path / "out"


def ids(folder: Path) -> list[str]:
    return sorted(row[3] for row in tables(folder)["sessions"])


def test_nothing_is_read_again_when_nothing_changed(runs: Path, out: Path) -> None:
    assert audited(out, runs) == Done(sources=6, examined=0, problems=0)


def test_a_file_that_changed_is_read_again(runs: Path, out: Path) -> None:
    (runs / "run-002.json").write_text(json.dumps(a_run(77, 2)), encoding="utf-8")

    assert audited(out, runs).examined == 1
    assert ids(out) == ["tide-0", "tide-1", "tide-3", "tide-4", "tide-5", "tide-77"]
    assert (
        sum(
            row[0] == key
            for key in [row[0] for row in tables(out)["sessions"] if row[3] == "tide-77"]
            for row in tables(out)["actions"]
        )
        == 2
    )


def test_a_change_that_keeps_size_and_time_is_noticed_where_the_file_was_new(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    file, *_ = write_runs(runs, 1)
    audited(tmp_path / "out", runs)
    state = file.stat()
    file.write_text(file.read_text(encoding="utf-8").replace("tide-0", "ebb--0"), encoding="utf-8")
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert file.stat().st_size == state.st_size

    audited(tmp_path / "out", runs)

    assert ids(tmp_path / "out") == ["ebb--0"]


def test_a_file_that_was_only_touched_keeps_its_results(runs: Path, out: Path) -> None:
    before = tables(out)
    os.utime(runs / "run-002.json", (1_700_000_500, 1_700_000_500))

    assert audited(out, runs).examined == 1
    assert tables(out) == before
    assert audited(out, runs).examined == 0


def test_another_setting_reads_everything_again(runs: Path, out: Path) -> None:
    found = {row[2] for row in tables(out)["findings"]}
    name = max(found)

    assert audited(out, runs, settings=Settings(ignore=(name,))).examined == 6
    left = {row[2] for row in tables(out)["findings"]}
    assert name not in left
    assert found - {name} <= left  # what was an aspect of the finding stands alone now
    assert audited(out, runs, settings=Settings(ignore=(name,))).examined == 0


def test_a_file_that_is_gone_is_not_shown_and_comes_back_without_being_read(runs: Path, out: Path) -> None:
    before = tables(out)
    data = (runs / "run-002.json").read_bytes()
    (runs / "run-002.json").unlink()

    assert audited(out, runs) == Done(sources=5, examined=0, problems=0)
    assert ids(out) == ["tide-0", "tide-1", "tide-3", "tide-4", "tide-5"]
    (runs / "run-002.json").write_bytes(data)
    long_ago(runs / "run-002.json")
    assert audited(out, runs).examined == 0
    assert tables(out) == before


def test_of_equal_files_one_is_counted(runs: Path, out: Path) -> None:
    (runs / "again").mkdir()
    (runs / "again" / "copy.json").write_bytes((runs / "run-002.json").read_bytes())

    audited(out, runs)

    assert ids(out) == [f"tide-{number}" for number in range(6)]
    assert [Path(row[0]).name for row in tables(out)["files"] if row[6]] == ["run-002.json"], (
        "`again/copy.json` comes first by path"
    )


def test_one_worker_and_three_fill_the_tables_alike(tmp_path: Path, samples: Path, runs: Path) -> None:
    none, one, three, elsewhere = (tmp_path / name for name in ("none", "one", "three", "elsewhere"))
    logs = [*samples.glob("*.json"), samples / "plugin_table" / "run1.json"]

    audited(none, *logs, runs)
    audited(one, runs, *logs, workers=1)
    audited(three, *logs, runs, workers=3)
    audited_elsewhere(elsewhere, *logs, runs, workers=2)

    assert len(tables(one)["sessions"]) == 6 + len(logs)
    assert tables(none) == tables(one) == tables(three) == tables(elsewhere)


def test_two_settings_in_one_folder_at_once_are_refused(runs: Path, out: Path) -> None:
    with Store(out, Settings().version()) as store:
        assert audited(out, runs, settings=Settings(redact=False)).examined == 6
        with pytest.raises(AnalyzerError, match="another audit put its results of 6 files here meanwhile"):
            store.cover([str(run) for run in runs.iterdir()])


def test_every_change_of_the_tables_has_a_number_of_its_own() -> None:
    numbers = sorted(int(file.name[:4]) for file in MIGRATIONS.glob("*.sql"))
    assert numbers == list(range(1, len(numbers) + 1))
