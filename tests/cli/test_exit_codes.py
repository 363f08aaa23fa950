"""Each exit code, and that no error shows a traceback unless asked."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

import analyzer.api
from analyzer.cli.console.command import ExitCode
from analyzer.model.errors import UnreadableInput
from tests.cli.conftest import Program, command, process
from tests.tables import table

GATES = [
    pytest.param("bspline_clamping.json", "high", 1, id="stuck, high"),
    pytest.param("bspline_clamping.json", "info", 1, id="stuck, info"),
    pytest.param("polling_a_build.json", "high", 0, id="healthy, high"),
    pytest.param("polling_a_build.json", "medium", 0, id="healthy, medium"),
]


def test_findings_alone_are_no_failure(program: Program, stuck: Path) -> None:
    assert program(stuck).code == ExitCode.DONE


@pytest.mark.parametrize(("sample", "level", "code"), GATES)
def test_the_gate(program: Program, samples: Path, sample: str, level: str, code: int) -> None:
    ran = program(samples / sample, "--fail-on", level)
    assert ran.code == code
    assert (f"of severity {level} or above" in ran.err) == bool(code)


def test_the_report_is_written_although_the_gate_is_hit(program: Program, elsewhere: Path, stuck: Path) -> None:
    plain = program(stuck).out
    ran = program(stuck, "--fail-on", "high", "-o", "report.md", "--quiet")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("gate: ")
    assert ran.err.count("\n") == 1
    assert (elsewhere / "report.md").read_text() == plain


def test_a_quiet_gate_prints_nothing_but_the_gate(program: Program, stuck: Path, healthy: Path) -> None:
    hit = program(stuck, "--fail-on", "high", "-q")
    assert (hit.code, hit.out) == (1, "")
    assert re.fullmatch(r"gate: \d+ findings? of severity high or above \(--fail-on high\)\n", hit.err)
    passed = program(healthy, "--fail-on", "high", "-q")
    assert (passed.code, passed.out, passed.err) == (0, "", "")


def test_a_quiet_gate_still_prints_a_format_that_was_asked_for(program: Program, stuck: Path) -> None:
    assert program(stuck, "--fail-on", "high", "-q", "-f", "json").out.startswith("{")


@table("wrong_usage")
def test_wrong_usage(program: Program, arguments: list[str], says: str) -> None:
    ran = program(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err


def test_an_unknown_session_is_answered_with_the_known_ones(program: Program, two_sessions: Path) -> None:
    ran = program(two_sessions, "--session", "third")
    assert (ran.code, ran.out) == (2, "")
    assert "holds no session 'third'.\nIts sessions: first, second." in ran.err


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs named pipes and signals")
def test_interrupted_while_reading(elsewhere: Path) -> None:
    pipe = elsewhere / "slow.json"
    os.mkfifo(pipe)
    running = subprocess.Popen(command(pipe), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with running, pipe.open("wb"):  # opens once the program opens the other end
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=30)
    assert running.returncode == ExitCode.INTERRUPTED
    assert err.strip() == "Interrupted."


@pytest.mark.slow
def test_the_end_of_interest_in_standard_output_is_no_error(stuck: Path) -> None:
    with subprocess.Popen(command(stuck, "-f", "json"), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        running.stdout.close()
        assert running.stderr is not None
        err = running.stderr.read()
    assert (running.returncode, err) == (0, b"")


@pytest.mark.slow
def test_the_gate_counts_even_if_nobody_reads_on(stuck: Path) -> None:
    with subprocess.Popen(command(stuck, "--fail-on", "high", "-q"), stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        running.stdout.close()
    assert running.returncode == ExitCode.GATE


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_standard_output(stuck: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command(stuck), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "Error: standard output: can't be written: No space left on device.\n"


def _broken(*_arguments: object, **_options: object) -> None:
    raise KeyError("lane \x1b[31m")


def test_an_error_of_the_program_itself(program: Program, monkeypatch: pytest.MonkeyPatch, stuck: Path) -> None:
    monkeypatch.setattr(analyzer.api, "report_of", _broken)
    ran = program(stuck)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("internal error: KeyError: ")
    assert ran.err.endswith("; run again with --debug\n")
    assert "Traceback" not in ran.err
    assert "\x1b" not in ran.err


@pytest.mark.parametrize("how", ["option", "variable"])
def test_debug_shows_the_traceback(program: Program, monkeypatch: pytest.MonkeyPatch, stuck: Path, how: str) -> None:
    monkeypatch.setattr(analyzer.api, "report_of", _broken)
    if how == "variable":
        monkeypatch.setenv("ANALYZE_SESSION_DEBUG", "1")
    ran = program(stuck, *(["--debug"] if how == "option" else []))
    assert ran.code == 2
    assert "Traceback (most recent call last)" in ran.err
    assert "in _broken" in ran.err


def test_debug_shows_the_traceback_of_unreadable_input(program: Program) -> None:
    ran = program("nowhere.json", "--debug")
    assert ran.code == 2
    assert UnreadableInput.__name__ in ran.err


@pytest.mark.slow
def test_a_process_of_its_own_ends_with_the_same_code(stuck: Path) -> None:
    assert process(stuck, "--fail-on", "high").code == ExitCode.GATE
    assert process("nowhere.json").code == ExitCode.USAGE


def test_a_command_leaves_the_collector_of_garbage_as_it_was(program: Program) -> None:
    before = gc.get_threshold()
    for arguments in (["--help"], ["no-such-log.json"]):
        program(*arguments)
        assert gc.get_threshold() == before
