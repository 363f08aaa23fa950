"""What is known of files, branches, commits and tables before a command runs: who made them, and whether they're saved
somewhere."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice, pairwise

from analyzer.commands.git import git_call
from analyzer.commands.table import Does, does, file_act, has_letter, knows, programs_that
from analyzer.detectors.lost_work.loss import Names, UserRequests, clean
from analyzer.detectors.signals.git_output import made, output_of
from analyzer.model.action import Action, Command
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.text.names import name_set
from analyzer.timeline.verification.checks import is_document
from analyzer.workspace.ownership import TEMPORARY, working_copy_shown

_MOST, _MOST_COMMITS, _MOST_STEPS = 500, 20, 50
_LONGEST_RESULT = 20_000
_REMEMBERED, _LEAST_RESULT, _MOST_RESULT = 50, 150, 50_000
"""Results in which a field may be looked up, and how many characters such a one has."""
_DISPOSABLE = late(
    r"^(?:_?builds?|dist|out|outputs?|target|node_modules|__pycache__|\.?cache|\.[\w-]*cache|\.?coverage|htmlcov"
    r"|\.tox|\.nox|\.?venv|env|logs?|te?mp|obj|bin|debug|release"
    r"|\.next|\.nuxt|\.turbo|\.gradle|\.parcel-cache|vendor|pods|deriveddata|\.terraform|generated|gen|results?"
    r"|reports?|artifacts?|storybook-static|cmake-build-\w+"
    r"|.*\.egg-info|.*\.(?:log|tmp|pyc|o|class|bak|orig|pid)|scratch.*|repro.*|.*_?backup)$",
    re.IGNORECASE,
)
_TAKES_ALL = frozenset({".", "-A", "--all", "-u", "-a", "--include-untracked"})
"""Words with which git takes what it doesn't keep yet as well."""
_CREATE = late(
    r"\bCREATE\s+(?:TABLE|DATABASE|SCHEMA)(?:\s+IF\s+NOT\s+EXISTS)?\s+[`'\"\[]?(?P<name>[\w.]{1,80})", re.IGNORECASE
)
_PATH = late(r"(?<![\w./~-])(?:~|/[\w.@+-]+)(?:/[\w.@+-]+){1,20}")
_DELETED = late(
    r"^(?:Number of deleted files:| +Files :(?: +\d+){5}) +(?P<count>[\d,]{1,12})|^(?:\*?deleting|delete:) +\S",
    re.MULTILINE,
)
_AHEAD = late(r"^(?:##|Your) [^\n]{1,200}?\bahead (?:\S+ \S+ \S+ )?(\d{1,4})\b", re.MULTILINE)
_MOVES = name_set("push commit branch tag checkout switch")
"""Verbs of git behind which other commits are ahead, or where they're kept on a branch."""
_COUNTED = late(r"^ *(\d{1,7}) (\S*\.\w{1,8})$", re.MULTILINE)
_UNMERGED = late(r"branch '([^'\n]{1,200})' is not fully merged")
_LOOKING = name_set("check-ignore show log diff status ls-files blame stash add rm branch")
"""Verbs of git behind which a name is there already, or is one of another branch."""
_MAKES = Does.MAKES | Does.RECORDS
_COPIERS = programs_that(Does.COPIES)
_LISTERS = programs_that(Does.LISTS)
_REMOVERS = programs_that(Does.REMOVES)
DATABASES = programs_that(Does.QUERIES)


class Memory:
    """What one lane has shown so far, and what the user asked for (`requests`).

    `unsaved` are the files with edits that aren't committed, with the steps of these, `stashed` those that were put
    aside; `made` is what the agent made itself, `old` what was there before it, `read` what it has looked at, `listed`
    what a listing showed before anything ran, `copied` what there is elsewhere too, `removed` what was removed by name;
    `ran` is whether something ran that may have made files of its own; `dirty` is the step at which `git
    status` showed changes of somebody else, `changed` those files, `untracked` what it showed then that git doesn't
    keep, with that step; `stashes` the step at which stashes of somebody else were listed, `put_aside` that of changes
    of somebody else that are in a stash; `own_stashes` how many the agent made that are there; `unmerged` the branches
    that git refused to delete; `deleted` how many files the command at hand says that it deleted; `seen_at` the folder
    that the last status was asked of; `shown` what was shown of a file last, with the step, `wrote` the parts that the
    agent wrote into files; `lines` how many lines a file was counted to have, with the step; `ahead` the step that
    shows how many commits aren't pushed, and how many; `commits` the hashes of those that the agent made, as far as
    they're printed; `failed` the step of the last check, where it failed; `results` the last calls that may have shown
    fields of records.
    """

    def __init__(self, disposable: Collection[str], task: str) -> None:
        self.requests = UserRequests(task)
        self.unsaved: dict[str, list[int]] = {}
        self.stashed: dict[str, list[int]] = {}
        self.made, self.read, self.copied, self._shown = (Names(4 * _MOST) for _ in range(4))
        self.old, self.removed, self._told = Names(_MOST), Names(_MOST), Names(8 * _MOST)
        self.listed, self.untracked = dict[str, int](), dict[str, int]()
        self.dirty: int | None = None
        self.stashes: int | None = None
        self.put_aside: int | None = None
        self.changed: tuple[str, ...] = ()
        self.unmerged, self.wrote = set[str](), set[str]()
        self.deleted = self.own_stashes = self.failed = 0
        self.lines: dict[str, tuple[int, int]] = {}
        self.shown: dict[str, tuple[int, str]] = {}
        self.results: deque[Action] = deque(maxlen=_REMEMBERED)
        self.ahead: tuple[int, int] | None = None
        self.seen_at, self.commits = "", list[str]()
        self.ran = self._committed = False
        self._staged = False
        """Whether all changes were put into the next commit."""
        self._unsettled: bool | None = None
        """True once programs of the project ran, False once something ran that may have written code."""
        self._first: set[str] | None = None
        """What the first status showed as changed, before anything ran."""
        self._disposable = frozenset(disposable)

    def worthless(self, path: str) -> bool:
        """Whether a part of a path says that it's build output, a cache or the like."""
        return any(part in self._disposable or _DISPOSABLE.match(part) for part in path.split("/"))

    def knows(self, name: str) -> bool:
        """Whether a folder was listed, something in it was read, or a program that ran named it."""
        return self.read.touch(name) or bool(self._shown.below(name)) or name in self._told

    def saves(self, command: Command, line: str) -> None:
        """Take what a command does for work that isn't saved; `line` is all of the command line."""
        act, args = file_act(command.program), command.args
        if act == "move" and len(args) > 1 and (old := clean(args[-2])) in self.untracked:
            self.untracked[clean(args[-1])] = self.untracked.pop(old)
        elif command.program in _COPIERS:
            self.copied.add(*_named(args[:20]))
        call = git_call(command)
        if call is None:
            return
        verb, takes_all = call.verb, bool(_TAKES_ALL & set(call.words))
        match verb, next(iter(call.names), ""):
            case "stash", "" | "push" | "save":
                self.own_stashes += 1
                self.stashed.update(self.unsaved)
                self.put_aside = self.dirty
            case "stash", "drop" | "clear":
                self.stashed, self.put_aside = {}, None
            case "stash", what:
                if what in ("pop", "apply", "branch"):
                    self.own_stashes -= what == "pop"
                    self.unsaved.update(self.stashed)
                    self.stashed, self.put_aside = {}, None
                return
        if verb == "clean" or (verb in ("add", "stash") and takes_all):
            self.untracked = {}
        elif verb == "add":
            for name in call.words:
                self.untracked.pop(clean(name), None)
        self._staged = self._staged or (verb == "add" and takes_all)
        whole = self._staged or any(word in ("--all", "-a") or has_letter(word, "a") for word in call.options)
        saved = verb in ("stash", "clean", "format-patch") or (verb == "commit" and whole)
        if saved or (verb == "reset" and "--hard" in call.options) or (verb == "diff" and ">" in line):
            self.unsaved, self.dirty = {}, None
        elif verb == "commit":
            self.unsaved = {}  # somebody else's changes aren't in it
        elif verb in ("checkout", "restore"):
            for name in args:
                self.unsaved.pop(clean(name), None)
            if "." in args:
                self.unsaved, self.dirty = {}, None
        removes = not {"-d", "-D", "--delete"}.isdisjoint(call.options)
        if verb in ("checkout", "switch", "branch", "clone", "worktree") and not removes:
            self.made.add(*(word for word in args[1:] if not word.startswith("-")))

    def cleaned(self, action: Action) -> None:
        """Take the files that git itself says it removes, which no status needs to have shown, and how many a program
        says that it deleted where it made two folders alike."""
        result = action.result or ""
        self.deleted = sum(int((found["count"] or "1").replace(",", "")) for found in _DELETED.finditer(result))
        if any(call.verb == "clean" for call in filter(None, map(git_call, action.operation.commands))):
            for line in result[:_LONGEST_RESULT].splitlines()[:_MOST]:
                if line.startswith("Removing ") and not line.endswith("/"):
                    self.untracked.setdefault(line.removeprefix("Removing "), action.step)

    def note(self, action: Action) -> None:
        """Take what an action showed and made."""
        operation, failed = action.operation, action.failure is not None
        result = (action.result or "")[:_LONGEST_RESULT]
        if operation.command is None and _LEAST_RESULT < len(action.result or "") < _MOST_RESULT:
            self.results.append(action)
        if operation.commands:
            self.unmerged.update(_UNMERGED.findall(action.result or ""))
        if operation.kind is Kind.READ and operation.path is not None and not failed:
            path = clean(operation.path)
            self.read.add(path)
            self.shown[path] = action.step, result
            if not self.ran and path not in self.made:
                self.old.add(path, step=action.step)
        if operation.edits and not (failed and action.kind is Kind.EDIT):
            self._edits(action)
        elif operation.kind is Kind.SEARCH and operation.path is not None and not operation.commands:
            self._shown.add(clean(operation.path))
        for command in operation.commands:
            self._command(action, command, result)
        if "wc " in (operation.command or ""):
            for count, name in _COUNTED.findall(result):
                self.lines.setdefault(clean(name), (action.step, int(count)))
        if not operation.commands and isinstance(action.arguments, Mapping):
            self.made.add(*_created(value for value in action.arguments.values() if isinstance(value, str)))
        if action.kind in (Kind.RUN, Kind.TEST):
            self.ran = True
            self._told.add(*(clean(found[0]) for found in islice(_PATH.finditer(result), _MOST)))
        self.made.add(*map(clean, operation.writes))
        if action.kind is Kind.TEST or operation.runner is not None:
            self.failed = action.step if failed else 0
        elif action.kind is Kind.RUN:
            for command in operation.commands:
                if not knows(command.program, Does.RECORDS | Does.SAFE):  # those leave no files of their own
                    self._unsettled = self._unsettled is not False and knows(command.program, Does.RUNTIME)
        if any(map(git_call, operation.commands)):
            found = [name for _, name in made(output_of(action))]
            self.commits += found[: _MOST_COMMITS - len(self.commits)]

    def _edits(self, action: Action) -> None:
        for edit in action.operation.edits:
            path = clean(edit.path)
            if TEMPORARY.match(edit.path) or len(self.unsaved) > _MOST:
                continue
            if edit.created and path not in self.old and path not in self.unsaved and path not in self.listed:
                self.made.add(path)
            elif path not in self.made and edit.path not in action.operation.writes:
                self.old.add(path, step=action.step)
            steps = self.unsaved.setdefault(path, [])
            if len(steps) < _MOST_STEPS:
                steps.append(action.step)

    def makes(self, command: Command) -> None:
        """Take what a command may make, once it has run."""
        call = git_call(command)
        if knows(command.program, _MAKES) and (call is None or call.verb not in _LOOKING):
            words = _named([word for word in command.args[-20:] if word != "."])
            self.made.add(*[word for word in words if word not in self.untracked])

    def _command(self, action: Action, command: Command, result: str) -> None:
        self.makes(command)
        lists, removes = command.program in _LISTERS, command.program in _REMOVERS
        deep = bool(does(command.program, command.args) & Does.BELOW) or (lists and is_recursive(command.args))
        if lists or deep or removes:
            names = self.removed if removes else self.read if deep else self._shown
            names.add(*_named(command.args[:20]), step=action.step)
        if command.program in DATABASES:
            self.made.add(*_created(command.args))
        call = git_call(command)
        verb, words = (call.verb, call.names) if call is not None else ("", ())
        if verb == "stash" and words[:1] == ("list",) and not self.stashed:
            self.stashes = (self.stashes or action.step) if "stash@{" in output_of(action) else None
        if verb in _MOVES and words:
            self.ahead = None
        # What is ahead then may be its own.
        self._committed = self._committed or (verb == "commit" and action.failure is None)
        if verb == "status" and (ahead := _AHEAD.search(output_of(action))) is not None:
            self.ahead = (action.step, int(ahead[1])) if not self._committed else None
        if verb == "check-ignore" and action.failure is None:
            ignored = [line for line in output_of(action).splitlines() if line in words and line not in self.unsaved]
            self.untracked.update(dict.fromkeys(ignored, action.step))
        if verb == "status" and action.failure is None and not self.unsaved:
            self._status(action, command)
        elif not self.ran and lists and len(self.listed) < 10 * _MOST:
            folders = _named(command.args)
            for name in result.split():
                if "." in name:
                    self.listed.setdefault(clean(name), action.step)
                    if len(folders) == len(action.operation.commands) == 1 and name.strip("."):
                        self.old.add(f"{folders[0]}/{name}", step=action.step)

    def _status(self, action: Action, command: Command) -> None:
        self.seen_at = next((there for option, there in pairwise(command.args) if option == "-C"), "")
        result = output_of(action)[:_LONGEST_RESULT]
        shown = working_copy_shown(result)
        if not (shown.changed or shown.untracked) and result.strip().rpartition("\n")[2].isdigit():
            return  # how many lines it had
        self.changed = tuple(
            path
            for path in shown.changed
            # A program of the project that ran may have written data and documents, but hardly code.
            if (self._unsettled is None or (self._unsettled and not is_document(path)))
            # What was no change at first is the work of what ran since.
            and (self._first is None or path in self._first)
        )
        self.dirty = action.step if self.changed else None
        if self._unsettled is None:
            self._first = set(shown.changed) if not self.ran else self._first
            ignored = [line[3:] for line in result.splitlines() if line[:3] == "!! "]
            self.untracked = dict.fromkeys([*shown.untracked, *ignored][:_MOST], action.step)


def is_recursive(args: tuple[str, ...]) -> bool:
    """Whether the options say that folders are meant with all that is below them."""
    short = {letter for word in args if word[:1] == "-" and word[1:].isalnum() for letter in word[1:]}
    return bool({"r", "R"} & short) or "--recursive" in args


def _named(words: Iterable[str]) -> list[str]:
    """What words of a command name that are no options."""
    return [clean(word) for word in words if not word.startswith("-")]


def _created(texts: Iterable[str]) -> Iterator[str]:
    """The tables that queries create."""
    return (found["name"].lower() for text in texts for found in _CREATE.finditer(text[:_LONGEST_RESULT]))
