"""The states that a session's workspace went through, and which files differ after a stretch of a session from what
they were before it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field

from analyzer.model.action import Action
from analyzer.model.session import Session
from analyzer.model.struct import Struct
from analyzer.workspace.document import ABSENT, BASE
from analyzer.workspace.files import Files
from analyzer.workspace.paths import below, under
from analyzer.workspace.replay import Replay, replay_of
from analyzer.workspace.states import StateIds, Step


class StepState(Struct):
    """One action and its states. `before` is the id of the state on which it ran, `after` the one that it left.

    `unknown` are commands of it whose effects aren't known; `outside` are files that it found changed though no step
    changed them; `untouched` is True while every file that was there at the beginning is as it was then.
    """

    step: int
    lane: str
    directory: str
    before: str
    after: str
    changed: tuple[str, ...]
    unknown: tuple[str, ...]
    outside: tuple[str, ...]
    untouched: bool


@dataclass(slots=True)
class History:
    """What became of the files, step by step, in file order. `taken` is what each step did, `root` the folder in which
    the session began (empty where that isn't known)."""

    session: Session
    actions: Sequence[Action]
    steps: list[StepState]
    taken: list[Step]
    files: Files
    root: str
    _places: dict[tuple[int, str], list[int]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def places(self, step: int, lane: str) -> list[int]:
        """Where a step stands among all of the session: once, or nowhere."""
        if not self._places:
            for place, entry in enumerate(self.steps):
                self._places.setdefault((entry.step, entry.lane), []).append(place)
        return self._places.get((step, lane), [])

    def again(self, upto: int | None = None) -> Iterable[tuple[Action, Step, Replay]]:
        """Follow the session once more, up to and including the action at index `upto`: each action with what it did
        and the files as they are then."""
        replay = replay_of(self.session, self.actions)
        for index, action in enumerate(self.actions):
            if upto is not None and index > upto:
                return
            yield action, replay.take(action), replay


def history_of(session: Session, actions: Sequence[Action]) -> History:
    """Follow a session; actions must be judged, since an edit that failed changes nothing."""
    replay = replay_of(session, actions)
    taken = [replay.take(action) for action in actions]
    files, of = replay.files, replay.files.equal.of
    ids, steps = StateIds(files.equal), []
    differing: set[str] = set()
    made = {path for path, made in files.made.items() if made}
    for entry in taken:
        before, untouched = ids.current, not differing
        ids.apply(entry.changes, entry.mark)
        for change in entry.changes:
            if change.path not in made:
                same = of(change.path, change.after) == of(change.path, BASE)
                (differing.discard if same else differing.add)(change.path)
        differ = (one.path for one in entry.changes if of(one.path, one.before) != of(one.path, one.after))
        changed, place = tuple(dict.fromkeys(differ)), (entry.number, entry.lane, entry.directory)
        steps.append(StepState(*place, before, ids.current, changed, entry.unknown, entry.outside, untouched))
    return History(session, actions, steps, taken, files, replay.directories.start)


class Left(Struct, frozen=True):
    """The files that a stretch left other than they were, and those of them that aren't there after it."""

    files: list[str]
    deleted: list[str]


def changed_within(history: History, first: int, end: int, gone: Container[str], scratch: Container[str] = ()) -> Left:
    """The files that the actions from index `first` up to, not including, `end` left changed, in the order in which
    they were changed first. What was put back within the stretch isn't one of them, nor is what something outside of
    the session changed, nor are the files in `gone`, which have another name now (`moved_away`), and in `scratch`."""
    states: dict[str, tuple[str, str]] = {}
    for taken in history.taken[first:end]:
        for change in taken.changes:
            if change.path in taken.outside:
                continue
            before, _ = states.get(change.path, (change.before, ""))
            states[change.path] = before, change.after
    equal = history.files.equal
    left = {
        below(path, history.root): after
        for path, (before, after) in states.items()
        if path not in scratch
        and below(path, history.root) not in gone
        and path not in history.files.captured
        and equal.of(path, before) != equal.of(path, after)
    }
    return Left(list(left), [path for path, after in left.items() if after == ABSENT])


def moved_away(history: History) -> dict[str, str]:
    """The paths that aren't there any more because what stood there has another name, which is still there: each with
    that name."""
    names: dict[str, str] = {}
    for taken in history.taken:
        for old, new in taken.moved:
            names = {first: new + path[len(old) :] if under(path, old) else path for first, path in names.items()}
            names.setdefault(old, new)
    files = history.files
    return {
        below(old, history.root): below(new, history.root)
        for old, new in names.items()
        if not files.get(old).exists and (files.get(new).exists or new in files.folders) and old != new
    }
