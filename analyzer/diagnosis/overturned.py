"""What the agent had said that the user then spoke against: the two sentences, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from analyzer.diagnosis.end import End
from analyzer.diagnosis.tasks import Turn, turns_in
from analyzer.model.diagnosis import Statement
from analyzer.model.words import MAIN_LANE
from analyzer.task.corrections import CorrectionKind
from analyzer.task.objections import objects
from analyzer.task.prose import own_words, sentences
from analyzer.task.topics import topic
from analyzer.task.turns import read_turn
from analyzer.text.clip import clip_words
from analyzer.text.late import late

_CLAIMS = late(
    r"\b(?:works?|working|fixed|resolved|solved|done|correct(?:ly)?|complete[d]?|implemented|verified|confirmed|valid"
    r"|successful(?:ly)?|passe[sd]|should now|the (?:cause|reason|problem|bug|issue) (?:is|was))\b",
    2,
)
_HEDGES = late(r"\b(?:not|n['’]t|never|might|may|could|would|if|unless|perhaps|maybe|probably|possibly)\b", 2)
_LONGEST = 240
_QUOTED = 140
_MOST = 2
_REPAIR = (CorrectionKind.STILL_WRONG,)


def overturned(end: End) -> Iterator[Statement]:
    """The claims that the user spoke against in the next turn, at most two. An objection that shares no word with what
    the agent had said is tied to nothing, unless it says of a repair that it is none, and one sentence claims it."""
    found = 0
    for before, after in pairwise(turns_in(end.session)):
        claim = _claim(before, after) if before.said and found < _MOST else ""
        if not claim:
            continue
        found += 1
        said, then = _step(end, before), _step(end, after, first=True)
        where = f"before step {then}" if then else "at the end"
        first = f"after step {said}" if said else "at first"
        quotes = f'"{clip_words(claim, _QUOTED)}"', f'"{clip_words(own_words(after.text), _QUOTED)}"'
        yield Statement(
            part="wrong",
            text=f"The agent said {first}: {quotes[0]} The user spoke against it {where}: {quotes[1]}",
            steps=[step for step in (said, then) if step] or [end.last.step],
        )


def _claim(before: Turn, after: Turn) -> str:
    """The sentence of the answer that a turn speaks against; empty where none is known to be meant."""
    meant = read_turn(after.text, answers=after.answers)
    repair = any(correction.kind in _REPAIR for correction in meant.corrections)
    against = next(iter(sentences(own_words(after.text))), "")
    if not repair and not objects(after.text):
        return ""
    words = topic(against)
    claims = [
        sentence
        for sentence in sentences(before.said[-1])
        if len(sentence) <= _LONGEST and not sentence.endswith(("?", ":")) and _CLAIMS.search(sentence) is not None
    ]
    sure = [sentence for sentence in claims if _HEDGES.search(sentence) is None]
    if not sure:
        return ""
    best = max(sure, key=lambda sentence: len(topic(sentence) & words))
    shared = len(topic(best) & words)
    return best if shared > 0 or (repair and len(sure) == 1) else ""


def _step(end: End, turn: Turn, *, first: bool = False) -> int:
    """The first or last step of the main lane that a turn led to; none of its own gives 0."""
    taken = end.case.timeline.actions[turn.first : turn.end]
    steps = [action.step for action in taken if action.lane == MAIN_LANE]
    return (steps[0] if first else steps[-1]) if steps else 0
