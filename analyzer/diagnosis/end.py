"""A session as its end shows it: the last action, the changes that are left, and the checks that ran on them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from analyzer.detectors.signals.effects import NOTHING_DONE
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.labels import call_text
from analyzer.failures.roles import is_test_path, same_file
from analyzer.model.action import Action
from analyzer.model.difference import ChangeKind
from analyzer.model.postmortem import Deliverable
from analyzer.model.session import Message, ToolCall, ToolResult
from analyzer.model.words import CHANGE_NOTHING, MAIN_LANE, DeliverableKind, FailureKind, Kind, Status
from analyzer.speech.acts import Act
from analyzer.speech.heard import first_with, heard
from analyzer.text.clip import clip, clip_words
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.names import names
from analyzer.timeline.calls.judging import openness
from analyzer.timeline.closing.closing_message import ClosingMessage, closing_message, words_beside
from analyzer.timeline.closing.ending import OwnVerdict, closing_words, handed_in, own_verdict
from analyzer.timeline.closing.user_answers import not_run
from analyzer.timeline.verification.checks import HANDLES_FILES, is_check, is_document, runs_program
from analyzer.timeline.verification.proof import Proof

_DIFF = late(r"^diff --git a/(?P<path>\S+) b/\S+$", re.MULTILINE)
_DELETED = late(r"^deleted file mode |^\+\+\+ /dev/null$", re.MULTILINE)
_QUESTIONS = frozenset({"question", "questions", "ask", "prompt_user"})
_SHOWS = frozenset({Kind.READ, Kind.SEARCH, Kind.THINK, Kind.PLAN, Kind.WAIT, Kind.FINISH, Kind.TEST, Kind.EDIT})
_NEW = late(r"\b(?<!not )(?:created|new file)\b", re.IGNORECASE)
_SHORT = 600
"""Characters of an editor's answer that say what it did; a file's content may follow."""
_MOST_FILES = 200
_ASKING = names("which what where how who when could can")  # how a question begins whose answer is needed
_BY_PRODUCTS = (".sqlite3", ".pyc", ".log", ".db", ".tmp", ".swp")
_REPORTED = {
    "reported as done": "The agent reports that it is done",
    "handed in": "The work was handed in",
    "changed": "The agent ended its work with a message",
}


class End:
    """The questions that the rules about the outcome ask of a session: what is left of the changes (`delivery`) and
    which action brought about the delivered code (`changed`, None where none was changed), what each action proves
    (`proofs`), and more."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.session = case.timeline.session
        self.actions = [action for action in case.timeline.lane(MAIN_LANE) if not action.harness]
        self.delivery, self.proofs = case.delivery, case.proofs
        self.changed = self.delivery.changed

    @cached_property
    def last(self) -> Action:
        """The last action that the agent made."""
        return self.actions[-1]

    @cached_property
    def closing(self) -> str:
        """All that the agent said or thought last."""
        return closing_words(self.case.timeline, self.last)

    @cached_property
    def closing_message(self) -> ClosingMessage | None:
        """The agent's last words as they can be quoted; None where it said nothing."""
        return closing_message(self.case.timeline, self.last)

    @cached_property
    def words_beside(self) -> ClosingMessage | None:
        """What the agent said aloud in the message of its last call, where nothing that anybody said follows it."""
        own = (event for event in reversed(self.session.events) if event.lane == MAIN_LANE)
        ends = self.closing_message is None and isinstance(next(own, None), ToolCall | ToolResult)
        return words_beside(self.case.timeline, self.last) if ends else None

    @staticmethod
    def came_back(action: Action) -> bool:
        """Whether what came of an action is recorded."""
        return action.result is not None or action.status is not Status.UNKNOWN

    @cached_property
    def reported_done(self) -> bool:
        """Whether the agent ended the session itself, or with words."""
        return handed_in(self.session, self.last) or bool(self.closing)

    @cached_property
    def edits(self) -> list[Action]:
        """The actions that edited a file. The call with which the recording breaks off isn't one of them."""
        edits = (action for action in self.actions if action.kind is Kind.EDIT and action.failure is None)
        return [action for action in edits if not action.unfinished]

    @cached_property
    def edited_paths(self) -> list[str]:
        """The files that these name."""
        return [edit.path for action in self.edits for edit in action.operation.edits]

    @cached_property
    def modified(self) -> list[str]:
        """The files of the project that are left modified, texts for people and tests aside."""
        files = (change.file for change in self.delivery.files if change.kind is ChangeKind.MODIFIED)
        return [path for path in files if not is_document(path) and not is_test_path(path)]

    @cached_property
    def turned(self) -> tuple[Action, Action] | None:
        """The last check on the delivered code that failed before on the original code, with that failure."""
        pairs = ((check, self.proofs.failed_before(check)) for check in reversed(self.on_delivered))
        return next(((check, failed) for check, failed in pairs if failed is not None), None)

    @property
    def changed_by(self) -> str:
        """What brought about the delivered code: a step of the main lane, or a sub-agent."""
        changed = self.changed
        if changed is None or changed.lane == MAIN_LANE:
            return f"step {changed.step}" if changed is not None else ""
        return f"by {code(clip(changed.lane, 60))}"

    @cached_property
    def checks(self) -> list[Action]:
        """What checked the work, whenever it did."""
        return [one for one in self.actions if is_check(one, self.edited_paths) or self.proof(one) > Proof.NOTHING]

    @cached_property
    def on_delivered(self) -> list[Action]:
        """The checks that ran on the code as delivered, in order, also before an experiment that was taken back."""
        return [check for check in self.checks if self.delivery.on_delivered(check)]

    @cached_property
    def ran_on_delivered(self) -> list[Action]:
        """All that ran on the code as it was delivered, whether it proves something or not: the checks, scripts that
        load what was changed, and every other program than those that only handle files."""
        changed, checks = self.changed, self.on_delivered
        ran = (action for action in self.actions if action is not changed and not_run(action) is None)
        on_it = (action for action in ran if self.delivery.on_delivered(action))
        return [action for action in on_it if action in checks or runs_program(action)]

    def proof(self, action: Action) -> Proof:
        """What an action proves."""
        return self.proofs.of(action)

    @cached_property
    def best(self) -> Action | None:
        """The check on the delivered state that proves most, the last of several."""
        ranked = [check for check in self.on_delivered if self.proof(check) > Proof.NOTHING]
        return max(ranked, key=self._rank, default=None)

    def _rank(self, check: Action) -> tuple[int, bool, bool, int, int]:
        proof = self.proof(check)
        about = proof is Proof.OWN and self.proofs.task_code.is_used_by(check)
        return proof, about, check.kind is Kind.TEST, openness(check), check.step

    @cached_property
    def state(self) -> str:
        """What the agent did with its work in the end, as the beginning of what is known of it."""
        if first_with(self.closing, Act.DONE, Act.CHECKED) is not None:
            return "reported as done"
        return "handed in" if handed_in(self.session, self.last) else "changed"

    @property
    def reported(self) -> str:
        """How the agent ended its work, as the first half of a sentence."""
        return _REPORTED[self.state]

    @property
    def last_call(self) -> str:
        """The last call as a code span."""
        return code(call_text(self.last, 80))

    @property
    def last_failure(self) -> str | None:
        """How the last action failed or was refused, as the rest of a sentence that begins with "The last"."""
        failure = self.last.failure
        idle = NOTHING_DONE.search(self.last.result or "")  # there was nothing left to do
        if failure is None or failure.expected or failure.is_decision or idle:
            return None
        what = "call was refused" if failure.kind is FailureKind.DENIED else "action failed"
        return f"{what} (step {self.last.step}: {clip(failure.headline, 120)})"

    @property
    def own_verdict(self) -> OwnVerdict | None:
        """What the call that ends the session says of the task, where it isn't success."""
        return own_verdict(self.last)

    @property
    def rejected(self) -> Action | None:
        """The last submission that was rejected."""
        refused = (action for action in reversed(self.actions) if action.kind is Kind.FINISH)
        return next((action for action in refused if action.failure is not None), None)

    @property
    def held(self) -> bool:
        """Whether the last call waits for an approval; not where the agent speaks of what else it did in this turn."""
        failure, first = self.last.failure, max((a.step for a in self.actions if a.after_user), default=1)
        did = (a for a in self.actions if a.step >= first and a.failure is None and a.kind not in CHANGE_NOTHING)
        return failure is not None and failure.type == "ApprovalNeeded" and not (self.closing and any(did))

    @property
    def question(self) -> str | None:
        """What the last call asks the user, where nothing came back."""
        last = self.last
        if last.kind is not Kind.OTHER or last.result is not None or not isinstance(last.arguments, Mapping):
            return None
        for name, value in last.arguments.items():
            if name.lower() in _QUESTIONS:
                first = value[0] if isinstance(value, list) and value else value
                text = first.get("question") if isinstance(first, Mapping) else first
                return clip_words(text, 140) if isinstance(text, str) and text.strip() else None
        return None

    @cached_property
    def asked_back(self) -> str | None:
        """What the answer asks the user at its end; what it only offers is no question."""
        ended = (said for said in heard(self.closing)[-2:] if said.words.endswith("?"))
        last = [said.quote for said in ended if " help" not in said.words]
        ends = self.closing.rstrip("*_ \n").endswith("?")
        asks = (one for one in last if one.lower().startswith(_ASKING if ends else _ASKING[:1]))
        return next((clip_words(one, 140) for one in asks), None)

    @property
    def user_spoke_last(self) -> bool:
        """Whether the last that is recorded of the main lane is a message of the user."""
        last = next((event for event in reversed(self.session.events) if event.lane == MAIN_LANE), None)
        return isinstance(last, Message) and last.role == "user"

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

    @cached_property
    def deliverable(self) -> Deliverable | None:
        """What the session leaves behind: by the diff that was handed in, else by the edits that are left."""
        submitted = [path for path, _ in self.submission]
        moved = self.delivery.moved
        left = [change.file for change in self.delivery.files if change.file not in moved]
        scratch = sorted(change.file for change in self.delivery.scratch)
        if submitted:
            known = {path.rsplit("/", 1)[-1] for path in scratch}
            own = (path for path in submitted if not path.endswith(_BY_PRODUCTS))
            left = [path for path in own if path.rsplit("/", 1)[-1] not in known]
            scratch = [path for path in submitted if path not in left]
        files = list(dict.fromkeys([*left, *scratch]))[:_MOST_FILES]
        if left:
            kind = DeliverableKind.CHANGE
        elif any(self._may_have_written(action) for action in self.actions):
            return None
        elif scratch:
            kind = DeliverableKind.SCRATCH
        elif self.closing:
            kind = DeliverableKind.ANSWER
        elif self.case.timeline.closing_unrecorded():
            return None
        else:
            kind = DeliverableKind.NOTHING
        created, written = self._new(files)
        beside = [path for path in files if path not in left]
        deleted = [path for path in files if path in self._deleted]
        return Deliverable(kind=kind, files=files, scratch=beside, created=created, written=written, deleted=deleted)

    @cached_property
    def _deleted(self) -> frozenset[str]:
        """The files that are gone at the end, by the diff that was handed in or by what was done to them."""
        if self.submission:
            return frozenset(path for path, text in self.submission if _DELETED.search(text) is not None)
        return frozenset(change.file for change in self.delivery.files if change.kind is ChangeKind.REMOVED)

    def _new(self, files: Sequence[str]) -> tuple[list[str], list[str]]:
        """Of some files the new ones, as a result says, and those written whole with no word of what was there."""
        moved = set(self.delivery.moved.values())
        new = {
            change.file: [
                *(self.case.timeline.lane(MAIN_LANE)[step - 1] for step in change.steps[:1]),
                *(self.case.timeline.lane(place.lane)[place.step - 1] for place in change.elsewhere[:1]),
            ]
            for change in (*self.delivery.files, *self.delivery.scratch)
            if change.kind is ChangeKind.CREATED and change.file in files and change.file not in moved
        }
        told = {path for path, made in new.items() if any(_says_new(action, path) for action in made)}
        whole = set(new) - told
        return [path for path in files if path in told], [path for path in files if path in whole]

    def _may_have_written(self, action: Action) -> bool:
        """Whether an action may have changed files, or delivered something else, in a way that the log doesn't show."""
        # A plan may be just what was asked for.
        if (action.kind is Kind.EDIT or (action.kind is Kind.PLAN and not self.closing)) and not self.came_back(action):
            return True
        if action.kind in _SHOWS or action.failure is not None or action.operation.edits:
            return False
        commands = action.operation.commands
        own = [path.rsplit("/", 1)[-1] for path in self.delivery.made]
        if commands and any(name in (action.operation.command or "") for name in own):
            return False
        return not commands or any(entry.program not in HANDLES_FILES for entry in commands)


def _says_new(action: Action, path: str) -> bool:
    """Whether what came back for a file says that it was created; what a program printed may speak of anything."""
    wrote = (entry.path.replace("\\", "/").casefold() for entry in action.operation.edits)
    new = _NEW.search((action.result or "")[:_SHORT]) is not None
    return new and any(same_file(name, path.casefold()) for name in wrote)
