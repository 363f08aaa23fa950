"""What a sandbox prints at the head of every result, whatever was run.

A block of lines that opens the results of several different commands, at least one of which is recorded as successful
and goes on to say something else, belongs to the environment and not to any command. It is left out before results are
read for failures.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from analyzer.model.action import Action

RESULTS = 4
"""How many results must open with the block."""
CALLS = 3
"""How many different calls these must come from."""
_LONGEST = 40
"""Lines at the head of a result that are compared."""
_TELLING = 60
"""Characters that a block must have: shorter ones are ordinary headings."""


def sandbox_noise_of(actions: Sequence[Action]) -> list[str]:
    """The opening blocks that are noise, the longest first."""
    by_first_line: dict[str, list[tuple[Action, list[str]]]] = defaultdict(list)
    for action in actions:
        if action.result and action.operation.command is not None:
            lines = action.result.split("\n", _LONGEST)[:_LONGEST]
            by_first_line[lines[0]].append((action, lines))
    found = []
    for opening in by_first_line.values():
        if len(opening) < RESULTS or len({action.operation.command for action, _ in opening}) < CALLS:
            continue
        block = _shared([lines for _, lines in opening])
        if len(block) < _TELLING:
            continue
        if any(action.exit_code == 0 and len(action.result or "") > len(block) for action, _ in opening):
            found.append(block)
    return sorted(found, key=len, reverse=True)


def _shared(results: Sequence[list[str]]) -> str:
    """The lines that all results open with."""
    count = 0
    for lines in zip(*results, strict=False):
        if any(line != lines[0] for line in lines):
            break
        count += 1
    return "\n".join(results[0][:count]) + "\n"


def without_noise(text: str | None, noise: Sequence[str]) -> str | None:
    """`text` without the blocks of noise, wherever they stand: a command that starts the same program twice shows them
    twice."""
    if text is None:
        return None
    for block in noise:
        if block in text:
            text = text.replace(block, "")
    return text
