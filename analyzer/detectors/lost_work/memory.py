"""Names of files and directories as commands spell them, and a set of them that is asked without going through all of
it.

Which folders a command removes with all that is in them, by its options or by the code that it runs.

What is known of files, branches and tables before a command runs: who made them, and whether they're saved
somewhere."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from itertools import islice, pairwise

from analyzer.commands.git import git_call
from analyzer.commands.table import Does, does, file_act, has_letter, knows, programs_that
from analyzer.detectors.lost_work.paths import Names, clean, is_recursive
from analyzer.detectors.signals.git_output import output_of
from analyzer.model.action import Action, Command
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.text.names import name_set
from analyzer.timeline.verification.checks import is_document
from analyzer.workspace.ownership import TEMPORARY, working_copy_shown

_MOST = 500
_LONGEST_RESULT = 20_000
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
    """What one lane has shown so far.

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
    shows how many commits aren't pushed, and how many.
    """

    def __init__(self, disposable: Collection[str]) -> None:
        self.unsaved: dict[str, list[int]] = {}
        self.stashed: dict[str, list[int]] = {}
        self.made = Names(4 * _MOST)
        self.old = Names(_MOST)
        self.read = Names(4 * _MOST)
        self.copied = Names(4 * _MOST)
        self.listed: dict[str, int] = {}
        self.removed = Names(_MOST)
        self.dirty: int | None = None
        self.untracked: dict[str, int] = {}
        self.changed: tuple[str, ...] = ()
        self.stashes: int | None = None
        self.put_aside: int | None = None
        self.deleted = self.own_stashes = 0
        self.unmerged = set[str]()
        self.lines: dict[str, tuple[int, int]] = {}
        self.ahead: tuple[int, int] | None = None
        self.seen_at = ""
        self.shown: dict[str, tuple[int, str]] = {}
        self.wrote = set[str]()
        self.ran = False
        self.failed = 0
        """The step of the last check, where it failed."""
        self._unsettled: bool | None = None
        """True once programs of the project ran, False once something ran that may have written code."""
        self._first: set[str] | None = None
        """What the first status showed as changed, before anything ran."""
        self._staged = self._committed = False
        """Whether all changes were put into the next commit."""
        self._shown = Names(4 * _MOST)
        self._told = Names(8 * _MOST)
        self._disposable = frozenset(disposable)

    def worthless(self, path: str) -> bool:
        """Whether a part of a path says that it's build output, a cache or the like."""
        return any(part in self._disposable or _DISPOSABLE.match(part) for part in path.split("/"))

    def knows(self, name: str) -> bool:
        """Whether a folder was listed, something in it was read, or a program that ran named it."""
        return self.read.touch(name) or any(True for _ in self._shown.below(name)) or name in self._told

    def copies(self, command: Command) -> None:
        """Take that what a command names is elsewhere too, once it has run."""
        for word in command.args[:20]:
            if not word.startswith("-"):
                self.copied.add(clean(word))

    def saves(self, command: Command, line: str) -> None:
        """Take what a command does for work that isn't saved; `line` is all of the command line."""
        if (
            file_act(command.program) == "move"
            and len(command.args) > 1
            and (old := clean(command.args[-2])) in self.untracked
        ):
            self.untracked[clean(command.args[-1])] = self.untracked.pop(old)
        elif command.program in _COPIERS:
            self.copies(command)
        call = git_call(command)
        if call is None:
            return
        verb, what = call.verb, next(iter(call.names), "")
        if verb == "stash":
            if what in ("", "push", "save"):
                self.own_stashes += 1
                self.stashed.update(self.unsaved)
                self.put_aside = self.dirty
            elif what in ("pop", "apply", "branch"):
                self.own_stashes -= what == "pop"
                self.unsaved.update(self.stashed)
                self.stashed, self.put_aside = {}, None
            if what and what not in ("push", "save", "drop", "clear"):
                return
            if what in ("drop", "clear"):
                self.stashed, self.put_aside = {}, None
        if verb == "clean" or (verb in ("add", "stash") and _TAKES_ALL & set(call.words)):
            self.untracked = {}
        elif verb == "add":
            for name in call.words:
                self.untracked.pop(clean(name), None)
        self._staged = self._staged or (verb == "add" and bool(_TAKES_ALL & set(call.words)))
        whole = self._staged or any(word == "--all" or has_letter(word, "a") or word == "-a" for word in call.options)
        kept = (verb == "reset" and "--hard" not in call.options) or (verb == "commit" and not whole)
        if (verb in ("commit", "stash", "reset", "clean", "format-patch") and not kept) or (
            verb == "diff" and ">" in line
        ):
            self.unsaved, self.dirty = {}, None
        elif verb == "commit":
            self.unsaved = {}  # somebody else's changes aren't in it
        elif verb in ("checkout", "restore"):
            for name in command.args:
                self.unsaved.pop(clean(name), None)
            if "." in command.args:
                self.unsaved, self.dirty = {}, None
        removes = not {"-d", "-D", "--delete"}.isdisjoint(call.options)
        if verb in ("checkout", "switch", "branch", "clone", "worktree") and not removes:
            for word in command.args[1:]:
                if not word.startswith("-"):
                    self.made.add(word)

    def cleaned(self, action: Action) -> None:
        """Take the files that git itself says it removes, which no status needs to have shown, and how many a program
        says that it deleted where it made two folders alike."""
        counted = ((found["count"] or "1").replace(",", "") for found in _DELETED.finditer(action.result or ""))
        self.deleted = sum(map(int, counted))
        for command in action.operation.commands:
            call = git_call(command)
            if call is not None and call.verb == "clean":
                for line in (action.result or "")[:_LONGEST_RESULT].splitlines()[:_MOST]:
                    if line.startswith("Removing ") and not line.endswith("/"):
                        self.untracked.setdefault(line.removeprefix("Removing "), action.step)

    def note(self, action: Action) -> None:
        """Take what an action showed and made."""
        self.unmerged.update(_UNMERGED.findall(action.result or "") if action.operation.commands else ())
        operation = action.operation
        if operation.kind is Kind.READ and operation.path is not None and action.failure is None:
            path = clean(operation.path)
            self.read.add(path)
            if not self.ran and path not in self.made:
                self.old.add(path, action.step)
        if operation.edits and (action.failure is None or action.kind is not Kind.EDIT):
            self._edits(action)
        elif operation.kind is Kind.SEARCH and operation.path is not None and not operation.commands:
            self._shown.add(clean(operation.path))
        for command in operation.commands:
            self._command(action, command)
        if "wc " in (operation.command or ""):
            for count, name in _COUNTED.findall((action.result or "")[:_LONGEST_RESULT]):
                self.lines.setdefault(clean(name), (action.step, int(count)))
        if not operation.commands and isinstance(action.arguments, Mapping):
            for value in action.arguments.values():
                for found in _CREATE.finditer(value[:_LONGEST_RESULT]) if isinstance(value, str) else ():
                    self.made.add(found["name"].lower())
        if action.kind in (Kind.RUN, Kind.TEST):
            for found in islice(_PATH.finditer((action.result or "")[:_LONGEST_RESULT]), _MOST):
                self._told.add(clean(found[0]))
        for name in operation.writes:
            self.made.add(clean(name))
        self.ran = self.ran or action.kind in (Kind.RUN, Kind.TEST)
        if action.kind is Kind.TEST or operation.runner is not None:
            self.failed = 0 if action.failure is None else action.step
        if action.kind is Kind.RUN and operation.runner is None:
            for command in operation.commands:
                if knows(command.program, Does.RECORDS | Does.SAFE):
                    continue  # it leaves no files of its own
                self._unsettled = self._unsettled is not False and knows(command.program, Does.RUNTIME)
        if operation.kind is Kind.READ and operation.path is not None and action.failure is None:
            self.shown[clean(operation.path)] = action.step, (action.result or "")[:_LONGEST_RESULT]

    def _edits(self, action: Action) -> None:
        for edit in action.operation.edits:
            path = clean(edit.path)
            if TEMPORARY.match(edit.path) or len(self.unsaved) > _MOST:
                continue
            if edit.created and path not in self.old and path not in self.unsaved and path not in self.listed:
                self.made.add(path)
            elif path not in self.made and edit.path not in action.operation.writes:
                self.old.add(path, action.step)
            steps = self.unsaved.setdefault(path, [])
            if len(steps) < 50:
                steps.append(action.step)

    def makes(self, command: Command) -> None:
        """Take what a command may make, once it has run."""
        call = git_call(command)
        if knows(command.program, _MAKES) and (call is None or call.verb not in _LOOKING):
            for word in command.args[-20:]:
                if word != "." and not word.startswith("-") and clean(word) not in self.untracked:
                    self.made.add(clean(word))

    def _command(self, action: Action, command: Command) -> None:
        self.makes(command)
        lists, removes = command.program in _LISTERS, command.program in _REMOVERS
        deep = bool(does(command.program, command.args) & Does.BELOW) or (lists and is_recursive(command.args))
        if lists or deep or removes:
            names = self.removed if removes else self.read if deep else self._shown
            for word in command.args[:20]:
                if not word.startswith("-"):
                    names.add(clean(word), action.step)
        if command.program in DATABASES:
            for word in command.args:
                for found in _CREATE.finditer(word[:_LONGEST_RESULT]):
                    self.made.add(found["name"].lower())
        call = git_call(command)
        if call is not None and call.verb == "stash" and call.names[:1] == ("list",) and not self.stashed:
            self.stashes = (self.stashes or action.step) if "stash@{" in output_of(action) else None
        if call is not None and call.verb in _MOVES and call.names:
            self.ahead = None
        commits = call is not None and call.verb == "commit" and action.failure is None
        self._committed = self._committed or commits  # what is ahead then may be its own
        if call is not None and call.verb == "status" and (ahead := _AHEAD.search(output_of(action))) is not None:
            self.ahead = (action.step, int(ahead[1])) if not self._committed else None
        if call is not None and call.verb == "check-ignore" and action.failure is None:
            ignored = [line for line in output_of(action).splitlines() if line in call.names]
            self.untracked.update(dict.fromkeys((name for name in ignored if name not in self.unsaved), action.step))
        if call is not None and call.verb == "status" and action.failure is None and not self.unsaved:
            self.seen_at = next((there for option, there in pairwise(command.args) if option == "-C"), "")
            result = output_of(action)[:_LONGEST_RESULT]
            shown = working_copy_shown(result)
            if not (shown.changed or shown.untracked) and result.strip().rpartition("\n")[2].isdigit():
                return  # how many lines it had
            # A program of the project that ran may have written data and documents, but hardly code.
            changed = tuple(
                path for path in shown.changed if self._unsettled is None or (self._unsettled and not is_document(path))
            )
            if self._first is not None:  # what was no change then is the work of what ran since
                changed = tuple(path for path in changed if path in self._first)
            self.dirty, self.changed = (action.step, changed) if changed else (None, ())
            if self._unsettled is None:
                self._first = set(shown.changed) if not self.ran else self._first
                ignored = [line[3:] for line in result.splitlines() if line[:3] == "!! "]
                self.untracked = dict.fromkeys([*shown.untracked, *ignored][:_MOST], action.step)
        elif not self.ran and lists and len(self.listed) < 10 * _MOST:
            folders = [clean(word) for word in command.args if not word.startswith("-")]
            for name in (action.result or "")[:_LONGEST_RESULT].split():
                if "." in name:
                    self.listed.setdefault(clean(name), action.step)
                    if len(folders) == len(action.operation.commands) == 1 and name.strip("."):
                        self.old.add(f"{folders[0]}/{name}", action.step)
