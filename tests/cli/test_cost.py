"""`cost`: what sessions cost by time, model and the like, from logs in the manner of Claude Code."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from analyzer import audit
from tests.cli.conftest import ROOT, Program
from tests.formats.claude_code_builders import said, text

PRICES = """as_of = "2026-01-01"
[[price]]
models = ["claude-test-1", "claude-test-2"]
input = 1.0
output = 10.0
cache_read = 0.1
"""
NIGHT, MORNING = "2025-03-01T12:00:00.000Z", "2025-03-03T12:00:00.000Z"


@pytest.fixture(autouse=True)
def at_utc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "prices.toml").write_text(PRICES)
    monkeypatch.setenv("ANALYZE_SESSION_PRICES", str(tmp_path / "prices.toml"))


def answer(number: int, time: str, sent: int, written: int, model: str = "claude-test-1") -> dict[str, object]:
    usage = {"input_tokens": sent, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
    message = {"model": model, "usage": {**usage, "output_tokens": written}}
    return said("assistant", number, [text("Level.")], message=message, timestamp=time)


def log(file: Path, *answers: dict[str, object], name: str = "a") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    records = [said("user", 1, "Level the tide.", timestamp=NIGHT), *answers]
    file.write_text("".join(json.dumps({**record, "sessionId": name}) + "\n" for record in records))


def rows(program: Program, *arguments: str) -> list[dict[str, str]]:
    return list(csv.DictReader(program("cost", *arguments, "-f", "csv", "-q", "-j", "1").out.splitlines()))


def test_a_session_over_two_days_and_two_models_is_split(program: Program) -> None:
    later = answer(3, MORNING, 1_000_000, 200_000, "claude-test-2")
    log(Path("logs/a.jsonl"), answer(2, NIGHT, 1_000_000, 100_000), later)
    assert [(row["day"], row["usd"], row["sessions"]) for row in rows(program, "logs")] == [
        ("2025-03-01", "2.0", "1"),
        ("2025-03-03", "3.0", "1"),
    ]
    assert [(row["model"], row["usd"]) for row in rows(program, "logs", "--by", "model")] == [
        ("claude-test-2", "3.0"),
        ("claude-test-1", "2.0"),
    ]
    both = rows(program, "logs", "--by", "project", "--by", "branch", "--by", "week", "--by", "agent")
    assert [tuple(row.values())[:4] for row in both] == [
        ("shop", "main", "2025-02-24", "Claude Code"),
        ("shop", "main", "2025-03-03", "Claude Code"),
    ]
    assert [row["usd"] for row in rows(program, "logs", "--since", "2025-03-02")] == ["3.0"]


def test_what_two_files_tell_counts_once(program: Program) -> None:
    first = answer(2, NIGHT, 1_000_000, 0)
    log(Path("logs/a.jsonl"), first)
    log(Path("logs/b.jsonl"), first, answer(3, MORNING, 500_000, 0), name="b")
    log(Path("logs/copy/a.jsonl"), first)
    assert [(row["session"], row["usd"]) for row in rows(program, "logs", "--by", "session")] == [
        ("a", "1.0"),
        ("b", "0.5"),
    ]


def test_only_what_changed_is_read_again(program: Program) -> None:
    log(Path("logs/a.jsonl"), answer(2, NIGHT, 1_000_000, 0))
    log(Path("logs/b.jsonl"), answer(2, NIGHT, 2_000_000, 0), name="b")
    assert sum(float(row["usd"]) for row in rows(program, "logs")) == 3.0
    log(Path("logs/b.jsonl"), answer(2, NIGHT, 4_000_000, 0), name="b")
    again = program("cost", "logs", "-j", "1")
    assert "2 files, of which 1 are new or changed" in again.err
    assert "$5.00" in again.out
    Path("logs/b.jsonl").unlink()
    assert [row["usd"] for row in rows(program, "logs")] == ["1.0"]


def test_what_is_not_known_is_said(program: Program) -> None:
    log(Path("logs/a.jsonl"), answer(2, NIGHT, 1_000_000, 0), name="a")
    log(Path("logs/b.jsonl"), answer(2, NIGHT, 5, 5, "strange-9"), name="b")
    Path("logs/c.jsonl").write_text("")
    assert "at least $1.00" in (said := program("cost", "logs", "-j", "1").out)
    assert "No price is known for what 1 session used (strange-9)." in said
    assert "at the list prices of 2026-01-01" in said
    assert "1 of 3 files can't be read" in said


def test_the_total_is_that_of_an_audit(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANALYZE_SESSION_PRICES")
    samples = str(ROOT / "sample_sessions")
    total = json.loads(program("cost", samples, "-f", "json", "-q", "-j", "1").out)["total"]
    spent = audit(samples, jobs=1).sessions["spent_usd"].sum()
    assert total["usd"] == pytest.approx(spent, abs=1e-4)
    assert spent > 0
