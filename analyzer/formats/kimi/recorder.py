"""What the files of Kimi have in common: parts of messages, calls, results and token counts."""

from __future__ import annotations

import re
from typing import Any

from analyzer.formats.record.fields import arguments_of, dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.form import TEXT, Form
from analyzer.formats.record.task_prompt import issue_of
from analyzer.formats.record.usage import Meter
from analyzer.formats.record.warning_log import NAMELESS_CALL, WarningLog
from analyzer.model.session import Message, Session, Tokens, ToolCall, ToolResult
from analyzer.model.words import MAIN_LANE, Mark
from analyzer.text.expressions import compiled

_SILENT = frozenset({"image_url", "audio_url", "video_url"})
_TEXT_PART, _THOUGHT = Form("a part", {"text": TEXT}), Form("a thought", {"think": TEXT})
_EXIT = compiled(r"<system>(?:ERROR: )?Command failed with exit code: (-?\d{1,10})\.|<system>(Command executed succ)")
_ERROR = "<system>ERROR:"
_REJECTED = compiled(r"rejected by the user", re.IGNORECASE)


class Recorder:
    """Fills a session while a file is gone through."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.warning_log = WarningLog()
        self.step = 0
        self._meter = Meter(session.events)
        self._users = self._answers = 0

    def user(self, content: object, time: float | None = None, *, injected: bool = False) -> None:
        """Take in what the user said, or what the harness put into the user's mouth."""
        text = "\n".join(filter(None, map(text_of, content))) if isinstance(content, list) else text_of(content)
        if text.strip() and not injected:
            self._users += 1
            self.session.task = self.session.task or issue_of(text)
            self.session.ending = self.session.ending_detail = None
        self.session.say(Message("harness" if injected else "user", text, time))

    def answer(self) -> None:
        """Note that the model answers."""
        self.step += 1
        self._answers += 1
        self.session.ending = self.session.ending_detail = None

    def part(self, place: str, part: object, time: float | None = None, lane: str = MAIN_LANE) -> None:
        """Take in a part of an answer."""
        block = {"type": "text", "text": part} if isinstance(part, str) else dict_of(part)
        kind = block.get("type")
        if kind == "text":
            _TEXT_PART.check(place, block, self.warning_log)
            self.session.say(Message("assistant", text_of(block.get("text")), time, lane))
        elif kind == "think":
            _THOUGHT.check(place, block, self.warning_log)
            self.session.say(Message("assistant", text_of(block.get("think")), time, lane, thought=True))
        elif str(kind) not in _SILENT:
            self.warning_log.add(place, f"unknown part {str(kind)[:60]!r}; skipped")

    def call(
        self, place: str, call_id: object, name: object, arguments: object, time: float | None, lane: str = MAIN_LANE
    ) -> None:
        """Take in a call."""
        tool = str_or_none(name)
        if tool is None:
            self.warning_log.add(place, NAMELESS_CALL)
        given = arguments_of(arguments)
        batch = f"step {self.step}"
        self.session.events.append(ToolCall(str_or_none(call_id), tool or "unknown", given, time, lane, batch))

    def result(
        self, call_id: object, content: object, failed: object, time: float | None = None, lane: str = MAIN_LANE
    ) -> ToolResult:
        """Take in a result, whose own words about itself are in a tag at its beginning."""
        text = "\n".join(filter(None, map(text_of, content))) if isinstance(content, list) else text_of(content)
        flag = failed if isinstance(failed, bool) else True if text.startswith(_ERROR) else None
        result = ToolResult(str_or_none(call_id), text, flag, time=time, lane=lane)
        if found := _EXIT.match(text):
            result.exit_code = int(found[1]) if found[1] else 0
        if flag and _REJECTED.search(text[:400]):
            result.mark = Mark.DENIED
        self.session.events.append(result)
        return result

    def spent(self, usage: dict[str, Any], *keys: str, lane: str = MAIN_LANE) -> None:
        """Take in what a call of the model used: the keys of other input, of output, and of what a cache read and
        took in."""
        other, output, read, written = (int_or_none(usage.get(key)) for key in keys)
        given = [number for number in (other, read, written) if number is not None]
        if given or output is not None:
            self._meter.spent(Tokens(sum(given) if given else None, output, read, written), lane=lane)

    def close(self) -> None:
        """Fill in what is known at the end."""
        session = self.session
        session.user_messages, session.assistant_messages = self._users, self._answers
        session.tokens = self._meter.tokens()
        self._meter.settle()
        session.warnings += self.warning_log.warnings()


def parts_of(content: object) -> list[Any]:
    """The parts of a content that is a text or a list."""
    return list_of(content) if isinstance(content, list) else [content] if isinstance(content, str) else []
