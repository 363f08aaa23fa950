"""`analyze-session learn`, and what its file is good for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Program
from tests.formats.mapping.logs import LOGS
from tests.tables import table


@pytest.fixture
def log(elsewhere: Path) -> str:
    (elsewhere / "nightly.log").write_text(LOGS["requests_and_responses"](), encoding="utf-8")
    return "nightly.log"


def test_learn_shows_the_first_actions_and_writes_the_mapping(program: Program, elsewhere: Path, log: str) -> None:
    ran = program("learn", log)
    assert ran.code == 0
    assert "1 session, 4 actions, 4 of them with a result\n" in ran.out
    assert "1. search_code [search] ok" in ran.out
    assert "  arguments: {'pattern': 'def total', 'path': 'src'}\n" in ran.out
    file = (elsewhere / "nightly.mapping.toml").read_text(encoding="utf-8")
    assert ran.out.startswith(file)
    assert '[call]\nwhen = { "method" = true }\nname = "method"\narguments = "params"\nid = "id"\n' in file
    assert ran.err.endswith(
        "wrote nightly.mapping.toml; use it so: analyze-session nightly.log --mapping nightly.mapping.toml\n"
    )


def test_a_log_that_nobody_knows_is_read_by_its_mapping(program: Program, elsewhere: Path, log: str) -> None:
    program("learn", log, "-o", "agent.toml")
    refused = program(log)
    assert refused.code == 2
    assert refused.err.endswith("If it's the log of an agent of your own: analyze-session learn nightly.log\n")
    read = program(log, "--mapping", "agent.toml", "-f", "json")
    assert read.code == 0
    document = json.loads(read.out)
    assert document["source"]["format"] == "mapping"
    assert [row["status"] for row in document["sessions"][0]["timeline"]] == ["ok", "ok", "error", "ok"]
    (elsewhere / "pyproject.toml").write_text('[tool.analyze-session]\nmapping = "agent.toml"\n', encoding="utf-8")
    assert program(log, "-f", "json").out == read.out
    assert "4 actions" in program("check", log, "--mapping", "agent.toml").out


def test_an_audit_reads_logs_by_their_mapping(program: Program, log: str) -> None:
    program("learn", log, "-o", "agent.toml")
    ran = program("audit", log, "-o", "found", "--mapping", "agent.toml", "-j", "1", "--pages", "none")
    assert ran.code == 0
    assert "1 session in 1 file" in ran.err


def test_a_mapping_that_is_there_is_not_overwritten(program: Program, elsewhere: Path, log: str) -> None:
    (elsewhere / "nightly.mapping.toml").write_text("mine", encoding="utf-8")
    ran = program("learn", log)
    assert ran.code == 2
    assert "is there already" in ran.err
    assert (elsewhere / "nightly.mapping.toml").read_text(encoding="utf-8") == "mine"


def test_a_corrected_mapping_is_shown_with_what_it_leaves_out(program: Program, elsewhere: Path, log: str) -> None:
    (elsewhere / "agent.toml").write_text('[call]\nname = "method"\n', encoding="utf-8")
    ran = program("learn", log, "--mapping", "agent.toml")
    assert ran.code == 0
    assert "0 of them with a result" in ran.out
    assert "not read:\n" in ran.out


@table("a_mapping_with_a_mistake_is_refused")
def test_a_mapping_with_a_mistake_is_refused(program: Program, elsewhere: Path, log: str, text: str, says: str) -> None:
    (elsewhere / "agent.toml").write_text(text, encoding="utf-8")
    ran = program(log, "--mapping", "agent.toml")
    assert ran.code == 2
    assert says in ran.err


def test_the_example_in_the_documentation_is_what_is_proposed(program: Program, elsewhere: Path) -> None:
    records: list[dict[str, object]] = [
        {"event": "open", "run": "r-1", "ts": 1_767_225_600},
        {
            "event": "tool_start",
            "run": "r-1",
            "ts": 1_767_225_601,
            "call": 1,
            "tool": "read_file",
            "args": {"path": "bill.py"},
        },
        {
            "event": "tool_end",
            "run": "r-1",
            "ts": 1_767_225_602,
            "call": 1,
            "tool": "read_file",
            "output": "def total(items): ...",
        },
        {
            "event": "tool_start",
            "run": "r-1",
            "ts": 1_767_225_603,
            "call": 2,
            "tool": "run_tests",
            "args": {"target": "tests"},
        },
        {
            "event": "tool_error",
            "run": "r-1",
            "ts": 1_767_225_604,
            "call": 2,
            "tool": "run_tests",
            "output": "1 failed in 0.04s",
        },
    ]
    (elsewhere / "nightly.log").write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    page = (ROOT / "docs" / "mapping.md").read_text(encoding="utf-8")
    example = page.partition("$ analyze-session learn nightly.log\n")[2].partition("```")[0]
    assert program("learn", "nightly.log").out.splitlines() == example.splitlines()


def test_a_mapping_and_a_format_do_not_go_together(program: Program, log: str) -> None:
    program("learn", log, "-o", "agent.toml")
    for order in (
        ("--mapping", "agent.toml", "--input-format", "chat"),
        ("--input-format", "chat", "--mapping", "agent.toml"),
    ):
        ran = program(log, *order)
        assert ran.code == 2
        assert "--mapping and --input-format don't go together." in ran.err


def test_learn_refuses_what_holds_no_calls(program: Program, elsewhere: Path) -> None:
    (elsewhere / "other.json").write_text('{"a": 1}', encoding="utf-8")
    ran = program("learn", "other.json")
    assert ran.code == 2
    assert "other.json: holds no records that look like calls of tools.\n" in ran.err
    assert not (elsewhere / "other.mapping.toml").exists()


def test_learn_says_that_a_known_log_needs_no_mapping(program: Program, elsewhere: Path) -> None:
    (elsewhere / "runs.jsonl").write_text(LOGS["several_sessions"](), encoding="utf-8")
    assert "is read without a mapping as well, as action-list" in program("learn", "runs.jsonl").err


def test_calls_and_results_of_a_log_with_short_keys_are_joined(program: Program, elsewhere: Path) -> None:
    lines: list[dict[str, object]] = []
    for number in range(3):
        shared: dict[str, object] = {"run": "r1", "cid": str(number)}
        begun: dict[str, object] = {
            "ts": f"2026-01-01T10:00:0{2 * number}Z",
            "evt": "tool_begin",
            "fn": "look_up",
            "params": {"a": 1},
        }
        ended: dict[str, object] = {
            "ts": f"2026-01-01T10:00:0{2 * number + 1}Z",
            "evt": "tool_end",
            "out": "no such quay",
            "err": True,
        }
        lines += [shared | begun, shared | ended]
    (elsewhere / "short.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    assert program("learn", "short.jsonl", "-o", "short.toml").code == 0
    read = json.loads(program("short.jsonl", "--mapping", "short.toml", "-f", "json").out)
    (session,) = read["sessions"]
    assert [(row["tool"], row["status"]) for row in session["timeline"]] == [("look_up", "error")] * 3


def test_what_a_mapping_names_in_vain_is_told(program: Program, elsewhere: Path, log: str) -> None:
    program("learn", log, "-o", "agent.toml")
    mapping = (elsewhere / "agent.toml").read_text(encoding="utf-8")
    assert "not in this log" not in program("learn", log, "--mapping", "agent.toml").out
    (elsewhere / "agent.toml").write_text(mapping.replace('"params"', '"parms"'), encoding="utf-8")
    ran = program("learn", log, "--mapping", "agent.toml")
    assert ran.out.endswith("not in this log:\n  call.arguments: nothing has the key 'parms'\n")
    (elsewhere / "agent.toml").write_text(mapping.replace('"method"', '"methods"'), encoding="utf-8")
    ran = program("learn", log, "--mapping", "agent.toml")
    assert (ran.code, "call.when: nothing has the key 'methods'" in ran.err) == (2, True)
