"""Whether an export has the form in which spans and their attributes are read; what has another one is remarked on."""

from __future__ import annotations

from typing import Any

from analyzer.formats.record.fields import dict_of, list_of
from analyzer.formats.record.warnings import ANYTHING, LIST, OBJECT, TEXT, Form, WarningLog

_GROUP = Form("a group of spans", {}, {"resource": OBJECT, "scopeSpans": LIST, "instrumentationLibrarySpans": LIST})
_SCOPE = Form("a scope", {"spans": LIST})
_SPAN = Form("a span", {}, {"attributes": (list, dict), "events": LIST, "name": TEXT})
_ATTRIBUTE = Form("an attribute", {"key": TEXT, "value": OBJECT})
_VALUE = Form(
    "a value",
    {},
    {
        "stringValue": TEXT,
        "boolValue": (bool,),
        "doubleValue": (int, float, str),
        "intValue": (int, float, str),
        "bytesValue": TEXT,
        "arrayValue": OBJECT,
        "kvlistValue": OBJECT,
    },
    frozenset(),
)
_EVENT = Form("an event", {}, {"attributes": (list, dict), "name": ANYTHING})


def check_export(place: str, export: dict[str, Any], log: WarningLog) -> None:
    """Note what is otherwise than read in an export of groups of spans."""
    for group in map(dict_of, list_of(export.get("resourceSpans"))):
        _GROUP.check(place, group, log)
        scopes = list_of(group.get("scopeSpans")) or list_of(group.get("instrumentationLibrarySpans"))
        if "scopeSpans" not in group and "instrumentationLibrarySpans" not in group:
            log.add(place, "a group of spans without 'scopeSpans'")
        for scope in map(dict_of, scopes):
            _SCOPE.check(place, scope, log)
            for span in map(dict_of, list_of(scope.get("spans"))):
                _check_span(place, span, log)


def _check_span(place: str, span: dict[str, Any], log: WarningLog) -> None:
    _SPAN.check(place, span, log)
    if "attributes" not in span:
        strange = [key for key, value in span.items() if isinstance(value, list) and _are_attributes(value)]
        if strange:
            log.add(place, f"a span with attributes under {strange[0][:60]!r}; they aren't read")
    _check_attributes(place, span.get("attributes"), log)
    for event in map(dict_of, list_of(span.get("events"))):
        _EVENT.check(place, event, log)
        _check_attributes(place, event.get("attributes"), log)


def _check_attributes(place: str, attributes: object, log: WarningLog) -> None:
    if isinstance(attributes, dict):
        if any(isinstance(value, list) and _are_attributes(value) for value in attributes.values()):
            log.add(place, "attributes that lie deeper than they're read")
        return
    for attribute in list_of(attributes):
        if not isinstance(attribute, dict):
            log.wrong_type(place, attribute, "an attribute")
            continue
        _ATTRIBUTE.check(place, attribute, log)
        _VALUE.check(place, dict_of(attribute.get("value")), log)


def _are_attributes(value: list[Any]) -> bool:
    return bool(value) and all({"key", "value"} <= dict_of(item).keys() for item in value)
