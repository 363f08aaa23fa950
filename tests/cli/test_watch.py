"""`watch` as its users run it: on a finished log, and on one that grows."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from analyzer.cli.main import cli
from tests.tables import table

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample_sessions" / "bspline_clamping.json"


def watch(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["watch", *map(str, arguments)], standalone_mode=False)


def test_a_finished_log_is_reported_step_by_step() -> None:
    ran = watch(SAMPLE, "--until-idle", "0", "--interval", "0.05", "-q")
    heads = [line.split("  ")[:3] for line in ran.stdout.splitlines()]
    assert ["step 20", "HIGH", heads[0][2]] in heads
    assert any(
        "wrong-file: The cause is in ../out/test_clamp_splines.py:21" in line for line in ran.stdout.splitlines()
    )
    assert [int(head[0].split()[1]) for head in heads] == sorted(int(head[0].split()[1]) for head in heads)


def test_the_step_back_message_names_the_place() -> None:
    ran = watch(SAMPLE, "--until-idle", "0", "--select", "wrong-file")
    assert "Need at least 8 knots for degree 3" in ran.stdout
    assert "test_clamp_splines.py:21" in ran.stdout
    assert ran.stderr == "26 actions seen\n"


def test_json_is_one_object_per_line() -> None:
    rows = [json.loads(line) for line in watch(SAMPLE, "--until-idle", "0", "-f", "json", "-q").stdout.splitlines()]
    assert {"session", "finding", "message", "also"} == set(rows[0])
    assert {row["finding"]["detector"] for row in rows} >= {"loops", "wrong-file"}


@table("the_gate")
def test_the_gate(arguments: list[str], code: int) -> None:
    assert int(watch(SAMPLE, "--until-idle", "0", *arguments).return_value) == code


def test_only_what_matters_enough() -> None:
    assert watch(SAMPLE, "--until-idle", "0", "-q", "--least", "high", "--select", "identical-error").stdout == ""


@pytest.mark.slow
def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "analyzer", "watch", str(tmp_path / "no.jsonl")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert "no such file" in ran.stderr


def rows(count: int) -> list[dict[str, object]]:
    return [
        {
            "type": "assistant",
            "message": {
                "role": "assistant",
                "content": [
                    {"type": "tool_use", "id": f"c{count}", "name": "Bash", "input": {"command": "cat settings.toml"}}
                ],
            },
        },
        {
            "type": "user",
            "message": {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": f"c{count}",
                        "is_error": True,
                        "content": "cat: settings.toml: No such file or directory",
                    }
                ],
            },
        },
    ]


def written(log: Path, *entries: dict[str, object]) -> None:
    with log.open("a", encoding="utf-8") as file:
        for number, entry in enumerate(entries):
            known = {
                "uuid": f"{log.stat().st_size}-{number}",
                "sessionId": "s1",
                "timestamp": "2026-01-05T10:00:00Z",
                "version": "2.0.0",
                "cwd": "/w",
            }
            file.write(json.dumps({**known, **entry}) + "\n")
            file.flush()


@pytest.mark.slow
def test_a_growing_log_is_followed(tmp_path: Path) -> None:
    log = tmp_path / "run.jsonl"
    written(log, {"type": "user", "message": {"role": "user", "content": "Show me the settings."}}, *rows(1))
    command = [
        sys.executable,
        "-u",
        "-m",
        "analyzer",
        "watch",
        str(log),
        "--interval",
        "0.05",
        "-q",
        "--select",
        "loops",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as ran:
        try:
            assert ran.stdout is not None
            written(log, *rows(2))
            time.sleep(0.3)
            call, answer = rows(3)
            written(log, call)
            time.sleep(0.3)
            written(log, answer)
            assert ran.stdout.readline().startswith("step 3  HIGH  loops: The same error 3 times from the same call")
        finally:
            os.kill(ran.pid, signal.SIGINT)
        assert ran.wait(20) == 130
