"""Traces of agents: what the spans of a document are together (traces, conversations, twins that record the same
thing), and those of OpenTelemetry: OTLP JSON or JSON lines, and the flat spans that SDKs print. What has another form
than spans and their attributes are read in is remarked on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, words_of
from analyzer.formats.otlp.conversation import Conversation
from analyzer.formats.otlp.spans import Span, attributes_of, is_export, is_flat_span, span_of
from analyzer.formats.record.fields import dict_of, first_of, list_of
from analyzer.formats.record.records import records_of, sample_of
from analyzer.formats.record.warnings import WarningLog, forms
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Session

_GROUP = forms(words_of(__file__)["forms"])["group"]
_SCOPES = ("scopeSpans", "instrumentationLibrarySpans")
_OTHER_SIGNALS = frozenset({"attributes", "resourceMetrics", "resourceLogs"})


class TraceFormat(SessionsFormat):
    """A format of spans, which are read as one session per conversation, or per trace where no conversation is
    named."""

    unit = "span"
    """What a span is called in what the format says of it."""
    nothing = "span of an agent, a model or a tool"

    def spans(self, document: Document, log: FileLog) -> Iterator[tuple[str, Span]]:
        """The spans of a document with their places."""
        raise NotImplementedError

    def close(self, session: Session, spans: list[Span]) -> None:
        """Take in what is known of a session beside what its spans were."""

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The sessions in the order in which they started."""
        spans: list[Span] = []
        seen: set[tuple[str, str]] = set()
        article = "an" if self.unit[0] in "aeiou" else "a"
        for place, span in self.spans(document, log):
            key = (span.trace, span.id)
            if span.id and "redacted" not in span.id.lower() and key in seen:
                log.add(place, f"{article} {self.unit} that was exported before; skipped")
                continue
            seen.add(key)
            spans.append(span)
        known = {(span.trace, span.id): span for span in spans if span.id}
        for span in spans:
            above = known.get((span.trace, span.parent or ""))
            if above is not None and above is not span:
                span.above = above
                above.below.append(span)
        conversations = _conversations(spans)
        if spans and not conversations:
            what = f"holds {len(spans)} {self.unit}s, none of an agent, a model or a tool."
            raise UnreadableInput(what, where=document.name)
        for name, group in conversations.items():
            session = Conversation(name, _without_twins(group)).read()
            self.close(session, group)
            yield session


def _conversations(spans: list[Span]) -> dict[str, list[Span]]:
    of_trace = {span.trace: span.conversation for span in reversed(spans) if span.conversation}
    groups: dict[str, list[Span]] = {}
    for span in sorted((span for span in spans if span.kind), key=lambda span: span.when):
        around = next((above.conversation for above in span.ancestors() if above.conversation), None)
        groups.setdefault(span.conversation or around or of_trace.get(span.trace) or span.trace, []).append(span)
    return groups


def _without_twins(spans: list[Span]) -> list[Span]:
    """Return the spans without those that record the same thing twice: a model's span around a model's span, a tool's
    span inside one of the same tool. What only the span left out says is kept. Of spans that are each other's parents
    one stays."""
    kept: list[Span] = []
    dropped: set[int] = set()
    for span in spans:
        inner = [below for below in span.within() if below.kind == "model"] if span.kind == "model" else []
        if len(inner) == 1:
            inner[0].attributes = span.attributes | inner[0].attributes
        around = next((above for above in span.ancestors() if above.kind), span)
        alike = around is not span and around.kind == span.kind == "tool" and around.tool == span.tool
        if alike and id(around) not in dropped:
            dropped.add(id(span))
            around.attributes = span.attributes | around.attributes
            around.failed = span.failed if around.failed is None else around.failed
            around.error = around.error or span.error
        elif not inner:
            kept.append(span)
    return kept


class Otlp(TraceFormat):
    """Reads a trace's spans."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is an export of spans, or holds spans of an agent as an SDK prints them."""
        return any(is_export(record) or is_flat_span(record) for record in sample_of(document, 10))

    def spans(self, document: Document, log: FileLog) -> Iterator[tuple[str, Span]]:
        """The spans of the exports, and those that stand by themselves."""
        for entry in records_of(document, log.damage):
            place, record = entry.place, entry.value
            if is_export(record) or is_flat_span(record):
                yield from ((place, span_of(raw, resource)) for raw, resource in _raw(place, record, log))
            elif _OTHER_SIGNALS.isdisjoint(record):
                log.add(place, "neither an export nor a span; skipped")


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
        spans = (span for scope in map(dict_of, scopes) for span in list_of(scope.get("spans")))
        for span in (span for span in spans if isinstance(span, dict)):
            lists = ((key, value) for key, value in span.items() if isinstance(value, list) and value)
            strange = [key for key, rows in lists if all({"key", "value"} <= dict_of(row).keys() for row in rows)]
            if strange and "attributes" not in span:
                log.add(place, f"a span with attributes under {strange[0][:60]!r}; they aren't read")
            yield span, resource
