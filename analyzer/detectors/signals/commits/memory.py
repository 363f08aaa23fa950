"""Which commits a session has shown: those that were there before the agent's, whether a server has them, and which a
call leaves on no branch any more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from analyzer.detectors.signals.commits.arguments import GitCall, Shown, git_call, is_remote, shown_by
from analyzer.detectors.signals.commits.printed import (
    Listed,
    ahead,
    branch_now,
    head_now,
    listed,
    made,
    output_of,
    refused,
    same_hash,
    stuck_at,
)
from analyzer.detectors.signals.commits.refs import CommitRefs, Lost, Place, Seen, lost_of, place_of
from analyzer.model.action import Action, Command
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.workspace.paths import normal, under

_MOST = 400
_FEWEST_LISTED = 5
"""Commits that a log of a branch must list for a commit that it doesn't list to count as missing from it."""
_RECORDERS = frozenset({"jj", "cz", "lerna", "semantic-release", "release-it", "bump2version"})
_TRUNKS = ("main", "master", "trunk", "develop")
_LOOKS = frozenset({Kind.READ, Kind.SEARCH, Kind.EDIT, Kind.THINK, Kind.PLAN})
_MAY_COMMIT = late(r"(?<![\w.-])(?:[\w./-]{1,80}[/_:])?(?:commit|release|ship|bump)(?=$|[\s._:-])")
"""The name of a script or a task that may commit."""
_NEVER_COMMIT = frozenset({"git", "gh", "glab", "echo", "printf", "curl", "cat", "ls", "docker", "kubectl"})
_BACK = late(r"^(?:HEAD|@)(?:~(?P<count>\d{0,9})|(?P<carets>\^+))$")
_FORWARD = late(r"behind '[^'\n]+' by \d+ commits?, and can be fast-forwarded|\[behind \d+\]")
_GIVES = late(r"-[a-zA-Z]*m|--message")
_SUBJECT = late(r"(?s)^\s*(?:\$\(cat <<-?\s*['\"]?\w+['\"]?\n)?(?P<line>[^\n]{1,200})")


@dataclass(slots=True)
class _Branch:
    """The commits of one branch as a log listed them, the newest first."""

    rows: list[Listed]
    step: int


@dataclass(slots=True)
class Commits:
    """What one lane has shown of the commits of a repository.

    `head` is the last log of what is checked out, `logs` those of other branches, by name, and
    `ranges` what these have above another one; `above` are commits that
    weren't the agent's and that the branch has above another one, `unpublished` how many of them the server's branch
    lacks; `own` and `subjects` are those of the agent's commits. `unsure` is True once others may have made some.
    """

    head: _Branch | None = None
    logs: dict[str, _Branch] = field(default_factory=dict)
    ranges: dict[str, _Branch] = field(default_factory=dict)
    above: list[Seen] = field(default_factory=list)
    own: list[str] = field(default_factory=list)
    subjects: set[str] = field(default_factory=set)
    branch: str | None = None
    upstream: str = ""
    unpublished: int = 0
    counted_at: int = 0
    unsure: bool = False
    behind: bool = False
    stuck: Listed | None = None
    _own_ahead: int = 0
    _kept: set[str] = field(default_factory=set)
    _keepers: CommitRefs = field(default_factory=CommitRefs)
    _place: Place | None = None
    _elsewhere: list[str] = field(default_factory=list)

    def lost_by(self, call: GitCall, action: Action) -> Lost | None:
        """The commits of others that a call leaves on no branch that is known to have them; `action` is done."""
        result = output_of(action)
        if self.unsure or refused(result) or not self._is_here(place_of(call, action)):
            return None
        if call.verb == "rebase" and "--skip" in call.options and self.stuck is not None:
            return self._skipped()
        if call.verb == "branch" and "-D" in call.options and call.names:
            return self._deleted(call.names[0])
        target = _moved_to(call, self.branch)
        calls = [one for command in action.operation.commands if (one := git_call(command)) is not None]
        before = calls[: calls.index(call)] if call in calls else []
        if target is None or self._keepers.keep_with(before, result, self.branch):
            return None
        return self._moved(target, head_now(result))

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
        logs = [*([self.head] if self.head is not None else []), *self.logs.values(), *self.ranges.values()]
        rows = ((row, log.step) for log in logs for row in log.rows)
        return next((Seen(row.hash, row.subject, step) for row, step in rows if same_hash(row.hash, name)), None)

    def made_by_agent(self, name: str) -> bool:
        """Whether the agent made a commit, by its hash."""
        return any(same_hash(name, own) for own in self.own)

    def note(self, action: Action) -> None:
        """Take what an action did and showed."""
        result = output_of(action)
        if action.asks_agent:
            self.unsure = True
        commands = [command for command in action.operation.commands if not command.elsewhere]
        calls = [call for command in commands if (call := git_call(command)) is not None]
        if any(command.program in _RECORDERS for command in commands):
            self._own_ahead += 1
        if action.mark is not None:
            return
        if not calls:
            self._by_others_words(action, result)
            return
        places = [place_of(call, action) for call in calls]
        if any(not place.is_same(places[0]) for place in places):
            # What is printed of two repositories can't be assigned to either.
            self._elsewhere.extend(place.full for place in places[1:] if place.full)
            self.own.extend(row.hash for _, row in made(result))
            return
        self._move_to(places[0])
        before = self.branch
        logs = [shown for call in calls if (shown := shown_by(call)) is not None]
        if len(logs) == 1 and not refused(result):
            self._list(logs[0], listed(result), action.step)
        self._status(calls, result, action.step)
        if action.failure is None:
            self._made(action, calls, result)
        for call in calls:
            self._keep(call, result, before)
            if (_moved_to(call, self.branch) is not None or _starts_elsewhere(call, before)) and not refused(result):
                self._leave()
            elif call.verb == "push" and action.failure is None and not refused(result):
                self.pushed()
            elif call.verb == "worktree" and call.names[:1] == ("add",):
                self._elsewhere.extend(normal(name, action.directory) for name in call.names[1:] if "/" in name)
        self.stuck = stuck_at(result) or (None if any(call.verb == "rebase" for call in calls) else self.stuck)

    def _by_others_words(self, action: Action, result: str) -> None:
        """Take the commits that a script or another program of the agent's reports to have made. One that is named
        after commits may make some and print nothing."""
        if action.kind in _LOOKS or action.failure is not None:
            return
        reported = list(made(result))
        self.own.extend(row.hash for _, row in reported)
        self.subjects.update(row.subject for _, row in reported)
        self._own_ahead += len(reported)
        if not reported and any(map(_may_commit, action.operation.commands)):
            self.unsure = True

    def pushed(self) -> None:
        """The branch was pushed: the server has all its commits."""
        self._kept.update(one.hash for one in self.above)
        self.unpublished = self._own_ahead = 0

    def _is_here(self, place: Place) -> bool:
        """Whether a folder belongs to the repository that is known, as far as its name says."""
        names = [name for name in (place.full, normal(place.named or "")) if name]
        if any(under(name, folder) for name in names for folder in self._elsewhere):
            return False
        return self._place is None or place.is_same(self._place)

    def _move_to(self, place: Place) -> None:
        """Begin again where the calls work on another repository."""
        if not self._is_here(place):
            self._leave()
            self.logs, self.ranges, self.branch, self.upstream, self.stuck = {}, {}, None, "", None
            self._keepers = CommitRefs()
            self._place = place
        elif self._place is None or (place.named is not None and self._place.named is None):
            self._place = place

    def _status(self, calls: Sequence[GitCall], result: str, step: int) -> None:
        name = branch_now(result, [call.verb for call in calls])
        asked = calls[0] if len(calls) == 1 else None
        if asked is not None and {"--show-current", "--abbrev-ref"} & set(asked.options) and " " not in result.strip():
            name = result.strip() or None
        if name is not None:
            switched = "Switched to branch" in result or "Switched to and reset" in result
            if switched or (self.branch is not None and name != self.branch and "Switched to" not in result):
                self._leave()
            self.branch = name
        self.behind = _FORWARD.search(result) is not None if "behind" in result else self.behind
        found = ahead(result)
        if found is None:
            return
        self.upstream = found.upstream or self.upstream
        self.unpublished = max(0, found.count - self._own_ahead) if not self.unsure else 0
        self.counted_at = step
        self._take_top()

    def _leave(self) -> None:
        """Another branch is checked out: what the last one has is still there."""
        self.head, self.above, self.unpublished, self.behind = None, [], 0, False
        self._own_ahead = 0

    def _list(self, shown: Shown, rows: list[Listed], step: int) -> None:
        if not rows:
            return
        if not shown.base:
            if not shown.whole:
                return
            if shown.tip:
                self.logs[shown.tip] = _Branch(rows, step)
                if is_remote(shown.tip):
                    self._kept.update(row.hash for row in rows)
            else:
                self.head = _Branch(rows, step)
                self._decorated(rows)
                self._take_top()
            return
        if shown.base.startswith(("HEAD", "@~", "@^")) or self.unsure:
            return
        if not (is_remote(shown.base) or shown.base in (*_TRUNKS, self.upstream)):
            return
        if shown.tip and shown.tip != self.branch:
            if not shown.either:
                self.ranges[shown.tip] = _Branch(rows, step)
            return
        self._above(rows, step)
        if is_remote(shown.base) and not shown.either:
            self.unpublished = sum(not self.is_own(row) for row in rows)
            self.counted_at = step
            name = shown.base.partition("/")[2]
            if not self.upstream and name and name not in _TRUNKS and self.branch in (None, name):
                self.upstream = shown.base

    def _decorated(self, rows: Sequence[Listed]) -> None:
        """A log that marks where the server's branch is says how many commits are above it."""
        place = next((at for at, row in enumerate(rows) if re.search(r"(?:^|, )origin/", row.refs)), None)
        if place is not None and not self.unsure:
            names = [part.strip() for part in rows[place].refs.split(",")]
            if self.branch is None or any(name == f"origin/{self.branch}" for name in names):
                self.unpublished = sum(not self.is_own(row) for row in rows[:place])
                assert self.head is not None
                self.counted_at = self.head.step
                self._above(rows[:place], self.head.step)

    def _take_top(self) -> None:
        """The commits above the server's branch are the first ones of a log."""
        if self.head is None or not self.unpublished or self.unsure:
            return
        others = [row for row in self.head.rows if not self.is_own(row)][: self.unpublished]
        self._above(others, self.head.step)

    def _above(self, rows: Iterable[Listed], step: int) -> None:
        for row in rows:
            if self.is_own(row) or any(same_hash(row.hash, one.hash) for one in self.above):
                continue
            if len(self.above) < _MOST:
                self.above.append(Seen(row.hash, row.subject, step))

    def is_own(self, row: Listed) -> bool:
        """Whether the agent made a commit, also where it has another hash since."""
        return row.subject in self.subjects or any(same_hash(row.hash, name) for name in self.own)

    def _is_kept(self, name: str) -> bool:
        return any(same_hash(name, kept) for kept in self._kept)

    def _made(self, action: Action, calls: Sequence[GitCall], result: str) -> None:
        reported = list(made(result))
        for branch, row in reported:
            self.own.append(row.hash)
            self.subjects.add(row.subject)
            self.branch = branch if branch != "detached" else self.branch
            if self.head is not None:
                self.head.rows.insert(0, row)
        self._own_ahead += len(reported)
        if refused(result) or reported:
            return
        for call in calls:
            if call.verb in ("merge", "pull") and "Merge made by" in result:
                self._own_ahead += 1
            elif call.verb in ("commit", "cherry-pick", "revert", "am") and not {"--abort", "--dry-run"} & set(
                call.options
            ):
                self._own_ahead += 1
                said = {line for command in action.operation.commands for line in _messages(command.args)}
                self.subjects |= said
                self.unsure = self.unsure or not said

    def _keep(self, call: GitCall, result: str, before: str | None) -> None:
        """A branch, a tag or anything else that is made here, and a branch that is left, keep what is checked out;
        `before` is the branch that was checked out when the call began."""
        if refused(result):
            return
        if call.verb == "branch" and "--contains" in call.options and call.names and result.strip():
            names = [line.strip("* \t") for line in result.splitlines() if line.strip()]
            if any(name != self.branch and "HEAD" not in name for name in names):
                self._kept.update(one.hash for one in self.above if same_hash(one.hash, call.names[0]))
        elif self._keepers.note(call, result, before):
            self._kept.update(one.hash for one in self.above)

    def _skipped(self) -> Lost | None:
        row = self.stuck
        assert row is not None
        if self.is_own(row) or self._is_kept(row.hash):
            return None
        return Lost((Seen(row.hash, row.subject, 0),), 1, 0, "")

    def _deleted(self, name: str) -> Lost | None:
        """What only a branch had that is deleted."""
        log = self.ranges.get(name)
        if log is None:
            return None
        here = self.head.rows if self.head is not None else []
        left = [
            Seen(row.hash, row.subject, log.step)
            for row in log.rows
            if not (self.is_own(row) or self._is_kept(row.hash) or any(same_hash(row.hash, one.hash) for one in here))
        ]
        return lost_of(left, len(left), "")

    def _moved(self, target: str, now: str | None) -> Lost | None:
        """What is left behind where the branch is put on another commit."""
        candidates = [one for one in self.above if not self._is_kept(one.hash)]
        back = _BACK.match(target)
        rows = self.head.rows if self.head is not None else []
        if back is not None:
            count = len(back["carets"]) if back["carets"] else int(back["count"] or 1)
            left = [one for one in candidates if any(same_hash(one.hash, row.hash) for row in rows[:count])]
            return lost_of(left, len(left), target)
        place = next((at for at, row in enumerate(rows) if now is not None and same_hash(row.hash, now)), None)
        if place is not None:
            left = [one for one in candidates if any(same_hash(one.hash, row.hash) for row in rows[:place])]
            return lost_of(left, len(left), target)
        if self.behind:
            return None
        if self.unpublished and (target == self.upstream or target.startswith("@{u")):
            left = candidates[: self.unpublished]
            return lost_of(left, self.unpublished, target, self.counted_at)
        other = self.logs.get(target) or next(
            (log for log in self.logs.values() if now is not None and same_hash(log.rows[0].hash, now)), None
        )
        if other is None or len(other.rows) < _FEWEST_LISTED or (now and not same_hash(other.rows[0].hash, now)):
            return None
        left = [one for one in candidates if not any(same_hash(one.hash, row.hash) for row in other.rows)]
        left = [one for one in left if all(one.subject != row.subject for row in other.rows)]
        found = lost_of(left, len(left), target)
        return (
            None
            if found is None
            else Lost(found.commits, found.count, found.shown_at, target, other.step, len(other.rows))
        )


def _moved_to(call: GitCall, branch: str | None) -> str | None:
    """The revision on which a call puts the branch that is checked out, whatever it held."""
    if call.verb == "reset" and "--hard" in call.options and call.names:
        return call.names[0]
    forced = {"checkout": "-B", "switch": "-C"}.get(call.verb)
    if forced in call.options and len(call.names) == 2 and call.names[0] == branch:
        return call.names[1]
    return None


def _messages(args: Sequence[str]) -> Iterable[str]:
    """The first lines of the messages that a command gives to its commits."""
    for before, word in pairwise(args):
        if _GIVES.fullmatch(before) is not None and (found := _SUBJECT.match(word)) is not None:
            yield found["line"].strip()


def _may_commit(command: Command) -> bool:
    """Whether a script or a task is named after commits, so that it may make some and print nothing."""
    words = " ".join((command.program, *command.args[:2]))
    return command.program not in _NEVER_COMMIT and _MAY_COMMIT.search(words) is not None


def _starts_elsewhere(call: GitCall, branch: str | None) -> bool:
    """Whether a call checks out a new branch that begins at another commit than the one that is checked out."""
    creates = {"-b", "-B", "-c", "-C", "--create", "--orphan"} & set(call.options)
    if call.verb not in ("checkout", "switch") or not creates or len(call.names) < 2:
        return False
    return call.names[1] not in ("HEAD", "@", branch)
