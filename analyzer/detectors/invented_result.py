"""A message of the agent contains a tool result that no tool returned.

What it flags
    Before a call, in the agent's own message, a line in brackets in the very form in which the tools of this session
    answer (`[File: gauge.py (31 lines total)]`), with content that no earlier result had, nor that of the call
    that follows.

Why it matters
    The agent goes on with what it made up: a file that it never saw, an edit that never happened, an error that nothing
    raised. The following steps may build on it.

What it does not flag
    Quotes of earlier results and of the user, a guess that the next result confirms, other forms than those of the
    session's own results, and forms that the task or the user's messages have as well.

Options
    None.

Example:
    The first message says `[File: gauge.py (31 lines total)]` and lists 31 lines; no file was opened yet.

"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import MAIN_LANE, Category, Severity
from analyzer.text.clip import clip
from analyzer.text.english import plural
from analyzer.text.expressions import compiled
from analyzer.text.late import late
from analyzer.text.markdown import code

_BRACKETED = late(
    r"^[ \t]{0,4}(?:\[[A-Z][\w-]{0,30}(?: \w{1,30}){0,3}: [^\n\]]{1,200}\]"
    r"|\([A-Z][\w-]{0,30}(?: \w{1,30}){0,3}: [^\n]{1,200}\))[ \t]*$",
    re.MULTILINE,
)
"""A line that a tool puts around what it shows."""
_PLACE = compiled(r"(?:[\w.@+-]*/)+[\w.@+-]*|[\w@+-]+\.\w+")
_NUMBER = compiled(r"\d+")
_LONGEST = 20_000
_MOST = 5_000
"""Lines of results that are remembered."""


class InventedResult(Detector):
    """At most one finding per session."""

    name = "invented-result"
    category = Category.VERIFICATION
    taxonomy = Taxonomy.of(mast=["FM-3.3"], trail=["Tool-related Hallucinations"])
    cause_rank = 12
    cause_name = "a result that no tool gave"
    guidance = MappingProxyType(
        {
            "": Guidance(
                questions=("Which of the later steps rest on what the message before step {first} made up?",),
                approaches=(
                    ("Run it", "Make the call whose result was written down, and go on from what it returns."),
                ),
                improvement="End the agent's turn at its first call",
                change=(
                    "Stop the model at the end of its first call (a stop sequence, or cutting what follows), so that "
                    "it can't write the answer itself."
                ),
                lesson="A result that the agent wrote itself is no result.",
            )
        }
    )

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The lines in the form of results that no result had."""
        actions = [action for action in facts.lane(MAIN_LANE) if not action.harness]
        answered = {_form(line) for action in actions for line in _lines(action.result)}
        heard = [event.text for event in facts.timeline.messages if event.role != "assistant"]
        told = {_form(line) for text in [facts.timeline.session.task, *heard] for line in _lines(text)}
        found = list(_invented(actions, answered - told)) if answered else []
        if not found:
            return
        steps = list(dict.fromkeys(action.step for action, _ in found))
        first, line = found[0]
        lines = plural(len(found), "line") + f" of {'a result' if len(found) == 1 else 'results'} that no tool gave"
        yield InventedResult.finding(
            severity=Severity.MEDIUM,
            confidence=0.85,
            title=f"The agent's message before step {first.step} holds {lines}, such as {code(clip(line, 100))}"
            if len(steps) == 1
            else f"Messages of the agent hold {lines}, first before step {first.step}: {code(clip(line, 100))}",
            steps=steps,
            detectable_at=first.step,
            evidence=[
                Evidence(step=action.step, label="the agent's own", quote=clip(said, 200)) for action, said in found[:5]
            ],
            advice=[f"Go by the result of step {first.step} only: what the message before it shows was not returned."],
            cost=facts.cost(MAIN_LANE, first.step, first.step),
        )


DETECTOR = InventedResult()


def _invented(actions: Sequence[Action], forms: set[str]) -> Iterator[tuple[Action, str]]:
    seen: set[str] = set()
    for action in actions:
        if len(seen) < _MOST:
            seen.update(_lines(action.result))
        for line in dict.fromkeys(_lines(action.said)):
            if line not in seen and _form(line) in forms:
                yield action, line


def _lines(text: str | None) -> list[str]:
    return [found[0].strip() for found in _BRACKETED.finditer((text or "")[:_LONGEST])]


def _form(line: str) -> str:
    """A line without its paths and numbers."""
    return _NUMBER.sub("0", _PLACE.sub("/", line))
