"""What a tool says in every result of a session, and so never of one call: a banner, a wrapper around its answers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from analyzer.failures import Verdict
from analyzer.model.action import Answer, Call
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

Judged = tuple[Call, Answer, Verdict]


def fixed_passages(calls: Iterable[Judged]) -> dict[str, frozenset[str]]:
    """The fixed passages of each tool that failed, as single lines."""
    calls = list(calls)
    seen: defaultdict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    looked: defaultdict[str, int] = defaultdict(int)
    failing = {call.tool for call, _, found in calls if found.failure is not None and call.operation.command is None}
    for call, answer, verdict in calls:
        if call.tool not in failing or verdict.status is not Status.OK or not answer.text:
            continue
        looked[call.tool] += 1
        if looked[call.tool] <= _MOST_RESULTS:
            for passage in _passages(answer.text[:_MOST]):
                seen[call.tool][passage].add(call.operation.target)
    return {
        tool: frozenset(passage for passage, targets in found.items() if len(targets) >= _RESULTS)
        for tool, found in seen.items()
    }


def _passages(text: str) -> set[str]:
    """The passages of a text that are long enough to be distinguished."""
    parts = (" ".join(part.split()) for part in _BREAK.split(text))
    return {part for part in parts if len(part) >= _SHORTEST}


def without_fixed(call: Call, answer: Answer, verdict: Verdict, known: Mapping[str, frozenset[str]]) -> str | None:
    """The result of a failing call without the fixed passages of its tool; None where its failure quotes none. What
    stands before the first of them is all that the tool says itself, where it says something."""
    fixed, failure = known.get(call.tool), verdict.failure
    if not fixed or failure is None or not answer.text or call.operation.command is not None:
        return None
    message = " ".join(failure.message.split())
    places = [place for passage in fixed if (place := message.find(passage)) >= 0]
    if not places:
        return None
    own = message[: min(places)].rstrip(" :-")
    if _SAYS.search(own):
        return own
    text = answer.text
    for passage in sorted(fixed, key=len, reverse=True):
        text = re.sub(r"\s+".join(map(re.escape, passage.split())), "", text)
    return text
