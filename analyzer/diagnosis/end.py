"""A session as its end shows it: the last action, the changes that are left, and the checks that ran on them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from analyzer.diagnosis.case import Case
from analyzer.model.action import Action
from analyzer.model.postmortem import Deliverable
from analyzer.model.words import MAIN_LANE, DeliverableKind, Kind
from analyzer.text.late import late
from analyzer.timeline.changes import Changes, changes_of, prints_only
from analyzer.timeline.checks import HANDLES_FILES, is_check, is_document
from analyzer.timeline.ending import asked_for, closing_words, handed_in
from analyzer.timeline.proof import Proof, proof_of, written_by

_DIFF = late(r"^diff --git a/(?P<path>\S+) b/\S+$", re.MULTILINE)
_SHOWS = frozenset({Kind.READ, Kind.SEARCH, Kind.THINK, Kind.PLAN, Kind.WAIT, Kind.FINISH, Kind.TEST, Kind.EDIT})
_MOST_FILES = 200


class End:
    """The questions that the rules about the outcome ask of a session."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.session = case.timeline.session
        self.actions = [action for action in case.timeline.lane(MAIN_LANE) if not action.harness]

    @cached_property
    def last(self) -> Action:
        """The last action that the agent made."""
        return self.actions[-1]

    @cached_property
    def closing(self) -> str:
        """What the agent said last."""
        return closing_words(self.case.timeline, self.last)

    @cached_property
    def asked(self) -> str:
        """All that the user asked for."""
        return asked_for(self.case.timeline)

    @cached_property
    def reported_done(self) -> bool:
        """Whether the agent ended the session itself, or with words."""
        return handed_in(self.session, self.last) or bool(self.closing)

    @cached_property
    def changes(self) -> Changes:
        """What is left of the edits of the main lane."""
        return changes_of(self.actions, self.session.task or "")

    @cached_property
    def edits(self) -> list[Action]:
        """The actions that edited a file."""
        return [action for action in self.actions if action.kind is Kind.EDIT and action.failure is None]

    @cached_property
    def changed(self) -> int | None:
        """The index of the last action that brought about the delivered code."""
        return self.changes.last_change()

    @cached_property
    def checks(self) -> list[Action]:
        """What checked the work, whenever it did."""
        edited = [entry.path for edit in self.edits for entry in edit.operation.edits]
        return [action for action in self.actions if is_check(action, edited) or self.proof(action) > Proof.NOTHING]

    @cached_property
    def on_delivered(self) -> list[Action]:
        """The checks that ran on the code as it was delivered, in order: those after the last change, and those before
        an experiment that was taken back."""
        if self.changed is None:
            return self.checks
        final = self.changes.code(-1)
        place = {id(action): index for index, action in enumerate(self.actions)}
        return [check for check in self.checks if self.changes.code(place[id(check)]) == final]

    @cached_property
    def _written(self) -> dict[str, str]:
        return written_by(self.actions)

    def proof(self, action: Action) -> Proof:
        """What an action proves."""
        return proof_of(action, self._written, self.asked)

    @cached_property
    def best(self) -> Action | None:
        """The check on the delivered state that proves most, the last of several."""
        ranked = [check for check in self.on_delivered if self.proof(check) > Proof.NOTHING]
        return max(ranked, key=lambda check: (self.proof(check), check.kind is Kind.TEST, check.step), default=None)

    @cached_property
    def submission(self) -> list[tuple[str, str]]:
        """The diff that was handed in, file by file, where the call that ends the session shows it."""
        ends = [action for action in self.case.timeline.lane(MAIN_LANE)[-2:] if action.harness or action is self.last]
        for action in reversed(ends):
            if action.harness or action.kind is Kind.FINISH:
                parts = _DIFF.split(action.result or "")
                if len(parts) > 1:
                    return list(zip(parts[1::2], parts[2::2], strict=True))
        return []

    def only_prints(self, files: Sequence[str]) -> bool:
        """Whether what is left of the edits of some files only puts in lines that print something."""
        diffs = [text for path, text in self.submission if path in files]
        if not diffs:
            return set(files) <= set(self.changes.delivered()) and self.changes.only_prints()
        lines = [line for text in diffs for line in text.splitlines()]
        if any(line.startswith("-") and not line.startswith("---") and line.strip("- \t") for line in lines):
            return False
        added = [line[1:] for line in lines if line.startswith("+") and not line.startswith("+++")]
        return prints_only([line for line in added if line.strip() and not line.lstrip().startswith(("#", "//"))])

    @cached_property
    def deliverable(self) -> Deliverable | None:
        """What the session leaves behind: by the diff that was handed in, else by the edits that are left."""
        submitted = [path for path, _ in self.submission]
        other = [
            edit.path
            for action in self.case.timeline.actions
            if action.lane != MAIN_LANE and action.failure is None
            for edit in action.operation.edits
            if edit.path
        ]
        left = [*self.changes.delivered(), *other]
        scratch = sorted(path for path in self.changes.scratch if path in self.changes.final)
        if submitted:
            known = {path.rsplit("/", 1)[-1] for path in self.changes.scratch}
            left = [path for path in submitted if path.rsplit("/", 1)[-1] not in known and not _by_product(path)]
            scratch = [path for path in submitted if path not in left]
        files = list(dict.fromkeys([*left, *scratch]))[:_MOST_FILES]
        if left:
            kind = DeliverableKind.SCRATCH if not other and self.only_prints(left) else DeliverableKind.CHANGE
        elif any(self._may_have_written(action) for action in self.actions):
            return None
        elif scratch:
            kind = DeliverableKind.SCRATCH
        else:
            kind = DeliverableKind.ANSWER if self.closing else DeliverableKind.NOTHING
        return Deliverable(kind=kind, files=files)

    def _may_have_written(self, action: Action) -> bool:
        """Whether an action may have changed files in a way that the log doesn't show."""
        if action.kind in _SHOWS or action.failure is not None or action.operation.edits:
            return False
        commands = action.operation.commands
        own = [path.rsplit("/", 1)[-1] for path in self.changes.scratch]
        if commands and any(name in (action.operation.command or "") for name in own):
            return False
        return not commands or any(entry.program not in HANDLES_FILES for entry in commands)

    @property
    def only_documents(self) -> bool:
        """Whether nothing but documents, data or markup is delivered."""
        delivered = self.changes.delivered()
        return bool(delivered) and all(is_document(path) for path in delivered)


def _by_product(path: str) -> bool:
    """Whether a file of a diff is what a run leaves behind rather than what somebody wrote."""
    return path.endswith((".sqlite3", ".pyc", ".log", ".db", ".tmp", ".swp"))
