"""Which changes of a session's files are left at each step, as far as the timeline shows them.

An edit that takes back the one before it, a restored file, changes that are stashed and brought back, and edits that
touch nothing but comments leave the files as they were: what was checked then is still checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from analyzer.failures.roles import same_file
from analyzer.model.action import Action, Command, Edit
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.timeline.checks import is_document
from analyzer.timeline.origins import trial_scripts
from analyzer.timeline.programs import script

_COMMENT = late(r"^\s*(?:#(?!!)|//|\*|/\*|--\s|<!--)")
_TEMPORARY = late(r"^(?:/tmp/|/var/tmp/|/private/tmp/|[A-Za-z]:[\\/].*[\\/]Temp[\\/])")
_REPRODUCTION = late(r"(?:^|[_\W])(?:repro(?:duc\w*)?|debug|scratch)(?:[_\W]|$)", re.IGNORECASE)
_TRIAL_NAME = late(r"(?:^|[_\W])(?:try|trial|tmp|temp|playground|verify\w*|check)(?:[_\W]|$)", re.IGNORECASE)
_TEST_NAME = late(r"(?:^|[_\W])tests?(?:[_\W]|$)", re.IGNORECASE)
WANTS_TESTS = late(
    r"\b(?:writ|add|creat|extend|improv|cover|updat)\w*\b[^.\n]{0,60}\b(?:tests?|specs?|coverage)\b", re.IGNORECASE
)
"""How a task asks for tests."""
_WANTS_NEW = late(
    r"\b(?:creat|writ|build|generat|implement|port|mak|develop|produc|sav)\w*\b[^.\n]{0,60}\b(?:script|program|app"
    r"|application|game|tool|file|page|website|project|crate|package|library|module|cli|server|api|solution)s?\b",
    re.IGNORECASE,
)
_WRITES = late(
    r"\bopen\([^)\n]{1,200}['\"][wax]b?\+?['\"]|\.write_(?:text|bytes)\(|\bwriteFile(?:Sync)?\(|\bFile\.write\("
)
_QUOTED_PATH = late(r"['\"]([\w./~-]{1,200}\.\w{1,5})['\"]")
_MOST_PATHS = 20
_LOOSE = 2
"""Parts of a path, at most, of a file that stands in no folder of the project: its name and that of the project."""
_PRINTS = late(
    r"^\s*(?:print|console\.(?:log|debug|error)|println!?|printf|fmt\.Print\w*|puts|echo|dbg!|logger\.debug"
    r"|System\.out\.print\w*|pprint)\b"
)
_STASH_OPTIONS = frozenset({"push", "save", "-u", "--include-untracked", "-k", "--keep-index", "-q", "-a", "--all"})

_Entry = tuple[str | None, str | None] | int
"""What one edit replaced and put in, or the step of a change whose texts aren't known."""
State = Mapping[str, tuple[_Entry, ...]]
"""The changes that are left, by file."""


@dataclass(slots=True)
class Changes:
    """What is left of a session's edits: the state behind each action (by index), the files that the agent made, and
    those of them that only served to try something out."""

    states: list[State] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    scratch: frozenset[str] = frozenset()

    @property
    def final(self) -> State:
        """The changes that are left at the end."""
        return self.states[-1] if self.states else {}

    def delivered(self, state: State | None = None) -> State:
        """The changes of a state (the last one without an argument) to files that aren't scratch."""
        files = self.final if state is None else state
        return {path: entries for path, entries in files.items() if path not in self.scratch}

    def code(self, index: int) -> State:
        """The changes to code that are left behind the action of an index, scratch files aside."""
        return {path: entries for path, entries in self.delivered(self.states[index]).items() if _is_code(path)}

    def last_change(self) -> int | None:
        """The index of the last action that brought about the code which is delivered; None where no code was
        changed."""
        if not self.states or not (self.code(-1) or any(self.code(index) for index in range(len(self.states)))):
            return None
        final = self.code(-1)
        index = len(self.states) - 1
        while index >= 0 and self.code(index) == final:
            index -= 1
        return index + 1

    def only_prints(self) -> bool:
        """Whether all that is left of the edits puts in lines that print something, and nothing else."""
        entries = [entry for left in self.delivered().values() for entry in left]
        return bool(entries) and all(_only_prints(entry) for entry in entries)


def changes_of(actions: Sequence[Action], task: str = "") -> Changes:
    """The changes of one lane, or of several in file order."""
    replay = _Replay()
    changes = Changes()
    for action in actions:
        replay.take(action)
        changes.states.append(dict(replay.files))
    changes.made = sorted(replay.made)
    changes.scratch = _scratch(changes, actions, task)
    return changes


class _Replay:
    """The files as the edits so far left them."""

    def __init__(self) -> None:
        self.files: dict[str, tuple[_Entry, ...]] = {}
        self.made: set[str] = set()
        self._texts: dict[str, str] = {}
        self._committed: dict[str, tuple[_Entry, ...]] = {}
        self._stash: list[dict[str, tuple[_Entry, ...]]] = []

    def take(self, action: Action) -> None:
        """Apply what an action did."""
        if action.failure is not None and action.kind is Kind.EDIT:
            return
        for edit in action.operation.edits:
            self._edit(edit, action.step)
        if action.kind is Kind.EDIT and not action.operation.edits and action.operation.path:
            self._push(self._key(action.operation.path), action.step)
        for command in action.operation.commands:
            self._command(command, action)
        if action.kind is Kind.RUN and action.failure is None:
            self._run(action)

    def _run(self, action: Action) -> None:
        """Apply what a script writes, be it one that the agent made before or one in the command itself."""
        texts = [action.operation.command or ""]
        for command in action.operation.commands:
            if name := script(command):
                texts.extend(text for path, text in self._texts.items() if same_file(path, name))
        edited = {edit.path for edit in action.operation.edits}
        for path in (path for text in texts for path in _written_paths(text) if path not in edited):
            self._push(self._key(path), action.step)

    def _key(self, path: str) -> str:
        return next((known for known in self.files if same_file(known, path)), path)

    def _push(self, path: str, entry: _Entry) -> None:
        self.files[path] = (*self.files.get(path, ()), entry)

    def _edit(self, edit: Edit, step: int) -> None:
        path = self._key(edit.path)
        if edit.created:
            if path not in self.files:
                self.made.add(path)
            self._texts[path] = edit.after or ""
            self.files[path] = ((None, edit.after),) if edit.after is not None else (step,)
            return
        if edit.before is None or edit.after is None:
            self._push(path, step)
            return
        if _code_lines(edit.before) == _code_lines(edit.after):
            return
        entries = self.files.get(path, ())
        if entries and entries[-1] == (edit.after, edit.before):
            self._set(path, entries[:-1])
        else:
            self._push(path, (edit.before, edit.after))

    def _set(self, path: str, entries: tuple[_Entry, ...]) -> None:
        if entries:
            self.files[path] = entries
        else:
            self.files.pop(path, None)

    def _command(self, command: Command, action: Action) -> None:
        if command.program == "rm":
            for path in self._named(command.args):
                if path in self.made:
                    self.files.pop(path, None)
                else:
                    self.files[path] = (action.step,)
        elif command.program == "git" and command.args and action.failure is None:
            self._git(command.args[0], command.args[1:])

    def _named(self, words: Iterable[str]) -> list[str]:
        plain = [word.strip("'\"").removeprefix("./") for word in words if not word.startswith("-")]
        return [path for path in self.files if any(same_file(path, word) for word in plain)]

    def _git(self, verb: str, words: Sequence[str]) -> None:
        if verb == "commit":
            self._committed = dict(self.files)
        elif verb in ("checkout", "restore") and "--staged" not in words:
            everything = "." in words
            for path in [path for path in self.files if path not in self.made] if everything else self._named(words):
                self._set(path, self._committed.get(path, ()))
        elif verb == "reset" and "--hard" in words:
            for path in [path for path in self.files if path not in self.made]:
                self._set(path, self._committed.get(path, ()))
        elif verb == "stash":
            self._stashed(words)

    def _stashed(self, words: Sequence[str]) -> None:
        if words and words[0] in ("pop", "apply"):
            if self._stash:
                self.files |= self._stash.pop() if words[0] == "pop" else self._stash[-1]
        elif not words or words[0] in _STASH_OPTIONS:
            untracked = bool({"-u", "--include-untracked", "-a", "--all"} & set(words))
            aside = {path: left for path, left in self.files.items() if untracked or path not in self.made}
            self._stash.append(aside)
            for path in aside:
                self._set(path, self._committed.get(path, ()))


def _scratch(changes: Changes, actions: Sequence[Action], task: str) -> frozenset[str]:
    """The files that the agent made and took away again, those in temporary folders beside the project, and the ones
    that it made and whose name or use says that they're for trying something out."""
    trials = trial_scripts(list(actions))
    ever = {path for state in changes.states for path in state}
    project = any(path not in changes.made for path in ever) or _WANTS_NEW.search(task) is None
    beside = any(not _TEMPORARY.search(path) for path in ever)
    found = set()
    for path in ever:
        name = path.replace("\\", "/").rsplit("/", 1)[-1]
        if (beside and _TEMPORARY.search(path)) or (path in changes.made and path not in changes.final):
            found.add(path)
            continue
        if is_document(path) or path not in changes.made:
            continue
        loose = _is_loose_test(path, task) or (project and _is_trial(path, trials))
        if _REPRODUCTION.search(name) or (loose and name not in task):
            found.add(path)
    return frozenset(found)


def _is_loose_test(path: str, task: str) -> bool:
    """Whether a file is a test that stands in no folder of the project, and that nobody asked for."""
    parts = path.replace("\\", "/").strip("/").split("/")
    return len(parts) <= _LOOSE and _TEST_NAME.search(parts[-1]) is not None and WANTS_TESTS.search(task) is None


def _is_trial(path: str, trials: Sequence[str]) -> bool:
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    return _TRIAL_NAME.search(name) is not None or any(same_file(path, trial) for trial in trials)


def _written_paths(text: str) -> list[str]:
    """The files that a script may write, by the names in it."""
    if not _WRITES.search(text):
        return []
    return list(dict.fromkeys(_QUOTED_PATH.findall(text)))[:_MOST_PATHS]


def _is_code(path: str) -> bool:
    """Whether a file looks like code: one with an extension that isn't a document's."""
    return "." in path.replace("\\", "/").rsplit("/", 1)[-1][1:] and not is_document(path)


def _code_lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip() and not _COMMENT.search(line)]


def _only_prints(entry: _Entry) -> bool:
    if isinstance(entry, int) or entry[0] is None or entry[1] is None:
        return False
    added = _code_lines(entry[1])
    for line in _code_lines(entry[0]):
        if line not in added:
            return False
        added.remove(line)
    return prints_only(added)


def prints_only(lines: Sequence[str]) -> bool:
    """Whether lines of code print something, and do nothing else."""
    return bool(lines) and all(_PRINTS.search(line) for line in lines)
