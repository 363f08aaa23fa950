"""Sessions of Kiro's command line: JSON lines of prompts, answers and results of tools.

A result is there twice, as the model was sent it and with what the tool itself returned; the first has the status.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.loading.interface import described
from analyzer.formats.record.fields import dict_of, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordFormat, RecordReader
from analyzer.formats.record.warnings import GIVEN, LIST, OBJECT, TEXT, Form
from analyzer.model.session import Compaction
from analyzer.text.expressions import compiled

_KINDS = ("Prompt", "AssistantMessage", "ToolResults", "Compaction")
_RECORD = Form("a record", {"data": OBJECT})
_DATA = Form("what was said", {"content": LIST})
_BLOCK = Form("a content block", {"kind": TEXT, "data": (str, dict)})
_USE = Form("a tool call", {"input": GIVEN})
_THOUGHT = Form("a thought", {"text": TEXT})
_RESULT = Form("a result", {"content": LIST})
_PART = Form("a part of a result", {"data": (str, dict, list)})
_EXIT = compiled(r"exit status: (-?\d{1,10})")


class _Reader(RecordReader):
    def take(self, place: str, record: dict[str, Any]) -> None:
        """Take in one record."""
        kind, data = record.get("kind"), dict_of(record.get("data"))
        time = self.clock(dict_of(data.get("meta")).get("timestamp"))
        blocks = [dict_of(block) for block in list_of(data.get("content"))]
        self._check(place, record, data, blocks)
        if kind == "Prompt":
            self._prompt(place, blocks, time)
        elif kind == "AssistantMessage":
            self.answers += 1
            for block in blocks:
                self._said(place, block, time)
        elif kind == "ToolResults":
            for block in blocks:
                self._result(place, dict_of(block.get("data")), time)
        elif kind == "Compaction":
            self.session.events.append(Compaction(time))
        else:
            self.unknown(place, "kind of record", kind)

    def about(self, facts: dict[str, Any]) -> None:
        """Take in what stands beside the session: the folder and the times."""
        self.place(facts, cwd="working directory")
        for key in ("created_at", "updated_at"):
            self.clock(facts.get(key))

    def _check(self, place: str, record: dict[str, Any], data: dict[str, Any], blocks: list[dict[str, Any]]) -> None:
        if record.get("kind") not in ("Prompt", "AssistantMessage", "ToolResults"):
            return
        _RECORD.check(place, record, self.log)
        if data:
            _DATA.check(place, data, self.log)
        known = ("text", "thinking", "toolUse", "toolResult", None)
        for block in (block for block in blocks if block.get("kind") in known):
            _BLOCK.check(place, block, self.log)

    def _prompt(self, place: str, blocks: list[dict[str, Any]], time: float | None) -> None:
        text = "\n".join(text_of(block.get("data")) for block in blocks if block.get("kind") == "text")
        for kind in (block.get("kind") for block in blocks):
            if isinstance(kind, str):
                self.unknown(place, "content block", kind, ("text", "image"))
        self.heard(text, time)

    def _said(self, place: str, block: dict[str, Any], time: float | None) -> None:
        kind, data = block.get("kind"), block.get("data")
        about = dict_of(data)
        if kind == "text":
            self.say(text_of(data), time)
        elif kind == "thinking":
            self.session.model = str_or_none(about.get("modelId")) or self.session.model
            _THOUGHT.check(place, about, self.log)
            self.say(text_of(about.get("text")), time, thought=True)
        elif kind == "toolUse":
            _USE.check(place, about, self.log)
            batch = f"answer {self.answers}"
            self.call(place, about.get("toolUseId"), about.get("name"), about.get("input"), time, batch=batch)
        else:
            self.unknown(place, "content block", kind, ("image",))

    def _result(self, place: str, data: dict[str, Any], time: float | None) -> None:
        if not data:
            self.log.add(place, "result without data; skipped")
            return
        _RESULT.check(place, data, self.log)
        result = self.result(data.get("toolUseId"), "", time=time)
        texts = list[str]()
        command = False
        for block in map(dict_of, list_of(data.get("content"))):
            value = block.get("data")
            _PART.check(place, block, self.log)
            if isinstance(value, dict) and "exit_status" in value:
                command = True
                found = _EXIT.search(text_of(value["exit_status"]))
                result.exit_code = int(found[1]) if found else None
                texts += [text_of(value.get("stdout")), text_of(value.get("stderr"))]
            else:
                texts.append(text_of(value))
        result.text = "\n".join(filter(None, texts))
        if data.get("status") == "error":
            result.is_error = True
        elif data.get("status") == "success" and not command:
            result.is_error = False


class Kiro(RecordFormat):
    """Reads one session per file."""

    reader = _Reader

    def is_own(self, value: object) -> bool:
        """Whether a record is Kiro's."""
        record = dict_of(value)
        return record.get("kind") in _KINDS and "version" in record and isinstance(record.get("data"), dict)


FORMAT = described(__file__, Kiro)
"""The object that the registry lists."""
