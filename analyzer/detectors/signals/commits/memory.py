"""Which commits a session has shown: those that were there before the agent's, whether a server or another branch has
them, and which a hard reset leaves on no branch any more.

Where the calls work on several repositories, or others may have committed, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from analyzer.commands.git import GitCall, git_call
from analyzer.commands.table import Does, file_act, knows
from analyzer.detectors.signals.commits.printed import (
    Listed,
    Lost,
    Seen,
    Shown,
    ahead,
    commit_messages,
    head_now,
    is_remote,
    listed,
    made,
    output_of,
    refused,
    same_hash,
    shown_by,
)
from analyzer.model.action import Action, Command
from analyzer.model.struct import Struct, field
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.workspace.paths import normal, under

_MOST = 400
_FEWEST_LISTED = 5
"""Commits that a log of a branch must list for a commit that it doesn't list to count as missing from it."""
_TRUNKS = ("main", "master", "trunk", "develop")
_LOOKS = frozenset({Kind.READ, Kind.SEARCH, Kind.EDIT, Kind.THINK, Kind.PLAN})
_MAY_COMMIT = late(r"(?<![\w.-])(?:[\w./-]{1,80}[/_:])?(?:commit|release|ship|bump)(?=$|[\s._:-])")
"""The name of a script or a task that may commit."""
_NEVER_COMMIT = Does.RECORDS | Does.SPEAKS | Does.SHOWS | Does.ASKS | Does.REMOTE | Does.TRANSFERS
_BACK = late(r"^(?:HEAD|@)(?:~(?P<count>\d{0,9})|(?P<carets>\^+))$")
_FORWARD = late(r"behind '[^'\n]+' by \d+ commits?, and can be fast-forwarded|\[behind \d+\]")
_HERE = ("HEAD", "@")
_ASKS = ("-l", "--l", "-a", "-r", "-d", "-D", "-v", "-m", "-M", "--d", "--v", "--m", "--s", "--c", "--p", "--sort")
"""How options begin with which `git branch` and `git tag` list, delete or rename, and make nothing."""


class _Log(Struct):
    """The commits of one branch as a log listed them, the newest first."""

    rows: list[Listed]
    step: int


class Commits(Struct):
    """What one lane has shown of the commits of a repository.

    `head` is the last log of what is checked out, `logs` those of other branches, by name; `above` are commits that
    weren't the agent's and that the branch has above another one, `unpublished` how many of them the server's branch
    lacks; `own` and `subjects` are those of the agent's commits. `unsure` is True once others may have made some,
    several repositories are in play, or something keeps what is checked out.
    """

    head: _Log | None = None
    logs: dict[str, _Log] = field(default_factory=dict)
    above: list[Seen] = field(default_factory=list)
    own: list[str] = field(default_factory=list)
    subjects: set[str] = field(default_factory=set)
    branch: str = ""
    upstream: str = ""
    unpublished: int = 0
    counted_at: int = 0
    unsure: bool = False
    behind: bool = False
    _published: set[str] = field(default_factory=set)
    _own_ahead: int = 0
    _place: str = ""

    def lost_by(self, call: GitCall, action: Action) -> Lost | None:
        """The commits of others that a hard reset leaves on no branch that is known to have them; `action` is done."""
        result = output_of(action)
        if call.verb != "reset" or "--hard" not in call.options or not call.names or refused(result):
            return None
        if self.unsure or self._is_elsewhere(action) or any(map(_keeps, _calls(action))):
            return None
        return self._left_by(call.names[0], head_now(result))

    def brings_back(self, call: GitCall, lost: Sequence[Seen]) -> bool:
        """Whether a call puts one of some commits on a branch again."""
        if call.verb not in ("cherry-pick", "reset", "branch", "checkout", "switch", "merge", "tag", "push", "rebase"):
            return False
        return any(
            word in ("ORIG_HEAD", "HEAD@{1}", "@{1}") or any(same_hash(word.split(":")[0], one.hash) for one in lost)
            for word in call.names
        )

    def name_of(self, name: str) -> Seen | None:
        """A commit by its hash, where a log has shown it."""
        logs = [*([self.head] if self.head is not None else []), *self.logs.values()]
        rows = ((row, log.step) for log in logs for row in log.rows)
        return next((Seen(row.hash, row.subject, step) for row, step in rows if same_hash(row.hash, name)), None)

    def made_by_agent(self, name: str) -> bool:
        """Whether the agent made a commit, by its hash."""
        return any(same_hash(name, own) for own in self.own)

    def note(self, action: Action) -> None:
        """Take what an action did and showed."""
        result, calls = output_of(action), _calls(action)
        self.unsure = self.unsure or action.asks_agent
        self._own_ahead += any(knows(command.program, Does.COMMITS) for command in action.operation.commands)
        if action.mark is not None:
            return
        if not calls:
            self._by_others_words(action, result)
            return
        if self._is_elsewhere(action):
            self.unsure = True
        self._place = self._place or _place(action, calls[0])
        logs = [shown for call in calls if (shown := shown_by(call)) is not None]
        if len(logs) == 1 and not refused(result):
            self._list(logs[0], listed(result), action.step)
        self._status(result, action.step)
        if action.failure is None:
            self._made(action, calls, result)
        for call in calls if not refused(result) else ():
            if call.verb in ("checkout", "switch", "reset") and (call.names or "-" in call.options):
                self._leave()
            elif call.verb == "worktree" and call.names[:1] == ("add",) and "--detach" not in call.options:
                self.unsure = True
            elif call.verb == "push" and action.failure is None:
                self._published.update(one.hash for one in self.above)
                self.unpublished = self._own_ahead = 0
            self.unsure = self.unsure or (_keeps(call) and (call.verb != "stash" or "Saved working" in result))

    def _by_others_words(self, action: Action, result: str) -> None:
        """Take the commits that a script or another program of the agent's reports to have made. One that is named
        after commits may make some and print nothing."""
        if action.kind in _LOOKS or action.failure is not None:
            return
        if not self._reported(result) and any(map(_may_commit, action.operation.commands)):
            self.unsure = True

    def _is_elsewhere(self, action: Action) -> bool:
        """Whether an action works on another repository than the one that is known, or on several."""
        places = [_place(action, call) for call in _calls(action)]
        moves = [command for command in action.operation.commands if file_act(command.program) in ("enter", "leave")]
        names = [place for place in (self._place, *places) if place]
        moved = len(moves) > 1 or (moves and action.operation.directory is None)
        return bool(moved) or any(_apart(one, two) for one, two in pairwise(names))

    def _status(self, result: str, step: int) -> None:
        self.branch = next(iter(result.partition("On branch ")[2].split(maxsplit=1)), self.branch)
        self.behind = _FORWARD.search(result) is not None if "behind" in result else self.behind
        found = ahead(result)
        if found is not None:
            self.upstream = found.upstream or self.upstream
            self.unpublished = max(0, found.count - self._own_ahead)
            self.counted_at = step
            self._take_top()

    def _leave(self) -> None:
        """Another commit is checked out: what the last branch has is still there."""
        self.head, self.above, self.unpublished, self.behind = None, [], 0, False
        self._own_ahead = 0

    def _list(self, shown: Shown, rows: list[Listed], step: int) -> None:
        if not rows or not (shown.whole or shown.base):
            return
        if not shown.base and shown.tip:
            self.logs[shown.tip] = _Log(rows, step)
            if is_remote(shown.tip):
                self._published.update(row.hash for row in rows)
        elif not shown.base:
            self.head = _Log(rows, step)
            place = next((at for at, row in enumerate(rows) if re.search(r"(?:^|, )origin/", row.refs)), len(rows))
            self._published.update(row.hash for row in rows[place:])
            self._take_top()
        elif not shown.tip and (is_remote(shown.base) or shown.base in (*_TRUNKS, self.upstream)):
            self._put_above(rows, step)
            name = shown.base.partition("/")[2]
            if is_remote(shown.base) and not shown.either and name not in _TRUNKS and self.branch in ("", name):
                self.unpublished = sum(not self._is_own(row) for row in rows)
                self.counted_at, self.upstream = step, self.upstream or shown.base

    def _take_top(self) -> None:
        """The commits above the server's branch are the first ones of a log."""
        if self.head is not None and self.unpublished:
            others = [row for row in self.head.rows if not self._is_own(row)]
            self._put_above(others[: self.unpublished], self.head.step)

    def _put_above(self, rows: Iterable[Listed], step: int) -> None:
        for row in rows:
            known = self._is_own(row) or any(same_hash(row.hash, one.hash) for one in self.above)
            if not known and len(self.above) < _MOST:
                self.above.append(Seen(row.hash, row.subject, step))

    def _is_own(self, row: Listed) -> bool:
        """Whether the agent made a commit, also where it has another hash since."""
        return row.subject in self.subjects or self.made_by_agent(row.hash)

    def _reported(self, result: str) -> list[Listed]:
        """Take the commits that a result reports, which are the agent's own."""
        reported = [row for _, row in made(result)]
        self.own.extend(row.hash for row in reported)
        self.subjects.update(row.subject for row in reported)
        self._own_ahead += len(reported)
        return reported

    def _made(self, action: Action, calls: Sequence[GitCall], result: str) -> None:
        reported = self._reported(result)
        if self.head is not None:
            self.head.rows[:0] = reversed(reported)
        for call in calls if not (refused(result) or reported) else ():
            if call.verb in ("merge", "pull") and "Merge made by" in result:
                self._own_ahead += 1
            elif call.verb in ("commit", "cherry-pick", "revert", "am") and not {"--abort", "--dry-run"} & set(
                call.options
            ):
                self._own_ahead += 1
                said = {line for command in action.operation.commands for line in commit_messages(command.args)}
                self.subjects |= said
                self.unsure = self.unsure or not said

    def _left_by(self, target: str, now: str | None) -> Lost | None:
        """What is left behind where the branch is put on another commit."""
        left = [one for one in self.above if not any(same_hash(one.hash, name) for name in self._published)]
        rows = self.head.rows if self.head is not None else []
        back = _BACK.match(target)
        place = next((at for at, row in enumerate(rows) if now is not None and same_hash(row.hash, now)), None)
        if back is not None:
            place = len(back["carets"]) if back["carets"] else int(back["count"] or 1)
        if place is not None:
            return _lost([one for one in left if any(same_hash(one.hash, row.hash) for row in rows[:place])], target)
        if self.behind or target in _HERE:
            return None
        if self.unpublished and (target == self.upstream or target.startswith("@{u")):
            named = tuple(left[: self.unpublished])
            return Lost(named, self.unpublished, max((one.step for one in named), default=self.counted_at), target)
        log = self.logs.get(target)
        if log is None or len(log.rows) < _FEWEST_LISTED or (now is not None and not same_hash(log.rows[0].hash, now)):
            return None
        gone = [one for one in left if all(one.subject != row.subject for row in log.rows)]
        gone = [one for one in gone if not any(same_hash(one.hash, row.hash) for row in log.rows)]
        return _lost(gone, target, log)


def _lost(left: Sequence[Seen], target: str, log: _Log | None = None) -> Lost | None:
    if not left:
        return None
    at, count = (log.step, len(log.rows)) if log is not None else (None, 0)
    return Lost(tuple(left), len(left), max(one.step for one in left), target, at, count)


def _calls(action: Action) -> list[GitCall]:
    """The calls of git on this machine."""
    commands = (command for command in action.operation.commands if not command.elsewhere)
    return [call for command in commands if (call := git_call(command)) is not None]


def _place(action: Action, call: GitCall) -> str:
    """The folder that a call names, to which its line changes first, or in which it's called, as far as it's known."""
    named = "/".join(part for part in (action.operation.directory, call.folder) if part)
    return normal(named or ".", action.directory)


def _apart(one: str, other: str) -> bool:
    """Whether two folders can't belong to one repository, as far as their names say."""
    comparable = one.startswith("/") == other.startswith("/")
    return comparable and not (under(one, other) or under(other, one))


def _keeps(call: GitCall) -> bool:
    """Whether a call makes something that keeps the commit that is checked out."""
    starts_here = len(call.names) < 2 or call.names[1] in _HERE
    if call.verb in ("branch", "tag"):
        asks = any(option.startswith(_ASKS) for option in call.options) and "-m" not in call.options[:1]
        return bool(call.names) and starts_here and (not asks or (call.verb == "tag" and "-a" in call.options))
    if call.verb in ("checkout", "switch"):
        return bool({"-b", "-c", "--create"} & set(call.options)) and starts_here
    return call.verb in ("stash", "update-ref", "format-patch", "bundle")


def _may_commit(command: Command) -> bool:
    """Whether a script or a task is named after commits, so that it may make some and print nothing."""
    words = " ".join((command.program, *command.args[:2]))
    return not knows(command.program, _NEVER_COMMIT) and _MAY_COMMIT.search(words) is not None
