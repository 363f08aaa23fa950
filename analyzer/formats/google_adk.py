"""Google's Agent Development Kit: stored sessions with their events, and evaluation sets with their conversations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described
from analyzer.formats.record.chat_messages import Conversation
from analyzer.formats.record.fields import dict_of, first_of, list_of, str_or_none
from analyzer.formats.record.records import records_of
from analyzer.model.session import Session

_INVOCATIONS = ("invocation_id", "invocationId")
_RESULTS = ("function_response", "functionResponse")
_USED = ("usage_metadata", "usageMetadata")


class GoogleAdk(SessionsFormat):
    """Reads one session per stored session or per case of an evaluation set."""

    def is_own(self, value: object) -> bool:
        """Whether a record is a session with events, an event, or an evaluation set."""
        return _is_session(value) or _is_event(value) or _is_set(value)

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The sessions in file order."""
        loose: list[tuple[str, Any]] = []
        for entry in records_of(document, log.damage):
            record = entry.value
            if _is_session(record):
                numbered = enumerate(record["events"], 1)
                yield _session(record, [(f"{entry.place}, event {number}", event) for number, event in numbered])
            elif _is_set(record):
                yield from map(_case, map(dict_of, record[_cases(record)]))
            elif _is_event(record):
                loose.append((entry.place, record))
            else:
                log.add(entry.place, "neither a session nor an event nor an evaluation set; skipped")
        if loose:
            yield _session({}, loose)


def _is_event(value: object) -> bool:
    event = dict_of(value)
    return isinstance(event.get("author"), str) and any(key in event for key in _INVOCATIONS)


def _is_session(value: object) -> bool:
    events = dict_of(value).get("events")
    return isinstance(events, list) and bool(events) and all(map(_is_event, events[:5]))


def _cases(value: dict[str, Any]) -> str:
    return "eval_cases" if "eval_cases" in value else "evalCases"


def _is_set(value: object) -> bool:
    cases = list_of(dict_of(value).get(_cases(dict_of(value))))
    return bool(cases) and all(isinstance(dict_of(case).get("conversation"), list) for case in cases[:5])


def _session(record: dict[str, Any], events: list[tuple[str, Any]]) -> Session:
    authors = (str_or_none(dict_of(event).get("author")) for _, event in events)
    agent = first_of(record, "app_name", "appName") or next((one for one in authors if one not in (None, "user")), None)
    talk = Conversation(Session(str_or_none(record.get("id")) or "", agent=str_or_none(agent)))
    return talk.all_of((place, _message(event)) for place, event in events)


def _message(value: object) -> object:
    """An event as a message: the content has the role of the model's API, which gives results the user's."""
    if not isinstance(value, dict):
        return value
    content, author = dict_of(value.get("content")), str(value.get("author"))
    changed = first_of(dict_of(first_of(value, "actions", "options")), "state_delta", "stateDelta", "update_context")
    parts = [_with_state(_filled(part), changed) for part in list_of(content.get("parts"))]
    error = str_or_none(first_of(value, "error_message", "errorMessage"))
    if value.get("partial") is True or not (parts or error):
        return {"role": "system", "content": ""}
    used = dict_of(first_of(value, *_USED))
    return {
        "role": "user" if author == "user" else "assistant",
        "parts": parts or [{"text": error}],
        "timestamp": value.get("timestamp"),
        "usage": {
            "input_tokens": first_of(used, "prompt_token_count", "promptTokenCount"),
            "output_tokens": first_of(used, "candidates_token_count", "candidatesTokenCount"),
            "cached_tokens": first_of(used, "cached_content_token_count", "cachedContentTokenCount"),
        },
    }


def _filled(part: object) -> object:
    """A part without what it leaves empty."""
    return {key: value for key, value in part.items() if value is not None} if isinstance(part, dict) else part


def _with_state(part: object, changed: object) -> object:
    """A part, where it's an empty result with the state that the call changed as what came back."""
    own = dict_of(part)
    for key in _RESULTS if changed else ():
        if key in own and not dict_of(own[key]).get("response"):
            return {**own, key: {**dict_of(own[key]), "response": {"state": changed}}}
    return part


def _case(case: dict[str, Any]) -> Session:
    """A conversation of an evaluation set: what the user says, the calls, and the answer of each turn."""
    talk = Conversation(Session(str_or_none(first_of(case, "eval_id", "evalId")) or ""))
    for number, turn in enumerate(map(dict_of, list_of(case["conversation"])), 1):
        place = f"conversation {number}"
        time = first_of(turn, "creation_timestamp", "creationTimestamp")
        between = dict_of(first_of(turn, "intermediate_data", "intermediateData"))
        uses = list_of(first_of(between, "tool_uses", "toolUses"))
        back = list_of(first_of(between, "tool_responses", "toolResponses"))
        said = [
            ("user", list_of(dict_of(first_of(turn, "user_content", "userContent")).get("parts"))),
            ("assistant", [{"functionCall": call} for call in uses]),
            ("user", [{"functionResponse": answer} for answer in back]),
            ("assistant", list_of(dict_of(first_of(turn, "final_response", "finalResponse")).get("parts"))),
        ]
        for role, parts in said:
            if parts:
                talk.take(place, {"role": role, "parts": [_filled(part) for part in parts], "timestamp": time})
    talk.close()
    return talk.session


FORMAT = described(__file__, GoogleAdk)
