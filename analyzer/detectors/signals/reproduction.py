"""What became of the fault: the first call that shows it on the original code, and the last one like it on what is
delivered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analyzer.failures.roles import last_part, same_file
from analyzer.model.action import Action, Command
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind
from analyzer.text.late import late
from analyzer.timeline.calls.programs import READERS, SEARCHERS, script
from analyzer.timeline.closing.decisions import not_run
from analyzer.timeline.delivery import Delivery
from analyzer.timeline.verification.checks import HANDLES_FILES
from analyzer.timeline.verification.proof import NO_SYMPTOM

_ASKED = 30_000
_LEAST_WORDS = 3
_LEAST_LETTERS = 14
"""How much of a message another text must hold for it to be named there."""
_MOST_WORDS = 60
_BEFORE = 90
"""Characters before a quoted message that say whether it's wanted."""
_WORD = late(r"\w+")
_MUST = r"should|must|shall|ought to|needs? to|has to|have to|want\w*"
_ENDS = r"\b(?! not\b|n['’]t)[^.!?\n]{0,60}$"
_WANTED = late(rf"\b(?:{_MUST}|expect\w*|instead|rather){_ENDS}", re.IGNORECASE)
"""Words before a message by which it may be wanted."""
_MUST_COME = late(rf"\b(?:{_MUST}|(?:is|are) expected to){_ENDS}", re.IGNORECASE)
"""Words before a message by which it surely is: `instead it raises KeyError` tells of a fault."""
_ASKED_FOR = frozenset({FailureKind.EXCEPTION, FailureKind.USAGE, FailureKind.OTHER})
"""Failures that a program is meant to have for what it's given."""
_REPRODUCES = late(
    r"\brepro(?:duc\w*)?\b|\b(?:shows?|confirms?|demonstrat\w*) the (?:bug|issue|problem)\b", re.IGNORECASE
)
_REPRODUCING_NAME = late(r"(?:^|[_\W])repro(?:duc\w*)?(?:[_\W]|$)", re.IGNORECASE)
_INLINE = frozenset({"-c", "-e", "--eval", "-m"})
_PUNCTUATION = late(r"[^\w\s./-]")
_LEAST_SHAPE = 3
"""Characters other than letters, digits and those of paths that make the shape of a value."""
_SHOWS = READERS | SEARCHERS | HANDLES_FILES
_RUNS = frozenset({Kind.RUN, Kind.TEST})


@dataclass(frozen=True, slots=True)
class StillFails:
    """A call that fails on the original code, and the last one of its form on what is delivered, which fails alike."""

    before: Action
    after: Action


def still_fails(actions: Sequence[Action], delivery: Delivery, task: str, closing: str) -> StillFails | None:
    """The fault as it first shows on the original code and as it last shows on what is delivered. None where it
    doesn't, where another call of the form passes there, and where the closing words name it."""
    ran = [action for action in actions if action.kind in _RUNS and not_run(action) is None]
    there = [action for action in ran if delivery.on_delivered(action) and not delivery.untouched(action)]
    if all(action.failure is None for action in there):
        return None
    for before in ran:
        fault = before.failure
        if not delivery.untouched(before):
            break
        if fault is None or fault.group is None or fault.kind in NO_SYMPTOM:
            continue
        alike = [action for action in there if _is_alike(before, action)]
        after = alike[-1] if alike else None
        if after is None or after.failure is None or after.failure.group != fault.group or after.failure.expected:
            continue
        same = _checked(before) == _checked(after)
        named = _is_named(fault, task[:_ASKED]) or (same and _is_fault(before, fault, task))
        if not named or _holds(closing, fault) is not None or _is_refuted(before, after, alike, there, same=same):
            continue
        if not _is_rewritten(before, after, actions):
            return StillFails(before, after)
    return None


def is_wanted(fault: Failure, task: str) -> bool:
    """Whether the task asks for a failure: it names its message or its type, and each time as what must come."""
    if fault.kind not in _ASKED_FOR:
        return False
    before = _holds(task[:_ASKED], fault)
    if before is None and fault.type is not None and not fault.labelled:
        name = re.escape(fault.type.rsplit(".", 1)[-1])
        places = re.finditer(rf"(?<!\w){name}(?!\w)", task[:_ASKED])
        before = [task[max(0, found.start() - _BEFORE) : found.start()] for found in places]
    return bool(before) and all(_MUST_COME.search(words) for words in before or ())


def _is_refuted(before: Action, after: Action, alike: Sequence[Action], there: Sequence[Action], *, same: bool) -> bool:
    """Whether a run that passes on what is delivered says that the fault is gone for some of what was tried."""
    if not same and any(action.failure is None for action in alike):
        return True
    return before.kind is Kind.TEST and any(
        action.kind is Kind.TEST and action.failure is None and action.step > after.step for action in there
    )


def _is_alike(before: Action, after: Action) -> bool:
    """Whether two actions run the same program with the same words, or with values of the same shape."""
    one, other = _checked(before), _checked(after)
    return one is not None and other is not None and one[0] == other[0] and _same_words(one[1], other[1])


def _checked(action: Action) -> tuple[str, tuple[str, ...]] | None:
    """The program that an action runs with its words, whatever writes files before it or filters what it prints; None
    where it runs several, or nothing but a tool with arguments of its own."""
    if not action.operation.commands:
        return (action.tool, (action.keys.call,)) if action.operation.command is None else None
    found = [(entry.program, entry.args) for entry in action.operation.commands if entry.program not in _SHOWS]
    return found[0] if len(found) == 1 else None


def _same_words(one: Sequence[str], other: Sequence[str]) -> bool:
    if len(one) != len(other):
        return False
    inline = bool(_INLINE & set(one))
    return all(
        here == there or (not inline and _same_shape(here, there)) for here, there in zip(one, other, strict=True)
    )


def _same_shape(one: str, other: str) -> bool:
    """Whether two values, of the same option where they have one, differ in nothing but their letters and digits."""
    option, equals, value = one.partition("=") if one.startswith("-") else ("", "", one)
    if equals and not other.startswith(f"{option}="):
        return False
    marks = _PUNCTUATION.findall(value)
    return len(marks) >= _LEAST_SHAPE and marks == _PUNCTUATION.findall(other[len(option) + len(equals) :])


def _is_named(fault: Failure, task: str) -> bool:
    """Whether the task names a failure by a part of its message, other than as what is wanted."""
    return any(_WANTED.search(before) is None for before in _holds(task, fault) or ())


def _is_fault(before: Action, fault: Failure, task: str) -> bool:
    """Whether a call shows what the task is about: by the name of the error or of a test, by the call itself, or
    because the agent ran it to see the fault."""
    named = [] if fault.labelled or fault.type is None else [fault.type.rsplit(".", 1)[-1]]
    named += [re.split(r"::|\.|#", name)[-1] for name in fault.failing_tests]
    for name in named:
        places = re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", task[:_ASKED]) if len(name) > _LEAST_WORDS else ()
        if any(_WANTED.search(task[max(0, found.start() - _BEFORE) : found.start()]) is None for found in places):
            return True
    if fault.kind in (FailureKind.TEST, FailureKind.LINT, FailureKind.COMPILE):
        return False
    if any(_is_shown(entry, task) for entry in before.operation.commands if entry.program not in _SHOWS):
        return True
    scripts = [run for entry in before.operation.commands if (run := script(entry))]
    return bool(_REPRODUCES.search(before.said)) or any(_REPRODUCING_NAME.search(last_part(run)) for run in scripts)


def _is_shown(entry: Command, task: str) -> bool:
    """Whether the task shows a command with all of its words."""
    return len(entry.args) > 0 and " ".join((entry.program, *entry.args)) in " ".join(task[:_ASKED].split())


def _holds(text: str, fault: Failure) -> list[str] | None:
    """What stands before each place of a text that holds a run of words of a failure's message; None where none
    does."""
    words = _WORD.findall(fault.message)[:_MOST_WORDS]
    for run in _runs(words):
        joined = r"\W{1,4}".join(map(re.escape, run))
        places = list(re.finditer(rf"(?<!\w){joined}(?!\w)", text))
        if places:
            return [text[max(0, found.start() - _BEFORE) : found.start()] for found in places]
    return None


def _runs(words: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(len(words) - _LEAST_WORDS + 1):
        for end in range(start + _LEAST_WORDS, min(len(words), start + 2 * _LEAST_WORDS) + 1):
            if sum(map(len, words[start:end])) >= _LEAST_LETTERS:
                yield words[start:end]
                break


def _is_rewritten(before: Action, after: Action, actions: Sequence[Action]) -> bool:
    """Whether the script that both run was edited in between, so that the second may ask for something else."""
    scripts = [name for entry in before.operation.commands if (name := script(entry))]
    return any(
        same_file(edit.path, name)
        for action in actions
        if before.step < action.step < after.step
        for edit in action.operation.edits
        for name in scripts
    )
