"""What there is to say about an edit that puts the same text into a file once more with every round."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyzer.diagnosis.attempts import attempts_of
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.clues import lines_text
from analyzer.model.words import LoopKind
from analyzer.text.english import plural, times
from analyzer.text.markdown import code

_NOTICED = re.compile(r"\b(?:duplicat\w*|twice|repeat\w*|(?:inserted|added|there) (?:again|already))\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stacked:
    """The edit: the file, the lines that it puts in, those that it replaces (None where it replaces none, or the call
    doesn't say), and how often it was made. `noticed` is what the agent said of it before it made it again, with the
    step of that."""

    path: str
    put: int
    replaced: tuple[int, int] | None
    rounds: int
    noticed: tuple[int, str] | None

    @property
    def growth(self) -> int:
        """Lines by which the file grows with each round."""
        return self.put - (self.replaced[1] - self.replaced[0] + 1 if self.replaced else 0)


def stacked(case: Case) -> Stacked | None:
    """The edit of the main finding, where every round is the same one and leaves in the file what it put there
    before."""
    main = case.main
    if main is None or main.kind != LoopKind.REPEATED_CALL or case.failure is not None:
        return None
    made = [case.action(step).operation.edits for step in main.steps]
    if not made or any(len(edits) != 1 for edits in made):
        return None
    edit = made[0][0]
    same = all((other.path, other.after) == (edit.path, edit.after) for (other,) in made)
    if not same or edit.created or not edit.after or (edit.before and edit.before not in edit.after):
        return None
    put = len(edit.after.splitlines())
    if edit.lines is not None and put <= edit.lines[1] - edit.lines[0] + 1:
        return None
    said = next(
        (
            (row.steps[0], row.intent)
            for row in attempts_of(case)[1:]
            if row.intent and row.steps and _NOTICED.search(row.intent)
        ),
        None,
    )
    return Stacked(edit.path, put, edit.lines, main.rounds or len(main.steps), said)


def headline(found: Stacked) -> str:
    """The sentence that leads the page, without its end."""
    return f"The agent put the same {plural(found.put, 'line')} into {code(found.path)} {times(found.rounds)}"


def cause(found: Stacked) -> str:
    """The root cause, as far as the calls show it."""
    if found.replaced is None:
        return (
            f"Each round put the same {plural(found.put, 'line')} into {code(found.path)} and left those of the rounds "
            "before in place: nothing was looked at or taken out before the edit was made again."
        )
    return (
        f"Each round replaced {lines_text(found.replaced)} of {code(found.path)} with the same "
        f"{plural(found.put, 'line')}, so that the file grew by {plural(found.growth, 'line')} a round: the range "
        "doesn't cover what the round before had put there."
    )


def reason(found: Stacked) -> str:
    """Why the agent didn't get out of it."""
    if found.noticed is None:
        return "Nothing in what the agent says mentions that the text was there already."
    step, said = found.noticed
    return f"The agent noticed it and made the same edit again: {code(said, 160)} (step {step})."


def questions(case: Case) -> list[str]:
    """Questions before the next edit."""
    found = stacked(case)
    path = code(found.path) if found is not None else "the file"
    return [
        f"What does {path} contain now, from its first line to its last?",
        "Which of those lines does the next edit replace, and which does it leave?",
    ]


LESSON = (
    "An edit by line numbers leaves what an earlier one put there: read what the edit returned before the next one."
)
