"""Runs of checks on a server that a call watched to their end: which jobs passed on the commit that was pushed.

What counts is the list of jobs in the result, whichever client prints it, and that the run is one of the pushed commit:
a push of the code as it is came before it, and its id, or the commit that it names, is new since then.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from analyzer.model.action import Action
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.timeline.delivery import Delivery

_MULTILINE = 8
_LONGEST = 60_000
_MOST_BACK = 40
"""Calls that may lie between a command that was handed back and the call that waits for its end."""
_TIMED = late(
    r"^(?P<how>[✓✔X✗✘*•-]) (?P<name>[^\n]{1,100}?) in \d+[hms][\dhms]* \(ID \d{1,20}\)"
    r"|^[*•-] (?P<what>[^\n]{1,100}?) \(ID \d{1,20}\)",
    _MULTILINE,
)
_TABBED = late(r"^(?P<name>[^\t\n]{1,100})\t(?P<how>pass|fail|pending|skipping|cancel)\t", _MULTILINE)
_BRACKETED = late(
    r"^\((?P<how>success|failed|running|pending|created|canceled|skipped|manual)\)[ \t]*(?:•[ \t]*)?(?:\d[^\t\n]*)?\t+"
    r"[^\t\n]+\t+(?P<name>[^\t\n]{1,100})",
    _MULTILINE,
)
_WORDS = late(r"^completed[\t ]+(?P<how>success|failure|cancelled|timed_out)\b", _MULTILINE)
_PASSED = frozenset({"✓", "✔", "pass", "success"})
_LEFT_OUT = frozenset({"skipping", "skipped", "manual", "neutral", "-"})
_ID = late(r"(?<![\w.])\d{6,20}(?![\w.])")
_HASH = late(r"\.\.(?P<pushed>[\da-f]{7,40})\b|^\[[^\]\n]{1,200} (?P<made>[\da-f]{7,40})\] ", _MULTILINE)
_REJECTED = late(r"^Everything up-to-date$|\[(?:remote )?rejected\]", _MULTILINE)
_SHORTEST = 7
_TESTS = late(r"(?:^|[\W_])(?:unit|e2e|integration)?[\W_]{0,2}(?:tests?|pytest|jest|vitest|specs?)(?:[\W_]|$)", 2)


@dataclass(frozen=True, slots=True)
class RemoteRun:
    """What a watched run of checks came to: the names of the jobs that passed, and the call whose command watched."""

    jobs: tuple[str, ...]
    watch: Action

    @property
    def tested(self) -> bool:
        """Whether one of the jobs is called after tests."""
        return any(_TESTS.search(name) is not None for name in self.jobs)


def remote_runs(actions: Sequence[Action], delivery: Delivery) -> dict[int, RemoteRun]:
    """The calls that saw all jobs of a run pass on the pushed code, by the identity of the action."""
    found: dict[int, RemoteRun] = {}
    for place, action in enumerate(actions):
        if action.failure is not None or action.exit_code not in (None, 0) or not action.result:
            continue
        watch = _watch(actions, place)
        jobs = _jobs(action.result[-_LONGEST:]) if watch is not None else None
        if watch is not None and jobs and _is_of_push(actions, place, watch, delivery):
            found[id(action)] = RemoteRun(jobs, watch)
    return found


def _watch(actions: Sequence[Action], place: int) -> Action | None:
    """The call that began what an action waits for: itself, or the last one whose command was handed back."""
    action = actions[place]
    if action.operation.runner is not None or action.operation.path is not None:
        return None
    if action.operation.commands:
        return action if action.kind in (Kind.WAIT, Kind.RUN) else None
    if action.kind is not Kind.WAIT:
        return action if action.kind is Kind.OTHER else None
    before = reversed(actions[max(0, place - _MOST_BACK) : place])
    begun = next((other for other in before if other.kind is not Kind.WAIT or other.operation.commands), None)
    return begun if begun is not None and begun.kind is Kind.WAIT else None


def _jobs(text: str) -> tuple[str, ...]:
    """The names of the jobs of a run, each as it's listed last, if none of them failed or is still running."""
    last = dict(_rows(text))
    passed = tuple(name for name, how in last.items() if how in _PASSED)
    return passed if all(how in _PASSED or how in _LEFT_OUT for how in last.values()) else ()


def _rows(text: str) -> Iterator[tuple[str, str]]:
    for row in _TIMED.finditer(text):
        yield (row["name"], row["how"]) if row["name"] else (row["what"], "running")
    for form in (_TABBED, _BRACKETED):
        for row in form.finditer(text):
            yield row["name"].strip(), row["how"]
    for row in _WORDS.finditer(text):
        yield "", row["how"]
    if text.lstrip()[:1] in ("{", "["):
        yield from _objects(text)


def _objects(text: str) -> Iterator[tuple[str, str]]:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return
    entries = value if isinstance(value, list) else value.get("jobs") or value.get("check_runs") or [value]
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("conclusion"), str):
            name = entry.get("name")
            yield name if isinstance(name, str) else "", entry["conclusion"] or "running"


def _is_of_push(actions: Sequence[Action], place: int, watch: Action, delivery: Delivery) -> bool:
    """Whether the run is one of a commit that was pushed before it and holds the code as it is."""
    pushed = next((at for at in range(place - 1, -1, -1) if _did(actions[at], "push")), None)
    if pushed is None or _REJECTED.search(actions[pushed].result or "") is not None:
        return False
    made = next((at for at in range(pushed, -1, -1) if _did(actions[at], "commit")), None)
    if made is None or delivery.before(actions[made]) != delivery.state(actions[place]):
        return False
    ids = set(_ID.findall(watch.operation.command or str(watch.arguments)))
    if ids:
        return not any(one in (action.result or "") for action in actions[:pushed] for one in ids)
    shown = actions[place].result or ""
    if shown.lstrip()[:1] not in ("{", "["):
        return True
    hashes = [
        found["pushed"] or found["made"]
        for action in actions[made : pushed + 1]
        for found in _HASH.finditer(action.result or "")
    ]
    return any(one[:_SHORTEST] in shown or one[:_SHORTEST] in (watch.operation.command or "") for one in hashes)


def _did(action: Action, verb: str) -> bool:
    return action.failure is None and any(
        command.program == "git" and next((word for word in command.args if not word.startswith("-")), "") == verb
        for command in action.operation.commands
    )
