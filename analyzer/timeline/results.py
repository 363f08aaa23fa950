"""What in a session's results says nothing of one call: what only names an answer (the id of a receipt, the number of
an attempt, the time, how old something is by now), and what a tool says in every result, a banner or a wrapper.

What is sent, created or uploaded once more with the same words is answered with a receipt of its own, and all that is
new in it is a number. Results of one call, made twice, that differ in nothing else are one answer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from analyzer.failures import Verdict
from analyzer.model.action import Action, Answer, Call
from analyzer.model.words import Status
from analyzer.text.late import late
from analyzer.text.masks import MaskTable
from analyzer.text.names import digest
from analyzer.text.plain import plain
from analyzer.timeline.keys import same_outcome, tells, unrecorded

_MOST_NAMED = 200
"""How many characters two results may differ in length by that differ in names and numbers only."""
_MOST_MASKED = 20_000
"""Characters of a result up to which it's compared."""
_NAMES = late(
    r"\b(?=\w)(?:(?<=\")(?:(?:(?!(?i:last|next|page|offset|cursor|since))\w)*(?:Id|ID|_id|Uuid|_uuid|At|_at|Time|_time|Timestamp"
    r"|_timestamp)|id|uuid|timestamp|time|at|ts|pid|nonce|etag|requestId|attempt|elapsed|duration\w{0,8}"
    r"|(?i:heart_?beats?|beats?|up_?time|age|last_?seen)\w{0,12})"
    r"\"\s?:\s?(?:\"[^\"\\]{1,120}\"|\d+(?:\.\d+)?)"
    r"|\b(?:(?i:session|request|message|attempt|retry|pid|receipt|trace|transaction|ref)(?: id)?|id)[ :=#]{1,3}"
    r"(?=[\w-]{0,80}\d)[\w-]{1,80}(?![\w-]| ?(?:of|/) ?\d)"
    r"|\b(?:\d+|an?) (?:second|minute|hour|day)s? ago\b"
    r"|(?i:\bup(?:time)?|\belapsed|\bage)[ :=]{1,3}(?:about )?(?:\d+|an?) ?(?:second|minute|hour|day|[smhd]\b)s?)"
)
"""A value that only says which answer this is: what's called an id, a time or an attempt, or how long something has
been there. Where a list begins, and how many there are of how many, says something. All of them start with a
word, which is asked first."""
_AGE_COLUMN = late(r"^(?=.*\bAGE\b)[A-Z /()_%-]+$", re.MULTILINE)
"""The head of a table that says how old each row is."""
_AGE = late(r"(?<=\s)(?:\d+[smhdy]){1,2}(?=\s|$)")
_SENDING = late(
    r"(?:^|_|\.|-)(?:send|post|create|submit|upload|publish|notify|e?mail|reply|book|order|tweet|charge|invite)"
    r"(?:_|-|$)|^(?:send|post|create|submit|upload|publish|notify|email|reply|book|order|charge|invite)(?=[A-Z])"
)
"""The name of a tool that puts something into the world: the same words again put the same thing there again."""
_NUMBERED = late(r"(?<![\w-])[\w-]*\d[\w-]*(?![\w-])")
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


def same_answer(one: Action, other: Action, masks: MaskTable) -> bool:
    """Whether two results of the same call say the same; see the module's text."""
    if same_outcome(one, other, masks):
        return True
    first, second = one.result, other.result
    if first is None or second is None or abs(len(first) - len(second)) > _MOST_NAMED:
        return False
    if not (tells(one) and tells(other)) or (unrecorded(one) and unrecorded(other)):
        return False
    if max(len(first), len(second)) > _MOST_MASKED or _failed_otherwise(one, other):
        return False
    if _without_names(one, masks) == _without_names(other, masks):
        return True
    operation = other.operation
    sends = operation.command is None and not operation.edits and _SENDING.search(other.tool) is not None
    return sends and _NUMBERED.sub("<name>", first) == _NUMBERED.sub("<name>", second)


def _without_names(action: Action, masks: MaskTable) -> str:
    """The digest of an action's result without what only says which answer it is."""
    if not action.keys.outcome_unnamed and action.result is not None:
        shown = plain(action.result)
        if "AGE" in shown and _AGE_COLUMN.search(shown):
            shown = _AGE.sub("<age>", shown)
        action.keys.outcome_unnamed = digest(_NAMES.sub("<name>", masks.mask(" ".join(shown.split()))))
    return action.keys.outcome_unnamed


def _failed_otherwise(one: Action, other: Action) -> bool:
    """Whether two failures are unlike in more than their wording."""
    first, second = one.failure, other.failure
    if (first.group if first else None) == (second.group if second else None):
        return False
    return (first.kind, first.type) != (second.kind, second.type) if first and second else first is not second


def fixed_passages(calls: Iterable[tuple[Call, Answer, Verdict]]) -> dict[str, frozenset[str]]:
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
            for part in _BREAK.split(answer.text[:_MOST]):
                if len(passage := " ".join(part.split())) >= _SHORTEST:
                    seen[call.tool][passage].add(call.operation.target)
    return {
        tool: frozenset(passage for passage, targets in found.items() if len(targets) >= _RESULTS)
        for tool, found in seen.items()
    }


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
