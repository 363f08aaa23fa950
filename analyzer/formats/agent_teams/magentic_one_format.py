"""Magentic-One runs: a bare JSON list of messages whose role names the agent (`Orchestrator (thought)`, `WebSurfer`).

The orchestrator's instruction to an agent and that agent's reply are one call with its result, so that an orchestrator
that asks for the same thing again and again shows as what it is. Everything else that it says is a thought.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import ObjectFormat, described, expressions_of
from analyzer.formats.record.fields import text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.model.session import Message, Session, ToolCall
from analyzer.model.struct import Struct
from analyzer.model.words import Ending

_SAYS = expressions_of(__file__)
_LAST_LINES = 4
"""Lines at the end of a run's last message among which the final answer stands."""


class Printed(Struct, frozen=True):
    """A message in its parts: the `own` words of who wrote it, the `trace` with the `error` that ends it, and the final
    answer printed after that."""

    own: str
    trace: str = ""
    error: str | None = None
    answer: str | None = None


def final_answer(text: str) -> str | None:
    """The final answer that stands anywhere in what the program itself says."""
    found = _SAYS["final"].search(text)
    return (found[1].strip() or None) if found else None


_NEXT_SPEAKER = "Next speaker "
_TERMINALS = frozenset({"ComputerTerminal", "Computer_terminal", "Executor"})


def is_orchestrated(items: list[Any]) -> bool:
    """Whether some of the first messages are an orchestrator's."""
    return any(isinstance(item, dict) and _is_from(item.get("role")) for item in items[:10])


def _is_from(role: object) -> bool:
    return isinstance(role, str) and _SAYS["orchestrator"].fullmatch(role) is not None


def read_dialogue(items: list[Any], session: Session) -> list[int]:
    """Add the dialogue to the session; return for every message the number of the call that it is part of or leads
    to."""
    reader = _Reader(session)
    numbers = [(not reader.message(place, item)) + reader.made for place, item in enumerate(items)]
    reader.close()
    return numbers


class _Reader(RecordReader):
    _pending: ToolCall | None = None
    _output = _last_reply = _last_text = ""
    _answered = False

    def message(self, place: int, item: object) -> bool:
        """Read one message of the dialogue; return whether it is a call or the reply to one."""
        role = item.get("role") if isinstance(item, dict) else None
        if not isinstance(item, dict) or not isinstance(role, str):
            self.log.add(f"message {place}", "no message with a role; skipped")
            return False
        text = self._last_text = text_of(item.get("content"))
        if asked := _SAYS["instruction"].fullmatch(role):
            self._ask(asked[1], text)
            return True
        if role == "human":
            self.heard(text)
        elif role == "Orchestrator (termination condition)":
            self._end(text)
        elif _is_from(role) or role == "Orchestrator":
            self._think(text, thought=role != "Orchestrator")
        else:
            return self._reply(role, text)
        return False

    def close(self) -> None:
        self._unanswered()
        end = "\n".join(self._last_text.rstrip().splitlines()[-_LAST_LINES:])
        if not self._answered:
            self._answer(final_answer(end))
        super().close()

    def _ask(self, agent: str, instruction: str) -> None:
        self._unanswered()
        self.answers += 1
        arguments = {"instruction": instruction.strip()}
        if agent in _TERMINALS and (blocks := _SAYS["code"].findall(self._last_reply)):
            arguments["code"] = "\n".join(blocks)
        self._pending = self.call("", self.numbered("message-"), agent, arguments)
        self._pending.asks_agent = agent not in _TERMINALS

    def _think(self, text: str, *, thought: bool) -> None:
        printed = self._printed(text)
        if self._pending is not None and text.startswith(_NEXT_SPEAKER):
            # What follows the line is what the program printed while the agent was at work.
            self._output = "\n".join(filter(None, (printed.own.partition("\n")[2].strip(), printed.trace)))
        else:
            self._unanswered()
        self.say(printed.own, thought=thought)
        self._crash(printed)

    def _printed(self, text: str) -> Printed:
        """The parts of a message; which model answered is noted."""
        self.session.model = next(reversed(_SAYS["model"].findall(text)), self.session.model)
        crash = _SAYS["crash"].search(text)
        if crash is None:
            return Printed(text)
        own, printed = text[: crash.start()].rstrip(), text[crash.start() :]
        found = _SAYS["final"].search(printed)
        lines = printed[: found.start() if found else None].splitlines(keepends=True)
        # The trace ends with the line that names the error, or with the last one.
        ends = (number for number in range(len(lines), 0, -1) if _SAYS["error"].match(lines[number - 1].strip()))
        end = next(ends, None)
        error = lines[end - 1].strip() if end else None
        return Printed(own, "".join(lines[:end]).rstrip(), error, final_answer(printed))

    def _crash(self, printed: Printed) -> None:
        """Note an error of the program around the agents that is printed in a message, and the answer after it: they're
        no words of who wrote the message."""
        if printed.trace:
            session, error = self.session, printed.error or printed.trace
            session.ending, session.ending_detail, session.broke = Ending.CRASHED, printed.error, error
            session.say(Message("harness", error, failed=_SAYS["by_service"].search(error) is not None))
            if printed.answer:
                self._unanswered()
            self._answer(printed.answer)

    def _answer(self, answer: str | None) -> None:
        if answer:
            self._answered = True
            self.say(f"FINAL ANSWER: {answer}")

    def _reply(self, agent: str, text: str) -> bool:
        printed, pending = self._printed(text), self._pending
        self._last_reply = printed.own
        self.session.ending = self.session.ending_detail = self.session.broke = None
        self.answers += bool(printed.own.strip())
        asked = pending is not None and pending.name == agent
        if pending is not None and asked:
            self.result(pending.id, printed.own or printed.trace)
            self._pending, self._output = None, ""
        else:
            self.session.say(Message("assistant", f"{agent}: {printed.own}", speaker=agent))
        self._crash(printed)
        return asked

    def _unanswered(self) -> None:
        """The agent didn't reply; what the program printed meanwhile is all there is."""
        if self._pending is not None and self._output:
            self.result(self._pending.id, self._output)
        self._pending, self._output = None, ""

    def _end(self, text: str) -> None:
        self._unanswered()
        self._printed(text)
        limit, answer, status = _SAYS["limit"].search(text), final_answer(text), text.strip().partition("\n")[0] or None
        if limit:
            self.ended(status, Ending.LIMIT, limit[0])
            self.note(limit[0])
        else:
            self.ended(status, Ending.SUBMITTED, f"final answer: {answer}" if answer else None)
        self._answer(answer)


class MagenticOne(ObjectFormat):
    """Reads one dialogue as one session."""

    def is_own(self, value: object) -> bool:
        """Whether it's a list in which an orchestrator speaks."""
        return isinstance(value, list) and is_orchestrated(value)

    def is_readable(self, value: object) -> bool:
        """Whether it's a list with any object."""
        return isinstance(value, list) and any(isinstance(item, dict) for item in value)

    def session(self, document: Document, value: list[Any]) -> Session:
        """The session that a dialogue is."""
        read_dialogue(value, session := Session(document.stem, agent=self.title))
        return session


FORMAT = described(__file__, MagenticOne)
