"""Sources on other systems, through fsspec's file system in memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.audit.sources.discover import discover
from analyzer.audit.sources.source import Source, digest
from analyzer.audit.store.export import export
from analyzer.model.errors import AnalyzerError, UnreadableInput
from tests.audit.trees import FIRST, SECOND, claude, log, looked_at, openhands, sessions, write

fsspec = pytest.importorskip("fsspec")


@pytest.fixture
def memory() -> Iterator[None]:
    yield
    fsspec.filesystem("memory").rm("/", recursive=True)


def put(files: dict[str, object]) -> None:
    system = fsspec.filesystem("memory")
    for name, content in files.items():
        text = (
            content
            if isinstance(content, str)
            else "\n".join(map(json.dumps, content))
            if isinstance(content, list)
            else json.dumps(content)
        )
        system.pipe_file(f"/{name}", text.encode())


def at(*urls: str) -> list[Source]:
    return list(discover(urls))


FILES: dict[str, object] = {
    "runs/a.json": log("one"),
    "runs/code.py": "pass",
    "runs/.hidden/a.json": log("hidden"),
    **{f"runs/conversation/{name}": content for name, content in openhands().items()},
    f"runs/shop/{FIRST}.jsonl": claude(FIRST),
    f"runs/shop/{FIRST}/subagents/agent-a1.jsonl": claude(FIRST, None, "Grep", "a1"),
    f"runs/shop/{SECOND}.jsonl": claude(SECOND),
    "runs/shop/agent-b1.jsonl": claude(SECOND, None, "Glob", "b1"),
}


@pytest.mark.usefixtures("memory")
def test_a_url_is_searched_like_a_folder(tmp_path: Path) -> None:
    put(FILES)
    write(tmp_path, FILES)
    far, near = at("memory://runs"), at(str(tmp_path / "runs"))
    assert [source.path for source in far] == [
        "memory:///runs/a.json",
        "memory:///runs/conversation",
        f"memory:///runs/shop/{FIRST}.jsonl",
        f"memory:///runs/shop/{SECOND}.jsonl",
    ]
    assert [(source.members, source.size) for source in far] == [(source.members, source.size) for source in near]
    assert [digest(source) for source in far] == [digest(source) for source in near]
    assert sessions(far) == sessions(near)
    assert [looked_at(source).format for source in far] == [
        "actions",
        "openhands-folder",
        "claude-code-folder",
        "claude-code-folder",
    ]


@pytest.mark.usefixtures("memory")
def test_a_file_and_a_pattern_on_another_system() -> None:
    put(FILES)
    assert [(source.path, source.named) for source in at("memory://runs/a.json", "memory://runs/*.json")] == [
        ("memory:///runs/a.json", True)
    ]


@pytest.mark.usefixtures("memory")
def test_a_session_named_by_itself_has_its_sub_agents_and_none_is_counted_twice() -> None:
    put(FILES)
    (one,) = at(f"memory://runs/shop/{FIRST}.jsonl")
    assert one.members == (f"{FIRST}.jsonl", f"{FIRST}/subagents/agent-a1.jsonl")
    found = at("memory://runs/shop", "memory://runs/shop/agent-b1.jsonl", f"memory://runs/shop/{FIRST}.jsonl")
    assert [(len(source.members), source.named) for source in found] == [(2, True), (2, False)]


def test_a_worker_without_the_package_has_a_problem_with_the_file() -> None:
    found = looked_at(Source("nosuch://bucket/a.json", 1, 1))
    assert [problem[2:] for problem in found.problems] == [
        ("unreadable", "", "can't be opened: Protocol not known: nosuch.")
    ]


@pytest.mark.usefixtures("memory")
def test_a_change_changes_the_signature() -> None:
    put(FILES)
    (before,) = at("memory://runs/a.json")
    assert at("memory://runs/a.json") == [before]
    put({"runs/a.json": log("two")})
    (after,) = at("memory://runs/a.json")
    assert (after.path, after.size) == (before.path, before.size)
    assert after.changed != before.changed


@pytest.mark.usefixtures("memory")
def test_a_file_that_went_away_meanwhile_is_a_problem() -> None:
    put(FILES)
    (source,) = at("memory://runs/a.json")
    fsspec.filesystem("memory").rm("/runs/a.json")
    found = looked_at(source)
    assert (found.state, [problem[2] for problem in found.problems]) == ("problem", ["unreadable"])


@pytest.mark.parametrize("url", ["memory://nothing/here", "nosuch://bucket/runs", "memory://none/*.json"])
def test_a_url_that_leads_nowhere_is_an_error(url: str) -> None:
    with pytest.raises(AnalyzerError, match=url.replace("*", r"\*")):
        at(url)


def test_without_fsspec_the_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['fsspec'] = None; sys.modules['fsspec.core'] = None\n"
        "from analyzer.audit.sources.discover import discover\n"
        "from analyzer.model.errors import AnalyzerError\n"
        "try: list(discover(['s3://bucket/runs']))\n"
        "except AnalyzerError as error: print(error)\n"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed == (
        "s3://bucket/runs: to read URLs, the package fsspec is needed.\nInstall the extra: pip install "
        "'analyze-session[remote]'.\n"
    )


def test_nothing_at_a_url_is_unreadable_input() -> None:
    with pytest.raises(UnreadableInput):
        at("memory://nothing")


@pytest.mark.usefixtures("memory")
def test_tables_are_exported_to_another_system_whole_or_not_at_all() -> None:
    system = fsspec.filesystem("memory")
    assert export(lambda _: [], "memory://out", "csv")[0] == "memory://out/tables/files.csv"
    assert system.cat_file("/out/tables/files.csv").startswith(b"path,state,")

    def broken(table: str) -> Iterator[tuple[object, ...]]:
        raise KeyboardInterrupt
        yield ()

    with pytest.raises(KeyboardInterrupt):
        export(broken, "memory://other/", "csv")
    assert not system.exists("/other/tables/files.csv")
