"""What the checks that passed cover: whether any test of the project was among them."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.commands.table import PYTHONS
from analyzer.detectors.signals.listed_tests import test_file_of
from analyzer.diagnosis.case import steps_text
from analyzer.diagnosis.end import End
from analyzer.failures.roles import is_test_path
from analyzer.model.action import Action
from analyzer.model.diagnosis import Statement
from analyzer.model.difference import ChangeKind
from analyzer.model.postmortem import Outcome
from analyzer.model.words import Basis, Kind, OutcomeStatus
from analyzer.text.clip import clip_path
from analyzer.text.english import one_or_many
from analyzer.text.markdown import code
from analyzer.timeline.calls.programs import READERS, SEARCHERS, script
from analyzer.timeline.verification.checks import HANDLES_FILES, is_document

_INLINE = frozenset({"-c", "-e", "--eval", "-"})
_RUNTIMES = frozenset({"node", "ruby", "perl", "php", "deno", "bun"})


def covered(end: End, outcome: Outcome) -> Iterator[Statement]:
    """Of a change that is said to be done: that only the agent's own scripts ran on it, and which test of a changed
    file was seen and never run."""
    claimed = outcome.status in (OutcomeStatus.SUCCEEDED, OutcomeStatus.UNKNOWN) and outcome.basis is not Basis.VERDICT
    if not claimed or not end.actions or end.changed is None or not end.reported_done:
        return
    files = [
        change.file
        for change in end.delivery.files
        if change.kind is ChangeKind.MODIFIED and not is_document(change.file) and not is_test_path(change.file)
    ]
    ran = end.ran_on_delivered
    if not files or not ran or not all(_is_own(end, action) for action in ran):
        return
    steps = [action.step for action in ran]
    which = f"{one_or_many(len(steps), 'step')} {steps_text(steps, 6)}"
    given = [action.step for action in ran if end.proofs.task_code.is_run_by(action)]
    what = "the code that the task gives" if given == steps else "the agent's own scripts"
    if given and given != steps:
        which += f"; {one_or_many(len(given), 'step')} {steps_text(given, 6)} with the code that the task gives"
    text = f"Only {what} ran on what was delivered ({which}); no test of the project did."
    seen, lines = test_file_of(files, end.actions), [action.operation.command or "" for action in end.actions]
    if seen is not None and not any(seen[0].rsplit("/", 1)[-1] in line for line in lines):
        text += f" {code(clip_path(seen[0], 80))}, which step {seen[1]} shows, was never run."
        steps = [*steps, seen[1]]
    yield Statement(part="known", text=text, steps=steps[:20])


def _is_own(end: End, action: Action) -> bool:
    """Whether a call runs nothing but scripts that the agent wrote, or code that is in the call itself."""
    if action.kind not in (Kind.RUN, Kind.TEST) or action.operation.runner or action.operation.command is None:
        return False
    quiet = HANDLES_FILES | READERS | SEARCHERS
    ran = [entry for entry in action.operation.commands if entry.program not in quiet]
    for entry in ran:
        name = script(entry)
        if name is not None:
            if not end.delivery.made_by_agent(name, action.operation.directory or action.directory):
                return False
        elif not (PYTHONS.match(entry.program) or entry.program in _RUNTIMES) or not (
            _INLINE & set(entry.args) or not entry.args
        ):
            return False
    return bool(ran)
