"""A state that the log rates better than the one in which the session ended.

What it flags
    In sessions whose log rates the state after each step: a best score that a later step lost, and that no step after
    it reached again.

Why it matters
    The agent had a better result and destroyed it: what came after the best step cost twice, and an end there would
    have been worth more.

What it does not flag
    A score that came back by the end, scores that only rise or stay, a single rated step, a drop of less than `least`
    of the best score, and what is rated in other lanes.

Options
    least: the share of the best score that must be lost (0.05).

Example:
    Step 3 is rated 0.72, step 5 and all steps after it 0.39.

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
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import MAIN_LANE, Category, Severity
from analyzer.text.clip import clip

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
    cause_name = "a better state that was lost"
    guidance = MappingProxyType(
        {
            "": Guidance(
                questions=("What did step {last} change of what step {first} had reached?",),
                approaches=(("Go back to the best state", "Undo what came after step {first}, and go on from there."),),
                improvement="Keep the best state",
                change="Have the harness keep the state after each step that is rated best, and hand that in.",
                lesson="A step that lowers the score is undone before the next one.",
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
        shown = facts.action(MAIN_LANE, fell)
        yield LostScore.finding(
            severity=Severity.MEDIUM if best - end >= _MUCH * best else Severity.LOW,
            confidence=0.9,
            title=f"The recorded score was {best:g} at step {at} and is {end:g} at the end; it fell at step {fell}",
            steps=sorted({at, fell}),
            detectable_at=fell,
            evidence=[Evidence(step=fell, quote=clip(shown.operation.command or shown.operation.target, 200))],
            advice=[f"Go back to the state after step {at}, which was rated {best:g}."],
            cost=facts.cost(MAIN_LANE, fell, last),
        )


DETECTOR = LostScore()
