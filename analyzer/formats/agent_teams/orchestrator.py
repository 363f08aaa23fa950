"""The dialogue of an orchestrator and its agents (Magentic-One), as events.

The orchestrator's instruction to an agent and that agent's reply are one call with its result, so that an orchestrator
that asks for the same thing again and again shows as what it is. Everything else that it says is a thought.
"""

from __future__ import annotations

import re
from typing import Any

from analyzer.formats.record.fields import text_of
from analyzer.formats.record.warning_log import WarningLog
from analyzer.model.session import Message, Session, ToolCall, ToolResult
from analyzer.model.words import Ending

_INSTRUCTION = re.compile(r"Orchestrator \(-> ([^)]+)\)")
_ORCHESTRATOR = re.compile(r"Orchestrator \(([^)]*)\)")
_NEXT_SPEAKER = "Next speaker "
_CODE = re.compile(r"```[\w+-]*\n(.*?)```", re.DOTALL)
_TERMINALS = frozenset({"ComputerTerminal", "Computer_terminal", "Executor"})
_LIMIT = re.compile(r"Max (?:rounds|time|turns|stalls)\b[^\n]*reached")
_CRASH = re.compile(r"^Error processing publish message\s*\nTraceback ", re.MULTILINE)
_ERROR = re.compile(r"[\w.]*(?:Error|Exception|Timeout|Interrupt|Exit)\b")
_BY_SERVICE = re.compile(r"\bError code: [45]\d\d\b")
"""What the client of a model's service says of a call that it refused."""
_FINAL = re.compile(r"^FINAL ANSWER: (.*)$", re.MULTILINE)


def is_orchestrated(items: list[Any]) -> bool:
    """Whether some of the first messages are an orchestrator's."""
    return any(isinstance(item, dict) and _is_from(item.get("role")) for item in items[:10])


def _is_from(role: object) -> bool:
    return isinstance(role, str) and _ORCHESTRATOR.fullmatch(role) is not None


def read_dialogue(items: list[Any], session: Session, warning_log: WarningLog) -> list[int]:
    """Add the dialogue to the session; return for every message the number of the call that it is part of or leads
    to."""
    reader = _Reader(session, warning_log)
    numbers: list[int] = []
    for place, item in enumerate(items):
        in_call = reader.take(place, item)
        numbers.append(reader.calls if in_call else reader.calls + 1)
    reader.close()
    return numbers


class _Reader:
    """Goes through one dialogue once."""

    def __init__(self, session: Session, warning_log: WarningLog) -> None:
        self.session = session
        self.calls = 0
        self._warning_log = warning_log
        self._pending: ToolCall | None = None
        self._output = ""
        self._last_reply = ""
        self._users = 0
        self._replies = 0

    def take(self, place: int, item: object) -> bool:
        """Read one message of the dialogue; return whether it is a call or the reply to one."""
        role = item.get("role") if isinstance(item, dict) else None
        if not isinstance(item, dict) or not isinstance(role, str):
            self._warning_log.add(f"message {place}", "no message with a role; skipped")
            return False
        text = text_of(item.get("content"))
        asked = _INSTRUCTION.fullmatch(role)
        if asked:
            self._ask(asked[1], text)
            return True
        if role == "human":
            self._users += 1
            self.session.task = self.session.task or text.strip() or None
            self.session.say(Message("user", text))
        elif role == "Orchestrator (termination condition)":
            self._end(text)
        elif _is_from(role) or role == "Orchestrator":
            self._think(text, thought=role != "Orchestrator")
        else:
            return self._reply(role, text)
        return False

    def close(self) -> None:
        """Finish what is open at the end of the dialogue."""
        self._unanswered()
        self.session.user_messages, self.session.assistant_messages = self._users, self._replies

    def _ask(self, agent: str, instruction: str) -> None:
        self._unanswered()
        self.calls += 1
        arguments = {"instruction": instruction.strip()}
        if agent in _TERMINALS and (blocks := _CODE.findall(self._last_reply)):
            arguments["code"] = "\n".join(blocks)
        self._pending = ToolCall(f"message-{self.calls}", agent, arguments)
        self.session.events.append(self._pending)
        self._replies += 1

    def _think(self, text: str, *, thought: bool) -> None:
        if self._pending is not None and text.startswith(_NEXT_SPEAKER):
            # What follows the line is what the program printed while the agent was at work.
            self._output = text.partition("\n")[2].strip()
        elif self._pending is not None:
            self._unanswered()
        self.session.say(Message("assistant", text, thought=thought))
        self._crash(text)

    def _crash(self, text: str) -> None:
        """Note an error of the program around the agents that is printed in a message: it's nobody's words."""
        found = _CRASH.search(text)
        if found is None:
            return
        self.session.ending, self.session.ending_detail = Ending.CRASHED, _error_line(text[found.start() :])
        error = self.session.ending_detail or found[0]
        self.session.say(Message("harness", error, failed=_BY_SERVICE.search(error) is not None))

    def _reply(self, agent: str, text: str) -> bool:
        self._last_reply = text
        self.session.ending, self.session.ending_detail = None, None
        if self._pending is None or self._pending.name != agent:
            self._replies += 1
            self.session.say(Message("assistant", f"{agent}: {text}"))
            return False
        self.session.events.append(ToolResult(self._pending.id, text))
        self._pending, self._output = None, ""
        self._crash(text)
        return True

    def _unanswered(self) -> None:
        """The agent didn't reply; what the program printed meanwhile is all there is."""
        if self._pending is not None and self._output:
            self.session.events.append(ToolResult(self._pending.id, self._output))
        self._pending, self._output = None, ""

    def _end(self, text: str) -> None:
        self._unanswered()
        session = self.session
        session.recorded_status = text.strip().partition("\n")[0] or None
        limit, answer = _LIMIT.search(text), _FINAL.search(text)
        if limit:
            session.ending, session.ending_detail = Ending.LIMIT, limit[0]
            session.say(Message("harness", limit[0]))
        else:
            session.ending = Ending.SUBMITTED
            session.ending_detail = f"final answer: {answer[1].strip()}" if answer else None
        if answer:
            self.session.say(Message("assistant", answer[0]))


def _error_line(text: str) -> str | None:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if _ERROR.match(line)), lines[-1] if lines else None)
