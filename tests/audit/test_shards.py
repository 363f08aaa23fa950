"""Audits in parts, and one audit out of them."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from analyzer.audit.run import run
from analyzer.audit.settings import Settings
from analyzer.audit.sources.filters import Filter
from analyzer.audit.sources.source import Source
from analyzer.audit.store.merge import Shard, merge
from analyzer.audit.store.store import Store
from analyzer.model.errors import AnalyzerError
from tests.audit.runs import a_run, at_once, audited, long_ago, tables, write_runs
from tests.tables import table

pytestmark = pytest.mark.slow


def part(folder: Path, text: str, *paths: Path, settings: Settings | None = None, chosen: Filter | None = None) -> int:
    """An audit of one part; how many files are in it."""
    done = run(
        [str(path) for path in paths],
        folder,
        settings or Settings(),
        at_once,
        chosen=chosen or Filter(),
        shard=Shard.parse(text),
    )
    return done.sources


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Thirty runs in two folders, two of them equal, and what is no run."""
    first, second = write_runs(tmp_path / "runs" / "a", 20), write_runs(tmp_path / "runs" / "b", 10, actions=10)
    copy = tmp_path / "runs" / "a" / "again.json"
    shutil.copy(second[3], copy)
    notes = tmp_path / "runs" / "notes.txt"
    notes.write_text("nothing\n", encoding="utf-8")
    broken = tmp_path / "runs" / "broken.jsonl"
    broken.touch()
    long_ago(*first, *second, copy, notes, broken)
    return tmp_path / "runs"


def test_the_merged_parts_are_the_whole(tmp_path: Path, runs: Path) -> None:
    parts = [tmp_path / f"part-{number}" for number in (1, 2, 3)]
    counts = [part(folder, f"{number}/3", runs) for number, folder in enumerate(parts, 1)]

    merged = merge(parts, tmp_path / "merged")

    assert sum(counts) == 33
    assert min(counts) > 0
    assert (merged.files, merged.copied, merged.missing) == (33, 33, ())
    audited(tmp_path / "whole", runs)
    assert len(tables(tmp_path / "whole")["sessions"]) == 30
    assert tables(tmp_path / "merged") == tables(tmp_path / "whole")
    assert state(tmp_path / "merged") == state(tmp_path / "whole")


def state(folder: Path) -> str:
    """What decides whether a report has to be made anew."""
    with Store(folder, "") as store:
        return store.state()


def test_the_order_of_the_parts_is_all_the_same(tmp_path: Path, runs: Path) -> None:
    parts = [tmp_path / f"part-{number}" for number in (1, 2, 3)]
    for number, folder in enumerate(parts, 1):
        part(folder, f"{number}/3", runs)

    merge(parts, tmp_path / "forth")
    merge([*parts[::-1], parts[0]], tmp_path / "back")

    assert tables(tmp_path / "forth") == tables(tmp_path / "back")


def test_merging_again_copies_what_is_new_and_forgets_what_is_gone(tmp_path: Path, runs: Path) -> None:
    parts = [tmp_path / "part-1", tmp_path / "part-2"]
    for number, folder in enumerate(parts, 1):
        part(folder, f"{number}/2", runs)
    merge(parts, tmp_path / "merged")
    (runs / "a" / "run-003.json").write_text(json.dumps(a_run(333)), encoding="utf-8")
    (runs / "a" / "run-004.json").unlink()
    long_ago(runs / "a" / "run-003.json")
    for number, folder in enumerate(parts, 1):
        part(folder, f"{number}/2", runs)

    assert merge(parts, tmp_path / "merged").copied == 1
    assert merge(parts, tmp_path / "merged").copied == 0
    audited(tmp_path / "whole", runs)
    assert tables(tmp_path / "merged") == tables(tmp_path / "whole")


def test_of_a_file_in_several_parts_the_latest_look_counts(tmp_path: Path, runs: Path) -> None:
    file = runs / "a" / "run-003.json"
    audited(tmp_path / "later", runs / "b")
    audited(tmp_path / "earlier", file)
    file.write_text(json.dumps(a_run(333)), encoding="utf-8")
    audited(tmp_path / "later", runs / "b", file)

    merge([tmp_path / "earlier", tmp_path / "later"], tmp_path / "forth")
    merge([tmp_path / "later", tmp_path / "earlier"], tmp_path / "back")

    assert [row[3] for row in tables(tmp_path / "forth")["sessions"] if row[1] == str(file)] == ["tide-333"]
    assert tables(tmp_path / "forth") == tables(tmp_path / "back") == tables(tmp_path / "later")


def test_a_file_is_named_as_in_its_own_part_and_copies_in_other_parts_are_not_counted(
    tmp_path: Path, runs: Path
) -> None:
    audited(tmp_path / "a", runs / "a")
    audited(tmp_path / "b", runs / "b")

    merge([tmp_path / "a", tmp_path / "b"], tmp_path / "merged")

    assert len(tables(tmp_path / "b")["sessions"]) == 10
    assert len(tables(tmp_path / "merged")["sessions"]) == 30
    assert [row[6] for row in tables(tmp_path / "merged")["files"] if row[6]] == [str(runs / "a" / "again.json")]


def test_what_the_filter_of_the_parts_left_out_stays_left_out(tmp_path: Path, runs: Path) -> None:
    chosen = Filter.parse(agents=["agent-1"])
    parts = [tmp_path / "part-1", tmp_path / "part-2"]
    for number, folder in enumerate(parts, 1):
        part(folder, f"{number}/2", runs, chosen=chosen)

    merge(parts, tmp_path / "merged")

    run([str(runs)], tmp_path / "whole", Settings(), at_once, chosen=chosen)
    assert 0 < len(tables(tmp_path / "whole")["sessions"]) < 30
    assert tables(tmp_path / "merged") == tables(tmp_path / "whole")


def test_parts_that_are_not_there_are_named(tmp_path: Path, runs: Path) -> None:
    for number in (1, 4):
        part(tmp_path / f"part-{number}", f"{number}/5", runs)

    assert merge([tmp_path / "part-4", tmp_path / "part-1"], tmp_path / "merged").missing == ("2/5", "3/5", "5/5")


def test_parts_made_with_other_settings_are_refused_and_nothing_changes(tmp_path: Path, runs: Path) -> None:
    part(tmp_path / "part-1", "1/2", runs)
    part(tmp_path / "part-2", "2/2", runs, settings=Settings(ignore=("loops",)))

    with pytest.raises(
        AnalyzerError, match="was made with another version of the program, or with other settings"
    ) as raised:
        merge([tmp_path / "part-1", tmp_path / "part-2"], tmp_path / "merged")

    assert raised.value.where in (str(tmp_path / "part-1"), str(tmp_path / "part-2"))
    assert tables(tmp_path / "merged")["files"] == []


@table("what_is_no_part_is_refused")
def test_what_is_no_part_is_refused(name: str, what: str, tmp_path: Path, runs: Path) -> None:
    part(tmp_path / "part", "1/1", runs)
    (tmp_path / "noise").mkdir()
    (tmp_path / "noise" / "audit.db").write_bytes(b"noise " * 1000)
    merge([tmp_path / "part"], tmp_path / "merged")

    with pytest.raises(AnalyzerError, match=what):
        merge([tmp_path / "part", tmp_path / name], tmp_path / "merged")

    assert len(tables(tmp_path / "merged")["sessions"]) == 30


def test_a_merged_audit_is_sound_and_can_be_audited_further(tmp_path: Path, runs: Path) -> None:
    parts = [tmp_path / "part-1", tmp_path / "part-2"]
    for number, folder in enumerate(parts, 1):
        part(folder, f"{number}/2", runs)
    merge(parts, tmp_path / "merged")

    assert audited(tmp_path / "merged", runs).examined == 0
    with sqlite3.connect(tmp_path / "merged" / "audit.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def sources(top: str, count: int = 1_000) -> list[Source]:
    return [Source(f"{top}/{number % 7}/run-{number}.jsonl", 1, 1) for number in range(count)]


def test_every_source_belongs_to_exactly_one_part_and_the_parts_are_of_similar_size() -> None:
    parts = [
        [source.path for source in Shard(number, 8).choose(sources("/data/runs"), ["/data/runs"])]
        for number in range(1, 9)
    ]

    assert sorted(path for chosen in parts for path in chosen) == sorted(
        source.path for source in sources("/data/runs")
    )
    assert all(90 <= len(chosen) <= 160 for chosen in parts)


def test_machines_that_mount_the_files_elsewhere_agree(tmp_path: Path) -> None:
    here, there = tmp_path / "mnt" / "runs", tmp_path / "var" / "lib" / "copy of runs"
    here.mkdir(parents=True)
    there.mkdir(parents=True)

    def below(top: Path, written: str) -> list[str]:
        return [source.path.removeprefix(str(top)) for source in Shard(2, 5).choose(sources(str(top)), [written])]

    assert (
        below(here, str(here))
        == below(there, str(there))
        == below(there, f"{there}/")
        == below(there, f"{there}/*/*.jsonl")
    )


def test_a_new_file_moves_no_other_one() -> None:
    before = [source.path for source in Shard(3, 4).choose(sources("/r", 500), ["/r"])]
    after = [source.path for source in Shard(3, 4).choose(sources("/r", 501), ["/r"])]

    assert [path for path in after if path != "/r/3/run-500.jsonl"] == before


def test_objects_of_a_store_are_divided_as_files_are() -> None:
    there = [
        source.path.removeprefix("s3://bucket/runs")
        for source in Shard(1, 3).choose(sources("s3://bucket/runs"), ["s3://bucket/runs/"])
    ]
    here = [source.path.removeprefix("/data") for source in Shard(1, 3).choose(sources("/data"), ["/data"])]

    assert there == here


@pytest.mark.parametrize("text", ["", "3", "3/", "/3", "a/b", "-1/3", "1/3/5", "1.5/3"])
def test_what_is_no_shard(text: str) -> None:
    with pytest.raises(AnalyzerError, match="is no shard") as raised:
        Shard.parse(text)

    assert raised.value.hint == "Write I/N, such as 3/8: the third of eight parts."


@pytest.mark.parametrize("text", ["0/3", "4/3", "1/0"])
def test_a_part_that_there_is_not(text: str) -> None:
    with pytest.raises(AnalyzerError, match="there is no part"):
        Shard.parse(text)
