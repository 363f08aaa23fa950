"""Scenario files: load one, and find those of a folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analyzer.case_study.plan_net import NamedStep, named_steps
from analyzer.case_study.runs import natural
from analyzer.case_study.yaml_file import Place, YamlFile, parse_yaml, read_yaml
from analyzer.model.errors import AnalyzerError
from analyzer.model.scenario import SCENARIO_VERSION, Scenario, TextCheck
from analyzer.model.struct import replace
from analyzer.text.english import did_you_mean, nearest
from analyzer.timeline.references import references_in

_CHECKS = tuple(TextCheck.model_fields)
_MARKS = (
    re.compile(r"^[\"']?scenario[\"']?[ \t]*:[ \t]*[\"']?\d", re.MULTILINE),
    re.compile(r"^[\"']?title[\"']?[ \t]*:(?s:.*)^[\"']?prompt[\"']?[ \t]*:", re.MULTILINE),
)
"""A scenario has the version of its form, or a title and a prompt; notes have neither."""


def load_scenario(path: Path | str) -> Scenario:
    """The scenario in the YAML file at `path`. Raises `AnalyzerError` with the file and the line of what is wrong."""
    return scenario_of(read_yaml(path))


def scenario_from_text(text: str, path: str = "scenario.yaml") -> Scenario:
    """As `load_scenario`, for a text; `path` is what errors call it."""
    return scenario_of(parse_yaml(text, path))


def scenario_of(file: YamlFile) -> Scenario:
    """The scenario in a file that was read. Beyond the form, its references must name earlier steps, and its ids be
    different ones."""
    if isinstance(file.value, dict) and "scenario" in file.value:
        version = str(file.value["scenario"])
        if version != SCENARIO_VERSION:
            hint = f"The supported version is {SCENARIO_VERSION!r}."
            what = f"scenario version {version!r} isn't supported."
            raise AnalyzerError(what, where=file.where(("scenario",)), hint=hint)
        file = replace(file, value={**file.value, "scenario": SCENARIO_VERSION})
    _mistyped_checks(file)
    scenario = file.checked(Scenario)
    if not scenario.prompt.strip():
        raise AnalyzerError("the prompt is empty.", where=file.where(("prompt",)))
    steps = named_steps(scenario.plan)
    seen: dict[str, NamedStep] = {}
    for step in steps:
        if step.name in seen:
            hint = f"The other one is at line {file.line(seen[step.name].place)}. Give one of them another id."
            where = file.where(step.place)
            raise AnalyzerError(f"two steps of the plan are called {step.name!r}.", where=where, hint=hint)
        seen[step.name] = step
    for position, step in enumerate(steps):
        for name in references_in(step.step.result):
            what = f"a check of a result can't refer to the result of another step ($result.{name})."
            raise AnalyzerError(what, where=file.where((*step.place, "result")), hint="Only arguments can.")
        earlier = [other.name for other in steps[:position]]
        for name in references_in(step.step.arguments):
            if name not in earlier:
                later = any(other.name == name for other in steps)
                why = "comes no earlier than that" if later else "isn't in the plan"
                hint = did_you_mean(name, earlier) if earlier else "It's the first step."
                what = f"{step.name} ({step.tool}) refers to $result.{name}, which {why}."
                raise AnalyzerError(what, where=file.where((*step.place, "arguments")), hint=hint)
    return scenario


def _mistyped_checks(file: YamlFile) -> None:
    """A check with a mistyped key would be taken for a plain value, which no call ever has."""
    for place, check in _argument_mappings(file.value):
        known = [key for key in check if key in _CHECKS]
        strange = [(key, near) for key in check if key not in _CHECKS and (near := nearest(key, _CHECKS, least=0.75))]
        if strange and len(known) + len(strange) == len(check) and not (len(check) == 1 and strange[0][0] == "line"):
            (key, near), *_ = strange
            hint = f"Did you mean {near!r}?"
            raise AnalyzerError(f"unknown key {key!r} in a check.", where=file.where((*place, key)), hint=hint)


def _argument_mappings(value: Any, place: Place = ()) -> Iterator[tuple[Place, dict[str, Any]]]:
    """The mappings directly under `arguments` of a step."""
    if isinstance(value, dict):
        for key, inside in value.items():
            if key == "arguments" and isinstance(inside, dict):
                yield from (((*place, key, name), given) for name, given in inside.items() if isinstance(given, dict))
            elif key in ("plan", "any_order", "one_of"):
                yield from _argument_mappings(inside, (*place, key))
    elif isinstance(value, list):
        for position, inside in enumerate(value):
            yield from _argument_mappings(inside, (*place, position))


def scenarios_in(folder: Path) -> list[tuple[str, Path]]:
    """The scenario files at and below a folder, each with a name of its own for its document: its path without slashes,
    and without what every path has. Hidden folders are left out; a YAML file with neither the version of a scenario's
    form nor a title and a prompt is none."""
    files: list[Path] = []
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        files += [
            Path(top) / name
            for name in names
            if name.endswith((".yaml", ".yml")) and not name.startswith(".") and _is_scenario(Path(top) / name)
        ]
    files.sort(key=lambda file: natural(file.relative_to(folder).as_posix()))
    named: dict[str, Path] = {}
    for file in files:
        inside = file.relative_to(folder)
        parts = [*inside.parent.parts, *([] if inside.stem == "scenario" and inside.parent.parts else [inside.stem])]
        name = base = re.sub(r"[^\w.-]+", "-", "-".join(parts)).strip("-.") or "scenario"
        number = 2
        while name in named or name == "index":
            name, number = f"{base}-{number}", number + 1
        named[name] = file
    return list(named.items())


def _is_scenario(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            head = stream.read(65_536).decode("utf-8", "replace")
    except OSError:
        return False
    return any(mark.search(head) for mark in _MARKS)
