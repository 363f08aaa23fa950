"""The plan that a record holds, calls with references to the results of earlier ones, and what became of values that a
later call needs: those that the plan refers to, and those that an answer didn't have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from analyzer.model.action import Action
from analyzer.model.finding import LostValue
from analyzer.model.struct import Struct
from analyzer.model.words import Kind
from analyzer.text.clip import around, clip
from analyzer.text.late import late
from analyzer.timeline.calls.arguments import read_value
from analyzer.timeline.references import REFERENCE, as_text, part_of, passing, references_in

Fate = Literal["null", "placeholder", "cut", "changed", "shape", "empty", "invented"]
"""What arrived in place of a value: nothing, the reference itself, a part, another value, its text in place of a list
or an object, the empty answer, a value that nothing before holds."""
_FATES: Mapping[str, Fate] = {"not-substituted": "placeholder", "lost": "null", "cut": "cut", "changed": "changed"}
_PLACEHOLDER = late(
    r"\$\{?result\.[A-Za-z_]\w*|\{\{\s{0,4}(?:steps?|results?|outputs?)(?=[\s_.\[\d}-])[\w.\[\] -]{0,80}\}\}"
    r"|\$\{(?:steps?|results?|outputs?)(?=[_.\[\d}-])[\w.\[\]-]{0,80}\}|<(?:result|output) of step \d{1,4}>"
)
_NOTHING = late(r"\bundefined\b|\[object Object\]")
_NONE = late(r"\b(?:None|null)\b(?! of)")
_IDENTIFIER = late(r"(?:^|_)(?:id|key|code|number|ref|reference)$|(?:Id|Key|Code|Number|Ref)$")
_QUIET = frozenset({Kind.THINK, Kind.PLAN, Kind.EDIT, Kind.TEST, Kind.RUN})
_CODE = frozenset(
    {"code", "script", "source", "command", "cmd", "expression", "javascript", "js", "function", "query", "pattern"}
    | {"regex", "patch", "diff", "snippet", "template", "sql"}
)
"""Names of arguments that hold code or patterns, in which such words mean themselves."""
_WITHIN = 8
"""Actions after an empty answer within which it's built upon."""
_SHORT_TEXT = 300
_LONGEST_TEXT = 2_000
_STEM = 4
_TOOL_KEYS = ("tool", "tool_name", "function", "action", "name")
_ARGUMENT_KEYS = ("arguments", "args", "parameters", "params", "input", "inputs", "action_input")
_SEPARATOR = late(r"__|::|[./:]")
_LONGEST_PLAN = 200_000
_MOST_CALLS = 60
_PLANNED = late(
    r"(?:\{\{\s{0,4}|\$\{|\$|#)(?P<word>steps?|results?|outputs?|E)[._\[]{0,2}(?:step)?[_ -]?(?P<number>\d{1,4})\]?"
    r"(?:\.(?:output|result|value|response)\b)?(?P<way>(?:\.[A-Za-z_]\w{0,60}|\[\d{1,6}\])*)(?:\s{0,4}\}\}|\})?"
)
"""How planners refer to the result of a step: `$result.step_2.id`, `{{step_2.output.id}}`, `${steps.2.id}`, `#E2`."""


class PlannedCall(Struct, frozen=True):
    """One call of a plan: its name, the tool, and the arguments, references written as `$result.step_N`."""

    name: str
    tool: str
    arguments: Mapping[str, Any]


def plan_in(action: Action) -> list[PlannedCall]:
    """The plan that a call hands over or gets back; empty for none. Only a plan that refers to results is one."""
    for value in (_parsed(action.result, _LONGEST_PLAN), action.arguments):
        for entries in _lists(value, 3):
            calls = [call for number, entry in enumerate(entries, 1) if (call := _call(entry, number)) is not None]
            whole = len(calls) == len(entries) and len(calls) > 1
            if whole and any("$result.step_" in as_text(call.arguments) for call in calls):
                return calls
    return []


def _call(entry: Any, number: int) -> PlannedCall | None:
    if not isinstance(entry, Mapping):
        return None
    tool = next((entry[key] for key in _TOOL_KEYS if isinstance(entry.get(key), str)), None)
    arguments = next((entry[key] for key in _ARGUMENT_KEYS if isinstance(entry.get(key), Mapping)), None)
    if tool is None or arguments is None or " " in tool:
        return None
    return PlannedCall(f"step_{number}", tool, {str(name): _written(value) for name, value in arguments.items()})


def _written(value: Any) -> Any:
    """A value of a plan with its references written in one way."""
    if isinstance(value, str):
        return _PLANNED.sub(lambda found: f"$result.step_{int(found['number'])}{found['way']}", value)
    if isinstance(value, list):
        return [_written(entry) for entry in value[:_MOST_CALLS]]
    if isinstance(value, Mapping):
        return {str(key): _written(entry) for key, entry in value.items()}
    return value


def _lists(value: Any, depth: int) -> Iterator[list[Any]]:
    if isinstance(value, list):
        if 1 < len(value) <= _MOST_CALLS:
            yield value
    elif isinstance(value, dict) and depth:
        for entry in list(value.values())[:20]:
            yield from _lists(entry, depth - 1)


def _same(planned: str, called: str) -> bool:
    wanted, given = _SEPARATOR.split(planned.casefold()), _SEPARATOR.split(called.casefold())
    count = min(len(wanted), len(given))
    return wanted[-count:] == given[-count:]


def planned_handovers(plan: Sequence[PlannedCall], actions: Sequence[Action]) -> tuple[list[LostValue], int]:
    """What went wrong with the references of a plan in the actions that carried it out, and how many were looked at."""
    found: list[LostValue] = []
    looked = place = 0
    results: dict[str, str | None] = {}
    steps: dict[str, int] = {}
    for call in plan:
        number = next((number for number in range(place, len(actions)) if _same(call.tool, actions[number].tool)), None)
        if number is None:
            continue
        action, place = actions[number], number + 1
        given = action.arguments if isinstance(action.arguments, Mapping) else {}
        for name, template in call.arguments.items():
            for source in references_in(template):
                if results.get(source) is None:
                    continue
                looked += 1
                value = given.get(name)
                if (fate := _fate(template, value, results, source)) is not None:
                    references = (match for match in REFERENCE.finditer(as_text(template)) if match["name"] == source)
                    wanted = next((match[0] for match in references), source)
                    found.append(_lost(action, name, steps[source], wanted, clip(as_text(value), 120), fate))
        results[call.name], steps[call.name] = action.result if not action.failed else None, action.step
    return found, looked


def _lost(action: Action, argument: str, source: int | None, wanted: str, given: str, fate: Fate) -> LostValue:
    step, tool = action.step, action.tool
    return LostValue(step=step, tool=tool, argument=argument, source=source, wanted=wanted, given=given, fate=fate)


def _fate(template: Any, value: Any, results: dict[str, str | None], source: str) -> Fate | None:
    passed = passing(template, value, results, source).passed
    whole = REFERENCE.fullmatch(template) if isinstance(template, str) else None
    if passed == "passed-on" and whole is not None and isinstance(value, str):
        return "shape" if isinstance(_parsed(part_of(results[source] or "", whole["way"])), list | dict) else None
    return _FATES.get(passed)


def stray_words(action: Action) -> Iterator[LostValue]:
    """Arguments in which a reference or an undefined value takes the place of the value itself."""
    if action.kind is not Kind.OTHER or not _may_be_judged(action):
        return
    for name, text in _texts(action.arguments):
        if name.casefold() in _CODE:
            continue
        if (found := _PLACEHOLDER.search(text)) is not None:
            yield _lost(action, name, None, found[0], around(text, *found.span(), 120), "placeholder")
        elif (found := _NOTHING.search(text)) is not None or (
            len(text) <= _SHORT_TEXT and len(_NONE.findall(text)) > 1 and (found := _NONE.search(text)) is not None
        ):
            yield _lost(action, name, None, found[0], around(text, *found.span(), 120), "null")


def built_on_nothing(actions: Sequence[Action], place: int, known: str) -> Iterator[LostValue]:
    """The calls after the action at `place` that go on with its empty answer, or with a value that it should have given
    and that nothing before holds. `known` is all that was said before the first action."""
    empty = actions[place]
    keys = _empty_keys(empty)
    if not keys:
        return
    for number, action in enumerate(actions[place + 1 : place + 1 + _WITHIN], place + 1):
        if action.tool == empty.tool and not _empty_keys(action):
            return
        if not _may_be_judged(action) or not isinstance(action.arguments, Mapping):
            continue
        for name, value in list(action.arguments.items())[:20]:
            if (key := _key_for(str(name), value, keys)) is None:
                continue
            if _is_empty(value):
                yield _lost(action, str(name), empty.step, key, json.dumps(value), "empty")
            elif not _is_seen(as_text(value), actions[:number], known):
                yield _lost(action, str(name), empty.step, key, clip(as_text(value), 80), "invented")


def _is_seen(value: str, actions: Sequence[Action], known: str) -> bool:
    """Whether something that was said, called or answered before holds a value."""
    word = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)", re.IGNORECASE)
    return word.search(known) is not None or any(
        word.search(as_text(action.arguments)) or word.search(action.result or "") for action in actions
    )


def _key_for(name: str, value: Any, keys: Sequence[str]) -> str | None:
    """The empty key of an answer that an argument is about."""
    for key in keys:
        if key and name.casefold() == key.casefold():
            return key
        stem = key.casefold().removesuffix("s")
        is_value = isinstance(value, str | int) and not isinstance(value, bool) and len(str(value)) <= 80
        if is_value and len(stem) >= _STEM and name.casefold().startswith(stem) and _IDENTIFIER.search(name):
            return key
    return None


def _empty_keys(action: Action) -> list[str]:
    """The keys of an answer that hold nothing, where no other holds a list or an object."""
    answer = _parsed(action.result) if action.failure is None else None
    if not isinstance(answer, Mapping) or any(isinstance(value, list | dict) and value for value in answer.values()):
        return []
    return [str(key) for key, value in answer.items() if _is_empty(value) and value != ""]


def _is_empty(value: Any) -> bool:
    return value is None or value in ([], {}, "")


def _may_be_judged(action: Action) -> bool:
    """Whether a call's arguments are values rather than code, a plan or a text about a plan."""
    operation = action.operation
    return not (action.kind in _QUIET or operation.command is not None or operation.edits or plan_in(action))


def _texts(value: Any, name: str = "", depth: int = 3) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        if name and len(value) <= _LONGEST_TEXT:
            yield name, value
    elif depth and isinstance(value, Mapping):
        for key, entry in list(value.items())[:20]:
            yield from _texts(entry, str(key), depth - 1)
    elif depth and isinstance(value, list):
        for entry in value[:20]:
            yield from _texts(entry, name, depth - 1)


def _parsed(text: str | None, longest: int = 100_000) -> Any:
    return read_value(text) if text is not None and len(text) <= longest else None
