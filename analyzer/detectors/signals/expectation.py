"""What a session did against what its task, as the log records it, expects: calls that differ, are missing or weren't
expected, and what the user was to hear."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from analyzer.model.action import Action
from analyzer.model.session import Expected, ExpectedCall, Message
from analyzer.model.words import MAIN_LANE, Kind
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code

_LOOKS = late(
    r"^(?:get|find|list|search|look|check|read|calculate|compute|show|fetch|query|describe|view|think|is|has|count|"
    r"verify|lookup|retrieve|browse|inspect|run_speed_test|can)(?:_|$|(?=[A-Z]))"
)
_HANDS_OVER = late(r"(?:^|_)(?:transfer|escalate|hand_?(?:off|over))(?:_|$)|(?:transfer|escalate|handoff)To")
_SENTENCE = 5
"""Spaces from which a value is a sentence rather than a name."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """One thing that isn't as expected, at a step (None where it was never done)."""

    kind: str
    words: str
    action: Action | None
    call: ExpectedCall | None = None
    heard: str | None = None


def deviations(expected: Expected, actions: list[Action]) -> Iterable[Deviation]:
    """What differs among the calls that change something."""
    made = [action for action in actions if changes(action.tool) and action.kind is not Kind.FINISH]
    left = [action for action in made if action.failure is None]
    open_calls = []
    for call in expected.calls:
        if not changes(call.tool):
            continue
        same = next((action for action in left if action.tool == call.tool and not other_arguments(call, action)), None)
        if same is None:
            open_calls.append(call)
        else:
            left.remove(same)
    for call in open_calls:
        alike = [action for action in left if action.tool == call.tool]
        closest = min(alike, key=lambda action: len(other_arguments(call, action)), default=None)
        if closest is not None:
            left.remove(closest)
            yield Deviation("differs", _how(call, closest), closest, call)
        else:
            tried = next((action for action in reversed(made) if action.tool == call.tool), None)
            yield Deviation("missing", _missing(call, tried), tried, call)
    for action in left:
        if _HANDS_OVER.search(action.tool):
            continue
        words = f"Step {action.step} calls {code(action.tool)}, which the task doesn't expect"
        yield Deviation("unexpected", words, action)


def never_looked(expected: Expected, actions: list[Action]) -> Iterable[Deviation]:
    """The expected calls that only look something up and were never made: worth a word where nothing else differs."""
    for call in expected.calls:
        made = (action for action in actions if action.tool == call.tool)
        if not changes(call.tool) and all(other_arguments(call, action) for action in made):
            yield Deviation("missing", _missing(call, None), None, call)


def other_arguments(call: ExpectedCall, action: Action) -> list[str]:
    """The arguments in which a call differs from the expected one."""
    given = action.arguments if isinstance(action.arguments, Mapping) else {}
    names = call.compared if call.compared is not None else tuple(dict.fromkeys([*call.arguments, *given]))
    return [name for name in names if not equal(call.arguments.get(name), given.get(name))]


def equal(wanted: Any, given: Any) -> bool:
    """Whether two values are the same; whole sentences are, since nobody expects them to the letter."""
    if isinstance(wanted, str) and isinstance(given, str) and min(wanted.count(" "), given.count(" ")) >= _SENTENCE:
        return True
    return _plain(wanted) == _plain(without_more(wanted, given))


def without_more(wanted: Any, given: Any) -> Any:
    """What is given without what nobody asked for: keys of an object that the expected one hasn't got."""
    if isinstance(wanted, str) and isinstance(given, Mapping | list):
        wanted = read(wanted)
    if isinstance(wanted, Mapping) and isinstance(given, Mapping):
        return {name: without_more(wanted[name], value) for name, value in given.items() if name in wanted}
    if isinstance(wanted, list) and isinstance(given, list):
        objects = [entry for entry in wanted if isinstance(entry, Mapping)]
        return [without_more(objects[0], entry) for entry in given] if objects else given
    return given


def read(text: str) -> Any:
    """The value that a text holds as JSON, else the text itself."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _plain(value: Any) -> str:
    """A value as one text, whatever the order of a list and however a number is written."""
    if isinstance(value, str):
        try:
            meant = json.loads(value)
        except (ValueError, RecursionError):
            return value.strip().casefold()
        return _plain(meant) if not isinstance(meant, str) else meant.strip().casefold()
    if isinstance(value, list):
        return json.dumps(sorted(_plain(entry) for entry in value))
    if isinstance(value, Mapping):
        return json.dumps({str(key): _plain(entry) for key, entry in value.items()}, sort_keys=True)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value).casefold()


def _how(call: ExpectedCall, action: Action) -> str:
    given = action.arguments if isinstance(action.arguments, Mapping) else {}
    names = other_arguments(call, action)
    parts = [
        f"{name} = {code(shown(given.get(name)))} instead of {code(shown(call.arguments.get(name)))}"
        for name in names[:2]
    ]
    more = f" and {len(names) - 2} more" if len(names) > len(parts) else ""
    return f"Step {action.step} calls {code(action.tool)} with {', '.join(parts)}{more}"


def _missing(call: ExpectedCall, tried: Action | None) -> str:
    if tried is not None and tried.failure is not None:
        return f"The expected call of {code(call.tool)} was refused at step {tried.step}"
    return f"The expected call of {code(call.tool)} was never made ({code(shown(dict(call.arguments)))})"


def shown(value: Any) -> str:
    """A value on one line."""
    return clip(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str), 80)


def unsaid(expected: Expected, messages: Iterable[Message]) -> Iterable[Deviation]:
    """What the user was to hear, and no message of the agent holds."""
    said = " ".join(
        event.text for event in messages if event.lane == MAIN_LANE and event.role == "assistant" and not event.thought
    )
    said = re.sub(r"(?<=\d),(?=\d)", "", said).casefold()
    for words in expected.words:
        if words.replace(",", "").casefold() not in said:
            yield Deviation(
                "unsaid",
                f"No message to the user says {code(clip(words, 80))}, which the task expects",
                None,
                heard=words,
            )


def changes(tool: str) -> bool:
    """Whether a call of a tool changes something, as far as its name doesn't say that it only looks."""
    return _LOOKS.search(tool) is None
