"""`analyze-session bench` as its users run it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from tests.case_study.agents import SCENARIO, agent
from tests.cli.conftest import ROOT, Program
from tests.tables import table

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="process groups are those of POSIX")

GOOD = "leave(sys.argv[1])"
BY_TURNS = """
run = int(sys.argv[2])
if run == 3:
    sys.exit("no wind at all")
leave(sys.argv[1], "moored at noon" if run % 2 else "lost at sea")
"""


@pytest.fixture
def scenario(elsewhere: Path) -> Path:
    """A scenario in the current folder."""
    place = elsewhere / "book.yaml"
    place.write_text(yaml.safe_dump(SCENARIO.model_dump(mode="json", exclude_unset=True)), encoding="utf-8")
    return place


def test_all_runs_pass(program: Program, scenario: Path, elsewhere: Path, tmp_path: Path) -> None:
    ran = program(
        "bench", scenario.name, "--runs", "3", "--fail-under", "1.0", "--", *agent(tmp_path / "agent", GOOD), "{out}"
    )
    assert ran.code == 0, ran.err
    head, *rows = ran.out.splitlines()[:4]
    assert head.split() == ["run", "exit", "seconds", "plan", "passed", "first", "failure"]
    assert [row.split()[0:2] + row.split()[3:] for row in rows] == [
        [str(number), "0", "1", "of", "1", "yes"] for number in (1, 2, 3)
    ]
    assert "3 of 3 runs passed (100%; 95% interval 44-100%)." in ran.out
    assert "run 3 of 3: exit status 0 after" in ran.err
    assert ran.err.endswith("wrote bench/case_study.md\n")
    assert (elsewhere / "bench" / "case_study.md").read_text(encoding="utf-8").startswith("# The log book")


def test_some_runs_fail_in_different_ways(program: Program, scenario: Path, elsewhere: Path, tmp_path: Path) -> None:
    ran = program(
        "bench",
        scenario.name,
        "-q",
        "-n",
        "4",
        "-o",
        "four",
        "--fail-under",
        "60%",
        "--",
        *agent(tmp_path / "agent", BY_TURNS),
        "{out}",
        "{run}",
    )
    assert (ran.code, ran.err) == (1, "gate: 25% of the runs passed, fewer than 60% (--fail-under)\n")
    passed = [line.split()[6 if "of" in line else 4] for line in ran.out.splitlines()[1:5]]
    assert passed == ["yes", "no", "no", "no"]
    assert "(no transcript)" in ran.out.splitlines()[3]
    assert "1 of 4 runs passed" in ran.out
    kept = json.loads((elsewhere / "four" / "run-3" / "run.json").read_text())
    assert (kept["exit_status"], kept["by_command"]) == (1, True)


@pytest.mark.parametrize(("rate", "code"), [("0.25", 0), ("25%", 0), ("0.26", 1), ("1", 1), ("0", 0)])
def test_the_gate(program: Program, scenario: Path, tmp_path: Path, rate: str, code: int) -> None:
    command = (
        "bench",
        scenario.name,
        "-n",
        "4",
        "--fail-under",
        rate,
        "--",
        *agent(tmp_path / "agent", BY_TURNS),
        "{out}",
        "{run}",
    )
    ran = program(*command)
    assert ran.code == code
    assert ("gate: 25% of the runs passed" in ran.err) == (code == 1)


def test_everything_as_json(program: Program, scenario: Path, tmp_path: Path) -> None:
    ran = program(
        "bench", scenario.name, "-q", "-n", "2", "-f", "json", "--", *agent(tmp_path / "agent", GOOD), "{out}"
    )
    made = json.loads(ran.out)
    assert [run["transcript"] for run in made["runs"]] == ["run-1/out/log.json", "run-2/out/log.json"]
    assert [run["succeeded"] for run in made["case_study"]["runs"]] == [True, True]
    assert made["case_study"]["trials"] is True


def test_one_run_is_reported_without_a_rate(program: Program, scenario: Path, tmp_path: Path) -> None:
    ran = program("bench", scenario.name, "-q", "-n", "1", "--", *agent(tmp_path / "agent", GOOD), "{out}")
    assert ran.code == 0, ran.err
    assert ran.out.endswith("\nThe run passed.\n")


def test_the_document_is_the_same_whenever_it_is_written(
    program: Program, scenario: Path, elsewhere: Path, tmp_path: Path
) -> None:
    command = ("bench", scenario.name, "-q", "-n", "3", "--", *agent(tmp_path / "agent", BY_TURNS), "{out}", "{run}")
    program(*command)
    before = (elsewhere / "bench" / "case_study.md").read_bytes()
    assert program(*command[:2], "--resume", *command[2:]).code == 0
    assert (elsewhere / "bench" / "case_study.md").read_bytes() == before


def test_fixes_of_the_scenario_are_not_those_of_the_trials(program: Program, samples: Path, elsewhere: Path) -> None:
    plugins = samples / "plugin_table"
    ran = program("bench", plugins / "scenario.yaml", "-q", "-n", "5", "--", "cp", plugins / "run{run}.json", "{out}")
    assert ran.code == 0, ran.err
    assert [line.split()[6] for line in ran.out.splitlines()[1:6]] == ["no", "no", "no", "no", "yes"]
    assert "1 of 5 runs passed" in ran.out
    document = (elsewhere / "bench" / "case_study.md").read_text(encoding="utf-8")
    assert "Lost context at step 4" in document
    assert "no aliases" not in document


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "asked to end"])
def test_interrupted_it_keeps_what_it_has_and_goes_on_later(
    program: Program, scenario: Path, elsewhere: Path, tmp_path: Path, number: signal.Signals
) -> None:
    pid = tmp_path / "pid.txt"
    code = (
        f"if sys.argv[2] == '2' and not os.path.exists({str(pid)!r}):\n    open({str(pid)!r}, "
        "'w').write(str(os.getpid())); time.sleep(600)\nleave(sys.argv[1])"
    )
    command = ["bench", scenario.name, "-n", "3", "--", *agent(tmp_path / "agent", code), "{out}", "{run}"]
    started = subprocess.Popen(
        [sys.executable, "-P", "-m", "analyzer", *command],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        for _ in range(600):
            if pid.exists() and pid.read_text():
                break
            time.sleep(0.05)
        started.send_signal(number)
        out, err = started.communicate(timeout=30)
    finally:
        started.kill()
        started.wait()
    assert (started.returncode, out) == (130, b"")
    assert b"the runs that ended are in bench; go on with --resume" in err
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
    assert [path.parent.name for path in (elsewhere / "bench").glob("run-*/run.json")] == ["run-1"]
    ran = program("bench", "--resume", *command[1:])
    assert ran.code == 0, ran.err
    assert "1 of 3 runs already exist" in ran.err
    assert "3 of 3 runs passed" in ran.out


@table("wrong_usage")
def test_wrong_usage(program: Program, scenario: Path, arguments: list[str], said: str) -> None:
    ran = program("bench", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_what_a_run_printed_moves_no_cursor(program: Program, scenario: Path, tmp_path: Path) -> None:
    ran = program(
        "bench",
        scenario.name,
        "-n",
        "2",
        "--",
        *agent(tmp_path / "agent", "raise ValueError('\\x1b[2J gone')"),
        "{out}",
    )
    assert "\x1b" not in ran.out + ran.err
