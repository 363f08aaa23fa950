"""Language and runtime of a session: what its header states, else what the output of its commands shows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analyzer.model.action import Action
from analyzer.model.session import Session
from analyzer.text.late import late

_SHOWN = (
    ("language", late(r"^platform \w+ -- (?P<value>Python \d+\.\d+(?:\.\d+)?)", re.MULTILINE)),
    ("test runner", late(r"^platform [^\n]*?, (?P<value>pytest-\d+[\w.+]*)", re.MULTILINE)),
    ("language", late(r"^(?P<value>Python \d+\.\d+\.\d+)\s*$", re.MULTILINE)),
    ("runtime", late(r"^(?P<value>Node\.js v\d+[\d.]*)\s*$", re.MULTILINE)),
    ("language", late(r"^(?P<value>go version go[\d.]+)", re.MULTILINE)),
    ("language", late(r"^(?P<value>(?:rustc|cargo) \d+\.\d+\.\d+)", re.MULTILINE)),
    ("runtime", late(r"^(?P<value>openjdk version \"[^\"]+\")", re.MULTILINE)),
)
_MOST = 4_000


def environment_of(session: Session, actions: Sequence[Action]) -> dict[str, str]:
    """Label -> value. A value that was read from output ends in `(seen at step N)`."""
    found = dict(session.environment)
    for action in actions:
        if not action.result or not action.operation.command:
            continue
        head = action.result[:_MOST]
        for label, pattern in _SHOWN:
            if label not in found and (match := pattern.search(head)):
                found[label] = f"{match['value']} (seen at step {action.step})"
    return found
