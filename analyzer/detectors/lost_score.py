"""A step that the log scores higher than the end of the session.

What it flags
    In sessions whose log scores each step: a best score that a later step lost, and that no later step reached again.
    The score may be for what the step left or for what it printed; the finding says which where the calls show it.

Why it matters
    The agent had a better result and gave it up: the steps after the best one cost both money and score, and ending
    there would have been better.

What it does not flag
    A score that came back by the end, scores that only rise or stay, a single scored step, a drop of less than `least`
    of the best score, and scores in other lanes.

Options
    least: the share of the best score that must be lost (0.05).

Example:
    Step 3 is scored 0.72, step 5 and all later steps 0.39.

"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from pydantic import Field

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector, Options
from analyzer.detectors.engine.traits import Trait
from analyzer.detectors.signals.rated import LEAST, lost
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import MAIN_LANE, Category, Kind, Severity
from analyzer.text.clip import apart, clip
from analyzer.text.markdown import code

_PRINTERS = frozenset({"echo", "printf", "true", ":"})
_MUCH = 0.25
"""The share of the best score whose loss weighs more."""


class LostScoreOptions(Options):
    """Options of this detector."""

    least: float = Field(default=LEAST, ge=0, le=1)
    """The share of the best score that must be lost."""


class LostScore(Detector):
    """At most one finding per session."""

    name = "lost-score"
    category = Category.VERIFICATION
    taxonomy = Taxonomy.of(mast=["FM-3.2"], trail=["Goal Deviation"])
    options = LostScoreOptions.usual()
    traits = frozenset({Trait.RESULT_ONLY})
    cause_name = "a better result that was lost"
    guidance = MappingProxyType(
        {
            "": Guidance(
                questions=("What did step {last} change of what step {first} had reached?",),
                approaches=(),
                improvement="Keep the best result",
                change="Have the harness keep what each step that is rated best left and printed, and hand that in.",
                lesson="What lowers the score is given up before the next step.",
            )
        }
    )

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The best step of the main lane, where the end is rated less."""
        options = self.options
        if not isinstance(options, LostScoreOptions):
            return
        loss = lost(facts.lane(MAIN_LANE), options.least)
        if loss is None:
            return
        best, end, at, fell = loss.best, loss.end, loss.at, loss.fell
        last = next(action.step for action in reversed(facts.lane(MAIN_LANE)) if action.score is not None)
        kept, lower = facts.action(MAIN_LANE, loss.kept), facts.action(MAIN_LANE, fell)
        before, after = apart(_call(kept), _call(lower), 200)
        yield LostScore.finding(
            severity=Severity.MEDIUM if best - end >= _MUCH * best else Severity.LOW,
            confidence=0.9,
            title=f"The recorded score was {best:g} at step {at} and is {end:g} at the end; it fell at step {fell}",
            steps=sorted({at, fell}),
            detectable_at=fell,
            evidence=[Evidence(step=fell, quote=after), Evidence(step=kept.step, label="rated best:", quote=before)],
            advice=_advice(kept, lower, best),
            cost=facts.cost(MAIN_LANE, fell, last),
        )


def _call(action: Action) -> str:
    return action.operation.command or action.operation.target


def _advice(kept: Action, lower: Action, best: float) -> list[str]:
    """What to do about the step that lost the score, as far as the two calls show what it did; nothing else."""
    before, after = (" ".join(_call(action).split()) for action in (kept, lower))
    if before and after != before and after.startswith(before):
        added = code(clip(after[len(before) :].strip(), 120))
        return [
            f"Leave out what step {lower.step} adds to the call of step {kept.step}, which was rated {best:g}: {added}."
        ]
    if lower.kind in (Kind.READ, Kind.SEARCH) or _only_prints(lower):
        return [
            f"End with what step {kept.step} printed, which was rated {best:g}: "
            f"step {lower.step} only prints something."
        ]
    if lower.operation.edits or lower.operation.writes:
        return [f"Undo what step {lower.step} changed: what step {kept.step} left was rated {best:g}."]
    return []


def _only_prints(action: Action) -> bool:
    """Whether a shell line runs nothing but programs that print words."""
    commands = action.operation.commands
    return bool(commands) and not action.operation.writes and all(entry.program in _PRINTERS for entry in commands)


DETECTOR = LostScore()
