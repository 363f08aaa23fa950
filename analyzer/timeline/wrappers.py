"""Fixed text that the program around the agent puts into the results of a tool, whatever was called: notices,
reminders, marks around foreign content.

Passages that are the same in results of one tool that went well, for different targets, say nothing about a call; in a
result that failed they are left out before the failure is read. Tools that run command lines print what a command makes
them print, and are left alone there; of theirs, a block of lines that opens the results of several different commands,
at least one of which is recorded as successful and goes on to say something else, belongs to the sandbox.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from analyzer.model.action import Action
from analyzer.model.words import Status
from analyzer.text.late import late

_RESULTS = 2
"""How many results that went well, for different targets, must hold a passage."""
_SHORTEST = 24
"""Characters below which a passage is an ordinary phrase."""
_MOST = 3_000
"""Characters at the beginning of a result in which passages are looked for."""
_MOST_RESULTS = 50
_OPENING = 4
"""How many results must open with the block."""
_CALLS = 3
"""How many different calls these must come from."""
_MOST_LINES = 40
"""Lines at the head of a result that are compared."""
_TELLING = 60
"""Characters that a block must have: shorter ones are ordinary headings."""
_SAYS = late(r"[A-Za-z]{3}.*[A-Za-z]{3}")
_BREAK = late(r"\\n|\n|\"[:,] ?\"?|(?<=\w): (?=[A-Z]{2})")
"""Where a passage ends: at a line's end, written out or escaped, at the end of a JSON value, or before a heading."""


def wrappers_of(actions: Sequence[Action]) -> dict[str, frozenset[str]]:
    """The fixed passages of each tool, as single lines."""
    seen: defaultdict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    looked: defaultdict[str, int] = defaultdict(int)
    failing = {action.tool for action in actions if action.failure is not None and action.operation.command is None}
    for action in actions:
        if action.tool not in failing or action.status is not Status.OK or not action.result:
            continue
        looked[action.tool] += 1
        if looked[action.tool] <= _MOST_RESULTS:
            for passage in passages(action.result[:_MOST]):
                seen[action.tool][passage].add(action.operation.target)
    return {
        tool: frozenset(passage for passage, targets in found.items() if len(targets) >= _RESULTS)
        for tool, found in seen.items()
    }


def passages(text: str) -> set[str]:
    """The passages of a text that are long enough to be distinguished."""
    parts = (" ".join(part.split()) for part in _BREAK.split(text))
    return {part for part in parts if len(part) >= _SHORTEST}


def without_wrappers(action: Action, known: Mapping[str, frozenset[str]]) -> str | None:
    """The result of a failing call without the fixed passages of its tool; None where its failure quotes none. What
    stands before the first of them is all that the tool says itself, where it says something."""
    fixed, failure = known.get(action.tool), action.failure
    if not fixed or failure is None or not action.result or action.operation.command is not None:
        return None
    message = " ".join(failure.message.split())
    places = [place for passage in fixed if (place := message.find(passage)) >= 0]
    if not places:
        return None
    own = message[: min(places)].rstrip(" :-")
    if _SAYS.search(own):
        return own
    text = action.result
    for passage in sorted(fixed, key=len, reverse=True):
        text = re.sub(r"\s+".join(map(re.escape, passage.split())), "", text)
    return text


def sandbox_noise_of(actions: Sequence[Action]) -> list[str]:
    """The opening blocks that are noise, the longest first."""
    by_first_line: dict[str, list[tuple[Action, list[str]]]] = defaultdict(list)
    for action in actions:
        if action.result and action.operation.command is not None:
            lines = action.result.split("\n", _MOST_LINES)[:_MOST_LINES]
            by_first_line[lines[0]].append((action, lines))
    found = []
    for opening in by_first_line.values():
        if len(opening) < _OPENING or len({action.operation.command for action, _ in opening}) < _CALLS:
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
