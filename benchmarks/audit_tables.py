"""The tables of a made-up audit with as many sessions as one likes, always the same for the same number."""

from __future__ import annotations

import random
from typing import Any

from analyzer.audit.store.tables import Tables
from tests.audit.tables import row

_NOUNS = [
    "anchor",
    "basket",
    "candle",
    "drawer",
    "engine",
    "feather",
    "garden",
    "hammer",
    "island",
    "jacket",
    "kettle",
    "ladder",
    "mirror",
    "needle",
    "orange",
    "pillow",
    "quarry",
    "ribbon",
    "saddle",
    "teapot",
]
_KINDS = (
    ("exception", "ValueError", "could not open the {0} of the {1} because the {2} is missing"),
    ("exception", "KeyError", "'{0}'"),
    ("command-not-found", "CommandNotFound", "bash: {0}: command not found"),
    ("missing-dependency", "ModuleNotFoundError", "No module named '{0}_{1}'"),
    ("edit-refused", "EditNoMatch", "the text to be replaced is not in the file"),
    ("test-failure", "AssertionError", "assert {0}.{1} == {2} in the {3} of the whole {4}"),
)
_FINDINGS = (
    ("loops", "loop", "repeated-call"),
    ("loops", "loop", "repeated-error"),
    ("identical-error", "error", "identical-error"),
    ("gave-up", "plan", "said-so"),
)
Rows = dict[str, list[tuple[Any, ...]]]


def tables(count: int, failures_each: int = 2) -> Rows:
    """The rows of `count` sessions; every third has a finding, and on average each has `failures_each` failures, of
    which one in twenty is new."""
    chance = random.Random(7)
    known: list[dict[str, Any]] = []
    made: Rows = {"files": [], "sessions": [], "failures": [], "findings": [], "problems": []}
    for number in range(count):
        key = f"{number:016x}"
        actions = chance.randint(0, 60)
        found = number % 3 == 0 and actions > 4
        day = f"2025-{1 + number * 12 // count:02d}-{1 + number % 28:02d}T{number % 24:02d}:00:00Z"
        made["files"].append(row("files", {"path": f"/runs/{number}.json"}))
        made["sessions"].append(
            row(
                "sessions",
                {
                    "session": key,
                    "id": f"{_NOUNS[number % 20]}-{number}",
                    "path": f"/runs/{number}.json",
                    "agent": f"agent {number % 7}",
                    "agent_version": f"1.{number % 30}",
                    "model": f"model {number % 11}",
                    "family": f"{_NOUNS[number % 20]} {number % 500}",
                    "task_key": str(number % 1_000),
                    "started_at": day,
                    "duration_seconds": chance.uniform(1, 5_000),
                    "actions": actions,
                    "tokens_input": chance.randint(0, 10**6),
                    "cost_usd": chance.random(),
                    "outcome": chance.choice(["succeeded", "failed", "stuck", "unknown"]),
                    "outcome_confidence": 0.95,
                    "findings": int(found),
                    "worst": "high" if found else None,
                    "about": "loops/repeated-call" if found else None,
                    "headline": "It went round.",
                    "loops": int(found),
                    "loop_actions": 4 if found else 0,
                    "loop_tokens": 5,
                    "loop_usd": 0.1,
                    "actions_saved": 2 if found else None,
                },
            )
        )
        for _ in range(chance.randint(0, 2 * failures_each)):
            if not known or chance.random() < 0.05:
                known.append(_failure(chance, len(known)))
            failure = known[min(chance.randrange(len(known)), chance.randrange(len(known)))]
            made["failures"].append(
                row("failures", {**failure, "session": key, "step": chance.randint(1, 60), "failure_group": "F1"})
            )
        if found:
            detector, category, kind = _FINDINGS[number % len(_FINDINGS)]
            made["findings"].append(
                row(
                    "findings",
                    {
                        "session": key,
                        "detector": detector,
                        "category": category,
                        "kind": kind,
                        "failure_group": "F1",
                        "mast": '["FM-1.3"]',
                        "advice": f'["Stop at the {_NOUNS[number % 20]} (`{number}`)."]',
                    },
                )
            )
    return made


def database(rows: Rows) -> Tables:
    """The rows as the figures read them."""
    return Tables.of(rows)


def _failure(chance: random.Random, number: int) -> dict[str, Any]:
    kind, name, text = chance.choice(_KINDS)
    words = [chance.choice(_NOUNS) + (str(number % 50) if chance.random() < 0.3 else "") for _ in range(5)]
    message = text.format(*words)
    return {
        "fingerprint": f"f3-{number:012x}",
        "kind": kind,
        "type": name,
        "message": message,
        "template": f"{name}: {message}",
        "origin": chance.choice(["tool", "environment"]),
    }
