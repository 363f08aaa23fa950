"""What a recorder blanked out is nobody's words, and no result."""

from __future__ import annotations

import json
from typing import Any

from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Message
from analyzer.timeline import build_timeline
from analyzer.timeline.timeline import Timeline


def made(*said: str, actions: list[dict[str, Any]] | None = None) -> Timeline:
    document = {
        "format": "analyze-session/1",
        "session": {"id": "s"},
        "messages": [{"role": "user", "text": text, "before_action": 1} for text in said],
        "actions": actions or [{"tool": "look", "result": "b"}],
    }
    (session,) = load_bytes(json.dumps(document).encode(), "s.json").sessions
    return build_timeline(session)


def test_a_message_that_is_blanked_out_was_sent_and_has_no_words() -> None:
    session = made("REDACTED", "Mend the hull, and leave [redacted] alone.").session
    users = [event for event in session.events if isinstance(event, Message)]
    assert [(event.text, event.unrecorded) for event in users] == [
        ("", True),
        ("Mend the hull, and leave [redacted] alone.", False),
    ]
    assert made("***").session.task is None


def test_a_header_that_is_blanked_out_names_nothing() -> None:
    header = {"id": "s", "model": "<redacted>", "agent": "clerk", "environment": {"language": "***", "os": "Linux"}}
    document = {"format": "analyze-session/1", "session": header, "actions": [{"tool": "look"}]}
    (session,) = load_bytes(json.dumps(document).encode(), "s.json").sessions
    assert (session.model, session.agent, session.environment) == (None, "clerk", {"os": "Linux"})


def test_a_result_that_is_blanked_out_is_not_recorded() -> None:
    actions: list[dict[str, Any]] = [
        {"tool": "look", "result": "[REDACTED]"},
        {"tool": "look", "result": "***", "exit_code": 1},
        {"tool": "look", "result": "*** lost ***"},
    ]
    assert [action.result for action in made(actions=actions).actions] == [None, "", "*** lost ***"]


def test_calls_with_something_blanked_out_are_not_the_same() -> None:
    for text, same in (("REDACTED", False), ("<redacted>", False), ("removed", True), ("keel", True)):
        actions = [{"tool": "look", "arguments": {"at": text}, "result": "b"}] * 2
        first, second = made(actions=actions).actions
        assert (first.keys.call == second.keys.call) is same, text
