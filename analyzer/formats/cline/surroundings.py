"""What Cline and Roo Code write into the prompt about the surroundings: the time, the model, the folder, and what the
task has cost so far."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyzer.formats.record.fields import parse_time
from analyzer.formats.record.usage import cost_or_none
from analyzer.text.expressions import compiled

OPENING = "<environment_details>"
_MODEL = compiled(r"^<model>([^<\n]{1,120})</model>$", re.MULTILINE)
_COST = compiled(r"^# Current Cost\n\$([0-9]{1,7}(?:\.[0-9]{1,6})?)$", re.MULTILINE)
_TIME = compiled(r"^Current time in ISO 8601 UTC format: ([0-9T:.Z+-]{19,32})$", re.MULTILINE)
_FOLDER = compiled(r"^# Current (?:Workspace|Working) Directory \(([^\n]{1,1000})\) Files$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """One such description; what it leaves out is None. `cost_usd` is that of the whole task until then."""

    time: float | None = None
    model: str | None = None
    cost_usd: float | None = None
    folder: str | None = None


def surroundings_in(text: str) -> Surroundings:
    """What a description says."""
    model, cost, time, folder = (pattern.search(text) for pattern in (_MODEL, _COST, _TIME, _FOLDER))
    return Surroundings(
        parse_time(time[1]) if time else None,
        model[1].strip() if model else None,
        cost_or_none(float(cost[1])) if cost else None,
        folder[1] if folder else None,
    )


def apart(words: list[str], *, answered: bool) -> tuple[list[str], list[str], list[Surroundings], bool]:
    """The texts of a message, of several descriptions only the last; what of them the user says after a tool's result;
    all descriptions, in their order; and whether the user's words come before the first of them. `answered` says that a
    result is in the message beside its texts."""
    described = [text for text in words if text.lstrip().startswith(OPENING)]
    kept: list[str] = []
    new: list[str] = []
    spoke_first = False
    for text in words:
        if text in described:
            spoke_first = spoke_first or (bool(new) and text == described[0])
            continue
        (new if (kept or answered) and text.lstrip().startswith(_NEW) else kept).append(text)
    return [*kept, *described[-1:]], new, [surroundings_in(text) for text in described], spoke_first


_NEW = ("New instructions for task continuation:", "<user_message>")
