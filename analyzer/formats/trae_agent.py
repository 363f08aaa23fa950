"""What trajectories of Trae Agent need beyond `trae_agent.toml`: what was asked, and how they end."""

from __future__ import annotations

from typing import Any

from analyzer.formats.loading.mapping.declared import declared
from analyzer.formats.loading.mapping.reader import RuleReader
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.values import value_at
from analyzer.formats.record.fields import dict_of, list_of, parse_time, str_or_none, text_of
from analyzer.model.session import Message
from analyzer.model.words import Ending

_LIMIT = "exceeded maximum steps"


class _Reader(RuleReader):
    _object: dict[str, Any]

    def begin(self, row: Row) -> None:
        session, self._object = self.session, row.value
        value = self._object
        session.task = str_or_none(value.get("task"))
        session.started_at, session.ended_at = map(parse_time, (value.get("start_time"), value.get("end_time")))
        first = value_at(row, ("llm_interactions.0.input_messages", "llm_interaction.0.input_messages"))
        asked = [dict_of(message) for message in list_of(first)]
        for message in asked:
            if message.get("role") in ("system", "user"):
                session.say(Message(message["role"], text_of(message.get("content"))))
        if not any(message.get("role") == "user" for message in asked):
            session.say(Message("user", session.task or ""))

    def close(self) -> None:
        session, value = self.session, self._object
        final, success = text_of(value.get("final_result")), value.get("success")
        said = next((event.text for event in reversed(session.events) if isinstance(event, Message)), "")
        if final.strip() and final.strip() != said.strip():
            session.say(Message("assistant" if success is True else "harness", final))
        if success is True:
            # The agent's own word: it called the tool that ends the task.
            session.ending, session.recorded_status = Ending.SUBMITTED, "success"
        elif success is False and value.get("end_time"):
            limited = _LIMIT in final.lower()
            self.ended("no success", Ending.LIMIT if limited else None, final.strip() or None)
        super().close()
        session.user_messages = None


FORMAT = declared(__file__, _Reader)
