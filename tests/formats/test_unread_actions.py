"""Files whose actions nobody reads, or whose results aren't there: one warning, or the refusal, says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from analyzer import analyze
from analyzer.cli.main import cli
from analyzer.report import markdown

CALL = {"type": "function", "function": {"name": "run_tests", "arguments": "{}"}}
ASKED = [{"role": "user", "content": "Go on."}]
WITHOUT_RESULTS: dict[str, Any] = {
    "chat": [*ASKED, *({"role": "assistant", "tool_calls": [{"id": f"c{number}", **CALL}]} for number in range(6))],
    "own-form": {"actions": [{"tool": "run_tests", "arguments": {}}] * 6},
    "bare-actions": [{"action": "open door"}] * 6,
    "spans": [
        {
            "name": "execute_tool run_tests",
            "trace_id": "t",
            "span_id": f"s{number}",
            "start_time": 1760000000 + number,
            "attributes": {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "run_tests"},
        }
        for number in range(6)
    ],
}
LOG = [{"role": "harness", "content": f"calling tool search with {{'page': {number}}}"} for number in range(3)]
CALM = ("Nothing here needs", "o action failed", "one failed", "None of the")


@pytest.mark.parametrize("value", WITHOUT_RESULTS.values(), ids=WITHOUT_RESULTS)
def test_a_log_without_any_result_is_one_warning_and_no_calm_page(tmp_path: Path, value: object) -> None:
    file = tmp_path / "run.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    done = CliRunner().invoke(cli, ["check", "--strict", str(file)], standalone_mode=False)
    assert done.return_value == 1
    assert "none of the 6 calls has a recorded result, nor any arguments" in " ".join(done.stdout.split())
    report = analyze(file)
    (session,) = report.sessions
    assert [warning.where for warning in session.warnings] == ["results"]
    assert {row.status for row in session.timeline} == {"unknown"}
    assert (session.outcome.status, session.outcome.reason) == ("unknown", "No result of the 6 actions is recorded.")
    assert session.findings == []
    page = markdown.render(report)
    assert not any(words in page for words in CALM)
    assert "> **No answer is recorded.** No result of the 6 actions is recorded." in page


def test_absent_results_are_never_equal(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_text(json.dumps(WITHOUT_RESULTS["chat"]), encoding="utf-8")
    (session,) = analyze(file).sessions
    said = [policy.why or "" for policy in session.early_stop.policies if policy.fires]
    assert said
    assert not any("equal result" in why for why in said)


def test_messages_that_hold_the_actions_are_one_warning_that_leads_the_page(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_text(json.dumps([*ASKED, *LOG]), encoding="utf-8")
    report = analyze(file)
    (warning,) = [warning for warning in report.sessions[0].warnings if warning.where == "messages"]
    assert warning.what == (
        "3 of them seem to hold what the agent did (\"calling tool search with {'page': 0}\"); no action was read"
    )
    assert "No action was read from this file (messages: 3 of them seem to hold" in markdown.render(report)
    done = CliRunner().invoke(cli, ["check", "--strict", str(file)], standalone_mode=False)
    assert done.return_value == 1


MARKED = {
    "a tag": 'Now the tests.\n<invoke name="run_tests">\n</invoke>',
    "an object": '{"name": "run_tests", "arguments": {"path": "tests"}}',
    "a token": '[TOOL_CALLS] [{"name": "run_tests"}]',
    "a tool of tags": "<run_tests>\n<path>tests</path>\n<only>quay</only>\n</run_tests>",
    "code of a tool": 'Now the tests.\n```tool_code\nprint(run_tests(path="tests"))\n```',
    "a tag of the model": '<|python_tag|>run_tests.call(path="tests")',
}


def said_of_messages(folder: Path, text: str, *, acted: bool) -> list[str]:
    calls = [{"role": "assistant", "tool_calls": [{"id": "c1", **CALL}]}] if acted else []
    file = folder / "run.json"
    file.write_text(json.dumps([*ASKED, *calls, {"role": "assistant", "content": text}]), encoding="utf-8")
    return [one.what for one in analyze(file).sessions[0].warnings if one.where == "messages"]


@pytest.mark.parametrize("text", MARKED.values(), ids=MARKED)
def test_a_last_message_that_holds_a_call_is_a_warning(tmp_path: Path, text: str) -> None:
    (what,) = said_of_messages(tmp_path, text, acted=True)
    assert "never made" in what


def test_a_single_call_in_a_session_without_any_is_a_warning(tmp_path: Path) -> None:
    (what,) = said_of_messages(tmp_path, MARKED["a token"], acted=False)
    assert "1 of them seems to hold" in what


def test_an_answer_that_shows_a_call_is_none(tmp_path: Path) -> None:
    fenced = 'The settings are:\n```json\n{"name": "quay", "arguments": {"path": "tests"}}\n```'
    schema = (
        '{"type": "function", "function": {"name": "run_tests", "parameters": {"type": "object", "properties": {}}}}'
    )
    assert said_of_messages(tmp_path, f"```json\n{schema}\n```", acted=False) == []
    for text in (fenced, schema, "Call it with `<invoke name=...>`, as the manual says."):
        assert said_of_messages(tmp_path, text, acted=True) == []
