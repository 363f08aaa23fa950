"""An edit by line number hits the wrong lines, because the lines had moved since the agent looked them up.

What it flags
    Edits that name lines by number after an earlier change had moved them, or that work through one file from top to
    bottom in a single command, and after which the file no longer parses or compiles.

Why it matters
    The damage is the agent's own, and it looks like a bug of the project: the error names a line that the agent never
    meant to touch. It's usually found by reading, undone with `git checkout`, and often repeated.

What it does not flag
    Edits by number that left the file intact, edits made from bottom to top or after the file had been read again, and
    files that fail to parse for another reason.

Options
    None.

Example:
    `sed -i '2836,2837d' numbers.py && sed -i '3057,3058d' numbers.py` at step 77; step 79 ends with
    `IndentationError` at line 3225.

"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector
from analyzer.failures.roles import last_part, same_file
from analyzer.failures.unparsed import SYNTAX_ERRORS
from analyzer.model.action import Action
from analyzer.model.failure import Failure
from analyzer.model.finding import Evidence, Finding, Place, Taxonomy
from analyzer.model.words import Category, FailureKind, Severity
from analyzer.text.clip import clip
from analyzer.text.english import listed, times
from analyzer.workspace.edits import Stale, StaleKind, stale_edits


class OutdatedLineNumbers(Detector):
    """One finding per damaged file."""

    name = "outdated-line-numbers"
    category = Category.EDIT
    taxonomy = Taxonomy.of(mast=["FM-1.4", "FM-2.6"], trail=["Context Handling Failures"])
    cause_rank = 5
    first_failure_rank = 3
    cause_name = "edited lines by outdated numbers"
    guidance = MappingProxyType(
        {
            "": Guidance(
                questions=("Which change between the last look at the file and step {first} moved its lines?",),
                approaches=(
                    (
                        "Edit by content",
                        "Replace the text itself, quoted as the file shows it now, not its line number.",
                    ),
                    ("From the bottom up", "{advice}"),
                    ("Undo, then look", "Restore the file, print the lines with their numbers, and name those."),
                ),
                improvement="Check line numbers against the file before editing",
                change=(
                    "Let the editing tool refuse line numbers that were shown before the last change of the file, and "
                    "show the lines around the place after each edit by number."
                ),
                lesson="Line numbers are only good until the next edit of the file.",
            )
        }
    )
    case_lesson = "Let the agent edit by content, or give it the file anew after each edit by line number."

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The files that edits by outdated numbers damaged."""
        history = facts.timeline.history
        if history is None or not any(_unparsed(action.failure) for action in facts.timeline.actions):
            return
        damaged: dict[tuple[str, str], list[tuple[Stale, Action]]] = {}
        for stale in stale_edits(history):
            seen = damaged.setdefault((stale.lane, stale.path), [])
            if stale.kind is StaleKind.LINES and not any(entry.step == stale.step for entry, _ in seen):
                broken = _broken_after(facts.lane(stale.lane), stale)
                if broken is not None:
                    seen.append((stale, broken))
        for (lane, path), seen in damaged.items():
            if seen:
                yield _finding(facts, lane, path, seen)


DETECTOR = OutdatedLineNumbers()


def _unparsed(failure: Failure | None) -> bool:
    if failure is None or failure.expected:
        return False
    return failure.kind is FailureKind.COMPILE or (failure.type or "").rsplit(".", 1)[-1] in SYNTAX_ERRORS


def _broken_after(actions: Sequence[Action], stale: Stale) -> Action | None:
    """The first step after an edit that shows that its file doesn't parse, unless the file had failed so right before
    or was changed again in between."""
    before = [action.failure for action in actions[: stale.step - 1] if _of_file(action.failure, stale.path)]
    for action in actions[stale.step :]:
        if any(same_file(edit.path, stale.path) for edit in action.operation.edits if edit.path):
            return None
        if _of_file(action.failure, stale.path):
            known = {failure.headline_with_line for failure in before if failure is not None}
            return action if action.failure and action.failure.headline_with_line not in known else None
    return None


def _of_file(failure: Failure | None, path: str) -> bool:
    if failure is None or not _unparsed(failure):
        return False
    return any(same_file(frame.file, path) for frame in failure.frames)


def _finding(facts: Facts, lane: str, path: str, seen: Sequence[tuple[Stale, Action]]) -> Finding:
    edits = [stale.step for stale, _ in seen]
    steps = sorted({step for stale, broken in seen for step in (stale.step, broken.step)})
    evidence = []
    for stale, broken in seen[:3]:
        edit = facts.action(lane, stale.step)
        quote = edit.operation.command or edit.operation.target
        evidence.append(Evidence(step=stale.step, quote=clip(quote, 200)))
        failure = broken.failure
        evidence.append(Evidence(step=broken.step, quote=clip(failure.headline_with_line if failure else "", 200)))
    first, broken = seen[0]
    line = next(
        (frame.line for frame in (broken.failure.frames if broken.failure else ()) if same_file(frame.file, path)), None
    )
    why = (
        "one command works through it from top to bottom"
        if first.changed_at == first.step
        else f"step {first.changed_at} had moved the lines"
    )
    return OutdatedLineNumbers.finding(
        severity=Severity.MEDIUM if len(seen) > 1 else Severity.LOW,
        confidence=0.85,
        title=(
            f"Edits by outdated line numbers damaged {last_part(path)} {times(len(seen))} (step"
            f"{'s' if len(edits) > 1 else ''} {listed([str(step) for step in edits])}): {why}"
        ),
        lane=lane,
        steps=steps,
        detectable_at=seen[0][1].step,
        evidence=evidence,
        advice=[
            f"Edit {last_part(path)} by its content, or delete lines by number from the bottom to the top.",
            "Read the lines again after each edit that adds or removes some, before naming the next number.",
        ],
        cost=facts.cost(lane, steps[0], steps[-1]),
        fault=Place(file=path, line=line, step=broken.step),
    )
