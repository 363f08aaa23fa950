"""A value that the task calls wrong still comes out.

What it flags
    Success is claimed, and the last run of a check on what is delivered prints the very line that it printed on the
    original code, with a value that the user quotes and objects to ("returns `0.8775`, which is wrong").

Why it matters
    Such a run ends without an error, and the wrong case is overlooked among others that are now right.

What it does not flag
    Values without four digits, values that the task mentions more than once, checks that weren't run before the first
    change, lines that follow a different line than before, runs that no longer print the value, values that the closing
    message mentions, and sessions that claim nothing.

Options
    None.

Example:
    The task says that `cdf(3)` "returns `0.8775`, which is wrong"; step 2 prints it, and so does step 9, the last run.

"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector
from analyzer.detectors.engine.traits import Trait
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import MAIN_LANE, Category, Kind, Severity
from analyzer.task.wrong_values import WrongValue, wrong_values_of
from analyzer.text.clip import clip, clip_words
from analyzer.text.markdown import code
from analyzer.timeline.closing.ending import claim_of
from analyzer.timeline.delivery import Delivery

_GUIDANCE = {
    "": Guidance(
        questions=("Which of the cases that the task names print now what they printed at step {first}?",),
        approaches=(("Compare case by case", "Compare what each named case prints now with step {first}."),),
        improvement="Have each case that the task names compared with its result before the change",
        change="Let the agent print, for each case of the task, the value before and after the change.",
        lesson="A task with several cases is done when each of them is.",
    )
}


class ValueStillWrong(Detector):
    """One finding for each value."""

    name = "value-still-wrong"
    category = Category.VERIFICATION
    taxonomy = Taxonomy.of(mast=["FM-3.2"], trail=["Instruction Non-compliance"])
    traits = frozenset({Trait.MISSES_TASK, Trait.RESULT_ONLY})
    guidance = _GUIDANCE
    cause_name = "a named case that stays wrong"

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The values that the user objects to, held against what the checks print."""
        wrong = list(wrong_values_of(facts.timeline.session.task or ""))
        actions = [action for action in facts.lane(MAIN_LANE) if not action.harness] if wrong else []
        if not actions or facts.timeline.history is None or claim_of(facts.timeline, actions) is None:
            return
        delivery, closing = facts.delivery, f"{facts.timeline.closing()} {actions[-1].said}"
        for entry in wrong:
            shown = _still(actions, delivery, entry.value) if entry.value not in closing else None
            if shown is not None:
                yield _finding(facts, entry, shown)


DETECTOR = ValueStillWrong()


@dataclass(frozen=True, slots=True)
class _Shown:
    """A check before the first change and the last one on what is delivered, with the line that both print."""

    before: Action
    after: Action
    line: str


def _still(actions: Sequence[Action], delivery: Delivery, value: str) -> _Shown | None:
    """The last run on what is delivered of a check that had printed the value, where it prints it again."""
    ran = [action for action in actions if action.kind in (Kind.RUN, Kind.TEST) and action.result]
    first = {
        action.keys.call: action
        for action in reversed(ran)
        if delivery.untouched(action) and _lines_with(action, value)
    }
    for after in reversed(ran):
        before = first.get(after.keys.call)
        if before is None or before is after or delivery.untouched(after) or not delivery.on_delivered(after):
            continue
        both = [line for line in _lines_with(after, value) if line in _lines_with(before, value)]
        return _Shown(before, after, both[0][1]) if both else None
    return None


def _lines_with(action: Action, value: str) -> list[tuple[str, str]]:
    """The lines of a result that hold a value as a whole, each with the line above it."""
    lines = [line.strip() for line in (action.result or "").splitlines() if line.strip()]
    whole = re.compile(rf"(?<![\w.]){re.escape(value)}(?![\w]|\.\d)")
    return [(above, line) for above, line in zip(["", *lines], lines, strict=False) if whole.search(line)]


def _finding(facts: Facts, entry: WrongValue, shown: _Shown) -> Finding:
    before, after = shown.before.step, shown.after.step
    return ValueStillWrong.finding(
        severity=Severity.HIGH,
        confidence=0.85,
        title=(
            f"Step {after} prints {code(clip(entry.value, 60))} as step {before} did before the change; the task says "
            f'of it: "{clip_words(entry.said, 100)}"'
        ),
        steps=[before, after],
        detectable_at=after,
        evidence=[Evidence(step=step, quote=clip(shown.line, 200)) for step in (before, after)],
        cost=facts.cost(MAIN_LANE, after, after),
    )
