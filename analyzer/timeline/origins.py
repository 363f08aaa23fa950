"""Give every failure its origin, with what the rest of the session knows: which files the agent wrote, which it changed
between two occurrences of the same failure, and whether a failing script is the reproduction that the task asks for."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter

from analyzer.commands.runners import script
from analyzer.failures import Surroundings, origin_of, with_roles
from analyzer.failures.origin import is_test_code
from analyzer.failures.passed_value import named_values
from analyzer.failures.refusal import refuses
from analyzer.failures.requirement import demands
from analyzer.failures.roles import EditedFiles, is_among, is_test_path, last_part, same_file
from analyzer.model.action import Action
from analyzer.model.failure import Failure, Origin
from analyzer.model.struct import replace
from analyzer.model.words import FailureKind, FrameRole, Kind, OriginRole
from analyzer.text.clip import one_line
from analyzer.text.late import late
from analyzer.text.names import names
from analyzer.text.plain import holds_any
from analyzer.timeline.sources import Sources, by_known_path, inline_test, known_tests, test_code, with_code
from analyzer.timeline.timeline import Timeline
from analyzer.timeline.verification.later_passes import judge_by_later_passes

_REPRODUCES = names("repro issue bug demo minimal mre poc verify")
_TRIES = (*_REPRODUCES, *names("debug scratch trial tmp try_ check_ _check test"))
"""What the names of scripts hold that show a fault, and of those that try something out."""
_INSTALLS = late(r"\b(?:install|add|i|ci|get)\b")
_NAMED_BY_PACKAGE = frozenset({"java", "kotlin", "scala", "groovy"})
_MOST_TEXTS = 400
_LONGEST_TEXT = 100_000
"""How many texts that the agent wrote are remembered, and how much of each."""


class OriginFinder:
    """Gives the failures of one lane, in order, their roles, `expected` and the origin that can be known when they
    show.

    With `most`, only so many earlier actions and edits are remembered: for agents that run on and on.
    """

    def __init__(self, task: str, most: int | None = None) -> None:
        self._task = task
        self._written: dict[str, None] = {}
        self._run: dict[str, None] = {}
        self.scripts: list[str] = []
        """The files that the agent wrote whole and then ran, to try something out."""
        self._scripts_called: defaultdict[str, list[str]] = defaultdict(list)
        """The scripts by their last part, which two spellings of one file share."""
        self._texts: deque[str] = deque(maxlen=_MOST_TEXTS)
        self._all_texts = True
        self._installs: deque[str] = deque(maxlen=_MOST_TEXTS)
        self._edited = EditedFiles(most=most)
        self._edits: deque[tuple[int, str]] = deque(maxlen=most)
        self._unread: deque[Action] = deque(maxlen=most)
        self._sources = Sources()
        self._since: dict[str, tuple[int, list[str]]] = {}
        self._most = most

    def take(self, action: Action) -> Surroundings | None:
        """Take the next action; what surrounds its failure, None where it has none."""
        self._unread.append(action)
        self.learn(action)
        failure = action.failure
        for edit in action.accepted_edits:
            if edit.path:
                self._edited.add(edit.path)
                self._edits.append((action.step, edit.path))
        if failure is None:
            return None
        with_roles(failure, self.scripts)
        sources = self.shown_after(action.step) if _worth_sources(failure) else None
        if sources is not None:
            failure.frames = tuple(by_known_path(with_code(frame, sources), sources) for frame in failure.frames)
            if failure.language == "rust":
                failure.frames = tuple(inline_test(frame, sources) for frame in failure.frames)
        changed = any(not self._is_script(path) for path in self._edited)
        through, survived = self._through(failure, action.step)
        around = Surroundings(
            kind=action.kind,
            scripts=tuple(self.scripts),
            edited=tuple(dict.fromkeys(path for frame in failure.frames for path in self._edited_as(frame.file))),
            changed=changed,
            unchanged_through=through,
            survived=survived,
            unread=_unread(failure, sources, self._edited_as) if sources is not None else (),
            own_texts=self._texts,
            all_texts=self._all_texts,
            subject=action.operation.target,
            named_in_task=_named_in(self._task, failure),
            installs=self._installs,
            tool=None if action.operation.command is not None else action.tool,
            command=action.operation.command or "",
            known_tests=known_tests(failure, sources) if sources is not None and _may_be_supplied(failure) else (),
            test_code=test_code(failure, sources) if sources is not None and _may_be_supplied(failure) else (),
        )
        failure.expected = _is_reproduction(self._task, action, failure, changed_source=changed)
        failure.origin = failure.origin_then = origin_of(failure, around)
        return around

    def learn(self, action: Action) -> None:
        """Which files were written and run, and what was written and installed."""
        for edit in action.operation.edits:
            self._all_texts = self._all_texts and edit.after is not None and len(self._texts) < _MOST_TEXTS
            if edit.after:
                self._texts.append(edit.after[:_LONGEST_TEXT])
            if edit.created and edit.path and edit.path not in self._written:
                self._remember(self._written, edit.path)
                self._maybe_script(edit.path, self._run)
        if action.operation.command and _INSTALLS.search(action.operation.command):
            self._installs.append(action.operation.command[:_LONGEST_TEXT])
        for command in action.operation.commands:
            name = script(command)
            if name and name not in self._run:
                self._remember(self._run, name)
                for path in self._written:
                    self._maybe_script(path, (name,))

    def _remember(self, known: dict[str, None], name: str) -> None:
        if self._most is not None and len(known) >= self._most:
            known.pop(next(iter(known)))
        known[name] = None

    def _maybe_script(self, path: str, run: Iterable[str]) -> None:
        if (
            path not in self.scripts
            and holds_any(path.rsplit("/", 1)[-1].lower(), _TRIES)
            and any(same_file(path, name) for name in run)
        ):
            self.scripts.append(path)
            self._scripts_called[last_part(path)].append(path)

    def _is_script(self, path: str) -> bool:
        return any(same_file(path, name) for name in self._scripts_called.get(last_part(path), ()))

    def _edited_as(self, file: str) -> list[str]:
        """The edited files, scripts apart, that a frame's file may be."""
        return [path for path in self._edited.like(file) if not self._is_script(path)]

    def shown_after(self, step: int) -> Sources:
        """What was shown of files up to a step and, after it, until a test was edited."""
        while self._unread:
            action = self._unread[0]
            if action.step > step and any(is_test_code(edit.path, self.scripts) for edit in action.accepted_edits):
                break
            self._sources.take(self._unread.popleft())
        return self._sources

    def _through(self, failure: Failure, step: int) -> tuple[list[str], int]:
        """The implementation files changed since the failure had first shown, and the number of those edits."""
        name = failure.group or ""
        if name not in self._since:
            if self._most is not None and len(self._since) > self._most:
                self._since.pop(next(iter(self._since)))
            self._since[name] = (step, [])
            return [], 0
        upto, paths = self._since[name]
        new: list[str] = []
        for at, path in reversed(self._edits):
            if at <= upto:
                break
            new.append(path)
        paths.extend(reversed(new))
        self._since[name] = (step, paths)
        return unchanged_through(paths, failure, self.scripts)


def set_origins(timeline: Timeline) -> None:
    """Fill in roles, `expected` and origin of every failure. A failure that came back is also judged by what was
    changed up to its last occurrence: `origin` then says more than `origin_then`."""
    repeats = {(group.lane, group.id): group.steps for group in timeline.groups if len(group.steps) > 1}
    for lane in timeline.lanes():
        finder = OriginFinder(timeline.session.task or "")
        seen: list[tuple[int, Failure, Surroundings]] = []
        edits: list[tuple[int, str]] = []
        actions = timeline.lane(lane)
        for action in actions:
            around = finder.take(action)
            if around is not None and action.failure is not None and (lane, action.failure.group or "") in repeats:
                seen.append((action.step, action.failure, around))
            edits.extend((action.step, edit.path) for edit in action.accepted_edits)
        through: dict[str, tuple[list[str], int]] = {}
        for number, (step, failure, around) in enumerate(seen):
            name = failure.group or ""
            if name not in through:
                steps = repeats[lane, name]
                own = finder.scripts
                if not failure.frames:
                    own = [path for path in own if last_part(path) in around.subject]
                between = (bisect_right(edits, step, key=itemgetter(0)) for step in (steps[0], steps[-1]))
                through[name] = unchanged_through([path for _, path in edits[slice(*between)]], failure, own)
            paths, survived = through[name]
            if (paths, survived) != (list(around.unchanged_through), around.survived):
                unread = [name for name in around.unread if not any(same_file(name, path) for path in paths)]
                known = replace(around, unchanged_through=paths, survived=survived, unread=unread)
                seen[number] = step, failure, known
                failure.origin = origin_of(failure, known)
        _judge_by_what_was_shown(finder, seen)
        judge_by_later_passes(actions)
        _explain_by_later_traces(actions)


def _judge_by_what_was_shown(finder: OriginFinder, seen: Sequence[tuple[int, Failure, Surroundings]]) -> None:
    """The last occurrence of a failure that came back is judged by all that the transcript shows of test code, also
    after it."""
    last = {failure.group: (step, failure, around) for step, failure, around in seen}
    for step, failure, around in sorted(last.values(), key=itemgetter(0)):
        if not _worth_sources(failure) or not _may_be_supplied(failure):
            continue
        sources = finder.shown_after(step)
        known = replace(around, test_code=test_code(failure, sources), known_tests=known_tests(failure, sources))
        failure.frames = tuple(
            with_code(frame, sources) if frame.role is FrameRole.TEST else frame for frame in failure.frames
        )
        found = origin_of(failure, known)
        if found.role is OriginRole.TEST and (failure.origin is None or found.confidence >= failure.origin.confidence):
            failure.origin = found


def _explain_by_later_traces(actions: Sequence[Action]) -> None:
    """A failing test of which only the name is shown has the origin that a later step shows with its trace, where
    nothing was edited in between."""
    later: dict[str, tuple[int, Origin]] = {}
    for action in reversed(actions):
        failure = action.failure
        if failure is None:
            if action.operation.edits:
                later.clear()
            continue
        if failure.frames and failure.origin is not None:
            later.update((test, (action.step, failure.origin)) for test in failure.failing_tests)
        elif failure.kind is FailureKind.TEST and failure.failing_tests and not failure.frames:
            found = [later.get(test) for test in failure.failing_tests]
            origins = [entry for entry in found if entry is not None]
            if len(origins) == len(found) and len({origin.role for _, origin in origins}) == 1:
                step, origin = origins[0]
                failure.origin = replace(
                    origin, reason=f"step {step} shows the trace of the same test: {origin.reason}"
                )


def _worth_sources(failure: Failure) -> bool:
    """Whether what the transcript shows of files can say more about where a failure comes from."""
    if not failure.frames and not failure.failing_tests:
        return _names_value(failure)
    return _may_be_supplied(failure) or (failure.kind is FailureKind.EXCEPTION and bool(failure.frames))


def _may_be_supplied(failure: Failure) -> bool:
    """Whether the failure may speak about a value that a test has handed over."""
    unread = failure.kind is FailureKind.TEST and any(frame.code is None for frame in failure.frames[-1:])
    if not failure.frames and _names_value(failure):
        return True
    return demands(failure.message) or refuses(failure) or (unread and bool(named_values(failure.message)))


def _names_value(failure: Failure) -> bool:
    """Whether a failure of a program that ran names a value."""
    ran = failure.kind in (FailureKind.EXCEPTION, FailureKind.OTHER, FailureKind.USAGE)
    return ran and bool(named_values(failure.message))


def _unread(failure: Failure, sources: Sources, edited_as: Callable[[str], list[str]]) -> list[str]:
    """The project's files in the trace that nothing has shown and that the agent has not changed, where traces name
    packages rather than paths, so that the name doesn't tell a test's helper from the implementation."""
    if failure.language not in _NAMED_BY_PACKAGE:
        return []
    paths = dict.fromkeys(frame.file for frame in failure.frames if frame.role is FrameRole.PROJECT)
    return [path for path in paths if sources.name_of(path) is None and not edited_as(path)]


def unchanged_through(paths: Iterable[str], failure: Failure, scripts: list[str]) -> tuple[list[str], int]:
    """Implementation files among `paths`, one per edit between two occurrences of a failure, and the number of those
    edits; nothing if a test file of its trace was changed too."""
    tests = [frame.file for frame in failure.frames if frame.role is FrameRole.TEST]
    edits = Counter(paths)
    if any(path in edits for path in scripts) or any(is_among(test, edits) for test in tests):
        return [], 0
    changed = [path for path in edits if not is_test_path(path)]
    return changed, sum(edits[path] for path in changed)


def _is_reproduction(task: str, action: Action, failure: Failure, *, changed_source: bool) -> bool:
    """A script that is run before any change to the source and fails as the task says: that's what it is for."""
    if changed_source or action.kind not in (Kind.RUN, Kind.TEST) or not action.operation.commands:
        return False
    if failure.kind not in (FailureKind.EXCEPTION, FailureKind.PERMISSION, FailureKind.TEST, FailureKind.TIMEOUT):
        return False
    name = next((name for command in action.operation.commands if (name := script(command))), "")
    if failure.type == "CheckFailed":
        return holds_any(name.lower(), (*_REPRODUCES, "check"))
    return _named_in(task, failure)


def _named_in(task: str, failure: Failure) -> bool:
    """Whether the task quotes the failure: its type, and the beginning of its message if it has one."""
    kind = (failure.type or "").rsplit(".", 1)[-1]
    return bool(kind) and kind in task and bool(failure.message) and one_line(failure.message)[:24] in one_line(task)
