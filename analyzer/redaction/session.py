"""Redact a session as it was read, before anything of it is judged, cut, masked or stored.

What is made of a redacted session holds no secret that the rules know, in whatever form it is clipped or masked. A
secret has one placeholder throughout a transcript and another secret has another one, so calls, results and states that
were equal stay equal, and those that differed still differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from analyzer.model.definition import ToolDefinition
from analyzer.model.session import Event, Expected, Message, Session, ToolCall, ToolResult
from analyzer.model.struct import replace
from analyzer.model.words import MAIN_LANE
from analyzer.redaction.redactor import Redactor
from analyzer.redaction.rules import RULES, Rule

Take = Callable[[str, str], str]
"""What becomes of a text, given the name under which it stands; empty for one without a name."""

_CHUNK = 4_000_000
"""Characters that are looked at together: as many as fit the memory of any machine."""


def redact_session(session: Session, redactor: Redactor | None = None) -> None:
    """Replace the secrets in a session. Ids and the names of lanes, tools and models stay as they are. A session with a
    redactor of its own knows afterwards how many were replaced."""
    shared = redactor is not None
    redactor = redactor or Redactor()
    take = changes_of(lambda note: _rewrite(session, note), redactor)
    if take is not None:
        _rewrite(session, take)
        if not shared:
            session.redacted = dict(sorted(redactor.distinct.items()))
            session.redacted_at = first_steps(session, session.redacted, _texts_of)


def changes_of(walk: Callable[[Take], object], redactor: Redactor) -> Take | None:
    """What becomes of each text that `walk` takes, given all of them; None where nothing is replaced."""
    texts: dict[str, None] = {}
    named: dict[tuple[str, str], None] = {}

    def note(name: str, text: str) -> str:
        texts[text] = None
        if name:
            named[name, text] = None
        return text

    walk(note)
    hidden = {
        (name, text): placeholder for name, text in named if (placeholder := redactor.hides(name, text)) is not None
    }
    changed = _changes(list(texts), redactor)
    return (lambda name, text: hidden.get((name, text)) or changed.get(text, text)) if changed or hidden else None


def _changes(texts: list[str], redactor: Redactor) -> dict[str, str]:
    """What becomes of the texts that hold a secret."""
    shown: list[list[str]] = []
    chunks = list(_chunks(texts))
    known: list[int] = []
    for chunk in chunks:
        shown.append(redactor.redact_all(chunk))
        known.append(redactor.learned)
    # What only its surroundings gave away in a later chunk is replaced in the earlier ones, too.
    for number, count in enumerate(known):
        if count < redactor.learned:
            shown[number] = redactor.redact_learned(shown[number])
    return {
        before: after
        for chunk, found in zip(chunks, shown, strict=True)
        for before, after in zip(chunk, found, strict=True)
        if before != after
    }


def _chunks(texts: list[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    size = 0
    for text in texts:
        if chunk and size + len(text) > _CHUNK:
            yield chunk
            chunk, size = [], 0
        chunk.append(text)
        size += len(text)
    if chunk:
        yield chunk


def _rewrite(session: Session, take: Take) -> None:
    """Put what becomes of each text in its place."""
    session.task = _text(session.task, take)
    session.title = _text(session.title, take)
    session.copied_from = _text(session.copied_from, take)
    session.recorded_status = _text(session.recorded_status, take)
    session.ending_detail = _text(session.ending_detail, take)
    session.broke = _text(session.broke, take)
    session.environment = {name: take(name, text) for name, text in session.environment.items()}
    if session.expected is not None:
        session.expected = _expected(session.expected, take)
    if session.evaluation is not None:
        session.evaluation = replace(session.evaluation, text=take("", session.evaluation.text))
    session.definitions = tuple(_definition(entry, take) for entry in session.definitions)
    session.warnings = [
        replace(warning, where=take("", warning.where), what=take("", warning.what)) for warning in session.warnings
    ]
    for event in session.events:
        _rewrite_event(event, take)


def _rewrite_event(event: Event, take: Take) -> None:
    if isinstance(event, Message | ToolResult):
        event.text = take("", event.text)
    elif isinstance(event, ToolCall):
        arguments = event.arguments
        event.arguments = take("", arguments) if isinstance(arguments, str) else _value(arguments, "", take)
        event.path = _text(event.path, take)


def _texts_of(event: Event) -> list[str]:
    texts: list[str] = []

    def note(_name: str, text: str) -> str:
        texts.append(text)
        return text

    _rewrite_event(event, note)
    return texts


def _expected(expected: Expected, take: Take) -> Expected:
    calls = (
        tuple(replace(call, arguments=_value(call.arguments, "", take)) for call in expected.calls)
        if expected.calls is not None
        else None
    )
    answer = expected.answer
    if answer is not None:
        answer = replace(
            answer, wanted=take("", answer.wanted), given=_text(answer.given, take), why=_text(answer.why, take)
        )
    return replace(expected, calls=calls, words=tuple(take("", word) for word in expected.words), answer=answer)


def _definition(definition: ToolDefinition, take: Take) -> ToolDefinition:
    parameters = (
        replace(entry, values=tuple(take("", value) if isinstance(value, str) else value for value in entry.values))
        if entry.values is not None
        else entry
        for entry in definition.parameters
    )
    return replace(definition, parameters=tuple(parameters))


def _text(text: str | None, take: Take) -> str | None:
    return take("", text) if text is not None else None


def _value(value: Any, name: str, take: Take) -> Any:
    """An argument with every text in it taken, and the names of fields, too."""
    if isinstance(value, str):
        return take(name, value)
    if isinstance(value, Mapping):
        return {
            take("", key) if isinstance(key, str) else key: _value(item, str(key), take) for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_value(item, name, take) for item in value]
    return value


def first_steps(session: Session, names: Iterable[str], texts_of: Callable[[Event], Iterable[str]]) -> dict[str, int]:
    """By the name of a rule, the first step of the main lane with one of its placeholders; 0 is what was said before
    the first step. A rule whose placeholders are only elsewhere has none."""
    sought = {rule.name: _numbered(rule) for rule in RULES if rule.name in set(names)}
    found: dict[str, int] = {}
    step = 0
    for event in session.events:
        if not sought:
            break
        if event.lane != MAIN_LANE:
            continue
        step += isinstance(event, ToolCall)
        texts = list(texts_of(event))
        for name in [name for name, pattern in sought.items() if any(map(pattern.search, texts))]:
            found[name] = step
            del sought[name]
    return found


def _numbered(rule: Rule) -> re.Pattern[str]:
    return re.compile(re.escape(rule.placeholder.format(name=rule.name, number="\0")).replace("\0", r"\d+"))
