"""Every form in which a session can be told here, and what such a log records of a result."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from analyzer.export import atif, chat, own
from analyzer.formats import load_bytes
from analyzer.model.session import Session
from tests.dress.forms import anthropic, claude_code, codex, gemini_cli, openhands, otlp
from tests.dress.recordings import BARE, BOTH, CODE, FLAG, Recording


@dataclass(frozen=True, slots=True)
class Form:
    """One form: what writes it, which format reads it, and what it records. `keeps_all` is True where nothing is
    lost; other forms keep neither how the session ended nor the log's own word for an error."""

    name: str
    format: str
    written: Callable[[Session], bytes]
    recording: Recording
    keeps_all: bool = False

    def again(self, session: Session) -> Session:
        """The session as it's read from this form."""
        transcript = load_bytes(self.written(session), "again.json")
        assert transcript.format == self.format, f"read as {transcript.format}"
        (found,) = transcript.sessions
        return found


def _openai(session: Session) -> bytes:
    """What an agent's own loop keeps: the messages as they were sent, without any flag."""
    keys = ("role", "content", "reasoning_content", "tool_calls", "tool_call_id", "name")
    messages = chat.document(session)["messages"]
    return json.dumps([{key: one[key] for key in keys if key in one} for one in messages]).encode()


FORMS = (
    Form("own form", "actions", lambda one: b"\n".join(json.dumps(r).encode() for r in own.records(one)), BOTH, True),
    Form("ATIF", "atif", lambda one: json.dumps(atif.document(one)).encode(), BOTH, True),
    Form("chat with flags", "chat", lambda one: json.dumps(chat.document(one)).encode(), BOTH),
    Form("OpenAI chat", "chat", _openai, BARE),
    Form("Anthropic messages", "chat", anthropic.written, FLAG),
    Form("Claude Code", "claude-code", claude_code.written, BOTH),
    Form("Codex", "codex", codex.written, CODE),
    Form("OTLP", "otlp", otlp.written, FLAG),
)
MORE_FORMS = (
    Form("Gemini CLI", "gemini-cli", gemini_cli.written, CODE),
    Form("OpenHands SDK", "openhands-sdk", openhands.written, BOTH),
)
"""Forms for which the benchmarks measure everything, and the tests the planted repetition of one seed."""
ALL_FORMS = (*FORMS, *MORE_FORMS)
