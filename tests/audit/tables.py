"""Tables of an audit made by hand: rows with only what a test is about, the rest unknown, empty or zero."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args, get_type_hints

from analyzer.audit.store.tables import Tables
from analyzer.model.tables import TABLES

Values = dict[str, Any]
_EMPTY: dict[type, Any] = {int: 0, float: 0.0, bool: False, str: ""}
_OTHERWISE: dict[str, Values] = {
    "sessions": {
        "path": "/runs/log.json",
        "position": 1,
        "format": "actions",
        "family": "garden",
        "task_key": "t",
        "outcome": "unknown",
        "outcome_confidence": 0.5,
        "actions": 10,
        "lanes": 1,
    },
    "failures": {
        "lane": "main",
        "step": 1,
        "fingerprint": "f3-a",
        "kind": "other",
        "failing_tests": "[]",
        "origin": "unknown",
        "template": "Error: broken",
        "message": "broken",
    },
    "findings": {
        "position": 1,
        "detector": "loops",
        "category": "loop",
        "kind": "repeated-call",
        "severity": "high",
        "confidence": 0.9,
        "title": "The same again",
        "lane": "main",
        "first_step": 1,
        "last_step": 4,
        "steps": "[1,2,3,4]",
        "detectable_at": 3,
        "cost_actions": 4,
        "evidence": "[]",
        "advice": "[]",
        "mast": "[]",
        "trail": "[]",
    },
    "files": {"path": "/runs/log.json", "state": "read", "format": "actions", "sessions": 1},
    "problems": {"path": "/runs/log.json", "number": 1, "kind": "unreadable"},
}


def row(table: str, values: Values) -> tuple[Any, ...]:
    """A row of a table: what isn't given is null where it may be, else empty."""
    fields = get_type_hints(TABLES[table])
    assert set(values) <= set(fields), set(values) - set(fields)
    given = {**_OTHERWISE.get(table, {}), **values}
    return tuple(given[name] if name in given else _unknown(kind) for name, kind in fields.items())


def tables(**rows: Iterable[Values]) -> Tables:
    """The tables with these rows."""
    return Tables.of({table: [row(table, values) for values in entries] for table, entries in rows.items()})


def full_of(text: str, **finding: str) -> Tables:
    """Two sessions with a text in all that a log can hold, and a finding with these columns besides."""
    numbered = ("agent", "model", "format", "family")
    whole = dict.fromkeys(("id", "path", "outcome", "title", "task", "headline", "about", "started_at"), text)
    return tables(
        sessions=sessions(
            *(
                {
                    **whole,
                    **dict.fromkeys(numbered, f"{number} {text}"),
                    "agent_version": f"{number // 3} {text}",
                    "findings": 1,
                    "worst": "high",
                }
                for number in range(2)
            )
        ),
        findings=[{**dict.fromkeys(("title", "detector", "kind", "lane"), text), "session": "s1", **finding}],
        failures=[
            {
                **dict.fromkeys(("template", "message", "lane", "type", "origin"), text),
                "session": name,
                "kind": kind,
            }
            for name in ("s1", "s2")
            for kind in ("other", "command-not-found")
        ],
        problems=[{"path": text, "place": text, "what": text, "kind": "crash"}],
        files=[{"path": text, "state": "no transcript"}],
    )


def turned(made: Tables) -> Tables:
    """The same rows in the opposite order."""
    return Tables.of({table: list(made.rows(f"SELECT * FROM {table}"))[::-1] for table in TABLES})


def sessions(*entries: Values) -> list[Values]:
    """Rows of sessions with the keys `s1`, `s2` ... unless they name one."""
    return [{"session": f"s{number}", "id": f"run-{number}", **values} for number, values in enumerate(entries, 1)]


def _unknown(annotation: Any) -> Any:
    kinds = get_args(annotation)
    return None if type(None) in kinds else _EMPTY.get(annotation, "")
