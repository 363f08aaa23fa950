"""What is put right in a session of any format: texts and counts that stand for nothing, records that are there twice,
what a service said where the answer of the model belongs, and arguments that are nested too deeply."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from itertools import islice
from typing import Any

from analyzer.formats.container.jsontext import dumps
from analyzer.formats.loading.interface import expressions_of
from analyzer.formats.loading.thoughts import split_thoughts
from analyzer.formats.record.spoken_calls import CALL, read_spoken_calls, spoken_calls
from analyzer.formats.record.usage import together
from analyzer.model.session import Event, Message, ReadWarning, Session, Tokens, ToolCall, ToolResult
from analyzer.model.struct import replace
from analyzer.text.english import one_or_many
from analyzer.text.plain import holds_any, is_blanked, is_hollow

_LOOKED_AT, _LONGEST, _LONGEST_QUOTE, _LONGEST_AFTER = 200, 4_000, 80, 400
_FEWEST_QUOTES, _NEAR = 2, 60
_ROLES = ("assistant", "harness", "system")
_FEWEST = 4
"""Calls without arguments or a result that an agent hardly makes, to tools that take nothing and return nothing."""
_LEAST_ID = 6
"""Characters of an id that was made to tell calls apart: shorter ones are counters, which begin again."""
_DEEPEST = 100
"""Levels of a call's arguments: every one costs several calls of Python's, of which a thousand may be under way."""
_SAYS = expressions_of(__file__)


def put_right(session: Session) -> None:
    """Put right what holds for all formats; each step sees what those before it have put right."""
    write_deep_as_text(session)
    split_thoughts(session)
    read_spoken_calls(session)
    mark_failed_calls(session)
    forget_blanked(session)
    drop_recorded_again(session)
    forget_zero_counts(session)


def forget_blanked(session: Session) -> None:
    """Take what a recorder put in the place of a text for no words of anybody, and for no result of a call."""
    for name in ("task", "title", "agent", "agent_version", "model"):
        setattr(session, name, _known(getattr(session, name)))
    session.environment = {label: text for label, text in session.environment.items() if not is_blanked(text)}
    hollow = _keeps_only_names(session)
    kept = []
    for event in session.events:
        if isinstance(event, Message) and is_blanked(event.text):
            event.text, event.unrecorded = "", True
        elif isinstance(event, ToolResult) and (is_blanked(event.text) or (hollow and is_hollow(event.text))):
            event.unrecorded = True
            if event.is_error is None and event.exit_code is None and event.mark is None:
                continue
        elif isinstance(event, ToolCall):
            event.model = _known(event.model)
        kept.append(event)
    if len(kept) < len(session.events):
        session.events[:] = kept


def _keeps_only_names(session: Session) -> bool:
    """Whether all that the log holds of its calls is that they were made: none has arguments, and no result says
    anything, among as many as no agent makes to tools that take nothing and return nothing."""
    calls = [event for event in session.events if isinstance(event, ToolCall) and not event.harness]
    results = [event.text for event in session.events if isinstance(event, ToolResult)]
    if len(calls) < _FEWEST or len({call.name for call in calls}) < 2 or not results:
        return False
    return not any(call.arguments for call in calls) and all(map(is_hollow, results))


def _known(text: str | None) -> str | None:
    return None if text is not None and is_blanked(text) else text


def forget_zero_counts(session: Session) -> None:
    """Take a session's tokens for unknown where they're zero throughout, and something was said or called."""
    tokens = session.tokens
    counts = (tokens.input, tokens.output, tokens.cached, tokens.written)
    if any(counts) or all(count is None for count in counts):
        return
    if any(
        isinstance(event, ToolCall) or (isinstance(event, Message) and event.role == "assistant")
        for event in session.events
    ):
        session.tokens = Tokens()


def mark_failed_calls(session: Session) -> None:
    """Mark the messages that say that a call of the model failed, whoever is said to have written them."""
    for event in session.events:
        if isinstance(event, Message) and not event.thought and _fails(event):
            event.role, event.failed = "harness", True


def _fails(message: Message) -> bool:
    if len(message.text) > _LONGEST or message.role not in ("assistant", "harness"):
        return False
    text = message.text.strip()
    told = message.role == "harness" and _SAYS["told"].search(text) is not None
    return told or _SAYS["named"].search(text) is not None


def drop_recorded_again(session: Session) -> None:
    """Keep the first record of a call that is there again with its id, its name and its arguments: some logs write an
    answer down again whenever a call of it is added.

    Ids that were blanked out, and those of which there is no result or one for each call, tell no calls apart.
    """
    results = Counter((event.lane, event.call_id) for event in session.events if isinstance(event, ToolResult))
    made: dict[tuple[str, str | None], ToolCall] = {}
    kept: list[Event] = []
    for event in session.events:
        if isinstance(event, ToolCall) and event.id is not None:
            key = (event.lane, event.id)
            first = made.get(key)
            tells_apart = len(event.id) >= _LEAST_ID and not is_blanked(event.id)
            known = first is not None and (first.name, first.arguments) == (event.name, event.arguments)
            if first is not None and known and results[key] == 1 and tells_apart:
                if event.usage is not None:
                    first.usage = together(first.usage, event.usage)
                continue
            made[key] = event
        kept.append(event)
    if len(kept) < len(session.events):
        session.events[:] = kept


def write_deep_as_text(session: Session) -> None:
    """Put the JSON text of an argument that is nested too deeply in its place."""
    for event in session.events:
        if isinstance(event, ToolCall) and isinstance(event.arguments, Mapping):
            event.arguments = _shallow(event.arguments)
    if session.expected is not None and session.expected.calls is not None:
        calls = tuple(replace(call, arguments=_shallow(call.arguments)) for call in session.expected.calls)
        session.expected = replace(session.expected, calls=calls)


def _shallow(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    deep = {key: _text(value) for key, value in arguments.items() if _is_deep(value)}
    return {**arguments, **deep} if deep else arguments


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [one for one in level if isinstance(one, dict | list | tuple) and one]
        if not level:
            return False
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return True


def _text(value: Any) -> str:
    try:
        return dumps(value).decode()
    except RecursionError:
        return "[nested too deeply to be shown]"


def remark(session: Session) -> ReadWarning | None:
    """The warning about a session without an action in whose messages calls seem to stand, and about one whose last
    message holds the mark of a call."""
    messages = [event for event in session.events if isinstance(event, Message) and event.role in _ROLES]
    tools = {f'"{call.name.lower()}"' for call in session.calls()}
    spoken = [event for event in messages[-_LOOKED_AT:] if event.role == "assistant"]
    marked = [(event, found) for event in spoken if (found := _marked(event.text, tools)) is not None]
    if tools:
        last = session.events[-1]
        if not marked or marked[-1][0] is not last or len(last.text) - marked[-1][1].end() > _LONGEST_AFTER:
            return None
        begins = marked[-1][1].group().strip()[:_LONGEST_QUOTE]
        return ReadWarning("messages", f"the last one seems to hold a call ({begins!r}) that was never made; not read")
    said = (event.text for event in messages)
    quotes = [quote for text in islice(said, _LOOKED_AT) if (quote := _quote(text)) is not None]
    quotes.extend(found.group().strip()[:_LONGEST_QUOTE] for _, found in marked if not quotes)
    if len(quotes) < (1 if marked else _FEWEST_QUOTES):
        return None
    seem = one_or_many(len(quotes), "seems", "seem")
    what = f"{len(quotes)} of them {seem} to hold what the agent did ({quotes[0]!r}); no action was read"
    return ReadWarning("messages", what, hides_actions=True)


def _marked(text: str, tools: Collection[str]) -> re.Match[str] | None:
    """The mark of a call in a text; what a fence holds may be the content of a file, unless the text ends with it and
    it names one of the `tools`, where there are any, each in quotes."""
    found = _SAYS["marked"].search(text)
    if found is not None and '"properties"' in text[found.start() :][:_LONGEST] and '"object"' in text:
        return None  # the schema of what a tool takes
    fenced = found is not None and text[: found.start()].rstrip().rpartition("\n")[2].startswith("```")
    ends = (
        fenced
        and (not tools or holds_any(text.lower(), tools))
        and found is not None
        and text.find("```", found.end()) == len(text.rstrip()) - 3
    )
    return found if not fenced or ends else None


def _quote(text: str) -> str | None:
    """The beginning of a call in a text; None where there's none."""
    part = text[:_LONGEST]
    if (sentence := CALL.search(part)) is not None and sentence.start() <= _NEAR:
        return sentence.group()[:_LONGEST_QUOTE]
    call = next((call for call in spoken_calls(part) if not (call.fenced and "command" in call.arguments)), None)
    if call is not None:
        return f"{call.name} {call.arguments}"[:_LONGEST_QUOTE]
    malformed = _SAYS["looks_so"].search(part)
    return part[malformed.start() :].strip()[:_LONGEST_QUOTE] if malformed is not None else None
