"""What a search over the sessions of an audit finds, and what it leaves out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from analyzer.audit.run import run
from analyzer.audit.search import Asked, search
from analyzer.audit.settings import Settings
from analyzer.audit.sources.filters import Filter
from analyzer.audit.store.store import Store
from analyzer.audit.workers.examine import Examined
from analyzer.model.errors import AnalyzerError, BadConfiguration
from analyzer.model.search import Part, Search
from tests.tables import table

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def step(tool: str, argument: str, result: str, exit_code: int = 0, **more: Any) -> dict[str, Any]:
    return {"tool": tool, "arguments": {"command": argument}, "result": result, "exit_code": exit_code, **more}


SESSIONS = {
    "ebb": (
        "Drain the lagoon.",
        "2026-02-03T04:00:00Z",
        "heron",
        [
            step("shell", "sluice --open 3", "The sluice\n  is open."),
            step("shell", "gauge --depth", "FileNotFoundError: no gauge at pier 4", 1),
            step("notes", f"token {SECRET}", "kept"),
            step("shell", "gauge --depth", "0.4 m, 温度計"),
        ],
    ),
    "flow": (
        "Fill the lagoon.",
        "2026-02-05T04:00:00Z",
        "egret",
        [step("shell", "sluice --open 9", "The sluice is stuck.", 1), step("shell", "echo 'is open'", "is open")],
    ),
}


def test_every_text_is_found_however_long_the_session_is(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    filling = " ".join(f"buoy{number}" for number in range(30_000))
    long = [step("shell", f"log {number}", f"{filling} anchor{number} {filling}") for number in range(3)]
    said = ("Hello", f"{'The tide. ' * 200}Mind the weir.", "And then?", "Nothing.")
    chat = [{"role": ("user", "assistant")[at % 2], "content": text} for at, text in enumerate(said)]
    (tmp_path / "logs" / "chat.json").write_text(json.dumps({"messages": chat}), encoding="utf-8")
    (tmp_path / "logs" / "bad.jsonl").write_text("", encoding="utf-8")
    folder = make(tmp_path, {"ebb": ("Drain.", "2026-02-03T04:00:00Z", "heron", long)})
    assert [hit.step for hit in search(folder, "anchor1").sessions[0].hits] == [2]
    assert search(folder, "mind the weir").found == 1
    assert search(folder, "kraken").unread == 1


def inline(function: Any, jobs: Any, _lost: Any) -> Iterator[Examined]:
    """Every file in this process."""
    for job in jobs:
        yield function(job)


def make(folder: Path, names: dict[str, Any] = SESSIONS) -> Path:
    logs = folder / "logs"
    logs.mkdir(exist_ok=True)
    for name, (task, began, agent, actions) in names.items():
        header = {"id": name, "task": task, "started_at": began, "agent": agent}
        body = {"format": "analyze-session/1", "session": header, "actions": actions}
        (logs / f"{name}.json").write_text(json.dumps(body), encoding="utf-8")
    run([str(logs)], folder / "audit", Settings(), inline)
    return folder / "audit"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("search"))


def hits(found: Search) -> list[tuple[str, int | None, str]]:
    return [(session.id, hit.step, hit.part.value) for session in found.sessions for hit in session.hits]


@table("every_word_occurs_in_every_hit")
def test_every_word_occurs_in_every_hit(place: Path, query: str, expected: list[tuple[str, int | None, str]]) -> None:
    assert hits(search(place, query)) == expected


def test_a_hit_is_quoted_with_what_was_found(place: Path) -> None:
    (session,) = search(place, "pier gauge").sessions
    (hit,) = session.hits
    assert (session.agent, session.outcome != "", hit.tool, hit.status) == ("heron", True, "shell", "error")
    assert hit.excerpt == "FileNotFoundError: no gauge at pier 4"
    assert [hit.excerpt[begin:end] for begin, end in hit.marks] == ["gauge", "pier"]
    assert hit.link is None


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (Asked(statuses=frozenset({"error"})), [("flow", 1), ("ebb", 2)]),
        (Asked(tools=frozenset({"notes"})), [("ebb", 3)]),
        (Asked(parts=frozenset({Part.RETURNED})), [("flow", 1), ("flow", 2), ("ebb", 1), ("ebb", 2), ("ebb", 3)]),
        (Asked(parts=frozenset({Part.TASK})), [("flow", None), ("ebb", None)]),
        (Asked(Filter.parse(agents=["Heron"])), [("ebb", None), ("ebb", 1), ("ebb", 2), ("ebb", 3), ("ebb", 4)]),
        (Asked(Filter.parse(since="2026-02-04")), [("flow", None), ("flow", 1), ("flow", 2)]),
        (Asked(Filter.parse(until="2026-02-01")), []),
    ],
)
def test_filters(place: Path, asked: Asked, expected: list[tuple[str, int | None]]) -> None:
    assert [(name, number) for name, number, _ in hits(search(place, "e", asked))] == expected


def test_names_that_nothing_has_are_refused(place: Path) -> None:
    with pytest.raises(BadConfiguration, match="no session has a tool 'shel'"):
        search(place, "open", Asked(tools=frozenset({"shel"})))
    with pytest.raises(BadConfiguration, match="no session has a finding 'loop'"):
        search(place, "open", Asked(findings=frozenset({"loop"})))
    with pytest.raises(BadConfiguration, match="--agent names none"):
        search(place, "open", Asked(Filter.parse(agents=["stork"])))
    with pytest.raises(BadConfiguration, match="nothing to search for"):
        search(place, ' "" ')


def test_secrets_are_neither_found_nor_shown(place: Path) -> None:
    assert search(place, SECRET).found == 0
    assert SECRET not in search(place, "token").model_dump_json()


def test_only_so_many_hits_are_listed_and_all_are_counted(place: Path) -> None:
    found = search(place, "e", most=3)
    assert (len(hits(found)), found.found_sessions, found.searched) == (3, 2, 2)
    assert found.found == search(place, "e", most=1_000).found > 3


def test_the_search_follows_the_audit(tmp_path: Path) -> None:
    place = make(tmp_path)
    assert search(place, "stuck").found == 1
    task, began, agent, _ = SESSIONS["flow"]
    make(tmp_path, {"flow": (task, began, agent, [step("shell", "sluice --open 9", "The sluice moves.")])})
    assert (search(place, "stuck").found, search(place, "moves").found) == (0, 1)
    (tmp_path / "logs" / "flow.json").unlink()
    make(tmp_path, {})
    assert (search(place, "moves").found, search(place, "pier").found) == (0, 1)


def test_a_hit_leads_to_its_step_where_the_session_has_a_page(place: Path) -> None:
    with Store(place, "") as store:
        key = next(row[0] for row in store.rows("sessions", "id = 'flow'"))
        store.remember_page(".html", key, "1")
    try:
        links = [hit.link for session in search(place, "lagoon sluice").sessions for hit in session.hits]
        assert links == []
        links = [hit.link for session in search(place, "stuck").sessions for hit in session.hits]
        assert links == [f"sessions/{key}.html#step-1"]
        (task,) = [hit.link for session in search(place, "fill").sessions for hit in session.hits]
        assert task == f"sessions/{key}.html"
    finally:
        with Store(place, "") as store:
            store.forget_pages(".html", [key])


def test_a_folder_without_an_audit(tmp_path: Path) -> None:
    with pytest.raises(AnalyzerError, match="holds no audit"):
        search(tmp_path, "tide")
    assert list(tmp_path.iterdir()) == []
