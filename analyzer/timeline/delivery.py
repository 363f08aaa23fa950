"""What a session delivers: the files that it leaves changed, and which actions ran on the code as it was left.

Both rest on the states of the workspace. Scratch files, documents and comments don't count as code: what was checked
before such a change is still checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import dropwhile

from analyzer.commands.runners import compiler
from analyzer.commands.table import Does, does, file_act, programs_that
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.difference import Difference, FileChange
from analyzer.model.session import Message, ToolCall
from analyzer.model.words import Kind, Status
from analyzer.text.late import late
from analyzer.text.plain import holds_any
from analyzer.timeline.timeline import Timeline
from analyzer.timeline.verification.checks import is_document, is_prose
from analyzer.workspace.checks import code_ids
from analyzer.workspace.difference import difference
from analyzer.workspace.history import moved_away
from analyzer.workspace.paths import normal
from analyzer.workspace.states import Equal

WANTS_TESTS = late(
    r"\b(?:writ|add|creat|extend|improv|cover|updat)\w*\b[^.\n]{0,60}\b(?:tests?|specs?|coverage)\b", re.IGNORECASE
)
"""How a task asks for tests."""
_TEST_NAME = late(r"(?:^|[_\W])tests?(?:[_\W]|$)", re.IGNORECASE)
_BINARY = late(r"(?:\./|/)?(?:[\w.+-]+/)*(?:_?build|target|out|cmake-build-\w+)/(?:[\w.+-]+/)*[\w+-]+(?= |$)")
"""A program without an ending in a folder in which programs are built."""
_BUILT_FOLDERS = ("/dist/", "/build/", "/out/")
_OF_BUILD = late(r"(?:require\(|\bfrom |\bimport )\s*['\"](?:\.{1,2}/)+(?:dist|build|out)/")
"""A line of a program that loads what is built."""
_MAKES_BUILD = late(rf"^[>$] [^\n]*\b(?:build|{'|'.join(sorted(programs_that(Does.RENEWS)))})\b", re.MULTILINE)
"""The command by which a task builds before it tests, as runners of tasks print it."""
_COPIES = programs_that(Does.TRANSFERS) - {"ssh"}
"""Programs that copy to another machine; the one that only runs commands there is none."""
_HEAD = 2_000
_BUILT, _COPIED = "built", "copied"
_COMMENT = late(r"^\s*(?:#(?!!)|//|\*|/\*|--\s|<!--)")


_CLOSING = 4_000
"""Characters of the last words in which files and folders are looked for."""


class Delivery:
    """The states of the code of one session, and what is left of them."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._history = timeline.history
        self._task = timeline.session.task or ""
        # What stands before the first call holds a harness's own advice around the task, with names of trials in it.
        begun = dropwhile(lambda event: not isinstance(event, ToolCall), timeline.session.events)
        messages = (event for event in begun if isinstance(event, Message))
        said = (message.text for message in messages if message.role == "user" and not message.thought)
        # What the agent names at the end it hands over.
        closing = (message.text for message in reversed(timeline.messages) if message.role == "assistant")
        self._named = "\n".join(dict.fromkeys((self._task, *said, next(closing, "")[:_CLOSING])))
        self._place = {id(action): index for index, action in enumerate(timeline.actions)}

    @cached_property
    def _ids(self) -> list[str]:
        """The ids of the code: without documents, and tests outside all folders that nobody asked for."""
        return self._ids_without(is_document)

    @cached_property
    def _work_ids(self) -> list[str]:
        return self._ids_without(is_prose)

    def _ids_without(self, is_other: Callable[[str], bool]) -> list[str]:
        if self._history is None:
            return ["S0"] * (len(self._timeline.actions) + 1)

        def beside(path: str) -> bool:
            return is_other(path) or self._is_loose_test(path)

        return code_ids(self._history, self._task, beside, self._equal_code())

    def changes_work(self, action: Action) -> bool:
        """Whether an action changed or deleted something that a program runs, opens or loads: code, pages, settings.
        One that only reads may find what others changed."""
        place = self._place[id(action)]
        if action.kind in (Kind.READ, Kind.SEARCH):
            return False
        if self._work_ids[place + 1] != self._work_ids[place]:
            return True
        taken = self._history.taken[place] if self._history is not None else None
        return taken is not None and bool(taken.unknown) and action.kind is Kind.EDIT and action.failure is None

    def changes_unseen(self, action: Action) -> bool:
        """Whether an action that went well ran something that writes files whose names only show as it runs."""
        taken = self._history.taken[self._place[id(action)]] if self._history is not None else None
        return taken is not None and bool(taken.unknown) and action.kind is Kind.RUN and action.status is Status.OK

    def changes_files(self, action: Action) -> bool:
        """Whether an action changed or deleted any file."""
        if self._history is None or action.kind in (Kind.READ, Kind.SEARCH):
            return False
        return bool(self._history.taken[self._place[id(action)]].changes)

    def _is_loose_test(self, path: str) -> bool:
        """Whether a file is a test outside all folders that nobody asked for."""
        folder, _, name = path.rpartition("/")
        root = self._history.root if self._history is not None else ""
        return (
            folder == root
            and _TEST_NAME.search(name) is not None
            and path in self.made
            and name not in self._task
            and WANTS_TESTS.search(self._task) is None
        )

    def _equal_code(self) -> Equal:
        """Which contents are equal but for comments and blank lines, as far as single edits show it."""
        history = self._history
        assert history is not None
        equal = history.files.equal.copy()
        for action, taken in zip(self._timeline.actions, history.taken, strict=True):
            edits = action.operation.edits
            if not edits or any(edit.before is None or edit.after is None for edit in edits):
                continue
            if all(_code_lines(edit.before or "") == _code_lines(edit.after or "") for edit in edits):
                for change in taken.changes:
                    equal.same(change.path, change.before, change.after)
        return equal

    def state(self, action: Action) -> str:
        """The id of the code that an action left; of a test of what was built or copied before, that of the code when
        something last ran that may have built or copied it."""
        place = self._place[id(action)]
        if action.kind in (Kind.RUN, Kind.TEST) and (old := self.tested_before(action)):
            earlier = reversed(self._timeline.actions[:place])
            renews = (one for one in earlier if one.kind in (Kind.RUN, Kind.TEST) and not self.tested_before(one))
            brings = (
                one
                for one in renews  # onto another machine something has to bring it
                if old != _COPIED
                or any(each.program in _COPIES or "push" in each.args for each in one.operation.commands)
            )
            place = next((self._place[id(one)] for one in brings), -1)
        return self._ids[place + 1]

    def tested_before(self, action: Action) -> str:
        """How what a test runs came to be, where it isn't the code at hand: `built` before, or `copied` onto another
        machine; an empty text for other calls."""
        commands = action.operation.commands if action.kind in (Kind.RUN, Kind.TEST) else ()
        before = (does(one.program, one.args) & Does.PREBUILT or _BINARY.match(one.text) for one in commands)
        if any(before) and not any(map(compiler, commands)):
            return _BUILT
        if action.kind is not Kind.TEST:
            return ""
        if self._loads_built and _MAKES_BUILD.search((action.result or "")[:_HEAD]) is None:
            return _BUILT
        over = [one for one in commands if one.elsewhere]
        away = bool(over) and "ssh " in (action.operation.command or "")
        folder = next((one.args[0] for one in over if file_act(one.program) == "enter" and one.args), "")
        return _COPIED if away and folder.startswith("/") and not self._works_in(folder) else ""

    def _works_in(self, folder: str) -> bool:
        """Whether a folder is, or lies around, what was edited here."""
        edited = [edit.path for action in self._timeline.actions for edit in action.operation.edits]
        here = [self._history.root] if self._history is not None and self._history.root else []
        places = [path for path in (*edited, *here) if path.startswith("/")]
        return not places or any(f"{path}/".startswith(f"{folder.rstrip('/')}/") for path in places)

    @cached_property
    def _loads_built(self) -> bool:
        """Whether a test that was shown loads what is built, by the name of the folder."""
        shown = (action.result or "" for action in self._timeline.actions if action.kind is Kind.READ)
        return any(_OF_BUILD.search(text) is not None for text in shown if holds_any(text, _BUILT_FOLDERS))

    def untouched(self, action: Action) -> bool:
        """Whether no code had been changed when an action was done."""
        return all(made == self._ids[0] for made in self._ids[: self._place[id(action)] + 2])

    def on_original(self, action: Action) -> bool:
        """Whether an action ran on the code as it was at the beginning: before the first change, or while all changes
        were put aside."""
        return self.state(action) == self._ids[0]

    def on_delivered(self, action: Action) -> bool:
        """Whether an action ran on the code as it was left at the end."""
        return self.state(action) == self._ids[-1]

    @property
    def empty(self) -> bool:
        """Whether the code is as it was at the beginning."""
        return self._ids[-1] == self._ids[0]

    @cached_property
    def changed(self) -> Action | None:
        """The last action that brought about the delivered code; None where no code was ever changed."""
        ids = self._ids
        index = next((index for index in range(len(ids) - 1, -1, -1) if ids[index] != ids[-1]), None)
        return None if index is None else self._timeline.actions[index]

    def after(self, action: Action) -> Sequence[Action]:
        """The actions that follow another one in file order, in any lane."""
        return self._timeline.actions[self._place[id(action)] + 1 :]

    def test_of_old_build(self, changed: Action) -> Action | None:
        """The last test behind a change that ran what had been built or copied before it."""
        tests = (action for action in reversed(self.after(changed)) if self.tested_before(action))
        return next((test for test in tests if not self.on_delivered(test)), None)

    def follows(self, action: Action, other: Action) -> bool:
        """Whether an action comes after another one in file order, whatever their lanes."""
        return self._place[id(action)] > self._place[id(other)]

    @cached_property
    def difference(self) -> Difference | None:
        """The files at the end against those at the beginning."""
        return difference(self._history, task=self._task, words=self._named) if self._history is not None else None

    @cached_property
    def files(self) -> list[FileChange]:
        """The files that are left changed, without those of the agent's own and those that something outside of the
        session changed."""
        if self.difference is None:
            return []
        others = {entry.what for entry in self.difference.changed_outside}
        return [
            change
            for change in self.difference.files
            if not self._own(change) and (change.steps or change.elsewhere or change.file not in others)
        ]

    @cached_property
    def moved(self) -> dict[str, str]:
        """The files and folders that have another name at the end, each with that name."""
        return moved_away(self._history) if self._history is not None else {}

    @cached_property
    def scratch(self) -> list[FileChange]:
        """The files of the agent's own that are left."""
        return [change for change in self.difference.files if self._own(change)] if self.difference else []

    def _own(self, change: FileChange) -> bool:
        root = self._history.root if self._history is not None else ""
        return change.scratch or self._is_loose_test(normal(change.file, root))

    @cached_property
    def made(self) -> list[str]:
        """The files that the agent made, whether they are still there or not."""
        return [path for path, by_agent in self._history.files.made.items() if by_agent] if self._history else []

    def made_by_agent(self, path: str, directory: str = "") -> bool:
        """Whether the agent made a file; a relative name is seen from a directory."""
        full = normal(path, directory)
        return any(known == full or same_file(known, path) for known in self.made)


def _code_lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip() and not _COMMENT.search(line)]
