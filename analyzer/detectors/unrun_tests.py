"""Tests were written or changed, and no run of the session executed them.

What it flags
    A test file that the session adds or changes and that nothing ran afterwards, although the agent reports that it's
    done. A linter, a compiler, a type check and a run of other test files by name don't count as running it.

Why it matters
    A test that never ran is text: it may fail, test nothing, or not even load, and what it should protect is unproven.

What it does not flag
    Changes after which nothing ran at all, which is for `unverified-success`; runs that name the file, its folder or
    no file at all; scripts, tasks and tools that may have run it; sub-agents and hooks with tests; runs that the
    user makes or wants left out; a statement of the agent that the file wasn't or couldn't be run.

Options
    None.

Example:
    Step 18 adds a test to `tests/start.test.ts`, step 43 runs a linter on it, and the report says what it covers.

"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector
from analyzer.detectors.engine.traits import Trait
from analyzer.detectors.signals.never_run import NeverRun, is_loud, never_run, says_not_run
from analyzer.detectors.signals.stance import says_done
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.session import Message
from analyzer.model.words import MAIN_LANE, Category, Severity
from analyzer.text.clip import clip, clip_path
from analyzer.text.english import one_or_many
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.timeline.closing.ending import asked_for, closing_words, ended_by_others, still_going

_UNWANTED = late(
    r"\b(?:do not|don['’]t|no need to|without|skip|not) (?:\w+ ){0,2}(?:run|running|execut\w+|test\w*)\b", re.IGNORECASE
)
"""Words by which the user wants no tests run."""
_BY_USER = late(
    r"\btests? (?:all |now |are )*(?:pass\w*|green|work\w*)\b|\bI(?:['’]ll| will|['’]ve| have)? (?:ran|run|test\w*)\b",
    re.IGNORECASE,
)
"""Words by which the user has seen to the tests."""
_GUIDANCE = {
    "": Guidance(
        questions=("Do the tests of step {first} pass, and do they fail without the change?",),
        approaches=(
            ("Run them", "Run the new tests by name, and once without the change that they're to protect."),
            ("Say that they didn't run", "Name the tests in the report, and what is missing to run them."),
        ),
        improvement="Run every test that was written",
        change="Before the report, compare the test files that were changed with those that some run executed.",
        lesson="A test that never ran protects nothing.",
    )
}


class UnrunTests(Detector):
    """At most one finding per session."""

    name = "unrun-tests"
    category = Category.VERIFICATION
    taxonomy = Taxonomy.of(mast=["FM-3.2"], trail=["Task Orchestration"])
    traits = frozenset({Trait.RESULT_ONLY})
    guidance = _GUIDANCE
    cause_name = "tests that never ran"

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The test files that were changed and never executed, where the agent reports without a word of that."""
        actions = [action for action in facts.lane(MAIN_LANE) if not action.harness]
        session = facts.timeline.session
        if not actions or ended_by_others(session) or still_going(session):
            return
        found = [entry for entry in never_run(actions, facts.delivery) if entry.checks]
        reports = _reports(facts, found[0].changed) if found else []
        if not reports or not reports[-1] or any(map(says_not_run, reports)):
            return
        if not _seen_to(facts, found[0].changed):
            yield _finding(facts, found, actions[-1], done=any(map(says_done, reports)))


DETECTOR = UnrunTests()


def _reports(facts: Facts, since: Action) -> list[str]:
    """What the agent said last in each turn since an action."""
    found: list[str] = []
    passed, last = False, ""
    for event in facts.events(MAIN_LANE):
        passed = passed or event is since
        if isinstance(event, Message) and event.role == "assistant" and not event.thought:
            last = event.text
        elif isinstance(event, Message) and event.role == "user" and passed and last:
            found.append(last)
            last = ""
    return [*found, f"{last}\n{closing_words(facts.timeline, facts.lane(MAIN_LANE)[-1])}".strip()]


def _seen_to(facts: Facts, since: Action) -> bool:
    """Whether the user wants no tests run or speaks of having run them."""
    if _UNWANTED.search(asked_for(facts.timeline)) is not None:
        return True
    passed = False
    for event in facts.events(MAIN_LANE):
        passed = passed or event is since
        if isinstance(event, Message) and passed and event.role == "user" and _BY_USER.search(event.text[:8_000]):
            return True
    return False


def _finding(facts: Facts, found: Sequence[NeverRun], last: Action, *, done: bool) -> Finding:
    first = found[0]
    steps = sorted({entry.changed.step for entry in found})
    which = f"{one_or_many(len(steps), 'step')} {', '.join(map(str, steps[:6]))}"
    paths = code(clip_path(first.path, 80)) + (f" and {len(found) - 1} more" if len(found) > 1 else "")
    check = first.checks[-1]
    name = code(clip(next((one.text for one in reversed(check.operation.commands) if is_loud(one)), ""), 60))
    since = f"; the last check since, {name} (step {check.step}), doesn't run them"
    return UnrunTests.finding(
        severity=Severity.MEDIUM if done else Severity.LOW,
        confidence=0.75,
        title=f"The tests that {which} changed were never run ({paths}){since}",
        steps=sorted({*steps, check.step}),
        detectable_at=last.step,
        evidence=[
            *(
                Evidence(step=entry.changed.step, label="edited", quote=clip_path(entry.path, 200))
                for entry in found[:3]
            ),
            Evidence(step=check.step, quote=clip(check.operation.target, 200)),
        ],
        advice=[f"Run {code(clip_path(first.path, 100))} before reporting what it covers, or say that it wasn't run."],
        cost=facts.cost(MAIN_LANE, first.changed.step, last.step),
    )
