"""What is wrong with a file that a person wrote, as a message with the line of each mistake."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel, ValidationError

from analyzer.model.errors import AnalyzerError
from analyzer.text.english import MEANT, did_you_mean

if TYPE_CHECKING:
    from analyzer.case_study.yaml_file import Place, YamlFile

_MOST_SHOWN = 8


def problem_of(file: YamlFile, model: type[BaseModel], error: ValidationError) -> AnalyzerError:
    """The first problem of a file, the others below it, each with its line."""
    entries = [(_place(file.value, entry["loc"]), entry, _hint(entry, model)) for entry in error.errors()]
    mistyped = {
        place[:-1]
        for place, entry, hint in entries
        if entry["type"] == "extra_forbidden" and hint and hint.startswith(MEANT)
    }
    problems = {
        (file.line(place), _what(entry, place), hint or "")
        for place, entry, hint in entries
        # What's missing is most often there under a mistyped name.
        if entry["type"] != "missing" or place not in mistyped
    }
    (line, what, hint), *others = sorted(problems)
    shown = [
        f"{file.path}:{number}: {text}{f' {advice}' if advice else ''}" for number, text, advice in others[:_MOST_SHOWN]
    ]
    more = [f"... and {len(others) - _MOST_SHOWN} more."] if len(others) > _MOST_SHOWN else []
    return AnalyzerError(
        what, where=f"{file.path}:{line}", hint="\n".join([*([hint] if hint else []), *shown, *more]) or None
    )


def _place(value: Any, location: Sequence[str | int]) -> Place:
    """Pydantic's way to a value without the names of union members in it."""
    place: Place = ()
    for part in location:
        inside = range(len(value)) if isinstance(value, list) else value if isinstance(value, dict) else ()
        if part in inside:
            value, place = value[part], (*place, part)
    return place


def _what(entry: Any, place: Place) -> str:
    name = _dotted(place)
    match entry["type"]:
        case "extra_forbidden":
            return f"unknown key {str(entry['loc'][-1])!r}{f' in {_dotted(place[:-1])}' if len(place) > 1 else ''}."
        case "missing":
            return f"the key {str(entry['loc'][-1])!r} is missing{f' in {name}' if name else ''}."
        case "model_type":
            return f"{name} must be a mapping of keys and values, not {str(entry['input'])[:60]!r}."
        case "value_error":
            return f"{name} {str(entry['msg']).removeprefix('Value error, ')}."
    said = str(entry["msg"]).removeprefix("Input ").removesuffix(".")
    given = entry.get("input")
    shown = "" if isinstance(given, dict | list) or given is None else f", not {str(given)[:60]!r}"
    return f"{name}: {said[:1].lower()}{said[1:]}{shown}."


def _hint(entry: Any, model: type[BaseModel]) -> str | None:
    if entry["type"] != "extra_forbidden":
        return None
    known = fields_at(model, entry["loc"][:-1])
    if entry["loc"][-2:-1] == ("step",):
        known += ["any_order", "one_of"]
    return did_you_mean(str(entry["loc"][-1]), known) if known else None


def _dotted(place: Place) -> str:
    """A way to a value as people write it: `plan[2].tool`, counted from 1 as steps are."""
    text = ""
    for part in place:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def fields_at(model: type[BaseModel], location: Sequence[str | int]) -> list[str]:
    """The keys that are known at pydantic's `location`; empty where that isn't known."""
    now: list[type[BaseModel]] = [model]
    for part in location:
        if isinstance(part, int):
            continue
        tagged = [entry for entry in now if part in entry.model_fields]
        inside = [found for entry in tagged for found in _models(entry.model_fields[part].annotation)]
        now = inside or [entry for entry in now if entry.__name__ == part] or tagged or now
        if part == "step":
            now = [entry for entry in now if entry.__name__ == "PlanStep"] or now
    return list(dict.fromkeys(name for entry in now for name in entry.model_fields))


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inside in get_args(annotation):
        yield from _models(inside)
