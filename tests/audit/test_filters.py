"""Which sessions an audit covers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from analyzer.audit.run import Done, run
from analyzer.audit.settings import Settings
from analyzer.audit.sources.filters import EVERYTHING, Filter
from analyzer.audit.store.store import Store
from analyzer.model.errors import BadConfiguration
from tests.audit.trees import FIRST, claude, log, write
from tests.tables import table

NOW = datetime(2025, 3, 10, 12, tzinfo=UTC)


def here(function: Callable[[Any], Any], jobs: Iterable[Any], lost: Callable[[Any, str, str], Any]) -> Iterator[Any]:
    """Work without processes."""
    return map(function, jobs)


@table("sessions_are_chosen_by_when_they_began")
def test_sessions_are_chosen_by_when_they_began(since: str | None, until: str | None, started: str, kept: bool) -> None:
    reason = Filter.parse(since=since, until=until, now=NOW).reason(started, None, "chat")
    assert reason == (None if kept else "time")


def test_a_session_without_a_time_is_left_out_only_where_times_are_asked_for() -> None:
    assert Filter.parse(since="7d", now=NOW).reason(None, None, "chat") == "time unknown"
    assert Filter.parse(agents=["x"]).reason(None, "X", "chat") is None


@pytest.mark.parametrize("text", ["yesterday", "2025-13-01", "7", "7y", "-7d", ""])
def test_what_is_no_time_is_an_error(text: str) -> None:
    with pytest.raises(BadConfiguration, match="is no time"):
        Filter.parse(since=text)


def test_times_in_the_wrong_order_are_an_error() -> None:
    with pytest.raises(BadConfiguration, match="isn't before"):
        Filter.parse(since="2025-03-02", until="2025-03-01")


@pytest.mark.parametrize(
    ("asked", "agent", "kept"),
    [("claude-code", "Claude Code", True), ("CODEX", "codex", True), ("codex", "Codex CLI", False), ("x", None, False)],
)
def test_agents_are_compared_by_their_letters(asked: str, agent: str | None, kept: bool) -> None:
    assert Filter.parse(agents=[asked]).reason(None, agent, "chat") == (None if kept else "agent")


@table("formats_are_those_of_the_list")
def test_formats_are_those_of_the_list(asked: str, form: str, kept: bool) -> None:
    assert Filter.parse(formats=[asked]).reason(None, None, form) == (None if kept else "format")


def test_an_unknown_format_is_an_error_with_a_suggestion() -> None:
    with pytest.raises(BadConfiguration, match="Did you mean 'codex'"):
        Filter.parse(formats=["kodex"])


def test_agents_of_whom_there_is_no_session_are_an_error() -> None:
    asked = Filter.parse(agents=["gemini"])
    with pytest.raises(BadConfiguration, match="There are: Claude Code, Gemini CLI"):
        asked.check_agents(["Claude Code", "Gemini CLI"])
    asked.check_agents([])
    Filter.parse(agents=["gemini-cli", "codex"]).check_agents(["Claude Code", "Gemini CLI"])


def audited(root: Path, chosen: Filter = EVERYTHING) -> Done:
    return run([str(root / "runs")], root / "audit", Settings(), here, chosen=chosen)


def ids(root: Path) -> list[str]:
    with Store(root / "audit", Settings().version()) as store:
        return [row[3] for row in store.rows("sessions")]


def test_the_tables_show_the_chosen_sessions_and_the_others_come_back(tmp_path: Path) -> None:
    write(
        tmp_path / "runs",
        {
            "old.json": log("old", "2025-01-01T00:00:00Z", "Robot"),
            "new.json": log("new", "2025-03-01T00:00:00Z", "Robot"),
            "timeless.json": log("timeless", None, "Robot"),
            f"{FIRST}.jsonl": claude(FIRST),
            "broken.json": "{",
        },
    )
    done = audited(tmp_path, Filter.parse(since="2025-02-01", agents=["robot"]))
    assert ids(tmp_path) == ["new"]
    assert done.left_out == {"agent": 1, "time": 1, "time unknown": 1}
    assert done.left_out.sentence() == (
        "3 sessions left out by the filters: 1 of another or an unknown agent, 1 without a recorded time, 1 from "
        "another time."
    )
    with Store(tmp_path / "audit", Settings().version()) as store:
        assert {row[0] for row in store.rows("actions")} == {row[0] for row in store.rows("sessions")}
        assert [store.count(table) for table in ("files", "problems")] == [5, 1]
    again = audited(tmp_path)
    assert (sorted(ids(tmp_path)), bool(again.left_out), again.left_out.sentence()) == (
        sorted([FIRST, "new", "old", "timeless"]),
        False,
        "",
    )
