"""Sessions as data: a list of parts, each with the name of the function that makes it and its arguments."""

from __future__ import annotations

from typing import Any

from tests import build
from tests.build import Part


def parts_of(session: list[dict[str, Any]]) -> list[Part]:
    """The parts of a session: each names the function that makes it, with its arguments; the last may be options."""
    made: list[Part] = []
    for part in session:
        ((name, values),) = part.items()
        given = values if isinstance(values, list) else [values]
        last = given[-1] if isinstance(given[-1], dict) else {}
        arguments = given[:-1] if "with" in last else given
        made.append(getattr(build, name)(*arguments, **last.get("with", {})))
    return made
