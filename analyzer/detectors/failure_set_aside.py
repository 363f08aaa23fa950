"""The agent dismisses failing tests as unrelated to its change, and no run shows that.

What it flags
    A test run that fails after the agent's edits, and a statement of the agent that the failures are unrelated,
    pre-existing or somebody else's, where nothing in the session ran the tests without the change and the failing tests
    don't pass later; and success is claimed at the end. Where the run stopped at its first failures, the finding says
    how many tests never ran.

Why it matters
    One run would show whether a failure existed before. Without it the statement is a guess, and a fault in the
    change may be delivered with it.

What it does not flag
    Failures that a run on the untouched code, or one with the change put aside, showed as well, or that the user or
    another machine reported; those that pass later; runs that ended before the first test; guesses that are
    investigated; sessions that claim nothing. `low` where the closing message mentions the failures, or where other
    tests passed later and the run itself had skipped none.

Options
    None.

Example:
    `pytest -x tests` stops at step 9 with 1 failed and 18 passed of 38; step 10 says "unrelated to our change" and runs
    two classes, which pass.

"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector
from analyzer.detectors.engine.traits import Trait
from analyzer.detectors.signals.dismissed_failures import SETS_ASIDE, dismissal
from analyzer.detectors.signals.quoted import evidence_of
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import MAIN_LANE, Category, Kind, Severity
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.timeline.calls.selection import takes_all_of
from analyzer.timeline.closing.ending import asked_for, claim_of, closing_words
from analyzer.timeline.delivery import Delivery
from analyzer.timeline.verification.hooks import hooks_tested
from analyzer.timeline.verification.proof import counts_tests
from analyzer.timeline.verification.stopped_early import stopped_early

_LONGEST = 2_000
_SOON = 3
"""Calls after a failed run in which the agent may speak of it."""
_ELSEWHERE = late(r"\b(?:gh|glab)\s+(?:run|pr\s+checks|ci|workflow|api)\b|\bhg\s+(?:update|shelve)\b|\bsvn\s+revert\b")
"""Calls that show how the tests do on another machine, or put the change aside."""
_TOLD = late(
    r"\b(?:already|currently|known to|still) (?:fail|broken|red)|\bpre-?existing\b|\bknown (?:failure|issue|flak)"
    r"|\b(?:fails?|failing|broken|red) (?:on|in) (?:main|master|trunk|CI)\b|\bignore (?:the |any )?(?:\w+ )?fail",
    re.IGNORECASE,
)
_TELLS = late(r"\bfail|\bpre-?existing|\bunrelated\b|\bnot (?:\w+ )?pass|\bbroken\b|\bskipp", re.IGNORECASE)
_GUIDANCE = {
    "": Guidance(
        questions=("Does what fails at step {first} fail without the change, too?",),
        approaches=(
            ("Run it without the change", "Put the change aside, run the failing tests alone, and bring it back."),
            ("Say what is open", "Report the failures with their names, and that nothing shows where they come from."),
        ),
        improvement="Try failures on the untouched code before setting them aside",
        change=(
            "Have the agent run the tests once before its first edit, and hold each later failure against that run."
        ),
        lesson="That a failure was there before is shown by a run without the change.",
    )
}


class FailureSetAside(Detector):
    """At most one finding per session, for the last such run."""

    name = "failure-set-aside"
    category = Category.VERIFICATION
    taxonomy = Taxonomy.of(mast=["FM-3.2", "FM-3.3"], trail=["Tool Output Misinterpretation"])
    traits = frozenset({Trait.RESULT_ONLY})
    guidance = _GUIDANCE
    cause_name = "failure set aside without evidence"

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The last run whose failures were set aside, unless something shows that they may be."""
        actions = [action for action in facts.lane(MAIN_LANE) if not action.harness]
        failed = [action for action in actions if _failed(action)]
        claim = claim_of(facts.timeline, actions) if failed else None
        if claim is None or _TOLD.search(asked_for(facts.timeline)) is not None:
            return
        spoken = [(run, said) for run in failed if (said := _said_of(facts, actions, run)) is not None]
        delivery = facts.delivery
        if not spoken or delivery.changed is None or _shown_without(facts, delivery, failed):
            return
        for run, said in reversed(spoken):
            after = actions[actions.index(run) + 1 :]
            if not any(_settles(later, run) for later in after):
                yield _finding(facts, run, said, closing_words(facts.timeline, actions[-1]), after)
                return


DETECTOR = FailureSetAside()


def _failed(action: Action) -> bool:
    failure = action.failure
    if failure is None or failure.expected or action.kind is not Kind.TEST:
        return False
    return bool(failure.failing_tests or failure.counts.get("failed"))


def _shown_without(facts: Facts, delivery: Delivery, failed: Sequence[Action]) -> bool:
    """Whether something shows how the tests do without the change: a failed run on the original code, a change that is
    put aside, or the result of another machine."""
    lines = [action.operation.command or "" for action in facts.timeline.actions]
    return any(SETS_ASIDE.search(line[:_LONGEST]) or _ELSEWHERE.search(line[:_LONGEST]) for line in lines) or any(
        delivery.on_original(run) for run in failed
    )


def _said_of(facts: Facts, actions: Sequence[Action], run: Action) -> Evidence | None:
    """The sentence by which the agent sets a run's failures aside, before it runs tests again and soon after."""
    place = actions.index(run)
    for action in actions[place + 1 : place + 1 + _SOON]:
        words = dismissal(action.said) if not action.after_user else None
        if words is not None:
            return Evidence(step=action.step, quote=words)
        if action.kind is Kind.TEST or action.accepted_edits:
            return None
    last = actions[-1]
    words = dismissal(closing_words(facts.timeline, last)) if place + _SOON >= len(actions) - 1 else None
    return Evidence(step=last.step, quote=words) if words is not None else None


def _settles(later: Action, run: Action) -> bool:
    """Whether a later run shows that what failed passes: one that takes no less and passes, or that names a failing
    test without it failing again."""
    failure = run.failure
    assert failure is not None
    if later.kind is not Kind.TEST:
        return False
    if later.failure is None:
        return (later.keys.call == run.keys.call or takes_all_of(later, run)) and counts_tests(later)
    names = [name.rsplit("::", 1)[-1] for name in failure.failing_tests]
    line = later.operation.command or ""
    return bool(names) and any(name in line for name in names) and not later.failure.failing_tests


def _finding(facts: Facts, run: Action, said: Evidence, closing: str, after: Sequence[Action]) -> Finding:
    assert run.failure is not None
    stopped = stopped_early(run)
    count = run.failure.counts.get("failed") or len(run.failure.failing_tests)
    which = "the failing test" if count == 1 else f"the {count} failing tests"
    left = f"; the run stopped at a failure, and {stopped.words}" if stopped is not None else ""
    title = f"The agent calls {which} of step {run.step} no fault of its change, and no run without it shows that{left}"
    passed = any(
        action.failure is None and (hooks_tested(action) or (action.kind is Kind.TEST and counts_tests(action)))
        for action in after
    )
    open_words = _TELLS.search(closing) is not None
    severity = Severity.LOW if open_words or (passed and stopped is None) else Severity.MEDIUM
    target = clip(run.operation.target, 100)
    rest = " and the tests that it left out" if stopped is not None else ""
    return FailureSetAside.finding(
        severity=severity,
        confidence=0.75,
        title=title,
        steps=sorted({run.step, said.step}),
        detectable_at=said.step,
        evidence=[evidence_of(run), said],
        advice=[
            f"Run {code(target, 100)} without the change, and compare what fails{rest}, before the failures are "
            "set aside."
        ],
        cost=facts.cost(MAIN_LANE, run.step, max(said.step, run.step)),
    )
