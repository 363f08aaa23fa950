"""Invented sessions as a comparison sees them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from analyzer.audit.compare import Side
from analyzer.audit.compare.side import Run, Sign, runs_of
from analyzer.model.words import Severity
from tests.audit.tables import tables

TASKS = (
    "Sort the invoices by their due date",
    "Draw a circle around every station on the map",
    "Translate the menu into Danish and keep the prices",
    "Find out why the parser drops the last line of a file",
    "Rename the column weight to mass in all reports",
    "Count how many trains were late in March",
    "Write a letter that declines the offer politely",
    "Make the settings page load without a network",
    "Remove duplicate photographs from the archive",
    "Convert the recipe from ounces to grams",
    "Explain the difference between the two contracts",
    "Check that every chapter ends with a summary",
)


def run(name: str = "s1", outcome: str = "succeeded", **more: Any) -> Run:
    """One session; `kinds` are names of findings, each of severity high and at step 3, `failures` messages of
    failures."""
    kinds, failed, task = more.pop("kinds", ()), more.pop("failed", ()), more.get("task")
    words = " ".join((task or name).casefold().split()).encode("utf-8", "replace")
    values: dict[str, Any] = {
        "session": name,
        "path": f"/runs/{name}.json",
        "id": name,
        "task_key": hashlib.sha256(words).hexdigest()[:16],
        "agent": "agent",
        "model": "model",
        "outcome": outcome,
        "headline": f"The story of {name}.",
        "worst": "high" if kinds else None,
        "failures": len(failed),
        "loops": sum(kind.startswith("loops/") for kind in kinds),
        **more,
    }
    # A database holds no half of a surrogate pair.
    stored = {
        key: value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for key, value in values.items()
    }
    (made,) = runs_of(tables(sessions=[stored])).values()
    made.kinds = {kind: Sign(Severity.HIGH, 3, f"What {kind} says") for kind in kinds}
    made.prints = {message: Sign(None, 2, message) for message in failed}
    return made


def side(name: str, runs: Iterable[Run]) -> Side:
    """A set of sessions, each from a file of its own."""
    made = tuple(runs)
    return Side(
        name,
        made,
        {entry.path: f"{name}-{entry.session}-{entry.outcome}" for entry in made},
        versions=frozenset(("v1",)),
    )


def pairs(before: str, after: str, **more: Any) -> tuple[Side, Side]:
    """Two sets of sessions with the same ids: `pairs("+-?", "+++")` has three tasks that B all did, and A one of (`?`:
    nobody knows)."""
    words = {"+": "succeeded", "-": "failed", "?": "unknown"}
    sides = []
    for name, signs in (("A", before), ("B", after)):
        options = more.get(name, {})
        sides.append(side(name, [run(f"task-{number}", words[sign], **options) for number, sign in enumerate(signs)]))
    return sides[0], sides[1]


def hostile_sides(text: str) -> tuple[Side, Side]:
    """Two sides with `text` in every field that comes from transcripts and files: nine tasks that succeeded before and
    fail after."""

    def made(name: str, outcome: str, failed: str) -> Side:
        runs = [
            run(
                f"s{n} {text}",
                outcome,
                path=f"/x{n}{text}",
                task=f"{TASKS[n]} {text}",
                title=text,
                agent=text,
                model=f"m {text}",
                headline=f"It did {text}",
                failed=[f"{failed} {text}"],
                kinds=[f"{failed}/{text}"],
            )
            for n in range(9)
        ]
        return side(f"{name} {text}", runs)

    return made("A", "succeeded", "old"), made("B", "failed", "new")
