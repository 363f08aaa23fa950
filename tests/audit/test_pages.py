"""The page of each session: made once, made anew when it changes, and never the end of an audit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from analyzer.audit.pages import Kind, write_pages
from analyzer.audit.settings import Settings
from analyzer.audit.store.store import Store
from analyzer.model.postmortem import Report
from analyzer.model.step_texts import Recording
from tests.audit.runs import audited, write_runs


def here(function: Callable[[Any], Any], items: Iterable[Any], lost: Callable[[Any, str, str], Any]) -> Iterator[Any]:
    """An engine that works in this process."""
    return map(function, items)


def title(report: Report, recordings: list[Recording]) -> str:
    return f"# {report.sessions[0].session.id}\n"


def all_but_one(report: Report, recordings: list[Recording]) -> str:
    if report.sessions[0].session.id == "tide-1":
        raise ZeroDivisionError("no such harbour")
    return title(report, recordings)


def pages(folder: Path) -> set[str]:
    return {file.read_text(encoding="utf-8") for file in (folder / "sessions").iterdir()}


def test_a_page_that_cannot_be_made_leaves_the_others_alone_and_is_tried_again(tmp_path: Path) -> None:
    write_runs(tmp_path / "runs", 3, actions=12)
    audited(tmp_path / "out", tmp_path / "runs")
    with Store(tmp_path / "out", Settings().version()) as store:
        missing = write_pages(store, tmp_path / "out", [Kind(".md", all_but_one)], "1", here)
        (session,) = missing

        assert missing[session] == "an error of this program: ZeroDivisionError: no such harbour"
        assert pages(tmp_path / "out") == {"# tide-0\n", "# tide-2\n"}
        assert write_pages(store, tmp_path / "out", [Kind(".md", title)], "1", here) == {}
        assert pages(tmp_path / "out") == {"# tide-0\n", "# tide-1\n", "# tide-2\n"}


def test_pages_are_regenerated_only_for_another_version(tmp_path: Path) -> None:
    write_runs(tmp_path / "runs", 1, actions=12)
    audited(tmp_path / "out", tmp_path / "runs")
    with Store(tmp_path / "out", Settings().version()) as store:
        write_pages(store, tmp_path / "out", [Kind(".md", title)], "1", here)
        (page,) = (tmp_path / "out" / "sessions").iterdir()
        page.write_text("mine\n", encoding="utf-8")

        write_pages(store, tmp_path / "out", [Kind(".md", title)], "1", here)
        assert page.read_text(encoding="utf-8") == "mine\n"
        write_pages(store, tmp_path / "out", [Kind(".md", title)], "2", here)
        assert page.read_text(encoding="utf-8") == "# tide-0\n"
