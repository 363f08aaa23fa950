"""Which session of one set belongs to which of the other: those that worked on the same task."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal

from analyzer.audit.compare.side import Run
from analyzer.model.struct import Struct
from analyzer.text.names import name_set

By = Literal["id", "title", "task", "path", "only", "none"]
Asked = Literal["auto", "task", "id", "title", "path", "none"]

_TIME = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?:[T_-]+\d\d[-:]\d\d(?:[-:]\d\d)?)?(?!\d)")
_TRIAL = re.compile(
    r"(?:^|(?<=[^a-z0-9]))(?:trial|attempt|epoch|repetition|repeat|rollout|seed|try)[-_=:. ]?\d+(?=$|[^a-z0-9])"
    r"|(?<=\.)\d+-of-\d+(?=$|\.)",
    re.IGNORECASE,
)
_ENDS = " ./_-:#"
_SAYING_NOTHING = name_set(
    "a again and any are awake check continue do done file fix go goal good hello help hey hi in is it just keep lets "
    "me more my new next no now of ok okay on one please proceed prompt quick ready resume retry run sample session "
    "so start sure task test tests thank thanks that the there this to trial try up use warmup what whats with work "
    "yes you your"
)
_SHORT = 3
"""A task of no more words that several sessions of a set share is a way of speaking, such as `fix lint errors`."""
_ALIKE = 0.4
"""The share of the shorter task's words that the other must have for both to be called the same task."""
_FOREIGN = 0.2
"""Where more pairs than this have tasks that aren't alike, the key (a position in a file, say) names no tasks."""
_TELLING = 0.3
"""How much nearer to equal the tasks under one key must be than tasks under different keys."""
_NUMBERED = re.compile(r"(?:run|log|session|sample|output|traj|trajectory|result)?[-_ .]?\d+", re.IGNORECASE)
"""A name that numbers runs and names no task."""
_FEWEST_MERGED = 6
_MOST_OF_ONE_PROMPT = 0.25
_LONGEST_NAME = 120
_SUFFIXES = name_set(".json .jsonl .ndjson .traj .eval .log .txt .md .gz .bz2 .xz .zst .zip .tar")


class Task(Struct, frozen=True):
    """One task with its sessions on both sides; several on a side are trials of it."""

    name: str
    before: tuple[Run, ...]
    after: tuple[Run, ...]


class Attempt(Struct, frozen=True):
    """What pairing by one key gave: tasks that both sides have, and keys left out because their tasks say something
    else or they don't name one task. `usable` is False where so many were left out that the key names no tasks."""

    by: By
    tasks: tuple[Task, ...]
    left_out: int
    usable: bool = True


class Pairs(Struct, frozen=True):
    """How the sessions were paired, and which stay alone."""

    by: By
    tasks: tuple[Task, ...]
    alone_before: tuple[Run, ...]
    alone_after: tuple[Run, ...]
    attempts: tuple[Attempt, ...]


def pair(before: Sequence[Run], after: Sequence[Run], asked: Asked = "auto") -> Pairs:
    """The sessions of both sets by task.

    `auto` takes the key, out of the session's id, its title, the words of its task and its path below the set's common
    folder, under which most tasks are found on both sides. Sessions that share a key and whose tasks have little in
    common aren't paired by `auto`; with a key that was asked for they are.
    """
    by: By = "none"
    tasks: tuple[Task, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    if asked == "auto":
        attempts = tuple(_attempt(key, before, after) for key in _KEYS)
        best = max(attempts, key=lambda attempt: len(attempt.tasks) if attempt.usable else 0)
        if best.usable and best.tasks:
            by, tasks = best.by, best.tasks
        elif len(before) == len(after) == 1 and alike(before[0], after[0]):
            by, tasks = "only", (Task(_name(before[0]), tuple(before), tuple(after)),)
    elif asked != "none":
        attempts = (_attempt(asked, before, after, trusting=True),)
        tasks = attempts[0].tasks
        by = asked if tasks else "none"
    paired = {id(run) for task in tasks for run in (*task.before, *task.after)}
    old, new = (tuple(run for run in runs if id(run) not in paired) for runs in (before, after))
    return Pairs(by, tasks, old, new, attempts)


def alike(one: Run, other: Run) -> bool:
    """Whether nothing in the words of their tasks says that two sessions worked on different ones."""
    shared = _shared(one, other)
    return shared is None or shared >= _ALIKE


def _shared(one: Run, other: Run) -> float | None:
    """The share of the shorter task's words that the other has; None where one has no task."""
    if not one.task or not other.task:
        return None
    if one.task_key == other.task_key:
        return 1.0
    first, second = _words(one.task), _words(other.task)
    return len(first & second) / max(1, min(len(first), len(second)))


def without_trial(name: str) -> str:
    """A name without what changes from run to run: the number of a trial or epoch, and a time. `12/trial-3` is `12`."""
    return _bare(name) or name


def _bare(name: str) -> str:
    """The same, empty for a name that says nothing but which trial it is."""
    return _TRIAL.sub("", _TIME.sub("", name)).replace("//", "/").strip(_ENDS)


def _attempt(by: By, before: Sequence[Run], after: Sequence[Run], *, trusting: bool = False) -> Attempt:
    keys = _KEYS[by]
    old, new = _grouped(keys(before)), _grouped(keys(after))
    common = [key for key in old if key in new]
    if by == "task":
        generic = {key for key in common if _generic(old[key], new[key])}
        return Attempt(by, _merged({key: (old[key], new[key]) for key in common if key not in generic}), len(generic))
    if trusting:
        return Attempt(by, _merged({key: (old[key], new[key]) for key in common}), 0)
    elsewhere = {run.task_key for run in after if run.task}
    one_task = [key for key in common if _one_task(old[key], by) and _one_task(new[key], by)]
    same = [key for key in one_task if _same_task(old[key][0], new[key][0], elsewhere)]
    tasks = _merged({key: (old[key], new[key]) for key in same})
    usable = len(one_task) - len(same) <= _FOREIGN * len(one_task) and _names_tasks(
        [(old[key][0], new[key][0]) for key in same]
    )
    return Attempt(by, tasks, len(common) - len(same), usable)


def _same_task(one: Run, other: Run, elsewhere: Collection[str]) -> bool:
    """Whether two sessions with one key had the same task; not where the first one's is known under another key."""
    moved = bool(one.task and other.task) and one.task_key != other.task_key and one.task_key in elsewhere
    return not moved and alike(one, other)


def _names_tasks(pairs: Sequence[tuple[Run, Run]]) -> bool:
    """Whether tasks under one key are more alike than those under different keys, which share a template's words."""
    known = [(one, other) for one, other in pairs if one.task and other.task]
    if len(known) < 3:
        return True
    same = [_shared(one, other) or 0.0 for one, other in known]
    shifted = [_shared(one, known[number - 1][1]) or 0.0 for number, (one, _) in enumerate(known)]
    matched, chance = sum(same) / len(same), sum(shifted) / len(shifted)
    return matched == 1.0 or matched - chance >= _TELLING * (1 - chance)


def _grouped(keyed: Iterable[tuple[Run, str | None]]) -> dict[str, list[Run]]:
    groups: dict[str, list[Run]] = defaultdict(list)
    for run, key in keyed:
        if key:
            groups[key].append(run)
    return groups


def _one_task(runs: Sequence[Run], by: By) -> bool:
    """Whether sessions of one set that share a key are trials of one task."""
    first = runs[0]
    if len(runs) == 1:
        return True
    if by == "title" or len({run.id if by == "id" else run.path for run in runs}) < len(runs):
        return first.task is not None and all(run.task_key == first.task_key for run in runs)
    return all(alike(first, run) for run in runs)


def _generic(before: Sequence[Run], after: Sequence[Run]) -> bool:
    words = _words(before[0].task)
    return words <= _SAYING_NOTHING or (len(words) <= _SHORT and max(len(before), len(after)) > 1)


def _merged(found: Mapping[str, tuple[Sequence[Run], Sequence[Run]]]) -> tuple[Task, ...]:
    """The tasks, those with the very same words made one: trials that are named without a word such as `trial`.

    Not so where few tasks would be left, or one of many keys: then the words are a prompt that serves for many tasks,
    and their names tell them apart, unless the names are mere numbers.
    """
    merged: dict[str, list[str]] = defaultdict(list)
    for name, (before, after) in found.items():
        keys = {run.task_key for run in (*before, *after)}
        has_words = before[0].task is not None and not _words(before[0].task) <= _SAYING_NOTHING
        merged[keys.pop() if has_words and len(keys) == 1 else f"#{name}"].append(name)
    groups = list(merged.values())
    if groups and (len(groups) < _FEWEST_MERGED or max(map(len, groups)) > _MOST_OF_ONE_PROMPT * len(found)):
        groups = [
            part
            for group in groups
            for part in ([group] if all(_NUMBERED.fullmatch(name) for name in group) else [[name] for name in group])
        ]
    return tuple(
        Task(
            _name(found[group[0]][0][0]),
            tuple(run for name in group for run in found[name][0]),
            tuple(run for name in group for run in found[name][1]),
        )
        for group in groups
    )


def _name(run: Run) -> str:
    """What to call the task of a session: its id where that's a name, else its words."""
    named = without_trial(run.id)
    if re.search(r"[^\W\d_]{2}", named) and not re.fullmatch(r"[0-9a-f]{8}-?[0-9a-f-]{4,}|[A-Za-z0-9]{20,}", named):
        return named
    title = " ".join((run.title or run.task or "").split())
    return f"{named}: {title}"[:_LONGEST_NAME] if title and len(named) <= 8 else title[:_LONGEST_NAME] or named


def _words(task: str | None) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", task.casefold())) if task else frozenset()


def _by_path(runs: Sequence[Run]) -> list[tuple[Run, str | None]]:
    """The path below the common folder of all, without suffixes; none for sessions of a file that holds several."""
    if not runs:
        return []
    sharing: dict[str, int] = defaultdict(int)
    for run in runs:
        sharing[run.path] += 1
    root = os.path.commonpath([os.path.dirname(path) for path in sharing])  # noqa: PTH120 - a path may be an address
    return [(run, _bare(_stem(os.path.relpath(run.path, root))) if sharing[run.path] == 1 else None) for run in runs]


def _stem(path: str) -> str:
    while (suffix := os.path.splitext(path)[1].lower()) in _SUFFIXES:  # noqa: PTH122
        path = path[: -len(suffix)]
    return path.replace(os.sep, "/")


_KEYS: Mapping[By, Callable[[Sequence[Run]], list[tuple[Run, str | None]]]] = {
    "id": lambda runs: [(run, _bare(run.id)) for run in runs],
    "title": lambda runs: [(run, " ".join((run.title or "").casefold().split())) for run in runs],
    "task": lambda runs: [(run, run.task_key if run.task else None) for run in runs],
    "path": _by_path,
}
