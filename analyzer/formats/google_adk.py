"""Google's Agent Development Kit: stored sessions with their events, and evaluation sets with their conversations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, words_of
from analyzer.formats.loading.mapping.values import string_at, value_at
from analyzer.formats.record.chat_messages import Conversation
from analyzer.formats.record.fields import dict_of, list_of
from analyzer.formats.record.records import records_of
from analyzer.model.session import Session

_WORDS = words_of(__file__)
_RESULTS = ("function_response", "functionResponse")


class GoogleAdk(SessionsFormat):
    """Reads one session per stored session or per case of an evaluation set."""

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The sessions in file order."""
        loose: list[tuple[str, Any]] = []
        for entry in records_of(document, log.damage):
            record = entry.value
            if not self.is_own(record):
                log.add(entry.place, "neither a session nor an event nor an evaluation set; skipped")
            elif "events" in record:
                numbered = enumerate(record["events"], 1)
                yield _session(record, [(f"{entry.place}, event {number}", event) for number, event in numbered])
            elif cases := value_at(record, _WORDS["cases"]):
                yield from map(_case, map(dict_of, cases))
            else:
                loose.append((entry.place, record))
        if loose:
            yield _session({}, loose)


def _session(record: dict[str, Any], events: list[tuple[str, Any]]) -> Session:
    authors = (string_at(event, "author") for _, event in events)
    other = next((one for one in authors if one not in (None, "user")), None)
    agent = string_at(record, ("app_name", "appName")) or other
    talk = Conversation(Session(string_at(record, "id") or "", agent=agent))
    return talk.all_of((place, _message(event)) for place, event in events)


def _message(value: object) -> object:
    """An event as a message: the content has the role of the model's API, which gives results the user's."""
    if not isinstance(value, dict):
        return value
    used = value_at(value, ("usage_metadata", "usageMetadata"))
    changed = value_at(value_at(value, ("actions", "options")), _WORDS["changed"])
    error = string_at(value, ("error_message", "errorMessage"))
    parts = [_with_state(_filled(part), changed) for part in list_of(value_at(value, "content.parts"))]
    if value.get("partial") is True or not (parts or error):
        return {"role": "system", "content": ""}
    return {
        "role": "user" if value.get("author") == "user" else "assistant",
        "parts": parts or [{"text": error}],
        "timestamp": value.get("timestamp"),
        "usage": {key: value_at(used, paths) for key, paths in _WORDS["used"].items()},
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
    talk = Conversation(Session(string_at(case, ("eval_id", "evalId")) or ""))
    for number, turn in enumerate(map(dict_of, list_of(case.get("conversation"))), 1):
        time = value_at(turn, ("creation_timestamp", "creationTimestamp"))
        for role, kind, paths in _WORDS["turn"]:
            if parts := [{kind: part} if kind else _filled(part) for part in list_of(value_at(turn, paths))]:
                talk.take(f"conversation {number}", {"role": role, "parts": parts, "timestamp": time})
    return talk.closed()


FORMAT = described(__file__, GoogleAdk)
