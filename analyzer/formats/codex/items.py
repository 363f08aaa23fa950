"""The items of a conversation as Codex records them: messages, reasoning, tool calls and their outputs.

Newer files wrap every item into a record with a time, older ones write them bare; the items are the same.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from analyzer.formats.codex.output import output_of, summary_of
from analyzer.formats.codex.script import ScriptCall, calls_of
from analyzer.formats.loading.interface import expressions_of, words_of
from analyzer.formats.record.fields import arguments_of, dict_of, first_of, first_text, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.warnings import forms
from analyzer.model.session import Compaction, Session, ToolResult

_WORDS = words_of(__file__)
_FORMS = forms(_WORDS["forms"])
_GIVEN = _WORDS["given"]
"""The calls of tools that have no names, with the key of what they were given."""
_SAYS = expressions_of(__file__)
_REQUEST = "## My request for Codex:"
_COMMANDS = frozenset({"exec_command", "shell_command", "shell", "local_shell"})
_SCRIPT_TOOLS = frozenset({"exec"})
_PATCH = "apply_patch"


class Items(RecordReader):
    """Turns items into a session's events."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._results: dict[str, ToolResult] = {}
        self._open: Counter[str] = Counter()
        self._running: set[str] = set()
        self._answered: Counter[str] = Counter()
        self._batch, self._batch_closed = 0, True
        self._compacted: set[str] = set()

    def item(self, place: str, item: dict[str, Any], time: float | None) -> bool:
        """Take in one item and return whether the agent or the user did something in it."""
        kind = str_or_none(item.get("type")) or ("message" if "role" in item and "content" in item else None)
        if kind is not None and (form := _FORMS.get(kind)) is not None:
            form.check(place, item, self.log)
        if kind == "message":
            return self._message(item, time)
        if kind and kind.endswith("_call"):
            return self._call(place, kind, item, time)
        if kind == "reasoning":
            self.say(summary_of(item.get("summary")) or summary_of(item.get("content")), time, thought=True)
        elif kind and kind.endswith("_output"):
            self._output(kind, item, time)
        elif kind == "agent_message":
            self.note(text_of(item.get("content")), time)
        elif kind in _WORDS["compactions"]:
            self.compaction("item", time)
        else:
            self.unknown(place, "item type", kind, _WORDS["silent"])
        return False

    def compaction(self, source: str, time: float | None) -> None:
        """Record that the context was compacted. One compaction may be reported by several sources in a row."""
        if not self._compacted or source in self._compacted:
            self.session.events.append(Compaction(time))
            self._compacted = set()
        self._compacted.add(source)

    def _message(self, item: dict[str, Any], time: float | None) -> bool:
        role, content = item.get("role"), item.get("content")
        if role == "assistant":
            self.answers += 1
            self._compacted = set()
            self.say(text_of(content), time)
            return True
        if role != "user":
            self.note(text_of(content), time, role="system")
            return False
        words = list[str]()
        for text in map(text_of, content if isinstance(content, list) else [content]):
            if _SAYS["injected"].match(text):
                self.note(text, time)
            elif _SAYS["from_editor"].match(text) and _REQUEST in text:
                context, _, own = text.partition(_REQUEST)
                self.note(context.rstrip(), time)
                words.append(own.strip())
            elif not _SAYS["image_tag"].fullmatch(text):
                words.append(text)
        said = self.heard("\n".join(filter(str.strip, words)), time)
        self._batch_closed = self._batch_closed or said
        return said

    def _call(self, place: str, kind: str, item: dict[str, Any], time: float | None) -> bool:
        call_id, name = first_text(item, "call_id", "id"), str_or_none(item.get("name"))
        if kind == "function_call":
            arguments = arguments_of(item.get("arguments"))
            if name == _PATCH and (patch := _patch_text(arguments)):
                arguments = {"patch": patch}
            if space := str_or_none(item.get("namespace")):
                name = f"{space}__{(name or 'unknown').lstrip('_')}"
        elif kind == "custom_tool_call":
            value = item.get("input") or ""
            text = value if isinstance(value, str) else json.dumps(value)
            arguments = {"patch": text} if name == _PATCH and text else text
            if name in _SCRIPT_TOOLS:
                name, arguments = _of_script(name, text)
        else:
            if kind not in _GIVEN:
                self.log.add(place, f"unknown item type {kind[:60]!r}; kept as a call")
            name = name or kind.removesuffix("_call") or "unknown"
            arguments = arguments_of(first_of(item, *_GIVEN.get(kind, ("arguments", "input"))))
        self._batch += self._batch_closed
        self._batch_closed, self._compacted = False, set()
        hosted = kind in ("web_search_call", "image_generation_call")
        call_id = f"{name} at {place}" if hosted else call_id
        call = self.call(place, call_id, name, None, time, batch=f"response {self._batch}")
        call.arguments = arguments
        call.model = self.session.model  # the model of the turn, which is named at its beginning
        if not hosted:
            self._open[call_id or ""] += 1
        elif item.get("status") == "completed":
            # The model's service runs these itself; the log has their end but not what they found.
            self.result(call_id, "", False, time)
        return True

    def _output(self, kind: str, item: dict[str, Any], time: float | None) -> None:
        call_id = str_or_none(item.get("call_id"))
        names = "\n".join(filter(None, (str_or_none(dict_of(tool).get("name")) for tool in list_of(item.get("tools")))))
        result = output_of(names if kind == "tool_search_output" else item.get("output"))
        result.call_id, result.time = call_id, time
        self._batch_closed = True
        key = call_id or ""
        known = self._results.get(key)
        if known is not None and call_id is not None and not self._open[key]:
            # A script may report in between: its reports and its end are outputs of one call.
            if result.text.strip() and result.text != known.text:
                known.text = f"{known.text}\n{result.text}" if known.text.strip() else result.text
            for name in ("exit_code", "is_error", "mark", "time", "duration"):
                if (value := getattr(result, name)) is not None:
                    setattr(known, name, value)
            known.handle = result.handle
        else:
            self._open[key] = max(0, self._open[key] - 1)
            self._answered[key] += 1
            self._results[key] = result
            self.session.events.append(result)
        if result.handle:
            self._running.add(key)


def _of_script(name: str | None, script: str) -> tuple[str | None, dict[str, Any] | str]:
    """Return what a script does: its shell commands where it has any; else, where it only uses one other tool, that
    tool. Every recorded call stays one call, however many tools its script uses."""
    calls, named = calls_of(script), dict[str, Any]()
    commands = [command for call in calls if (command := _command(call))]
    tools = {call.tool for call in calls}
    if tools == {_PATCH} and len(calls) == 1 and (patch := _patch_text(calls[0].argument)):
        name, named = _PATCH, {"patch": patch}
    elif commands:
        named = {"command": "\n".join(commands)}
    elif len(tools) == 1 and not tools & _COMMANDS:
        given = next((call.argument for call in calls if call.argument is not None), None)
        name, named = calls[0].tool, {"input": given} if isinstance(given, str) else dict_of(given)
    return name, {**named, "raw": script}


def _patch_text(argument: object) -> str | None:
    return str_or_none(dict_of(argument).get("input") if isinstance(argument, dict) else argument)


def _command(call: ScriptCall) -> str | None:
    if call.tool == _PATCH:
        text = _patch_text(call.argument)
        return f"apply_patch <<'EOF'\n{text}\nEOF" if text else None
    if call.tool not in _COMMANDS or not isinstance(call.argument, dict):
        return None
    value = call.argument.get("cmd", call.argument.get("command"))
    words = [word for word in list_of(value) if isinstance(word, str)]
    shell = len(words) == 3 and words[1] in ("-c", "-lc", "-ic")
    return words[2] if shell else str_or_none(" ".join(words) or value)
