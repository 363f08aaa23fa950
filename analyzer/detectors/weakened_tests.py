"""The implementation is at fault, but the agent changes the test or silences the check.

What it flags
    A test that failed before the agent had changed any implementation, and that passes or disappears after an edit of
    its own file which removed assertions, changed what they expect, or skipped it, with no edit to the implementation
    in between. Also a test that passes because the implementation returns the expected value for exactly its input,
    because what it tests is replaced by a mock, or because the checker's configuration leaves it out or runs nothing
    (`faked`). Also a check that passes because it was silenced right after it had failed: a comment that hides its
    message (`# noqa`, `@ts-ignore`, `eslint-disable`), `|| true` in a script or a workflow, the failing test left out
    by name or deleted, a commit with `--no-verify` after a hook refused it.

Why it matters
    The check no longer runs, but the fault is still there. A run that passes this way is worse than one that fails.

What it does not flag
    Tests that the agent itself wrote in the session, tests that began to fail through a change to the implementation
    (what they expect may have to change with it), and a test whose own data was at fault; a comment that gives its
    reason, missing type stubs, hooks that are themselves broken, tests that the agent says failed before, and what the
    user mentioned leaving out.

Options
    silenced: whether silenced checks are reported too (true).

Example:
    `test_pairs` fails with `assert 3 == 4`; the next edit makes it `assert gig.pairs() == 3`, and the run is green.

"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import Field

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.interface import Detector, Options, Trait
from analyzer.detectors.signals.faked_passing import Faked, faked
from analyzer.detectors.signals.quoted import quoted
from analyzer.detectors.signals.silencing import Silenced, silenced
from analyzer.failures.roles import is_test_path, same_file
from analyzer.model.action import Action, Edit
from analyzer.model.failure import Failure
from analyzer.model.finding import Evidence, Finding, Place, Taxonomy
from analyzer.model.words import MAIN_LANE, Category, FrameRole, Kind, OriginRole, Severity
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.timeline.closing.ending import claim_of

_ASSERTS = late(
    r"\b(?:assert\w*|expect\w*|should|must_\w+|refute\w*|CHECK|REQUIRE|EXPECT_\w+|ASSERT_\w+|require\.\w+"
    r"|t\.(?:Error|Fatal)f?)\b\s*[!(.: \w]"
)
_SKIPS = late(
    r"\b(?:pytest\.(?:mark\.)?(?:skip|xfail)\w*|unittest\.skip\w*|skipTest|[xf]?(?:it|test|describe)\.(?:skip"
    r"|todo)|xit|xtest|xdescribe|@Ignore|@Disabled|t\.Skip\w*|markTestSkipped|GTEST_SKIP|DISABLED_\w+|pending)\b"
    r"|#\[ignore"
)


class WeakenedTestsOptions(Options):
    """Options of this detector."""

    silenced: bool = Field(default=True)
    """Whether silenced checks are reported too."""


_GUIDANCE = {
    "": """Ask: What does the test require that the implementation doesn't do?
    Try: Restore the test: Put back what step {last} removed, and fix what it found.
    Try: Prove the test wrong: If the test is wrong, quote the requirement that it contradicts.
    Try: Ask: Say which of the two must change, and why.
    Change: Guard assertions: Show every edit that removes or loosens an assertion, skips a test or silences a check,
      and have someone confirm it.
    Learn: A test that was changed to pass proves nothing."""
}


class WeakenedTests(Detector):
    """One finding per test that was made to agree with a faulty implementation, or that was silenced."""

    name = "weakened-tests"
    category = Category.EDIT
    taxonomy = Taxonomy.of(mast=["FM-3.3"], trail=["Goal Deviation"])
    options = WeakenedTestsOptions.usual()
    traits = frozenset({Trait.RESULT_ONLY, Trait.WEAKENS_CHECK})
    guidance = _GUIDANCE
    cause_name = "weakened tests"

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """Edits that weaken a failing test, and checks that were silenced."""
        main = [action for action in facts.lane(MAIN_LANE) if not action.harness]
        claimed = claim_of(facts.timeline, main) is not None
        for lane in facts.timeline.lanes():
            found = [*_weakened(facts, lane), *(_faked(facts, lane, entry) for entry in faked(facts, lane))]
            if self.options.silenced:
                found += [_silenced(facts, lane, entry) for entry in silenced(facts, lane)]
            for finding in found:
                serious = claimed and finding.severity is Severity.MEDIUM
                yield finding.model_copy(update={"severity": Severity.HIGH}) if serious else finding


DETECTOR = WeakenedTests()


def _weakened(facts: Facts, lane: str) -> Iterable[Finding]:
    """A failing test, an edit of its file that weakens it, and a run without that failure, in this order."""
    actions = facts.lane(lane)
    written = [edit.path for action in actions for edit in action.operation.edits if edit.created]
    touched = False
    at_first: dict[str, Action] = {}
    weak: list[tuple[Action, Action, str]] = []
    for action in actions:
        if action.kind is Kind.EDIT and action.failure is None:
            for edit in action.operation.edits:
                if not is_test_path(edit.path):
                    touched, weak = True, []
                    continue
                cause = at_first.get(_file(edit.path))
                how = _weakens(edit)
                if cause is not None and how is not None and not any(same_file(edit.path, path) for path in written):
                    weak.append((cause, action, how))
        elif action.kind is Kind.TEST:
            failure = action.failure
            if failure is not None and not touched and _of_the_implementation(failure):
                for name in _test_files(failure):
                    at_first.setdefault(name, action)
            if failure is None and weak:
                cause, edit_step, how = weak[0]
                yield _finding(facts, lane, cause, edit_step, action, how)
                weak = []
                at_first.clear()


def _finding(facts: Facts, lane: str, cause: Action, edit: Action, passed: Action, how: str) -> Finding:
    failure = cause.failure
    assert failure is not None
    path = next(entry.path for entry in edit.operation.edits if is_test_path(entry.path))
    return WeakenedTests.finding(
        kind="weakened",
        severity=Severity.MEDIUM,
        confidence=0.7,
        title=f"The test that failed at step {cause.step} passes because step {edit.step} {how} in {path}",
        lane=lane,
        first_step=cause.step,
        last_step=passed.step,
        steps=[cause.step, edit.step, passed.step],
        detectable_at=passed.step,
        evidence=[
            Evidence(step=cause.step, quote=quoted(cause, 200)),
            Evidence(step=edit.step, quote=_changed(edit)[:200]),
        ],
        advice=["Restore the assertion and fix what it found; if the test is wrong, say why."],
        cost=facts.cost(lane, edit.step, passed.step),
        group=failure.group,
        fault=None
        if failure.origin is None or failure.origin.file is None
        else Place(file=failure.origin.file, line=failure.origin.line),
    )


def _of_the_implementation(failure: Failure) -> bool:
    return failure.origin is not None and failure.origin.role is OriginRole.IMPLEMENTATION and not failure.expected


def _test_files(failure: Failure) -> list[str]:
    named = [test.split("::", 1)[0] for test in failure.failing_tests if "::" in test and "." in test.split("::", 1)[0]]
    return [_file(path) for path in (*named, *(frame.file for frame in failure.frames if frame.role is FrameRole.TEST))]


def _file(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def _weakens(edit: Edit) -> str | None:
    """How an edit makes a test say less: what it did, as a phrase, or None."""
    if edit.before is None or edit.after is None:
        return None
    if _SKIPS.search(edit.after) and not _SKIPS.search(edit.before):
        return "skipped it"
    before, after = _assertions(edit.before), _assertions(edit.after)
    if len(after) < len(before):
        return "removed an assertion" if len(before) - len(after) == 1 else "removed assertions"
    if before and len(after) == len(before) and before != after and _rest(edit.before) == _rest(edit.after):
        return "changed what it expects"
    return None


def _assertions(text: str) -> list[str]:
    return [
        line.strip()
        for line in text.splitlines()
        if _ASSERTS.search(line) and not line.lstrip().startswith(("#", "//", "*"))
    ]


def _rest(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip() and not _ASSERTS.search(line)]


def _changed(action: Action) -> str:
    edit = next(entry for entry in action.operation.edits if is_test_path(entry.path))
    before, after = _assertions(edit.before or ""), _assertions(edit.after or "")
    gone = next((line for line in before if line not in after), (edit.before or "").strip())
    new = next((line for line in after if line not in before), "")
    return f"{gone} -> {new or '(gone)'}"


def _faked(facts: Facts, lane: str, found: Faked) -> Finding:
    return _passes(
        facts,
        lane,
        found,
        kind="faked",
        severity=Severity.MEDIUM,
        confidence=0.7,
        title=f"The check that failed at step {found.cause.step} passes because step {found.act.step} {found.how}",
        advice="Take it back, and fix what the check found.",
    )


def _silenced(facts: Facts, lane: str, found: Silenced) -> Finding:
    return _passes(
        facts,
        lane,
        found,
        category=Category.VERIFICATION,
        kind="silenced",
        severity=found.severity,
        confidence=0.75,
        title=f"The check that failed at step {found.cause.step} is silenced: step {found.act.step} {found.how}",
        advice=found.advice,
    )


def _passes(facts: Facts, lane: str, found: Faked | Silenced, *, advice: str, **words: Any) -> Finding:
    """A check that passes although what it found is still there; `words` are the fields in which its kinds differ."""
    failure = found.cause.failure
    assert failure is not None
    steps = sorted({found.cause.step, found.act.step, found.passed.step})
    return WeakenedTests.finding(
        lane=lane,
        steps=steps,
        detectable_at=found.passed.step,
        evidence=[
            Evidence(step=found.cause.step, quote=quoted(found.cause)),
            Evidence(step=found.act.step, quote=clip(found.quote, 300)),
        ],
        advice=[advice],
        cost=facts.cost(lane, steps[0], steps[-1]),
        group=failure.group,
        **words,
    )
