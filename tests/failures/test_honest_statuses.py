"""What is said of a result that may be quoted, cut, wrapped, or one line of a file."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.failures import Reading, Verdict, read
from analyzer.model.session import ToolCall
from analyzer.timeline.calls.classify import operation_of

REFUSED = "Cloning into 'reef'...\nfatal: unable to access 'https://x/': Could not resolve host: x\n" + "and more\n" * 5
CUT = "\n> ferry@1 test\n\nferry.FerryTest > boardsThree\n    waits for the tide\n"
WRAPPED = "The tool execution failed with the following error:\n<error>\n{}\n</error>\n\nfurther talk\n"


def judged(tool: str, arguments: dict[str, Any], text: str, **known: Any) -> Verdict:
    return read(Reading(text=text, operation=operation_of(ToolCall("1", tool, arguments)), tool=tool, **known))


@pytest.mark.parametrize(
    ("tool", "arguments", "text", "known", "status"),
    [
        pytest.param(
            "quartz_fire", {"slot": 7}, REFUSED, {}, "unknown", id="in the middle of an unknown tool's answer"
        ),
        pytest.param("quartz_fire", {"slot": 7}, REFUSED, {"is_error": False}, "unknown", id="called fine by the log"),
        pytest.param("bash", {"command": "git clone x"}, REFUSED, {}, "error", id="printed by what ran"),
        pytest.param("bash", {"command": "gradle test"}, CUT, {}, "unknown", id="no summary of the tests"),
        pytest.param(
            "bash", {"command": "gradle test"}, CUT, {"exit_code": 0}, "ok", id="no summary, but an exit code"
        ),
        pytest.param(
            "read_file", {"path": "a.py"}, "     1\tError: no such user", {}, "unknown", id="one numbered line"
        ),
        pytest.param("read_file", {"path": "a.py"}, "     1\timport os", {}, "ok", id="one numbered line of code"),
        pytest.param(
            "bash", {"command": "cat -n a.log"}, "     1\tKeyError: 'x'", {}, "ok", id="numbered by an option"
        ),
        pytest.param("read_file", {"path": "a.py"}, "File not found: a.py", {"is_error": False}, "error", id="itself"),
        pytest.param("read_file", {"path": "a.py"}, WRAPPED.format("no a.py"), {}, "error", id="an error in a tag"),
        pytest.param("bash", {"command": "pnpm build"}, "No projects matched", {"exit_code": 0}, "error", id="nothing"),
        pytest.param("bash", {"command": "npm start"}, "listening", {"exit_code": -1}, "error", id="it never ended"),
        pytest.param(
            "Bash", {"command": "./a"}, '{"output": "a", "metadata": {"exit_code": 1}}', {"exit_code": 0}, "error"
        ),
    ],
)
def test_a_status_says_what_is_known(
    tool: str, arguments: dict[str, Any], text: str, known: dict[str, Any], status: str
) -> None:
    assert judged(tool, arguments, text, **known).status == status


def test_a_wrapped_error_is_quoted_without_its_wrapper() -> None:
    verdict = judged("read_file", {"path": "a.py"}, WRAPPED.format("File not found: a.py"))
    assert verdict.decided_by == "an error tag in the result"
    assert verdict.failure is not None
    assert (verdict.failure.type, verdict.failure.message) == ("FileNotFound", "File not found: a.py")


def test_tests_that_failed_before_a_report_was_cut_are_read() -> None:
    mocha = "  quay\n    1) waits\n    ✔ moors\n\n\n  1 passing (34ms)\n"
    verdict = judged("bash", {"command": "npx mocha"}, mocha)
    assert verdict.failure is not None
    assert (verdict.failure.failing_tests, verdict.failure.counts) == (("waits",), {"passed": 1, "failed": 1})
    maven = "[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.03 s <<< FAILURE! -- in a.B\n"
    assert judged("bash", {"command": "mvn verify"}, "[INFO] Tests run: 4, Failures: 0\n" + maven).status == "error"


STILL = [
    "[The command has no new output after 30 seconds. You may wait longer for more.]",
    "<command with shellId: 4 is still running after 30 seconds.>",
    "Command still running (session quay, pid 12). Use poll for more.",
]


@pytest.mark.parametrize("line", STILL)
@pytest.mark.parametrize("before", ["", "Serving HTTP on port 8000\n"])
def test_a_call_that_came_back_while_its_command_ran_is_neither_success_nor_failure(line: str, before: str) -> None:
    for flag in (None, False):
        verdict = judged("bash", {"command": "python -m http.server"}, f"{before}{line}", is_error=flag)
        assert (verdict.status, verdict.failure) == ("unknown", None)
    ended = judged("bash", {"command": "python -m http.server"}, f"{before}{line}", exit_code=0)
    assert ended.status == "ok"
    assert judged("bash", {"command": "make"}, f"{before}{line}", is_error=True).status == "error"


def test_an_answer_about_a_process_and_a_log_that_is_shown_are_results() -> None:
    assert (
        judged("poll", {"session": "quay"}, "(no new output)\n\nProcess still running.", is_error=False).status == "ok"
    )
    assert judged("bash", {"command": "cat quay.log"}, "moored\nstill running\n", exit_code=0).status == "ok"
    assert judged("bash", {"command": "cat quay.log"}, "moored\nCommand still running\n").status == "ok"


@pytest.mark.parametrize(
    ("line", "text", "status"),
    [
        pytest.param("sort -u quay | diff pier -", "2c2\n< tide\n---\n> ebb", "ok", id="what differs"),
        pytest.param("cat quay | grep -c tide", "0", "ok", id="none counted"),
        pytest.param("sort quay | diff pier -", "diff: pier: No such file", "error", id="a program complains"),
        pytest.param("diff -u 0 a b | grep -c x", "diff: extra operand 'b'\n0", "error", id="one before complains"),
        pytest.param("make quay && diff a b", "2c2\n< tide", "error", id="another one may have failed"),
    ],
)
def test_a_comparison_at_the_end_of_a_pipe_answers_by_failing(line: str, text: str, status: str) -> None:
    assert judged("bash", {"command": line}, text, is_error=True).status == status


def test_an_act_that_somebody_turned_down_failed() -> None:
    bounced = '{"status": "bounced", "reason": "550 user unknown"}'
    assert judged("send_mail", {"to": "quay@pier.example"}, bounced).status == "error"
    assert judged("get_mail", {"id": 4}, bounced).status == "ok"
