"""The agent edits a file that the failing run never loads.

What it flags
    The same failure three times or more, whose trace runs through an installed or built copy of a file
    (`site-packages/q/a.py`, `build/lib/q/a.py`), or through the original of a copy (`a.py` beside `a_fixed.py`), while
    the edits in between went to the other one and nothing was installed or built anew.

Why it matters
    Whatever is written into that file, the next run can't be different.

What it does not flag
    Edits of files that simply don't appear in the trace: much of what a run loads doesn't. Where a package was
    installed or a build was run, counting starts anew.

Options
    occurrences: how often the failure must have come back (3).

Example:
    The trace shows `/usr/lib/python3/dist-packages/gig/crew.py`; four edits went to `/srv/app/gig/crew.py`.

"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from pydantic import Field

from analyzer.detectors.engine.interface import LiveDetector, Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState
from analyzer.detectors.engine.traits import Trait
from analyzer.detectors.signals.recurrence import Recurrence, Recurrences
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.failure import Failure, Frame
from analyzer.model.finding import Evidence, Finding, Place, Taxonomy
from analyzer.model.words import Category, Severity
from analyzer.text.late import late

_LONGEST = 20_000
"""Characters of a command line in which an installation must stand."""
_COPIES = late(r"(?:^|/)(?:site-packages|dist-packages|build/lib[^/]*|node_modules|\.tox|\.nox|vendor)/")
_VARIANT = late(
    r"[-_. ]?(?:new|fixed|fix|v?\d{1,2}|copy|updated|patched|final|improved|modified|corrected)", re.IGNORECASE
)
_INSTALLS = late(
    r"\b(?:pip\d?|uv|poetry|npm|pnpm|yarn|bundle|composer|gem) (?:\w+ )?(?:install|sync|add|ci|link|reinstall)\b"
    r"|\bsetup\.py (?:install|develop|build)|\bmake (?:install|build)\b|\b(?:tox|nox)\b"
    r"|\bpython\d? -m build\b|\b(?:npm|yarn|pnpm) (?:run )?build\b|\b(?:cp|mv|ln|rsync) "
)


class UnloadedFileOptions(Options):
    """Options of this detector."""

    occurrences: int = Field(default=3, ge=2)
    """How often the failure must have come back."""


class UnloadedFile(LiveDetector):
    """One finding per failure whose run never loads what was edited."""

    name = "unloaded-file"
    category = Category.TRACE
    taxonomy = Taxonomy.of(mast=["FM-1.3", "FM-2.6"], trail=["Incorrect Problem Identification"])
    options = UnloadedFileOptions.usual()
    traits = frozenset({Trait.REPETITION, Trait.EDITS_NOT_LOADED})
    cause_rank = 10
    first_failure_rank = 3
    cause_name = "edited a file that the run never loads"

    def start(self, lane_context: LaneContext) -> RuleState:
        """The state of the rule in a lane that is about to begin."""
        return _State(lane_context, self.options.occurrences)


DETECTOR = UnloadedFile()


class _State(Recurrences):
    def on_action(self, action: Action) -> Iterable[Finding]:
        if _INSTALLS.search((action.operation.command or "")[:_LONGEST]):
            self.forget()
        return super().on_action(action)

    def judge(self, recurrence: Recurrence, action: Action, edits: Sequence[Action]) -> Finding | None:
        failure = action.failure
        if failure is None or not failure.frames:
            return None
        twins = {path: twin for path in _paths(edits) if (twin := _twin(path, failure)) is not None}
        others = [path for path in _paths(edits) if path not in twins]
        if not twins or any(same_file(path, frame.file) for path in others for frame in failure.frames):
            return None
        return _finding(self.lane_context.lane, recurrence, failure, edits, twins)


def _finding(
    lane: str, recurrence: Recurrence, failure: Failure, edits: Sequence[Action], twins: dict[str, Frame]
) -> Finding:
    steps = recurrence.steps
    edited, loaded = next(iter(twins.items()))
    return UnloadedFile.finding(
        severity=Severity.HIGH,
        confidence=0.85 if _COPIES.search(loaded.file) else 0.75,
        title=f"The failing run loads {loaded.file}, but the edits went to {edited}",
        lane=lane,
        steps=steps,
        detectable_at=steps[-1],
        rounds=recurrence.counter.count,
        evidence=_evidence(steps, edits, loaded, failure),
        advice=[
            (
                f"Run against {edited}: install the working copy (editable), or put it first on the path; or import "
                "it by its own name."
            ),
            "Print the path of the module that the run loads before the next edit.",
        ],
        cost=recurrence.counter.cost,
        repeated=failure.headline[:300],
        group=failure.group,
        fault=Place(file=loaded.file, line=loaded.line, function=loaded.function, code=loaded.code, step=steps[0]),
        edited_instead=list(twins),
    )


def _paths(edits: Sequence[Action]) -> list[str]:
    return list(dict.fromkeys(edit.path for action in edits for edit in action.operation.edits if edit.path))


def _twin(path: str, failure: Failure) -> Frame | None:
    """The frame of the trace that runs through the file which `path` is a copy or the source of, if the trace never
    shows `path`."""
    if any(same_file(path, frame.file) for frame in failure.frames):
        return None
    own = PurePosixPath(path.replace("\\", "/"))
    for frame in reversed(failure.frames):
        loaded = PurePosixPath(frame.file.replace("\\", "/"))
        installed = _COPIES.search(frame.file) is not None and not _COPIES.search(path)
        if installed and loaded.parts[-2:] == own.parts[-2:] and len(own.parts) > 1:
            return frame
        beside = loaded.suffix == own.suffix and _same_folder(loaded, own)
        if beside and own.stem.startswith(loaded.stem) and _VARIANT.fullmatch(own.stem[len(loaded.stem) :]):
            return frame
    return None


def _same_folder(one: PurePosixPath, other: PurePosixPath) -> bool:
    first, second = str(one.parent), str(other.parent)
    return first == second or "." in (first, second) or same_file(first, second)


def _evidence(steps: list[int], edits: Sequence[Action], loaded: Frame, failure: Failure) -> list[Evidence]:
    place = f"{loaded.file}:{loaded.line}" if loaded.line is not None else loaded.file
    return [
        Evidence(step=steps[0], quote=f"{place} {failure.headline[:160]}"),
        *(Evidence(step=action.step, quote=f"edited {action.operation.path}") for action in edits[:3]),
        Evidence(step=steps[-1], quote=f"{place} {failure.headline[:160]}"),
    ]
