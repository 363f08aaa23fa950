"""A check that the user listed never ran, and the agent reports that all is done.

What it flags
    A list of checks from the user, each with its command, where some ran and others never did, and the agent claims
    to be done or that all checks pass and doesn't say what it left out.

Why it matters
    Whoever lists the checks relies on each of them: the omitted one may be the only one that covers the change.

What it does not flag
    Items without a command, which can't be matched with a call; optional ones, and those that the user withdrew or took
    care of; items done by another tool, by a task of the same name, in a hook or within another command, and those that
    may have been run by something that doesn't show what it runs; what the agent says it left out or couldn't do;
    sessions that somebody else ended, and those in which another agent may have run them.

Options
    None.

Example:
    The plan lists `make test`, `make lint` and `make serve` for a look at the page. Steps 8 and 9 run the first two,
    and the report says that all checks pass.

"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector
from analyzer.detectors.engine.traits import Trait
from analyzer.detectors.signals.reserves import RESERVES
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import MAIN_LANE, Category, Severity
from analyzer.text.clip import clip
from analyzer.text.english import listed, one_or_many
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.timeline.closing.ending import ended_by_others
from analyzer.timeline.verification.listed_checks import ListedChecks, listed_checks

_MOST = 3
_CLAIMS = late(
    r"\ball (?:\w+ ){0,2}(?:checks?|tests?|verifications?|steps?) (?:now )?(?:pass\w*|succeed\w*|are (?:green|done))"
    r"|\b(?:all|everything(?: is)?|I(?:['’]m| am)|now|is|are) (?:now )?(?:done|complete[d]?|implemented|verified)\b"
    r"|^\W{0,4}(?:done|complete[d]?|implemented)\b",
    re.IGNORECASE | re.MULTILINE,
)
_GUIDANCE = {
    "": Guidance(
        questions=("What would the check have shown that never ran?",),
        approaches=(("Tick the list off", "Go through the user's list, and name a step for each item."),),
        improvement="Tick the user's checks off before the report",
        change=(
            "Before the report is sent, compare the checks in the user's words with the calls of the session, and have "
            "the agent run or name those that are missing."
        ),
        lesson="A list of checks is done when each of them ran.",
    )
}


class UntickedCheck(Detector):
    """At most one finding per session."""

    name = "unticked-check"
    category = Category.VERIFICATION
    taxonomy = Taxonomy.of(mast=["FM-3.2"], trail=["Instruction Non-compliance"])
    traits = frozenset({Trait.RESULT_ONLY})
    guidance = _GUIDANCE

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The checks that were left out without a word."""
        actions = [action for action in facts.lane(MAIN_LANE) if not action.harness]
        if not actions or ended_by_others(facts.timeline.session):
            return
        items = listed_checks(facts.timeline)
        done = [item for item in items if item.runs]
        missing = [item for item in items if not (item.runs or item.may_have_run)]
        claim = _claim(facts, actions) if done and missing else None
        missing = [item for item in missing if claim is not None and not _spoken_of(item, facts)]
        if claim is not None and missing:
            yield _finding(facts, claim, items, missing)


DETECTOR = UntickedCheck()


def _reports(facts: Facts) -> list[str]:
    """What the agent says aloud after its last call of each turn, and with its last calls."""
    said = [
        message.text
        for message in facts.timeline.messages
        if message.role == "assistant" and message.lane == MAIN_LANE and not message.thought
    ]
    return said[-_LAST:]


_LAST = 6
"""Messages at the end in which the agent reports."""


def _claim(facts: Facts, actions: Sequence[Action]) -> Evidence | None:
    """The line in which the agent says that it's done, or that all checks pass."""
    for text in reversed(_reports(facts)):
        found = _CLAIMS.search(text)
        if found is not None:
            start, end = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.end())
            before = next((action.step for action in actions if text.strip() in action.said), actions[-1].step)
            return Evidence(step=before, quote=clip(text[start : end if end >= 0 else None].strip(), 200))
    return None


def _spoken_of(item: ListedChecks, facts: Facts) -> bool:
    """Whether the agent speaks of a check, or of something that it left to do."""
    name = item.check.words[-1]
    return any(
        item.check.command in text
        or RESERVES.search(text) is not None
        or re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w-])", text) is not None
        for text in _reports(facts)
    )


def _finding(facts: Facts, claim: Evidence, items: Sequence[ListedChecks], missing: Sequence[ListedChecks]) -> Finding:
    shown = [code(clip(item.check.command, 60)) for item in missing[:_MOST]]
    more = [f"{len(missing) - _MOST} more"] if len(missing) > _MOST else []
    never = f"{listed([*shown, *more])} never ran, which {one_or_many(len(missing), 'is one', f'are {len(missing)}')}"
    title = f"The agent reports that it's done, but {never} of the {len(items)} checks that the user listed"
    ran = (run.step for item in items for run in item.runs[-1:] if run.lane == MAIN_LANE)
    steps = sorted({*(step for step in ran if step <= claim.step), claim.step})
    return UntickedCheck.finding(
        severity=Severity.MEDIUM,
        confidence=0.75,
        title=title,
        steps=steps,
        detectable_at=claim.step,
        evidence=[
            claim,
            *(
                Evidence(step=claim.step, label="the user listed", quote=clip(item.check.text, 300))
                for item in missing[:_MOST]
            ),
        ],
        advice=[f"Run {shown[0]} now, or tell the user that it didn't run and why."],
        cost=facts.cost(MAIN_LANE, steps[0], claim.step),
    )
