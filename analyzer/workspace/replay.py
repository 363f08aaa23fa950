"""Follow a session step by step and keep the files of its workspace as the log shows them: whose change it was that a
later read shows (the call's that ran in between, never the read's), and whether a step rewrote files of the project, by
what its output says (a formatter or a fixer tells how many, and seldom which)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from analyzer.commands.git import git_call
from analyzer.commands.table import Does, does
from analyzer.model.action import Action
from analyzer.model.failure import BLOCKED
from analyzer.model.session import Message, Session
from analyzer.model.words import FailureKind, Kind, Mark, Status
from analyzer.text.late import late
from analyzer.text.names import digest
from analyzer.workspace import tools
from analyzer.workspace.command_effects.commands import Shell
from analyzer.workspace.command_effects.git import Git
from analyzer.workspace.files import Files
from analyzer.workspace.paths import Directories, directories_of, last, normal
from analyzer.workspace.states import Step

_REWRITTEN_LONGEST = 30_000
_THINGS = r"(?:files?|errors?|issues?|problems?|warnings?|offenses?|violations?|hunks?)"
_REWROTE = late(
    rf"(?:^|[.!] |✔ |✨ )\s*(?:Fixed|Formatted) [1-9]\d* (?:of \d+ )?{_THINGS}\b"
    rf"|^\W{{0,4}}[1-9]\d* {_THINGS} (?:(?:were|was|have been|has been) )?(?:auto(?:matically )?-?)?"
    r"(?:reformatted|fixed|corrected|rewritten)\b"
    rf"|, [1-9]\d* {_THINGS} (?:auto-?)?(?:reformatted|fixed|corrected)\b"
    r"|\([1-9]\d* fixed\b"
    r"|^(?:reformatted|fixing|fixed|rewriting|rewrote) (?:\S*/)?[\w.-]{1,80}\.\w{1,5}"
    r"(?: (?:\([1-9]\d* fix(?:es)?\)|\d+))?$"
    r"|^patching file [^\n]{1,200}\nHunk #\d+ succeeded at "
    r"|^Auto-merging [^\n]{1,200}$|^Applied patch [^\n]{1,200} cleanly\.?$|^- files were modified by this hook$",
    re.IGNORECASE | re.MULTILINE,
)
_LISTED = late(r"^[\w./@-]*\w\.\w{1,5}(?: \d+ ?ms)?$", re.MULTILINE)
"""A line by which a formatter says that it changed a file: nothing but its name, and the time that it took."""
_RUNS = frozenset({Kind.RUN, Kind.TEST, Kind.EDIT})
_FORMATS = Does.FORMATS | Does.SAFE
_ONLY_LOOKS = Does.SHOWS | Does.ASKS | Does.SPEAKS


def says_rewritten(action: Action) -> bool:
    """Whether the output of a command says that it rewrote files. Content that a command only shows doesn't count, nor
    what a checker says that it would do."""
    if action.operation.command is None or action.kind not in _RUNS or action.harness:
        return False
    commands = action.operation.commands
    done = [does(command.program, command.args) for command in commands]
    acts = [one for one in done if not one & _ONLY_LOOKS]
    if commands and (not acts or [one for one in done if one & _FORMATS == _FORMATS]):
        return False
    result = (action.result or "")[-_REWRITTEN_LONGEST:]
    verbs = {call.verb for command in commands if (call := git_call(command)) is not None}
    if action.failure is None and not verbs.isdisjoint(_TAKES_IN) and _TOOK_IN.search(result) is not None:
        return True
    lays_out = bool([one for one in done if one & Does.FORMATS])
    named = lays_out and ("\n+++ " in result or _LISTED.search(result) is not None)
    return named or _REWROTE.search(result) is not None


_TAKES_IN = frozenset({"pull", "rebase", "am"})
"""Verbs of git that bring in what others wrote; a merge or a cherry-pick often moves what the agent itself checked."""
_TOOK_IN = late(r"^ \d+ files? changed, |^Fast-forward$|^Successfully rebased ", re.MULTILINE)
_MOST = 200
"""Calls that are remembered because they may have changed something."""
_LONGEST, _LONGEST_NAME = 4_000, 300  # a longer argument of a tool only speaks of files
_ACTS = frozenset({Kind.RUN, Kind.EDIT, Kind.OTHER, Kind.TEST})


@dataclass(slots=True)
class Credits:
    """Remembers which calls may have changed files unseen, and when each file was last written or shown."""

    _index: int = -1
    _met: dict[str, int] = field(default_factory=dict)
    _calls: list[tuple[int, Action, Step]] = field(default_factory=list)

    def take(self, action: Action, step: Step, met: list[str]) -> None:
        """Give each change that the step only showed to the call that made it, as far as that's known."""
        self._index += 1
        for path in dict.fromkeys(step.found):
            maker = self._maker(path)
            if maker is not None:
                _move(path, step, maker)
        for path in met:
            self._met[path] = self._index
        if step.unknown or (action.kind in _ACTS and action.operation.command is None and not step.changes):
            self._calls.append((self._index, action, step))
            del self._calls[:-_MOST]

    def _maker(self, path: str) -> Step | None:
        """The only call since the file was last known that may have changed it: one that names the file, else one
        whose effects aren't known."""
        since = self._met.get(path, -1)
        calls = [(action, step) for index, action, step in self._calls if index >= since]
        naming = [step for action, step in calls if _names(action, last(path))]
        makers = naming or [step for _, step in calls if step.unknown]
        return makers[0] if len(makers) == 1 else None


def _names(action: Action, name: str) -> bool:
    given = action.arguments.values() if isinstance(action.arguments, Mapping) else (action.arguments,)
    texts = (text for text in map(str, given) if len(text) <= _LONGEST_NAME or action.operation.command is not None)
    return any(name in text[:_LONGEST] for text in (*texts, action.result or ""))


def _move(path: str, shown: Step, made: Step) -> None:
    made.changes += tuple(change for change in shown.changes if change.path == path)
    made.versions += tuple(version for version in shown.versions if version.path == path)
    made.touched = tuple(dict.fromkeys([*made.touched, path]))
    shown.changes = tuple(change for change in shown.changes if change.path != path)
    shown.versions = tuple(version for version in shown.versions if version.path != path)
    shown.touched = tuple(name for name in shown.touched if name != path)
    shown.found = tuple(name for name in shown.found if name != path)
    shown.outside = tuple(name for name in shown.outside if name != path)


_NOT_RUN = frozenset({Mark.DENIED, Mark.CASCADE, Mark.REJECTED})
_MOST_SAID = 30_000
_MOST_MESSAGES = 4


@dataclass(slots=True)
class Replay:
    """The workspace while a session is followed; `take` is called for each action in file order."""

    directories: Directories
    files: Files = field(default_factory=Files)
    git: Git = field(init=False)
    shell: Shell = field(init=False)
    _unknown: list[str] = field(default_factory=list)
    _ran: set[str] = field(default_factory=set)
    _mark: str = ""
    _rewritten: str = ""
    _credits: Credits = field(default_factory=Credits)

    def __post_init__(self) -> None:
        self.git = Git(self.files)
        self.shell = Shell(self.files, self.git, self.directories.start, self._unknown.append)

    def take(self, action: Action) -> Step:
        """Follow one action."""
        step = Step(action.step, action.lane, self.directories.of(action))
        if action.harness or action.mark in _NOT_RUN or _never_ran(action):
            return step
        touched = self._follow(action, step)
        files = self.files
        step.changes, files.changes = tuple(files.changes), []
        step.versions, files.versions = tuple(files.versions), []
        step.touched = tuple(dict.fromkeys([*touched, *(change.path for change in step.changes)]))
        step.outside = tuple(files.outside)
        files.outside.clear()
        step.moved, files.moved = tuple(files.moved), []
        step.found, files.found = tuple(files.found), []
        if self._unknown:
            step.unknown = tuple(dict.fromkeys(self._unknown))
            self._unknown.clear()
            # The same command with the same answer is taken to change nothing more.
            name = digest(repr((step.directory, step.unknown, action.result)))
            if name not in self._ran:
                self._ran.add(name)
                files.clock += 1
                self._mark = step.mark = digest(self._mark + name)
        if self.shell.rewrote or says_rewritten(action):
            self.shell.rewrote = False
            self._rewritten = step.rewritten = digest(f"{self._rewritten}{action.lane}{action.step}")
        self._credits.take(action, step, files.met)
        files.met.clear()
        return step

    def _follow(self, action: Action, step: Step) -> list[str]:
        if action.unfinished:
            return []  # whether it was ever carried out isn't known
        operation = action.operation
        line = operation.command
        touched: list[str] = []
        if line is None:
            if operation.kind is Kind.EDIT and (action.status is not Status.ERROR or action.accepted_edits):
                touched = tools.changed_by(self.files, action, step.directory)
            if operation.kind in (Kind.READ, Kind.EDIT):
                tools.seen_by(self.files, action, step.directory, touched)
            elif operation.kind is Kind.SEARCH and action.result:
                folder = normal(operation.path, step.directory) if operation.path else step.directory
                self.files.list_names(action.result, folder)
            return touched
        if not operation.commands and not operation.writes:
            self.shell.python(line, action, step.directory, "code in a notebook")
            return touched
        after = self.shell.run(line, action, step.directory)
        leading = operation.directory  # into which the line changes first
        if leading is not None and "$" not in leading and leading != "-":
            step.directory = normal(leading, step.directory)
        tools.seen(self.files, action, step.directory)
        self.directories.left(action, after)
        return touched


def _never_ran(action: Action) -> bool:
    """Whether the only program of a line isn't there, or a call was refused, by a person, for want of leave, by a rule
    or as malformed, so that nothing ran."""
    failure, operation = action.failure, action.operation
    if failure is None:
        return False
    if failure.kind is FailureKind.COMMAND_NOT_FOUND and len(operation.commands) == 1 and not operation.writes:
        return True
    if action.exit_code == 0:
        return False
    blocked = failure.kind is FailureKind.PERMISSION and failure.type == BLOCKED
    barred = (blocked or failure.kind is FailureKind.INVALID_CALL) and action.exit_code is None
    # The harness's refusal is all that the result says; a program's own words may follow what it did before.
    by_rule = barred and (action.result or "").strip().startswith(failure.message)
    return failure.is_decision or failure.is_held_back or by_rule


def replay_of(session: Session, actions: Sequence[Action]) -> Replay:
    """A replay that is ready for the first action of a session."""
    messages = (entry for entry in session.events if isinstance(entry, Message) and entry.role != "assistant")
    said = [entry.text[:_MOST_SAID] for entry in islice(messages, _MOST_MESSAGES)]
    return Replay(directories_of(actions, session.environment, said))
