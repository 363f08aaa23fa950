"""A session as Claude Code logs it: one record per block, exit codes in the text of what failed."""

from __future__ import annotations

import json
from typing import Any

from analyzer.export.own import Turn, turns
from analyzer.model.session import Compaction, Session
from tests.dress.forms import anthropic, clock
from tests.dress.forms.names import CLAUDE_CODE, renamed

Json = dict[str, Any]


def written(session: Session) -> bytes:
    """The log as JSON lines."""
    records: list[Json] = []
    for number, event in enumerate(turns(session)):
        if isinstance(event, Turn):
            turn = renamed(event, CLAUDE_CODE)
            block = anthropic.use(f"toolu_{number}", turn)
            records.append(_record(session, records, "assistant", [block]))
            if event.result is not None:
                records.append(_result(session, records, f"toolu_{number}", turn))
        elif not isinstance(event, Compaction):
            kind = "assistant" if event.role == "assistant" else "user"
            content: Any = [anthropic.said(event)] if kind == "assistant" else event.text
            records.append(_record(session, records, kind, content))
    return b"\n".join(json.dumps(record).encode() for record in records) + b"\n"


def _result(session: Session, records: list[Json], ident: str, turn: Turn) -> Json:
    result = turn.result
    assert result is not None
    command = "command" in turn.call.arguments and turn.call.name == "Bash"
    text = f"Exit code {result.exit_code}\n{result.text}" if result.exit_code else result.text
    record = _record(session, records, "user", [anthropic.result(ident, turn, text)])
    if command and not result.exit_code and not result.is_error:
        record["toolUseResult"] = {"stdout": result.text, "stderr": "", "interrupted": False}
    elif result.exit_code or result.is_error:
        record["toolUseResult"] = f"Error: {text}"
    return record


def _record(session: Session, records: list[Json], kind: str, content: Any) -> Json:
    number = len(records) + 1
    own = {"id": f"msg_{number}", "model": "claude-test-1"} if kind == "assistant" else {}
    return {
        "type": kind,
        "uuid": f"uuid-{number}",
        "parentUuid": f"uuid-{number - 1}" if number > 1 else None,
        "isSidechain": False,
        "sessionId": session.id,
        "version": "2.1.0",
        "cwd": "/home/dev/quay",
        "timestamp": clock.stamp(number),
        "message": {"role": kind, "content": content, **own},
    }
