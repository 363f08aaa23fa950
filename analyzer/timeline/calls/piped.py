"""How a check's output was seen: as it is, or through a pipe, which hides the exit status."""

from __future__ import annotations

from functools import lru_cache

from analyzer.commands.table import Does, knows
from analyzer.model.action import Action
from analyzer.text.expressions import compiled
from analyzer.text.late import late

_PIPE = compiled(r"(?<!\|)\|(?!\|)&?")
_NOISE = late(r"\s*2>(?:&1|\s*/dev/null)|^\s*cd [^;&|]+&&\s*")


def openness(check: Action) -> int:
    """How much of a check can be seen: most without a pipe, which hides its exit status, least behind a filter, which
    may leave out its failures."""
    parts = _PIPE.split(command) if "|" in (command := check.operation.command or "") else [command]
    if len(parts) == 1:
        return 2
    return 0 if any(part.split()[:1] and knows(part.split()[0], Does.FILTERS) for part in parts[1:]) else 1


def bare_command(check: Action) -> str:
    """A command without what only changes how its output is seen."""
    return _bare(check.operation.command or "")


@lru_cache(maxsize=4_096)
def _bare(line: str) -> str:
    return " ".join(_NOISE.sub(" ", _PIPE.split(line)[0]).split())


def same_check(check: Action) -> str:
    """What is equal for two runs of the same check of which one may show only the beginning or the end of its output;
    what goes through a filter is a check of its own."""
    return _bare(check.keys.call) if openness(check) else check.keys.call
