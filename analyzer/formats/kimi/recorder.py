"""What the files of Kimi have in common: parts of messages, calls, results and token counts."""

from __future__ import annotations

from typing import Any

from analyzer.formats.record.fields import dict_of, list_of, text_of
from analyzer.formats.record.marks import mark_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.token_counts import cache_apart
from analyzer.formats.record.warnings import TEXT, Form
from analyzer.model.session import Tokens, ToolResult
from analyzer.model.words import MAIN_LANE
from analyzer.text.expressions import compiled

_SILENT = frozenset({"image_url", "audio_url", "video_url"})
_TEXT_PART, _THOUGHT = Form("a part", {"text": TEXT}), Form("a thought", {"think": TEXT})
_EXIT = compiled(r"<system>(?:ERROR: )?Command failed with exit code: (-?\d{1,10})\.|<system>(Command executed succ)")
_ERROR = "<system>ERROR:"


class Recorder(RecordReader):
    """Fills a session while a file is gone through."""

    @property
    def batch(self) -> str:
        """What calls have in common that are asked for in one step."""
        return f"step {self.answers}"

    def user(self, content: object, time: float | None = None, *, injected: bool = False) -> None:
        """Take in what the user said, or what the harness put into the user's mouth."""
        text = "\n".join(filter(None, map(text_of, content))) if isinstance(content, list) else text_of(content)
        if injected:
            self.note(text, time)
        elif self.heard(text, time):
            self.session.ending = self.session.ending_detail = None

    def answer(self) -> None:
        """Note that the model answers."""
        self.answers += 1
        self.session.ending = self.session.ending_detail = None

    def part(self, place: str, part: object, time: float | None = None, lane: str = MAIN_LANE) -> None:
        """Take in a part of an answer."""
        block = {"type": "text", "text": part} if isinstance(part, str) else dict_of(part)
        kind = block.get("type")
        if kind == "text":
            _TEXT_PART.check(place, block, self.log)
            self.say(text_of(block.get("text")), time, lane)
        elif kind == "think":
            _THOUGHT.check(place, block, self.log)
            self.say(text_of(block.get("think")), time, lane, thought=True)
        else:
            self.unknown(place, "part", kind, _SILENT)

    def answered(
        self, call_id: object, content: object, failed: object, time: float | None = None, lane: str = MAIN_LANE
    ) -> ToolResult:
        """Take in a result, whose own words about itself are in a tag at its beginning."""
        text = "\n".join(filter(None, map(text_of, content))) if isinstance(content, list) else text_of(content)
        result = self.result(call_id, text, failed, time, lane)
        if result.is_error is None and text.startswith(_ERROR):
            result.is_error = True
        if found := _EXIT.match(text):
            result.exit_code = int(found[1]) if found[1] else 0
        result.mark = mark_of(text) if result.is_error else None
        return result

    def spent(self, usage: dict[str, Any], *keys: str, lane: str = MAIN_LANE) -> None:
        """Take in what a call of the model used: the keys of other input, of output, and of what a cache read and
        took in."""
        tokens = cache_apart(usage, *keys)
        if tokens != Tokens():
            self.meter.spent(tokens, lane=lane)


def parts_of(content: object) -> list[Any]:
    """The parts of a content that is a text or a list."""
    return list_of(content) if isinstance(content, list) else [content] if isinstance(content, str) else []
