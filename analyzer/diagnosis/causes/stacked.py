"""What there is to say about an edit that puts the same text into a file once more with every round."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.causes.clues import lines_text
from analyzer.model.words import LoopKind
from analyzer.text.english import plural, times
from analyzer.text.expressions import compiled
from analyzer.text.markdown import code

_SAYS_SO = compiled(
    r"\b(?:duplicat\w*|twice|repeat(?:ed|edly|ing|s)?|redundant\w*|superfluous|(?:stack|pil)(?:ed|ing|es|s) up"
    r"|(?:inserted|added|there|made) (?:\w+ ){0,3}(?:again|already)"
    r"|(?:several|many|multiple|two|three|four) (?:times|copies"
    r"|(?:\w+ )?(?:lines?|definitions?|versions?|copies|blocks?|entries|statements?))"
    r"|(?:extra|unnecessary|old) (?:\w+ )?lines?|same (?:mistake|lines?|edit|change) (?:\w+ )?again"
    r"|still (?:contains?|has|holds?) (?:\w+ ){0,2}(?:lines?|old))\b",
    re.IGNORECASE,
)
"""Words by which an agent notices that a text is in a file more than once."""
_MAY_SAY_SO = compiled(r"\b(?:again|already|same|still|another|mistake\w*|twice|copies|more than)\b", re.IGNORECASE)
"""Words with which it may say so for all that is known."""
_AHEAD = compiled(r"\b(?:avoid|prevent|without|so (?:that )?(?:we|I|it) (?:don't|doesn't)|not to)\b", re.IGNORECASE)
_LONGEST = 4_000
_SENTENCE = compiled(r"(?<=[.!?])\s+|\n+")


@dataclass(frozen=True, slots=True)
class Stacked:
    """The edit: the file, the lines that it puts in, those that it replaces (None where it replaces none, or the call
    doesn't say), and how often it was made. `noticed` is what the agent said of it before it made it again, with the
    step of that; `silent` says that it said nothing that may mean it."""

    path: str
    put: int
    replaced: tuple[int, int] | None
    rounds: int
    noticed: tuple[int, str] | None
    silent: bool

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
            (step, sentence.strip())
            for step in main.steps[1:]
            for sentence in _SENTENCE.split(case.action(step).said[:_LONGEST])
            if _SAYS_SO.search(sentence) is not None and _AHEAD.search(sentence) is None
        ),
        None,
    )
    silent = not any(_MAY_SAY_SO.search(case.action(step).said) for step in main.steps[1:])
    return Stacked(edit.path, put, edit.lines, main.rounds or len(main.steps), said, silent)


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
    if found.noticed is None and found.silent:
        return "Nothing in what the agent says mentions that the text was there already."
    if found.noticed is None:
        return "What the agent says between the rounds leads to no other edit."
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
