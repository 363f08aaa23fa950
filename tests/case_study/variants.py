"""The runs of the two recorded systems told otherwise: other names, other validators' words, no flags, and every format
that can be written. What failed in each run stays the same."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from analyzer.case_study.runs import LoadedRun
from analyzer.case_study.scenario import load_scenario, scenario_from_text
from analyzer.case_study.study import case_study
from analyzer.detectors import detect
from analyzer.diagnosis import post_mortem
from analyzer.formats import load_bytes
from analyzer.model.case_study import CaseStudy
from analyzer.model.session import Session
from analyzer.timeline import build_timeline
from tests.dress.forms.forms import FORMS

SAMPLES = Path(__file__).resolve().parent.parent.parent / "sample_sessions"
SYSTEMS = ("greenhouse", "courier")
RECORDED = ("", "chat", "otlp")
"""The folders of a sample: the project's own form, and what other agents would have recorded."""
Story = tuple[tuple[int, str, str | None], ...]
"""Of each run that failed: its number, what failed first, and where in the plan."""

_NAMES = {
    "greenhouse": {
        "irrigation.plan_slot": "valves.reserve",
        "plan_slot": "reserve",
        "sensors.read_zone": "soil.measure",
        "agronomy.water_need": "crops.demand",
        "water_need": "demand",
        "logbook.write": "journal.write_note",
        "planner.": "architect.",
        "duration_min": "spell",
        "minutes": "length",
    },
    "courier": {
        "findDepot": "locate_hub",
        "quoteRate": "get_offer",
        "bookPickup": "reserve_van",
        "writeReceipt": "write_slip",
        "collectFrom": "source",
        "deliverTo": "target",
        "service": "tier",
    },
}
_UNKNOWN = re.compile(r"Object contains unknown field `(\w+)`; it takes zone, duration_min, window")
_UNKNOWN_IN = {
    "pydantic": "1 validation error for PlanSlot\n{0}\n  Extra inputs are not permitted [type=extra_forbidden, "
    "input_value='$result.step_2.minutes', input_type=str]",
    "JSON Schema": "Additional properties are not allowed ('{0}' was unexpected)",
    "zod": '✖ Unrecognized key: "{0}"',
    "Jackson": 'Unrecognized field "{0}" (class com.acme.PlanSlot), not marked as ignorable (3 known properties: '
    '"zone", "window", "duration_min"])',
    ".NET": "The JSON property '{0}' could not be mapped to any .NET member contained in type 'PlanSlot'.",
    "Go": 'json: unknown field "{0}"',
    "protobuf": 'Message type "acme.PlanSlot" has no field named "{0}" at "PlanSlot".',
    "MCP": "MCP error -32602: Invalid arguments for tool irrigation.plan_slot: Unrecognized key(s) in object: '{0}'",
    "serde": "unknown field `{0}`, expected one of `zone`, `duration_min`, `window`",
    "Python": "TypeError: plan_slot() got an unexpected keyword argument '{0}'",
}
_OPTION = re.compile(
    r'Invalid arguments for quoteRate:\n✖ Invalid option: expected one of "X24"\|"X48"\|"ECO"\n  → at service'
)
_OPTION_IN = {
    "pydantic": "1 validation error for QuoteRate\nservice\n  Input should be 'X24', 'X48' or 'ECO' "
    "[type=literal_error, input_value='x', input_type=str]",
    "JSON Schema": "'x' is not one of ['X24', 'X48', 'ECO']\n\nFailed validating 'enum' in "
    "schema['properties']['service']:\n    {'enum': ['X24', 'X48', 'ECO']}\n\nOn instance['service']:\n    'x'",
    "zod": "Invalid enum value. Expected 'X24' | 'X48' | 'ECO', received 'x' at \"service\"",
    "Jackson": 'Cannot deserialize value of type `com.acme.Service` from String "x": not one of the values accepted '
    'for Enum class: [X24, X48, ECO]\n at [Source: UNKNOWN] (through reference chain: com.acme.QuoteRate["service"])',
    ".NET": "The JSON value could not be converted to Courier.Service. Path: $.service | LineNumber: 0",
    "Go": "Key: 'QuoteRate.service' Error:Field validation for 'service' failed on the 'oneof' tag",
    "protobuf": "Failed to parse service field: Invalid enum value x for enum type courier.Service.",
    "MCP": 'MCP error -32602: Invalid arguments for tool quoteRate: [{"received":"x","code":"invalid_enum_value",'
    '"options":["X24","X48","ECO"],"path":["service"],"message":"Invalid enum value. Expected \'X24\' | \'X48\' | '
    "'ECO', received 'x'\"}]",
    "serde": "service: unknown variant `x`, expected one of `X24`, `X48`, `ECO`",
    "Python": "ValueError: service must be one of: X24, X48, ECO",
}
_NOT_A_FUNCTION = re.compile(r"TypeError: note\.trim is not a function\n[\s\S]+")
_CONTEXT_IN = {
    "Jackson": "java.lang.ClassCastException: class com.acme.courier.Context cannot be cast to class java.lang.String",
    ".NET": "System.ArgumentException: Object of type 'Courier.Context' cannot be converted to type 'System.String'.",
}
_INDICES = re.compile(r"Traceback [\s\S]+indices must be integers, not 'str'")
_LIST_IN = {
    "pydantic": "1 validation error for WaterNeed\nsamples\n  Input should be a valid list [type=list_type, "
    "input_value='[', input_type=str]",
    "zod": "✖ Invalid input: expected array, received string\n  → at samples",
    "Jackson": "Cannot deserialize value of type `java.util.ArrayList` from String value (token `VALUE_STRING`) "
    '(through reference chain: com.acme.WaterNeed["samples"])',
    "Go": "json: cannot unmarshal string into Go struct field WaterNeed.samples of type []main.Sample",
}


@dataclass(frozen=True)
class Variant:
    """One way to tell the runs: its name, and what becomes of the scenario's text and of each run's recording."""

    name: str
    scenario: Callable[[str], str]
    recording: Callable[[bytes], bytes]


def story(study: CaseStudy) -> Story:
    """What failed first in each run."""
    return tuple((failing.run, failing.title, failing.at) for failing in study.cascade)


@cache
def as_recorded(system: str, folder: str = "") -> CaseStudy:
    """The case study of a sample in one of its formats."""
    scenario = load_scenario(SAMPLES / system / "scenario.yaml")
    return case_study(scenario, [_run(load_bytes(one, name).sessions[0]) for name, one in _files(system, folder)])


def told(system: str, variant: Variant) -> CaseStudy:
    """The case study of a variant."""
    scenario = scenario_from_text(variant.scenario((SAMPLES / system / "scenario.yaml").read_text(encoding="utf-8")))
    runs = [_run(load_bytes(variant.recording(one), name).sessions[0]) for name, one in _files(system, "")]
    return case_study(scenario, runs)


def variants(system: str) -> Iterator[Variant]:
    """Every variant of a sample."""
    yield Variant(
        "other names", _renaming(_NAMES[system]), lambda one: _renaming(_NAMES[system])(one.decode()).encode()
    )
    yield Variant("no flags", str, _without_flags)
    yield Variant("null values left out", str, lambda one: _changed(one, _leave_out_nulls))
    for name in _UNKNOWN_IN:
        yield Variant(f"words of {name}", str, lambda one, name=name: _without_flags(_reworded(one, name)))  # type: ignore[misc]
    for form in FORMS:
        yield Variant(f"written as {form.name}", str, lambda one, form=form: form.written(_session(one)))  # type: ignore[misc]
    for form in FORMS:

        def reworded(one: bytes, written: Callable[[Session], bytes] = form.written) -> bytes:
            return written(_session(_renaming(_NAMES[system])(_reworded(one, "JSON Schema").decode()).encode()))

        yield Variant(f"other names and words as {form.name}", _renaming(_NAMES[system]), reworded)


def _files(system: str, folder: str) -> list[tuple[str, bytes]]:
    return [(path.name, path.read_bytes()) for path in sorted((SAMPLES / system / folder).glob("run*.json"))]


def _run(session: Session) -> LoadedRun:
    timeline = build_timeline(session)
    return LoadedRun(session.id, f"{session.id}.json", timeline, post_mortem(timeline, detect(timeline)))


def _session(recording: bytes) -> Session:
    return load_bytes(recording, "run.json").sessions[0]


def _renaming(names: Mapping[str, str]) -> Callable[[str], str]:
    def renamed(text: str) -> str:
        for old, new in names.items():
            text = text.replace(old, new)
        return text

    return renamed


def _changed(recording: bytes, change: Callable[[dict[str, object]], None]) -> bytes:
    value = json.loads(recording)
    for action in value["actions"]:
        change(action)
    return json.dumps(value).encode()


def _without_flags(recording: bytes) -> bytes:
    return _changed(recording, lambda action: action.update(is_error=None))


def _leave_out_nulls(action: dict[str, object]) -> None:
    given = action["arguments"]
    assert isinstance(given, dict)
    action["arguments"] = {name: value for name, value in given.items() if value is not None}


def _reworded(recording: bytes, words: str) -> bytes:
    def change(action: dict[str, object]) -> None:
        text = str(action["result"])
        text = _UNKNOWN.sub(lambda found: _UNKNOWN_IN[words].format(found[1]), text)
        text = _OPTION.sub(lambda _: _OPTION_IN[words], text)
        text = _NOT_A_FUNCTION.sub(lambda found: _CONTEXT_IN.get(words, found[0]), text)
        action["result"] = _INDICES.sub(lambda found: _LIST_IN.get(words, found[0]), text)

    return _changed(recording, change)
