"""The agent says that it's done, but nothing that ran confirms it.

What it flags
    A session that ends with a claim (work handed in, or a last message that reports success) although the last check of
    the changed code failed, or nothing was run after the last edit to code that could have been run.

Why it matters
    "Submitted" and "all done" are claims. Half of the runs that end with one are wrong, and this is the first
    sign.

What it does not flag
    Sessions without an edit to code, sessions that end by a limit or say openly that the work isn't finished, changes
    to documents, and a run after the last edit that exercised the code and passed. A script that prints after the
    change just what it printed before doesn't count as such a run; neither do scripts when nothing but such scripts was
    changed.

Example:
    The last edit is step 14; step 15 hands in the work; no test or script ran in between.

"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.interface import Detector
from analyzer.detectors.engine.traits import Trait
from analyzer.failures.roles import is_test_path, same_file
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import MAIN_LANE, Category, Kind, Severity
from analyzer.text.late import late
from analyzer.timeline.checks import HANDLES_FILES, changes_code, is_check
from analyzer.timeline.ending import claim_of
from analyzer.timeline.origins import trial_scripts

_WANTS_TESTS = late(r"\b(?:writ|add|creat|extend|improv|cover|updat)\w*\b[^.\n]{0,60}\btests?\b", re.IGNORECASE)
_WELL = late(r"\bsuccess(?:ful(?:ly)?)?\b|✓|✅|✔|\bPASS(?:ED)?\b", re.IGNORECASE)


class UnverifiedSuccess(Detector):
    """At most one finding per session."""

    name = "unverified-success"
    category = Category.VERIFICATION
    taxonomy = Taxonomy.of(mast=["FM-3.2"], trail=["Task Orchestration"])
    traits = frozenset({Trait.DOUBTS_SUCCESS, Trait.RESULT_ONLY})
    cause_name = "unverified success"

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The claim, and what it rests on."""
        actions = [action for action in facts.lane(MAIN_LANE) if not action.harness]
        claim = claim_of(facts.timeline, actions)
        edits = [action for action in actions if changes_code(action)]
        if claim is None or not edits:
            return []
        last_edit = edits[-1]
        since = last_edit.step if _also_runs(last_edit) else last_edit.step + 1
        edited = [entry.path for edit in edits for entry in edit.operation.edits]
        checks = [action for action in actions if action.step >= since and (is_check(action, edited) or _runs(action))]
        doubt = _doubt(facts, actions, edits, checks)
        if doubt is None:
            return []
        kind, title, evidence = doubt
        step = claim.step
        first = min(last_edit.step, evidence.step)
        return [
            UnverifiedSuccess.finding(
                kind=kind,
                severity=Severity.HIGH if kind == "failed-check" else Severity.MEDIUM,
                confidence=0.85 if kind in ("failed-check", "no-check") else 0.7,
                title=title,
                first_step=first,
                last_step=max(step, first),
                steps=sorted({last_edit.step, evidence.step, step}),
                detectable_at=step,
                evidence=[evidence, Evidence(step=step, quote=claim.words)],
                advice=[
                    (
                        "Run the check that would fail if the change were wrong, after the last edit, and report "
                        "what it printed."
                    )
                ],
                cost=facts.cost(MAIN_LANE, first, max(step, first)),
            )
        ]


DETECTOR = UnverifiedSuccess()


def _doubt(
    facts: Facts, actions: Sequence[Action], edits: Sequence[Action], checks: Sequence[Action]
) -> tuple[str, str, Evidence] | None:
    """What is wrong with the checks after the last edit: the kind, a sentence, and what shows it. None when they
    hold."""
    last_edit = edits[-1]
    edited = last_edit.operation.path or last_edit.operation.target
    scratch = trial_scripts(list(actions))
    if not _WANTS_TESTS.search(facts.timeline.session.task or ""):
        scratch += [
            entry.path for edit in edits for entry in edit.operation.edits if entry.created and is_test_path(entry.path)
        ]
    if scratch and all(_only(edit, scratch) for edit in edits):
        return (
            "only-scratch-files",
            "Success is claimed, but only the agent's own trial files were changed",
            Evidence(step=last_edit.step, quote=f"edited {edited}"[:200]),
        )
    if not checks:
        title = f"Success is claimed, but nothing ran after the last edit (step {last_edit.step})"
        return "no-check", title, Evidence(step=last_edit.step, quote=f"edited {edited}"[:200])
    final = checks[-1]
    if final.failure is not None and not _mixed(final):
        title = f"Success is claimed, but the last check (step {final.step}) failed"
        return "failed-check", title, Evidence(step=final.step, quote=final.failure.headline[:200])
    if all(check.kind is not Kind.TEST or not check.operation.runner for check in checks):
        first_edit = next((edit for edit in edits if not _only(edit, scratch)), None)
        before = [
            action
            for action in actions
            if first_edit is not None and action.step < first_edit.step and action.failure is None
        ]
        known = {(action.keys.call, action.keys.outcome): action.step for action in before if is_check(action)}
        same = [known.get((check.keys.call, check.keys.outcome)) for check in checks]
        if known and all(step is not None for step in same):
            title = (
                f"Success is claimed, but the only check after the last edit printed the same at step "
                f"{final.step} as before the change (step {same[-1]})"
            )
            return (
                "check-proves-nothing",
                title,
                Evidence(step=final.step, quote=" ".join((final.result or "(nothing)").split())[:200]),
            )
    return None


def _only(edit: Action, scratch: Sequence[str]) -> bool:
    paths = [entry.path for entry in edit.operation.edits] or [edit.operation.path or ""]
    return all(any(same_file(path, name) for name in scratch) for path in paths)


def _mixed(check: Action) -> bool:
    """A script that reports a failure next to successes may well demonstrate something: its verdict is not ours to
    give."""
    failure = check.failure
    return failure is not None and failure.type == "CheckFailed" and _WELL.search(check.result or "") is not None


def _also_runs(action: Action) -> bool:
    """Whether a call that changes a file runs something as well, as a line that writes a script and then calls a
    program does."""
    return action.kind in (Kind.RUN, Kind.TEST) or _runs(action)


def _runs(action: Action) -> bool:
    return bool(action.operation.edits) and any(
        command.program not in HANDLES_FILES for command in action.operation.commands
    )
