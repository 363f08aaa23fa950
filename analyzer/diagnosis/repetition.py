"""Repetition that is no loop, by name: what other guards raise alarms about, and why this isn't one.

A stretch is named when something comes round three times or more and each round brings something: another page, another
file, moving output, work in between. What a loop finding already covers isn't named.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, takewhile

from analyzer.commands.table import Does, file_act, knows
from analyzer.model.action import Action
from analyzer.model.finding import Finding
from analyzer.model.postmortem import Repetition
from analyzer.model.struct import Struct
from analyzer.model.words import Category, Kind, Mark
from analyzer.text.clip import clip
from analyzer.text.markdown import code
from analyzer.text.plain import is_partly_blanked
from analyzer.timeline import Timeline
from analyzer.timeline.keys import same_outcome, tells, unrecorded

_ROUNDS = 3
_BATCH = 4
"""How many files make batch work."""
_MOST = 12
"""How many stretches are named per session, the longest."""
_LISTS = frozenset({"list_dir", "list_files", "list_directory"})
"""Tools that list a directory."""
_FAR = 40
"""Actions between two rounds beyond which nobody would call it repetition."""


def repetition_of(timeline: Timeline, findings: Sequence[Finding]) -> list[Repetition]:
    """The benign stretches of a session, in step order; one step belongs to one stretch, to that with more rounds."""
    found: list[Repetition] = []
    for lane in timeline.lanes():
        made = (action for action in timeline.lane(lane) if not action.harness and action.kind is not Kind.THINK)
        units = [action for action in made if action.mark is not Mark.CASCADE]
        loops = (finding for finding in findings if finding.category is Category.LOOP and finding.lane == lane)
        taken = {step for finding in loops for step in range(finding.first_step, finding.last_step + 1)}
        rows = [row for pattern in _PATTERNS for row in pattern.rows(units, timeline)]
        rows += _between_work(units, timeline)
        for row in sorted(rows, key=lambda row: -row.rounds):
            if not taken.intersection(row.steps):
                taken.update(row.steps)
                found.append(row)
    longest = sorted(found, key=lambda row: -row.rounds)[:_MOST]
    return sorted(longest, key=lambda row: (row.lane, row.steps[0]))


class _Pattern(Struct, frozen=True):
    """One row: what has to be equal of its members (None is none of them), how many other actions may lie between two
    of them, what has to hold of all of them, and why it's no loop."""

    name: str
    key: Callable[[Action], object | None]
    gap: int
    holds: Callable[[Sequence[Action], Timeline], bool]
    why: Callable[[Sequence[Action]], str]

    def rows(self, units: Sequence[Action], timeline: Timeline) -> Iterator[Repetition]:
        """The stretches of this pattern."""
        for members in _stretches(units, self.key, self.gap):
            if len(members) >= _ROUNDS and self.holds(members, timeline):
                yield _row(self.name, members, self.why(members))


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
    """Actions with an equal key, at most `gap` other actions between two of them, and no word of the user."""
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
    yield from (members for _, members in open_.values())


def _read_file(action: Action) -> object | None:
    shows = action.kind is Kind.READ and action.failure is None and (action.result or "").strip()
    return action.operation.path if shows else None


def _in_parts(members: Sequence[Action], _timeline: Timeline) -> bool:
    """Whether the reads show different parts of a file, none within another one, or, without lines, are other calls."""
    ranges = {lines for action in members if (lines := action.operation.lines) is not None}
    inner = sum(
        end is not None
        and any((at, end) != other and other[0] <= at and (other[1] is None or end <= other[1]) for other in ranges)
        for at, end in ranges
    )
    calls = {action.keys.call for action in members if action.operation.lines is None}
    changing = len({action.keys.outcome for action in members}) > len(members) // 2
    return changing and len(calls) + len(ranges) - inner >= _ROUNDS


def _listing(action: Action) -> object | None:
    """Whether an action lists a directory and does nothing to what it finds."""
    commands = action.operation.commands
    lists = knows(commands[-1].program, Does.LISTS) if commands else action.tool in _LISTS
    looks = action.kind is Kind.SEARCH and action.failure is None and not action.operation.writes
    return "listing" if lists and looks else None


def _place(action: Action) -> tuple[str, ...]:
    """What is listed, whatever the options."""
    if not action.operation.commands:
        return (action.operation.path or action.operation.target,)
    last = action.operation.commands[-1]
    words = [word for word in last.args if not word.startswith("-")]
    if file_act(last.program) == "each":  # behind the places come tests with values of their own
        words = list(takewhile(lambda word: word[:1] not in "-(!", last.args))
    return (action.operation.directory or "", *([word.rstrip("/") or "/" for word in words] or ["."]))


def _moves(members: Sequence[Action], timeline: Timeline) -> bool:
    """Whether the output of a call changes at least every other time. Of calls that were sent together none could wait
    for the answer of another."""
    together = members[0].batch is not None and len({action.batch for action in members}) == 1
    told = all(action.failure is None and tells(action) and not unrecorded(action) for action in members)
    moving = sum(not same_outcome(one, other, timeline.masks) for one, other in pairwise(members))
    return told and not together and moving * 2 >= len(members) - 1


def _tool_and_program(action: Action) -> object | None:
    if action.failure is not None or action.kind not in (Kind.EDIT, Kind.RUN, Kind.READ, Kind.SEARCH):
        return None
    return action.kind, action.tool, action.operation.commands[-1].program if action.operation.commands else ""


def _paths(members: Sequence[Action]) -> set[str]:
    return {action.operation.path or action.operation.target for action in members}


def _different_files(members: Sequence[Action], _timeline: Timeline) -> bool:
    """Whether each is about a file of its own; a recorder numbers what it masks as it likes."""
    paths = _paths(members)
    own = bool(members[0].operation.path) and not any(map(is_partly_blanked, paths))
    return own and len(members) >= _BATCH and len(paths) == len(members)


_PATTERNS = (
    _Pattern(
        "reading in parts",
        _read_file,
        1,
        _in_parts,
        lambda members: f"several parts of {code(members[0].operation.path or '', 80)} are read",
    ),
    _Pattern(
        "browsing directories",
        _listing,
        0,
        lambda members, _: len({_place(action) for action in members}) == len(members),
        lambda members: f"{len(members)} different places are listed",
    ),
    _Pattern(
        "waiting",
        lambda action: "wait" if action.kind is Kind.WAIT and action.failure is None else None,
        1,
        lambda *_: True,
        lambda _: "it waits for something that runs elsewhere",
    ),
    _Pattern(
        "polling",
        lambda action: action.keys.call_masked if action.kind in (Kind.RUN, Kind.OTHER, Kind.WAIT) else None,
        2,
        _moves,
        lambda members: f"the output of {code(clip(members[0].operation.target, 70))} keeps changing",
    ),
    _Pattern(
        "batch work",
        _tool_and_program,
        0,
        _different_files,
        lambda members: f"{members[0].kind} of {len(_paths(members))} different files",
    ),
    _Pattern(
        "keeping a list of tasks",
        lambda action: "list" if action.kind is Kind.PLAN and action.failure is None else None,
        100_000,
        lambda *_: True,
        lambda _: "the tool's answer doesn't depend on what is noted",
    ),
)


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
            fine = (action for action in between if action.failure is None)
            edited = any(action.operation.edits or action.kind is Kind.EDIT for action in fine)
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
