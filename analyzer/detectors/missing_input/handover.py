"""What became of values that a later call needs: those that a plan refers to, and those that an answer didn't have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from analyzer.detectors.missing_input.recorded_plan import PlannedCall, carried_out, plan_in
from analyzer.model.action import Action
from analyzer.model.struct import Struct
from analyzer.model.words import Kind
from analyzer.text.clip import around, clip
from analyzer.text.late import late
from analyzer.timeline.references import REFERENCE, as_text, part_of, passing, references_in

Fate = Literal["null", "placeholder", "cut", "changed", "shape", "empty", "invented"]
"""What arrived in place of a value: nothing, the reference itself, a part, another value, its text in place of a list
or an object, the empty answer, a value that nothing before holds."""
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


class Handover(Struct, frozen=True):
    """A value that didn't reach the call that needs it.

    `step` is that call, `argument` its argument, `source` the step that returned the value or the empty answer (None
    where the record doesn't say which), `wanted` the reference or the key, `given` what arrived.
    """

    step: int
    tool: str
    argument: str
    source: int | None
    wanted: str
    given: str
    fate: Fate


def planned_handovers(plan: Sequence[PlannedCall], actions: Sequence[Action]) -> tuple[list[Handover], int]:
    """What went wrong with the references of a plan in the actions that carried it out, and how many were looked at."""
    found: list[Handover] = []
    looked = 0
    results: dict[str, str | None] = {}
    steps: dict[str, int] = {}
    for call, action in carried_out(plan, actions):
        given = action.arguments if isinstance(action.arguments, Mapping) else {}
        for name, template in call.arguments.items():
            for source in references_in(template):
                if results.get(source) is None:
                    continue
                looked += 1
                value = given.get(name)
                fate = _fate(template, value, results, source)
                if fate is not None:
                    wanted = next(
                        (match[0] for match in REFERENCE.finditer(as_text(template)) if match["name"] == source), source
                    )
                    shown = clip(as_text(value), 120)
                    found.append(Handover(action.step, action.tool, name, steps[source], wanted, shown, fate))
        results[call.name], steps[call.name] = action.result if not action.failed else None, action.step
    return found, looked


def _fate(template: Any, value: Any, results: dict[str, str | None], source: str) -> Fate | None:
    passed = passing(template, value, results, source)
    if passed.passed == "not-substituted":
        return "placeholder"
    if passed.passed == "lost":
        return "null"
    if passed.passed in ("cut", "changed"):
        return "cut" if passed.passed == "cut" else "changed"
    whole = REFERENCE.fullmatch(template) if isinstance(template, str) else None
    if whole is not None and isinstance(value, str) and passed.passed == "passed-on":
        part = part_of(results[source] or "", whole["way"])
        if part is not None and isinstance(_parsed(part), list | dict):
            return "shape"
    return None


def stray_words(action: Action) -> Iterator[Handover]:
    """Arguments in which a reference or an undefined value takes the place of the value itself."""
    if action.kind is not Kind.OTHER or not _may_be_judged(action):
        return
    for name, text in _texts(action.arguments):
        if name.casefold() in _CODE:
            continue
        if (found := _PLACEHOLDER.search(text)) is not None:
            shown = around(text, *found.span(), 120)
            yield Handover(action.step, action.tool, name, None, found[0], shown, "placeholder")
        elif (found := _NOTHING.search(text)) is not None or (
            len(text) <= _SHORT_TEXT and len(_NONE.findall(text)) > 1 and (found := _NONE.search(text)) is not None
        ):
            yield Handover(action.step, action.tool, name, None, found[0], around(text, *found.span(), 120), "null")


def built_on_nothing(actions: Sequence[Action], place: int, known: str) -> Iterator[Handover]:
    """The calls after the action at `place` that go on with its empty answer, or with a value that it should have given
    and that nothing before holds. `known` is all that was said before the first action."""
    empty = actions[place]
    keys = _empty_keys(empty)
    if not keys:
        return
    for number, action in enumerate(actions[place + 1 : place + 1 + _WITHIN], place + 1):
        if action.tool == empty.tool and not _empty_keys(action):
            return
        if _may_be_judged(action) and isinstance(action.arguments, Mapping):
            for name, value in list(action.arguments.items())[:20]:
                key = _key_for(str(name), value, keys)
                if key is None:
                    continue
                if _is_empty(value):
                    shown = json.dumps(value)
                    yield Handover(action.step, action.tool, str(name), empty.step, key, shown, "empty")
                elif not _is_seen(as_text(value), actions[:number], known):
                    shown = clip(as_text(value), 80)
                    yield Handover(action.step, action.tool, str(name), empty.step, key, shown, "invented")


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
    if action.failure is not None or action.result is None:
        return []
    answer = _parsed(action.result)
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


def _parsed(text: str | None) -> Any:
    if text is None or len(text) > 100_000 or text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
