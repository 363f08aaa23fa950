"""How the calls of a trial differ from those that its task expects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from analyzer.model.action import Action
from analyzer.model.finding import Slot
from analyzer.model.session import Expected, ExpectedAnswer, ExpectedCall, Message
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, Kind
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.timeline.calls.arguments import read_value

_LOOKS = late(
    r"^(?:get|find|list|search|look|check|read|calculate|compute|show|fetch|query|describe|view|think|is|has|count|"
    r"verify|lookup|retrieve|browse|inspect|run_speed_test|can)(?:_|$|(?=[A-Z]))"
)
HANDS_OVER = late(r"(?:^|_)(?:transfer|escalate|hand_?(?:off|over))(?:_|$)|(?:transfer|escalate|handoff)To")
_SENTENCE = 5
"""Spaces from which a value is a sentence rather than a name."""


class Difference(Struct, frozen=True):
    """One thing that isn't as expected, at a step (None where it was never done), with the facts that its sentence
    names; `words` are those of its wording where its kind has several."""

    kind: str
    slots: Mapping[str, Slot]
    action: Action | None
    call: ExpectedCall | None = None
    words: str = ""
    heard: str | None = None
    answer: ExpectedAnswer | None = None


def differences(calls: Sequence[ExpectedCall], actions: list[Action]) -> Iterable[Difference]:
    """What differs among the calls that change something."""
    made = [action for action in actions if changes(action.tool) and action.kind is not Kind.FINISH]
    left = [action for action in made if action.failure is None]
    open_calls = []
    for call in calls:
        if not changes(call.tool):
            continue
        same = next((action for action in left if equals(call, action)), None)
        if same is None:
            open_calls.append(call)
        else:
            left.remove(same)
    closest_to = _closest(open_calls, left, made)
    for action in closest_to.values():
        left.remove(action)
    for place, call in enumerate(open_calls):
        if (closest := closest_to.get(place)) is not None:
            yield Difference("differs", _how(call, closest), closest, call)
            continue
        tried = _tried(call, made, calls)
        refused = tried if tried is not None and tried.failure is not None else None
        if refused is not None and other_arguments(call, refused):
            yield Difference("differs", _how(call, refused), refused, call, "refused-otherwise")
        else:
            step = refused.step if refused is not None else None
            slots = {"tool": call.tool, "arguments": shown(dict(call.arguments)), "step": step}
            yield Difference("missing", slots, tried, call, "refused" if refused is not None else "")
    for action in left:
        if not HANDS_OVER.search(action.tool):
            yield Difference("unexpected", {"step": action.step, "tool": action.tool}, action)


def _closest(calls: Sequence[ExpectedCall], left: Sequence[Action], made: Sequence[Action]) -> dict[int, Action]:
    """The accepted call that was made for each expected one which nothing equals, the closest pairs first. What was
    made as expected and refused was made, unless another call for the same was accepted afterwards."""
    refused = {
        place: action.step
        for place, call in enumerate(calls)
        for action in made
        if action.failure is not None and equals(call, action)
    }
    pairs = sorted(
        (len(other_arguments(call, action)), place, number)
        for place, call in enumerate(calls)
        for number, action in enumerate(left)
        if action.tool == call.tool and action.step > refused.get(place, 0)
    )
    found: dict[int, int] = {}
    for _, place, number in pairs:
        if place not in found and number not in found.values():
            found[place] = number
    return {place: left[number] for place, number in found.items()}


def equals(call: ExpectedCall, action: Action) -> bool:
    """Whether a call is the expected one, accepted or not."""
    return action.tool == call.tool and not other_arguments(call, action)


def _tried(call: ExpectedCall, made: Sequence[Action], calls: Sequence[ExpectedCall]) -> Action | None:
    """The last call of the expected tool, those with the expected arguments first, then those that come closest; none
    that was refused and is just what another call of the task is to be."""
    tries = [
        action
        for action in reversed(made)
        if action.tool == call.tool
        and (equals(call, action) or action.failure is None or not any(equals(other, action) for other in calls))
    ]
    return min(tries, key=lambda action: len(other_arguments(call, action)), default=None)


def other_arguments(call: ExpectedCall, action: Action) -> list[str]:
    """The arguments in which a call differs from the expected one."""
    given = action.arguments if isinstance(action.arguments, Mapping) else {}
    names = call.compared if call.compared is not None else tuple(dict.fromkeys([*call.arguments, *given]))
    return [name for name in names if not equal(call.arguments.get(name), given.get(name))]


def equal(wanted: Any, given: Any) -> bool:
    """Whether two values are the same; whole sentences are, since nobody expects them to the letter."""
    if isinstance(wanted, str) and isinstance(given, str) and min(wanted.count(" "), given.count(" ")) >= _SENTENCE:
        return True
    return plain(wanted) == plain(without_more(wanted, given))


def without_more(wanted: Any, given: Any) -> Any:
    """What is given without what nobody asked for: keys of an object that the expected one hasn't got."""
    if isinstance(wanted, str) and isinstance(given, Mapping | list):
        wanted = read_value(wanted)
    if isinstance(wanted, Mapping) and isinstance(given, Mapping):
        return {name: without_more(wanted[name], value) for name, value in given.items() if name in wanted}
    if isinstance(wanted, list) and isinstance(given, list):
        objects = [entry for entry in wanted if isinstance(entry, Mapping)]
        return [without_more(objects[0], entry) for entry in given] if objects else given
    return given


def plain(value: Any) -> str:
    """A value as one text, whatever the order of a list and however a number is written."""
    read = _plain(value)
    return read if isinstance(read, str) else _as_json(read)


_as_json = partial(json.dumps, sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        read = read_value(value)
        return read.strip().casefold() if isinstance(read, str) else _plain(read)
    if isinstance(value, list):
        return sorted(map(_plain, value), key=_as_json)
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value).casefold()


def _how(call: ExpectedCall, action: Action) -> dict[str, Slot]:
    """The facts about a call that was made otherwise than expected."""
    given = action.arguments if isinstance(action.arguments, Mapping) else {}
    names = other_arguments(call, action)
    changed = [
        f"{name} = {code(shown(given.get(name)))} instead of {code(shown(call.arguments.get(name)))}"
        for name in names[:2]
    ]
    if len(names) > 2:
        changed[-1] += f" and {len(names) - 2} more"
    return {"step": action.step, "tool": action.tool, "changed": changed}


def shown(value: Any) -> str:
    """A value as a title shows it."""
    return clip(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str), 80)


def changes(tool: str) -> bool:
    """Whether a call of a tool changes something, as far as its name doesn't say that it only looks."""
    return _LOOKS.search(tool) is None


def said_by(role: str, messages: Iterable[Message]) -> list[str]:
    """What the agent or the user said aloud."""
    return [one.text for one in messages if one.lane == MAIN_LANE and one.role == role and not one.thought]


def unsaid(expected: Expected, messages: Iterable[Message]) -> Iterable[Difference]:
    """What the user was to hear, and no message of the agent holds."""
    said = re.sub(r"(?<=\d),(?=\d)", "", " ".join(said_by("assistant", messages))).casefold()
    for words in expected.words:
        if words.replace(",", "").casefold() not in said:
            yield Difference("unsaid", {"heard": words}, None, heard=words)
