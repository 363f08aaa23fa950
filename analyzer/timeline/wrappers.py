"""Fixed text that the program around the agent puts into the results of a tool, whatever was called: notices,
reminders, marks around foreign content.

Passages that are the same in results of one tool that went well, for different targets, say nothing about a call; in a
result that failed they are left out before the failure is read. Tools that run command lines print what a command makes
them print, and are left alone there.
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
