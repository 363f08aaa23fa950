"""A session as a chat of Gemini CLI: calls with their results inside the model's messages.

Exit codes are in a shell's text; the status says of an edit whether it was made, and of a command only that it ran.
"""

from __future__ import annotations

import json
from typing import Any

from analyzer.export.own import Turn, turns
from analyzer.model.session import Compaction, Session
from tests.dress.forms import clock
from tests.dress.forms.names import GEMINI_CLI, renamed

Json = dict[str, Any]


def written(session: Session) -> bytes:
    """The chat as one JSON object."""
    messages: list[Json] = []
    for number, event in enumerate(turns(session)):
        base: Json = {"id": f"m{number}", "timestamp": clock.stamp(number)}
        if isinstance(event, Turn):
            call = _call(f"c{number}", number, renamed(event, GEMINI_CLI))
            messages.append({**base, "type": "gemini", "content": "", "model": "example-4", "toolCalls": [call]})
        elif isinstance(event, Compaction):
            continue
        elif event.thought:
            thought = {"subject": "", "description": event.text, "timestamp": clock.stamp(number)}
            messages.append({**base, "type": "gemini", "content": "", "model": "example-4", "thoughts": [thought]})
        else:
            kind = "gemini" if event.role == "assistant" else "user"
            messages.append({**base, "type": kind, "content": event.text})
    about = {"sessionId": session.id, "projectHash": "3f", "startTime": clock.stamp(0)}
    return json.dumps({**about, "lastUpdated": clock.stamp(len(messages)), "messages": messages}).encode()


def _call(ident: str, number: int, turn: Turn) -> Json:
    arguments = turn.call.arguments
    given = {"input": arguments} if isinstance(arguments, str) else dict(arguments)
    made: Json = {"id": ident, "name": turn.call.name, "args": given, "timestamp": clock.stamp(number)}
    found = turn.result
    if found is None:
        return {**made, "status": "executing"}
    failed = bool(found.is_error) and found.exit_code is None
    response = {
        "error" if failed else "output": found.text if found.exit_code is None else _shell(found.text, found.exit_code)
    }
    answer = {"functionResponse": {"id": ident, "name": turn.call.name, "response": response}}
    return {**made, "status": "error" if failed else "success", "result": [answer]}


def _shell(text: str, code: int) -> str:
    return f"Command: it\nDirectory: (root)\nOutput: {text or '(empty)'}\nError: (none)\nExit Code: {code}\nSignal: 0"
