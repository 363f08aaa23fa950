"""Checks that print after edits what they had printed before, where somebody says that it should have changed."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.signals.speech import sentences
from analyzer.model.action import Action
from analyzer.model.session import Message
from analyzer.model.words import Kind, Status
from analyzer.task.objections import objects
from analyzer.text.expressions import compiled
from analyzer.text.late import late
from analyzer.workspace.paths import last

_LEAST_OUTPUT = 12
"""Characters of an output below which being equal says nothing."""
_LEAST_LINE = 25
"""Characters of a line from which a user who gives it twice gives the same output twice."""
_COMPLAINS = late(
    r"^still\b(?! (?:need|have|has|left|to\b|pass|work|ok\b|valid|correct|fine|green|succe))"
    r"|\bstill (?:the same|show|print|giv|return|say|report|fail|not\b|isn|doesn|don|no\b|wrong|broken|empty|missing"
    r"|old\b|unchanged|happen|see\b|get)"
    r"|\b(?:did|does|do|was|is|are|were|has|have)(?:n['’]?t| not)(?: \w+){0,2} (?:work|help|change|fix|take effect"
    r"|effect|appl|picked up|any effect|an effect|an impact)\w*"
    r"|\bno (?:change|effect|difference|visible change)\b|\bnothing (?:has |have )?changed\b|\bnot working\b"
    r"|\b(?:same|unchanged|identical) (?:wrong |incorrect |bad |broken )?"
    r"(?:output|result|error|value|problem|issue|thing)s?\b",
    re.IGNORECASE,
)
_AS_WANTED = late(
    r"\b(?:as (?:expected|before the refactor\w*|intended|desired|it should)|expected|good|great|perfect|preserv\w*|"
    r"so the (?:refactor\w*|change) (?:is|was|works)|correct(?:ly)?|confirm\w*|no regression|yet|wait\w*)\b",
    re.IGNORECASE,
)
"""What makes an output that stays the same the aim."""
_AND_NO = late(r"\bstill\b.*\b(?:and|with) (?:no|not|without)\b|\bverified (?:with|that)\b", re.IGNORECASE)
"""A sentence that lists what is there and what isn't, as reports of a check that passed do."""
_DESCRIBES = frozenset({"--help", "-h", "-help", "help", "--version", "-V", "version", "man"})
"""Words by which a program describes itself, which no edit of what it works on changes."""
_LEAST_NAME = 5
_FIGURE = compiled(r"\d+(?:\.\d+)?")
_NAME = late(r"[^\W_][\w-]{2,}")


@dataclass(slots=True, frozen=True)
class SameOutput:
    """A check whose output edits didn't change: before them and after them, the edits, and who says so in which words
    at which step. Without a check it's what a user gives twice."""

    lane: str
    edits: tuple[Action, ...]
    said: str
    by_user: bool
    known_at: int
    shown: str
    before: Action | None = None
    after: Action | None = None


def same_outputs(facts: Facts) -> Iterator[SameOutput]:
    """The checks of each lane and what a user saw, in the order of their second output; each check once."""
    changing = _changing(facts)
    for lane in facts.timeline.lanes():
        yield from _of_lane(facts, lane, changing.get(lane, []))


def _of_lane(facts: Facts, lane: str, changing: Sequence[Action]) -> Iterator[SameOutput]:
    events = list(facts.events(lane))
    steps = [edit.step for edit in changing]
    checks: dict[tuple[str, str], Action] = {}
    told: set[tuple[str, str]] = set()
    reported: set[tuple[int, str]] = set()
    for place, event in enumerate(events):
        if isinstance(event, Message) or not _is_check(event):
            continue
        key = event.keys.call, event.directory
        before = checks.get(key)
        checks[key] = event
        if before is None or before.keys.outcome != event.keys.outcome or key in told:
            continue
        edits = tuple(changing[bisect_right(steps, before.step) : bisect_left(steps, event.step)])
        complaint = _complaint(islice(events, place + 1, None), event.step) if edits else None
        if complaint is not None and _is_about(event, edits, complaint[0]):
            told.add(key)
            said, by_user, known_at = complaint
            if (edits[-1].step, said) in reported:
                continue
            reported.add((edits[-1].step, said))
            yield SameOutput(lane, edits, said, by_user, known_at, (event.result or "").strip(), before, event)
    yield from _given_twice(events, lane, changing)


def _is_about(check: Action, edits: Sequence[Action], said: str) -> bool:
    """Whether a command has to do with what was edited, and the words with the command: it runs tests or names an
    edited file, or a name in the words is in what it prints."""
    if any(_DESCRIBES & set(entry.args) for entry in check.operation.commands):
        return False
    if check.kind is Kind.TEST:
        return True
    words = set(_NAME.findall(check.operation.command or check.keys.call))
    files = {last(edit.path).partition(".")[0] for action in edits for edit in action.accepted_edits}
    return bool(words & files) or bool(_particular(said) & _particular(check.result or ""))


def _particular(text: str) -> set[str]:
    """The words of a text that name something: figures, and words of some length."""
    return {word for word in _NAME.findall(text.casefold()) if len(word) >= _LEAST_NAME} | set(_FIGURE.findall(text))


def _is_check(action: Action) -> bool:
    ran = action.kind in (Kind.RUN, Kind.TEST) and action.failure is None and action.status is not Status.ERROR
    return ran and bool(action.keys.call) and len((action.result or "").strip()) >= _LEAST_OUTPUT


def _changing(facts: Facts) -> dict[str, list[Action]]:
    """The actions of each lane that changed a file by an edit, in order."""
    history = facts.timeline.history
    found: dict[str, list[Action]] = {}
    if history is not None:
        for action, taken in zip(facts.timeline.actions, history.taken, strict=True):
            if taken.changes and action.accepted_edits:
                found.setdefault(action.lane, []).append(action)
    return found


def _complaint(following: Iterable[Action | Message], step: int) -> tuple[str, bool, int] | None:
    """The words right after a check that say that it should have printed something else: the sentence, whether it's
    the user's, and the step at which it's known."""
    for event in following:
        if isinstance(event, Message):
            said = event.text if event.role in ("assistant", "user") else ""
            by_user = event.role == "user"
        else:
            said, by_user = event.said, False
        sentence = next((entry for entry in sentences(said) if _COMPLAINS.search(entry.words) is not None), None)
        if sentence is not None and not any(form.search(sentence.words) for form in (_AS_WANTED, _AND_NO)):
            return sentence.quote, by_user, event.step if isinstance(event, Action) else step
        if by_user and objects(said):
            return next(entry.quote for entry in sentences(said)), True, step
        if isinstance(event, Action) or by_user:
            return None
    return None


def _given_twice(events: Sequence[Action | Message], lane: str, changing: Sequence[Action]) -> Iterator[SameOutput]:
    """What a user gives a second time, with words against the edits that were made since the first."""
    given: dict[str, int] = {}
    steps = [edit.step for edit in changing]
    step = 0
    for event in events:
        if isinstance(event, Action):
            step = event.step
            continue
        if event.role != "user":
            continue
        lines = {line for raw in event.text.splitlines() if _is_output(line := raw.strip())}
        again = next((line for line in lines if line in given), None)
        since = given.get(again or "", step)
        edits = tuple(changing[bisect_right(steps, since) : bisect_right(steps, step)])
        words = next((entry for entry in sentences(event.text) if _COMPLAINS.search(entry.words) is not None), None)
        if again is not None and edits and words is not None:
            yield SameOutput(lane, edits, words.quote, True, step, again)
        given.update(dict.fromkeys(lines, step))


def _is_output(line: str) -> bool:
    """Whether a line of a message is what a program printed, rather than a sentence."""
    return len(line) >= _LEAST_LINE and ":" in line and not line.endswith((".", "?", "!", ":"))
