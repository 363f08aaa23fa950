"""OpenTelemetry traces of agents: OTLP JSON or JSON lines, and the flat spans that SDKs print. What has another form
than spans and their attributes are read in is remarked on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, described, words_of
from analyzer.formats.otlp.spans import Span, attributes_of, is_export, is_flat_span, span_of
from analyzer.formats.otlp.traces import TraceFormat
from analyzer.formats.record.fields import dict_of, first_of, list_of
from analyzer.formats.record.records import records_of, sample_of
from analyzer.formats.record.warnings import WarningLog, forms

_GROUP = forms(words_of(__file__)["forms"])["group"]
_SCOPES = ("scopeSpans", "instrumentationLibrarySpans")
_OTHER_SIGNALS = frozenset({"attributes", "resourceMetrics", "resourceLogs"})


class Otlp(TraceFormat):
    """Reads a trace's spans."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is an export of spans, or holds spans of an agent as an SDK prints them."""
        return any(is_export(record) or is_flat_span(record) for record in sample_of(document, 10))

    def spans(self, document: Document, log: FileLog) -> Iterator[tuple[str, Span]]:
        """The spans of the exports, and those that stand by themselves."""
        for entry in records_of(document, log.damage):
            place, record = entry.place, entry.value
            if not is_export(record) and not is_flat_span(record):
                if _OTHER_SIGNALS.isdisjoint(record):
                    log.add(place, "neither an export nor a span; skipped")
                continue
            for raw, resource in _raw(place, record, log):
                yield place, span_of(raw, resource)


FORMAT = described(__file__, Otlp)


def _raw(place: str, value: dict[str, Any], log: WarningLog) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield the raw spans of an export, or the value itself where it is a span, each with its resource's attributes."""
    if not isinstance(value.get("resourceSpans"), list):
        yield value, dict_of(dict_of(value.get("resource")).get("attributes"))
        return
    for group in map(dict_of, value["resourceSpans"]):
        _GROUP.check(place, group, log)
        resource = attributes_of(dict_of(group.get("resource")).get("attributes"))
        scopes = list_of(first_of(group, *_SCOPES))
        if not any(key in group for key in _SCOPES):
            log.add(place, "a group of spans without 'scopeSpans'")
        for span in (span for scope in map(dict_of, scopes) for span in list_of(scope.get("spans"))):
            if isinstance(span, dict):
                lists = ((key, value) for key, value in span.items() if isinstance(value, list) and value)
                strange = [key for key, rows in lists if all({"key", "value"} <= dict_of(row).keys() for row in rows)]
                if strange and "attributes" not in span:
                    log.add(place, f"a span with attributes under {strange[0][:60]!r}; they aren't read")
                yield span, resource
