"""Inspect AI logs: `.eval` archives, JSON logs of all versions, and bare lists of events.

A log is one evaluation of many samples; each sample and epoch is a session. What happened is recorded by the sample's
events where it has any of a model or a tool, else by its messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from string import ascii_uppercase
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.inspect_ai.events import EventReader
from analyzer.formats.inspect_ai.messages import shares_of, text_in
from analyzer.formats.inspect_ai.store import Stored, header_of, is_archive, is_event, members_of, whole_sample
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described
from analyzer.formats.loading.mapping.values import string_at, value_at
from analyzer.formats.record.definitions import agreed, definitions_in
from analyzer.formats.record.fields import dict_of, float_or_none, list_of, name_or_none, parse_time, text_of
from analyzer.formats.record.prompts import issue_of
from analyzer.model.definition import ToolDefinition
from analyzer.model.session import Expected, ExpectedAnswer, Message, Session, Usage
from analyzer.model.words import MAIN_LANE, Ending
from analyzer.text.clip import clip

_RIGHT = frozenset({"c", "yes", "true", "correct"})
_WRONG = frozenset({"i", "n", "no", "false", "incorrect"})


class Inspect(SessionsFormat):
    """Reads a log as one session per sample and epoch."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is a log, one sample of a log, or the events of one."""
        if document.bundle is not None:
            return is_archive(document.names)
        value = document.value
        if value is MISSING:
            return any(is_event(record.value) for record in document.head)
        return _is_log(value) or _is_sample(value) or bool(_bare_events(value))

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """One session per sample and epoch."""
        value = document.value
        header: dict[str, Any] = {}
        samples: Iterable[Stored]
        if document.bundle is not None:
            header, samples = header_of(document), members_of(document, log)
        elif _is_log(value):
            listed = log.objects(value.get("samples"), "sample {}", "a sample")
            header, samples = value, (whole_sample(place, record) for place, record in listed)
        elif _is_sample(value):
            samples = [whole_sample("sample", value)]
        else:
            lines = value is MISSING
            events = [record.value for record in document.records(log.damage)] if lines else _bare_events(value)
            samples = [Stored("events", {}, events=events)] if any(map(is_event, events)) else []
        yield from (_session(sample, header, document.stem) for sample in samples)


FORMAT = described(__file__, Inspect)
_MOST_EVENTS = 400
_MOST_DEFINITIONS = 200


def _is_log(value: object) -> bool:
    log = dict_of(value)
    return isinstance(log.get("eval"), dict) and not {"status", "version", "plan", "samples"}.isdisjoint(log)


def _is_sample(value: object) -> bool:
    sample = dict_of(value)
    held = any(isinstance(sample.get(key), list) for key in ("messages", "events")) or "transcript" in sample
    return held and {"id", "epoch", "input"} <= sample.keys()


def _bare_events(value: object) -> list[Any]:
    events = value.get("events") if isinstance(value, dict) else value
    return events if isinstance(events, list) and any(map(is_event, events[:40])) else []


def _session(sample: Stored, header: dict[str, Any], stem: str) -> Session:
    record, spec = sample.record, dict_of(header.get("eval"))
    name, epoch = name_or_none(record.get("id")), name_or_none(record.get("epoch"))
    name = name if name is None or epoch is None else f"{name}_epoch_{epoch}"
    session = Session(name or stem, agent="Inspect AI")
    session.agent_version = string_at(spec, "packages.inspect_ai")
    session.title, model = string_at(spec, "task"), string_at(spec, "model")
    session.model = None if model in ("none", "none/none") else model
    steps = filter(None, map(text_of, list_of(value_at(header, "plan.steps[].solver"))))
    session.environment["solver"] = string_at(spec, "solver") or " > ".join(steps)
    session.environment["sandbox"] = string_at({**spec, **record}, ("sandbox.type", "sandbox")) or ""
    session.environment = {label: text for label, text in session.environment.items() if text}
    reader = EventReader(session, sample)
    reader.read()
    # The tools that the first calls of the model could name.
    found: list[ToolDefinition] = []
    for number, event in enumerate(map(dict_of, sample.events[:_MOST_EVENTS])):
        tools = list_of(event.get("tools")) if event.get("event") == "model" else []
        if tools and len(found) < _MOST_DEFINITIONS:
            found += definitions_in({"tools": sample.resolved(tools)}, f"events[{number}]")
    session.definitions = agreed(found)
    heard = [one for one in session.events if isinstance(one, Message) and one.lane == MAIN_LANE]
    said = [message.text for message in heard if message.role == "user"]
    session.user_messages, session.assistant_messages = len(said), reader.answers
    session.task = issue_of(_asked(sample) or next(iter(said), "")) or None
    session.started_at = parse_time(record.get("started_at")) or session.started_at
    session.ended_at = parse_time(record.get("completed_at")) or session.ended_at
    seconds, ended = float_or_none(record.get("total_time")), session.ended_at
    if seconds and ended is not None and (session.started_at is None or ended - session.started_at > seconds):
        session.started_at = ended - seconds  # before that the sample only waited for its turn
    asked = Usage(reader.meter.tokens(), reader.meter.cost())
    spent, session.beside = shares_of(record, spec, asked, reader.grading)
    session.tokens, session.cost_usd = spent.tokens, spent.cost_usd
    _set_ending(session, sample, header, reader)
    if retries := len(list_of(record.get("error_retries"))):
        what = f"{retries} earlier attempts at this sample ended in an error; they're not kept in the log"
        reader.log.add("error_retries", what)
    session.warnings = reader.log.warnings()
    return session


def _asked(sample: Stored) -> str:
    """Return the sample's question, with the answers to choose from by the letters that scorers know them by."""
    given = sample.resolved(sample.record.get("input"))
    if isinstance(given, list):
        # Of several messages the last one of the user is the question: others are examples.
        last = next((message for message in map(dict_of, reversed(given)) if message.get("role") == "user"), {})
        given = text_in(last.get("content"))
    question = text_of(given).strip()
    listed = list_of(sample.resolved(sample.record.get("choices")))
    choices = [choice.strip() for choice in listed if isinstance(choice, str)]
    if not question or not choices or len(choices) > len(ascii_uppercase) or all(one in question for one in choices):
        return question
    lines = (f"{letter}) {one}" for letter, one in zip(ascii_uppercase, choices, strict=False))
    return "\n".join((question, "", *lines))


def _set_ending(session: Session, sample: Stored, header: dict[str, Any], reader: EventReader) -> None:
    """Take over how the sample ended: an error, a right answer, a limit, a wrong answer, in this order."""
    record = sample.record
    error = sample.resolved(value_at(record, ("error.message", "error")))
    broken = text_of(error).strip() or (reader.error or "").strip()
    limit = dict_of(record.get("limit")) or reader.limit
    scores = {name: score for name, score in dict_of(record.get("scores")).items() if isinstance(score, dict)}
    single = dict_of(record.get("score")) or reader.score
    scores = scores or ({"score": single} if "value" in single else {})
    scored = ", ".join(f"{name}: {text_of(score.get('value'))}" for name, score in scores.items())
    # The first score that can be judged says whether the sample is solved.
    verdicts = (_is_right(score.get("value")) for score in scores.values())
    solved = next((verdict for verdict in verdicts if verdict is not None), None)
    if broken:
        reader.ended("error", Ending.CRASHED, broken)
    elif limit and solved is not True:
        kind, most = string_at(limit, "type") or "unknown", float_or_none(limit.get("limit"))
        reader.ended(f"{kind} limit", Ending.LIMIT, f"{kind} limit" + (f" of {most:g}" if most is not None else ""))
        if kind == "operator":
            session.ending, session.ending_detail = Ending.CANCELLED, "stopped by the operator"
    elif scored:
        reader.ended(scored, None if solved is None else Ending.SOLVED if solved else Ending.UNSOLVED, scored)
        answer = _answer(sample, reader)
        session.expected = Expected(None, answer=answer) if answer is not None else None
        if solved is not None and answer is not None and answer.given is not None:
            given, wanted = (" ".join(clip(text, 120).split()) for text in (answer.given, answer.wanted))
            # A grade of one letter beside choices of one letter would be taken for the choice.
            expected = "as expected" if given == wanted else f"expected is {wanted!r}"
            session.ending_detail = f"{scored}; the answer is {given!r}, {expected}"
    else:
        run, calls = string_at(header, "status"), [call for call in session.calls() if call.lane == MAIN_LANE]
        submitted = Ending.SUBMITTED if calls and calls[-1].task_done else None
        reader.ended(run, Ending.CANCELLED if run == "cancelled" else submitted)


def _answer(sample: Stored, reader: EventReader) -> ExpectedAnswer | None:
    """The target, and the answer that the first score with one was given for."""
    target = sample.resolved(sample.record.get("target"))
    listed = target if isinstance(target, list) else [target]
    targets = [text.strip() for text in listed if isinstance(text, str) and text.strip()]
    scores = [dict_of(score) for score in dict_of(sample.record.get("scores")).values()]
    single = dict_of(sample.record.get("score")) or reader.score
    judged = sample.resolved(next((score for score in (*scores, single) if string_at(score, "answer")), {}))
    given, why = ((string_at(judged, key) or "").strip() or None for key in ("answer", "explanation"))
    return ExpectedAnswer(" or ".join(targets), given, why) if targets else None


def _is_right(value: object) -> bool | None:
    """Whether a score means right; None for part of the way and for scales that nobody knows."""
    if isinstance(value, str):
        word = value.strip().lower()
        return True if word in _RIGHT else False if word in _WRONG else None
    if isinstance(value, dict | list) and value:
        parts = value.values() if isinstance(value, dict) else value
        inner = {_is_right(part) for part in parts if not isinstance(part, dict | list)}
        return inner.pop() if len(inner) == 1 else None
    return {0.0: False, 1.0: True}.get(value) if isinstance(value, bool | int | float) else None
