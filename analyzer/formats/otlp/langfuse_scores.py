"""The scores that evaluators and people gave to a trace, as Langfuse exports them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from analyzer.formats.record.fields import dict_of, float_or_none, list_of, str_or_none
from analyzer.model.session import Session
from analyzer.model.words import Ending
from analyzer.text.clip import clip

_OF_THE_END = frozenset(
    {
        *("correct", "correctness", "accuracy", "success", "successful", "task_success", "task_completion"),
        *("goal_completion", "goal_accuracy", "passed", "pass", "resolved", "solved"),
    }
)
"""Names of scores of which 1 means that the task was done, and 0 that it wasn't. What is high on other scales may be
bad."""


@dataclass(frozen=True, slots=True)
class Score:
    """A score of a whole trace, as a text; `solved` is what it says of the task, None where it says nothing."""

    name: str
    value: str
    comment: str
    solved: bool | None


def note_scores(record: dict[str, Any], known: dict[str, list[Score]]) -> None:
    """Note the scores of a trace under the name of its conversation, or its own where it has none."""
    trace = dict_of(record.get("trace")) or record
    session = str_or_none(trace.get("sessionId")) or str_or_none(trace.get("id"))
    if session is None:
        return
    for entry in map(dict_of, list_of(trace.get("scores"))):
        score = _score(entry)
        if score is not None:
            known.setdefault(session, []).append(score)


def _score(entry: dict[str, Any]) -> Score | None:
    name, number = str_or_none(entry.get("name")), float_or_none(entry.get("value"))
    value = str_or_none(entry.get("stringValue")) or (f"{number:g}" if number is not None else None)
    if name is None or value is None or str_or_none(entry.get("observationId")) is not None:
        return None
    judges = name.strip().lower().replace(" ", "_").replace("-", "_") in _OF_THE_END
    solved = {0.0: False, 1.0: True}.get(number) if judges and number is not None else None
    return Score(name, value, " ".join((str_or_none(entry.get("comment")) or "").split()), solved)


def take_scores(session: Session, scores: list[Score]) -> None:
    """Write the scores into the session's recorded end, and what they say of the task where all that speak of it
    agree."""
    if not scores:
        return
    session.recorded_status = ", ".join(f"{score.name} {score.value}" for score in scores)
    verdicts = {score.solved for score in scores if score.solved is not None}
    if len(verdicts) == 1:
        (solved,) = verdicts
        session.ending = Ending.SOLVED if solved else Ending.UNSOLVED
    told = [score for score in scores if score.comment and (score.solved is not None or not verdicts)]
    if told:
        session.ending_detail = "; ".join(f"{score.name} {score.value}: {clip(score.comment, 300)}" for score in told)
