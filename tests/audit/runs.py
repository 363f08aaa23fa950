"""Folders of small invented runs, audits of them, and everything that an audit's database shows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from analyzer.audit.run import Done, run
from analyzer.audit.settings import Settings
from analyzer.audit.sources.filters import LeftOut
from analyzer.audit.store.store import Store
from analyzer.audit.workers.examine import Examined, Job
from analyzer.audit.workers.pool import Workers
from analyzer.model.tables import TABLES

ROOT = Path(__file__).resolve().parent.parent.parent
DRIVER = (sys.executable, "-P", "-m", "tests.audit.driver")
Tables = dict[str, list[tuple[Any, ...]]]


def a_run(number: int, actions: int = 6) -> dict[str, Any]:
    """A run in the project's own form that edits and tests in turns, with an error of its own. Runs of other lengths
    began at other times."""
    steps: list[dict[str, Any]] = []
    for step in range(actions // 2):
        steps.append(
            {
                "tool": "edit",
                "arguments": {"path": "tide.py", "old": f"level = {step}", "new": f"level = {step + 1}"},
                "result": "Edited.",
            }
        )
        error = f"tests/test_tide.py:{step + 9}: AssertionError: harbour {number} is dry\n1 failed in 0.1{step}s"
        steps.append({"tool": "shell", "arguments": {"command": "pytest -q"}, "result": error, "exit_code": 1})
    header = {
        "id": f"tide-{number}",
        "agent": f"agent-{number % 3}",
        "task": f"Fill harbour {number}.",
        "started_at": f"2026-02-03T04:{5 + actions // 60:02}:{actions % 60:02}Z",
    }
    return {"format": "analyze-session/1", "session": header, "actions": steps}


def write_runs(folder: Path, count: int, actions: int = 6) -> list[Path]:
    """So many runs as files `run-000.json`, `run-001.json`, ..."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for number in range(count):
        file = folder / f"run-{number:03}.json"
        file.write_text(json.dumps(a_run(number, actions)), encoding="utf-8")
        files.append(file)
    return files


def long_ago(*files: Path) -> None:
    """Date the files back, so that they are clearly older than the audit that looks at them."""
    for file in files:
        os.utime(file, (1_700_000_000, 1_700_000_000))


def at_once(function: Callable[[Job], Examined], jobs: Iterable[Job], _: object) -> Iterator[Examined]:
    """An engine that examines every file in this process."""
    return map(function, jobs)


def audited(folder: Path, *paths: Path, workers: int = 0, settings: Settings | None = None) -> Done:
    """An audit, by so many worker processes of this one, or by itself."""
    with Workers(workers) if workers else nullcontext(at_once) as engine:
        return run([str(path) for path in paths], folder, settings or Settings(), engine)


def command(folder: Path, *paths: Path, workers: int = 2, seconds: float = 60, scheduler: str = "") -> list[str]:
    """The command line of an audit in a process of its own."""
    return [*DRIVER, *arguments(folder, *paths, workers=workers, seconds=seconds, scheduler=scheduler)]


def arguments(folder: Path, *paths: Path, workers: int = 2, seconds: float = 60, scheduler: str = "") -> list[str]:
    """What that command line says after the program's name."""
    return [str(folder), scheduler or str(workers), str(seconds), *map(str, paths)]


def environment(*more: Path) -> dict[str, str]:
    """The environment of such a process; `more` are folders with modules of the test."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*more, ROOT)))}


def audited_elsewhere(
    folder: Path, *paths: Path, workers: int = 2, seconds: float = 60, modules: Sequence[Path] = (), scheduler: str = ""
) -> Done:
    """An audit in a process of its own."""
    done = subprocess.run(
        command(folder, *paths, workers=workers, seconds=seconds, scheduler=scheduler),
        env=environment(*modules),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done_of(done.stdout)


def done_of(printed: str) -> Done:
    """How an audit in another process went, as that printed it."""
    counts = json.loads(printed)
    return Done(**{**counts, "left_out": LeftOut(**counts["left_out"])})


class Elsewhere:
    """A process that runs one audit after another, with plug-ins of the test. The server that it forks its workers from
    takes two seconds to start, once for all of them."""

    def __init__(self, said: Path, *modules: Path) -> None:
        self._said = said
        with said.open("wb") as stderr:
            self._process = subprocess.Popen(
                DRIVER, env=environment(*modules), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr
            )

    def audited(self, folder: Path, *paths: Path, workers: int = 2, seconds: float = 60, scheduler: str = "") -> Done:
        """An audit in that process."""
        asked, answered = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answered is not None
        asked.write(
            json.dumps(arguments(folder, *paths, workers=workers, seconds=seconds, scheduler=scheduler)).encode()
            + b"\n"
        )
        asked.flush()
        printed = answered.readline().decode()
        assert printed, self._said.read_text(encoding="utf-8")
        return done_of(printed)

    def end(self) -> None:
        """End the process, which must go well."""
        out, _ = self._process.communicate(timeout=60)
        assert (out, self._process.returncode) == (b"", 0), self._said.read_text(encoding="utf-8")


def tables(folder: Path) -> Tables:
    """Every row of every table, and every post-mortem, as the audit shows them."""
    with Store(folder, "") as store:
        shown = {name: list(store.rows(name)) for name in TABLES}
        shown["reports"] = [(row[0], store.report(row[0])) for row in shown["sessions"]]
    return shown


def problems(folder: Path) -> list[tuple[str, str, str]]:
    """File name, kind and text of every problem."""
    return [(Path(path).name, kind, what) for path, _, kind, _, what in tables(folder)["problems"]]
