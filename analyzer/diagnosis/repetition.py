"""Repetition that is no loop, by name: what other guards raise alarms about, and why this isn't one.

A stretch is named when something comes round three times or more and each round brings something: another page, another
file, moving output, work in between. What a loop finding already covers isn't named.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise, takewhile

from analyzer.model.action import Action
from analyzer.model.finding import Finding
from analyzer.model.postmortem import Repetition
from analyzer.model.words import Category, FailureKind, Kind, Mark
from analyzer.text.clip import clip
from analyzer.text.english import times
from analyzer.text.markdown import code
from analyzer.text.plain import is_partly_blanked
from analyzer.timeline import Timeline
from analyzer.timeline.keys import same_outcome, tells, unrecorded

_ROUNDS = 3
_BATCH = 4
"""How many files make batch work."""
_MOST = 12
"""How many stretches are named per session, the longest."""
_LISTS = frozenset({"ls", "dir", "tree", "cd", "pwd", "find", "fd", "list_dir", "list_files", "list_directory"})
_SEEN = 0.8
"""Share of its lines from which a read shows what was shown before."""
_MARGIN = 0.1
"""Share of its lines up to which a page repeats the end of another one."""
_FAR = 40
"""Actions between two rounds beyond which nobody would call it repetition."""


def repetition_of(timeline: Timeline, findings: Sequence[Finding]) -> list[Repetition]:
    """The benign stretches of a session, in step order; one step belongs to one stretch, to that with more rounds."""
    found: list[Repetition] = []
    for lane in timeline.lanes():
        units = [
            action
            for action in timeline.lane(lane)
            if not action.harness and action.kind is not Kind.THINK and action.mark is not Mark.CASCADE
        ]
        taken = {
            step
            for finding in findings
            if finding.category is Category.LOOP and finding.lane == lane
            for step in range(finding.first_step, finding.last_step + 1)
        }
        rows = [row for pattern in _PATTERNS for row in pattern(units, timeline)]
        for row in sorted(rows, key=lambda row: -row.rounds):
            if not taken.intersection(row.steps):
                taken.update(row.steps)
                found.append(row)
    longest = sorted(found, key=lambda row: -row.rounds)[:_MOST]
    return sorted(longest, key=lambda row: (row.lane, row.steps[0]))


def _row(pattern: str, actions: Sequence[Action], why: str) -> Repetition:
    return Repetition(
        pattern=pattern,
        lane=actions[0].lane,
        first_step=actions[0].step,
        last_step=actions[-1].step,
        steps=[action.step for action in actions],
        rounds=len(actions),
        why=why,
    )


def _stretches(units: Sequence[Action], key: Callable[[Action], object | None], gap: int) -> Iterator[list[Action]]:
    """Actions with an equal key that isn't None, at most `gap` other actions between two of them, and no word of the
    user."""
    open_: dict[object, tuple[int, list[Action]]] = {}
    for position, action in enumerate(units):
        if action.after_user:
            yield from (members for _, members in open_.values())
            open_ = {}
        name = key(action)
        if name is None:
            continue
        last, members = open_.get(name, (position, []))
        if members and position - last > gap + 1:
            yield members
            members = []
        members.append(action)
        open_[name] = (position, members)
    for _, members in open_.values():
        yield members


def _paging(units: Sequence[Action], _timeline: Timeline) -> Iterator[Repetition]:
    def page(action: Action) -> object | None:
        shows = action.kind is Kind.READ and action.failure is None and (action.result or "").strip()
        return action.operation.path if shows else None

    shown = _shown_before(units)
    for members in _stretches(units, page, 1):
        fresh = [action for action in members if shown.get(action.step, 0.0) < _SEEN]
        if len(fresh) < _ROUNDS or len({action.keys.outcome for action in fresh}) <= len(members) // 2:
            continue
        path = code(members[0].operation.path or "", 80)
        again = len(members) - len(fresh)
        twice = any(shown.get(action.step, 0.0) > _MARGIN for action in members)
        if not twice and _adjoin(members):
            yield _row("paging", members, f"{path} is read page by page; each call shows different lines")
        elif again:
            yield _row(
                "reading in parts", members, f"several parts of {path} are read, {times(again)} with lines shown before"
            )
        else:
            more = ", some of their lines more than once" if twice else ""
            yield _row("reading in parts", members, f"several parts of {path} are read{more}")


def _shown_before(units: Sequence[Action]) -> dict[int, float]:
    """Of each read of a file, the share of its lines that was shown before, however long ago; a file that was edited
    since is another one."""
    seen: dict[str, list[tuple[int, int]]] = defaultdict(list)
    whole: dict[str, set[str]] = defaultdict(set)
    found: dict[int, float] = {}
    for action in units:
        for edited in (*(edit.path for edit in action.accepted_edits), *action.operation.writes):
            seen.pop(edited, None)
            whole.pop(edited, None)
        path = action.operation.path
        if action.kind is not Kind.READ or not path or action.failure is not None:
            continue
        lines = action.operation.lines
        if lines is None:
            # Without lines, another call may name its part otherwise; the same one shows the same, or the file changed.
            found[action.step] = 1.0 if action.keys.call in whole[path] else 0.0
            whole[path].add(action.keys.call)
            continue
        first, last = lines[0], lines[1] if lines[1] is not None else lines[0] + (action.result or "").count("\n")
        known = sum(max(0, min(last, end) - max(first, start) + 1) for start, end in seen[path])
        found[action.step] = known / max(1, last - first + 1)
        seen[path] = _joined([*seen[path], (first, last)])
    return found


def _joined(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges of lines without those that lie in another, each line once."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(joined[-1][1], last)
        else:
            joined.append((first, last))
    return joined


def _adjoin(members: Sequence[Action]) -> bool:
    """Whether each read goes on behind the one before it, by the lines that the calls name."""
    named = [action.operation.lines for action in members]
    return all(
        one is not None and other is not None and one[1] is not None and one[1] <= other[0] <= one[1] + 1
        for one, other in pairwise(named)
    )


def _walking(units: Sequence[Action], _timeline: Timeline) -> Iterator[Repetition]:
    def listing(action: Action) -> object | None:
        name = action.operation.commands[-1].program if action.operation.commands else action.tool
        return "listing" if name in _LISTS and action.failure is None and not _changes(action) else None

    for members in _stretches(units, listing, 0):
        places = {_place(action) for action in members}
        if len(members) >= _ROUNDS and len(places) == len(members):
            yield _row("browsing directories", members, f"{len(members)} different places are listed")


_ACTS = frozenset({"-delete", "-exec", "-execdir", "-ok", "-fprint"})


def _changes(action: Action) -> bool:
    """Whether a command that begins as a listing does something to what it finds."""
    return bool(action.operation.edits or action.operation.writes) or any(
        _ACTS.intersection(command.args) for command in action.operation.commands
    )


def _place(action: Action) -> tuple[str, ...]:
    """What is listed, whatever the options."""
    if not action.operation.commands:
        return (action.operation.path or action.operation.target,)
    last = action.operation.commands[-1]
    words = [word.rstrip("/") or "/" for word in last.args if not word.startswith("-")]
    if last.program == "find":  # behind the places come tests with values of their own
        words = [word.rstrip("/") or "/" for word in takewhile(lambda word: word[:1] not in "-(!", last.args)]
    return (action.operation.directory or "", *(words or ["."]))


def _polling(units: Sequence[Action], timeline: Timeline) -> Iterator[Repetition]:
    def wait(action: Action) -> object | None:
        return "wait" if action.kind is Kind.WAIT and action.failure is None else None

    for members in _stretches(units, wait, 1):
        if len(members) >= _ROUNDS:
            yield _row("waiting", members, "it waits for something that runs elsewhere")
    for members in _stretches(
        units, lambda action: action.keys.call_masked if action.kind in (Kind.RUN, Kind.OTHER, Kind.WAIT) else None, 2
    ):
        moving = sum(not same_outcome(one, other, timeline.masks) for one, other in pairwise(members))
        if (
            len(members) >= _ROUNDS
            and all(action.failure is None and tells(action) and not unrecorded(action) for action in members)
            and not _sent_together(members)
            and moving * 2 >= len(members) - 1
        ):
            yield _row(
                "polling",
                members,
                f"the same call, {code(clip(members[0].operation.target, 70))}, and its output changes",
            )


def _sent_together(members: Sequence[Action]) -> bool:
    """Whether all the calls were sent in one message, so that none could wait for the answer of another."""
    return members[0].batch is not None and len({action.batch for action in members}) == 1


def _batch(units: Sequence[Action], _timeline: Timeline) -> Iterator[Repetition]:
    def tool(action: Action) -> object | None:
        if action.failure is not None or action.kind not in (Kind.EDIT, Kind.RUN, Kind.READ, Kind.SEARCH):
            return None
        program = action.operation.commands[-1].program if action.operation.commands else ""
        return action.kind, action.tool, program

    for members in _stretches(units, tool, 0):
        paths = {action.operation.path or action.operation.target for action in members}
        if any(map(is_partly_blanked, paths)):
            continue  # a recorder numbers what it masks as it likes
        if len(members) >= _BATCH and len(paths) == len(members) and members[0].operation.path:
            yield _row("batch work", members, f"{members[0].kind} of {len(paths)} different files")


def _between_work(units: Sequence[Action], timeline: Timeline) -> Iterator[Repetition]:
    by_call: dict[str, list[int]] = defaultdict(list)
    for position, action in enumerate(units):
        if action.kind in (Kind.RUN, Kind.TEST, Kind.SEARCH, Kind.OTHER, Kind.READ) and action.failure is None:
            by_call[action.keys.call_masked].append(position)
    for positions in by_call.values():
        rounds, changed = [positions[0]], []
        for position in positions[1:]:
            between = units[rounds[-1] + 1 : position]
            if len(between) > _FAR:
                break
            edited = any(
                action.failure is None and (action.operation.edits or action.kind is Kind.EDIT) for action in between
            )
            if edited or any(action.after_user for action in (*between, units[position])):
                rounds.append(position)
                changed.append(edited)
        members = [units[position] for position in rounds]
        if len(members) < _ROUNDS:
            continue
        shown = code(clip(members[0].operation.target or members[0].tool, 70))
        if all(action.after_user for action in members[1:]) or not any(changed):
            yield _row("asked for again", members, f"the user spoke before each {shown}")
        elif same_outcome(members[0], members[-1], timeline.masks) or members[0].kind is Kind.TEST:
            what = "something was changed" if all(changed) else "something was changed, or the user spoke,"
            yield _row("a check between pieces of work", members, f"{what} before each {shown}")


def _lists(units: Sequence[Action], _timeline: Timeline) -> Iterator[Repetition]:
    members = [action for action in units if action.kind is Kind.PLAN and action.failure is None]
    if len(members) >= _ROUNDS:
        yield _row("keeping a list of tasks", members, "the tool's answer doesn't depend on what is noted")


def _red_green(units: Sequence[Action], _timeline: Timeline) -> Iterator[Repetition]:
    run: list[Action] = []
    for action in (*units, None):
        if action is not None and action.kind is not Kind.TEST:
            continue
        outcome = _verdict(action) if action is not None else None
        if action is not None and outcome is not None and (not run or _differs(run[-1], action)):
            run.append(action)
            continue
        if len(run) > _ROUNDS and len({_verdict(entry) for entry in run}) > _ROUNDS - 1:
            yield _row("test, change, test", run, "the tests fail differently each time, or pass")
        run = [action] if action is not None and outcome is not None else []


def _differs(earlier: Action, action: Action) -> bool:
    """Whether a test says something else than the one before it, on files that were changed in between."""
    return _verdict(action) != _verdict(earlier) and (not action.state or action.state != earlier.state)


def _verdict(action: Action) -> object:
    failure = action.failure
    return (failure.group, failure.counts.get("failed")) if failure is not None else "passed"


def _corrected(units: Sequence[Action], _timeline: Timeline) -> Iterator[Repetition]:
    members = [
        action
        for action, after in pairwise(units)
        if action.failure is not None and action.failure.kind is FailureKind.INVALID_CALL and after.failure is None
    ]
    if len(members) >= _ROUNDS:
        yield _row("malformed calls, corrected", members, "each malformed call is corrected at the next step")


_PATTERNS: tuple[Callable[[Sequence[Action], Timeline], Iterable[Repetition]], ...] = (
    _paging,
    _walking,
    _polling,
    _batch,
    _between_work,
    _lists,
    _red_green,
    _corrected,
)
