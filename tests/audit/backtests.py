"""Small folders of runs for tests of the backtest, and a backtest within this process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from analyzer.audit.backtest.choice import chosen
from analyzer.audit.backtest.run import backtest
from analyzer.model.backtest import Backtest, PolicyScore

T = TypeVar("T")
R = TypeVar("R")
Step = dict[str, Any]


def step(command: str, result: str = "ok", exit_code: int = 0, **more: Any) -> Step:
    """A shell command in the project's own form."""
    return {"tool": "shell", "arguments": {"command": command}, "result": result, "exit_code": exit_code, **more}


def work(number: int, name: str = "part") -> list[Step]:
    """Steps of which none is like another."""
    return [step(f"build {name}-{letter}", f"{name} {letter} is built") for letter in "abcdefghijklmnopqrst"[:number]]


def stuck(times: int, before: int = 0) -> list[Step]:
    """Some work, then the same call with the same result until the end."""
    return [*work(before), *[step("cat plan.txt", "nothing here") for _ in range(times)]]


def write(path: Path, steps: Iterable[Step], status: str | None = None, **header: Any) -> Path:
    """A session in the project's own form."""
    steps = list(steps)
    for second, entry in enumerate(steps):
        entry.setdefault("started_at", f"2026-03-01T10:00:{second:02d}Z")
        entry.setdefault("duration_seconds", 1)
    log = {
        "format": "analyze-session/1",
        "session": {"id": path.stem, "task": "Build it.", **({"status": status} if status else {}), **header},
        "actions": steps,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(log))
    return path


def here(function: Callable[[T], R], items: Iterable[T], lost: Callable[[T, str, str], R]) -> Iterator[R]:
    """Runs the function within this process."""
    return map(function, items)


def replayed(*paths: Path, policies: Iterable[str] = (), sweep: bool = False, labels: Path | None = None) -> Backtest:
    """A backtest of the runs at the paths."""
    return backtest(
        [str(path) for path in paths], chosen(list(policies), sweep=sweep), here, labels=labels, swept=sweep
    )


def score(result: Backtest, policy: str) -> PolicyScore:
    """What it says about one policy."""
    (found,) = [entry for entry in result.policies if entry.policy == policy]
    return found


POLLS = [step("status", f"{n} of 9 done") for n in range(3)]
"""The same call three times, each with another result."""


def of_every_sort(place: Path) -> Path:
    """Five runs in the folder `place`: stuck after three actions; stuck and over at once; good with three equal calls;
    good without; out of its loop, and nobody knows how it ended."""
    write(place / "long.json", stuck(9, before=3), tokens={"input": 1100, "output": 100}, cost_usd=0.6)
    write(place / "short.json", stuck(3, before=2))
    write(
        place / "waits.json", [*work(2), *POLLS, *work(4, "more")], ending="solved", tokens={"input": 900}, cost_usd=0.9
    )
    write(place / "calm.json", work(6))
    write(place / "escapes.json", [*stuck(5), *work(3)])
    return place
