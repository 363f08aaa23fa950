"""What the stream of `codex exec --json` needs beyond `exec_json_format.toml`: totals of tokens, and items as calls.

An item is written when it starts, when it changes and when it ends, under one id; it's one call however often it's
written.
"""

from __future__ import annotations

import re
import shlex
from typing import Any

from analyzer.formats.loading.mapping.declared import declared
from analyzer.formats.loading.mapping.reader import RuleReader, Rules
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.values import string_at, value_at
from analyzer.formats.record.fields import arguments_of, dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.token_counts import RunningTotal, of_api
from analyzer.model.session import Session, ToolCall
from analyzer.model.words import Ending, Mark
from analyzer.text.late import late

_SHELL = late(r"(?:\S*/)?(?:ba|z|da)?sh -l?c ")
_LIMIT = late(r"usage limit|rate limit|context window|budget|quota", re.IGNORECASE)


class _Reader(RuleReader):
    def __init__(self, session: Session, rules: Rules) -> None:
        super().__init__(session, rules)
        self._usage = RunningTotal()
        self._run = 0

    def close(self) -> None:
        super().close()
        self.session.tokens, self.session.user_messages = self._usage.total(), None

    def began(self, _row: Row) -> None:
        """Note that a thread goes on, which numbers its items from the start."""
        self._run += 1

    def counted(self, row: Row) -> None:
        """Take the tokens of a turn, which count those before it in."""
        self._usage.take(of_api(dict_of(row.value.get("usage"))))

    def failed(self, row: Row) -> None:
        """Note an error; a turn that is completed after it got over it."""
        said = string_at(row, ("error.message", "message"))
        ending = Ending.LIMIT if said and _LIMIT.search(said) else Ending.CRASHED
        self.ended(row.value["type"], ending, said or self.session.ending_detail)

    def acted(self, row: Row) -> None:
        """Add the call that an item is, and its result once it has ended."""
        key = f"{self._run}:{string_at(row, 'id') or row.place}"
        if key not in self.calls:
            self.calls[key] = ToolCall(key, *_call_of(row.value))
            self.session.events.append(self.calls[key])
        if row.around[0]["type"] != "item.completed":
            return
        status = string_at(row, "status")
        result = self.result(key, text_of(row.value.get("aggregated_output")))
        result.exit_code = int_or_none(row.value.get("exit_code"))
        if row.value["type"] != "command_execution":
            result.text = text_of(value_at(row, "result.content")) or text_of(value_at(row, "error.message"))
            result.is_error = {"failed": True, "completed": False}.get(status or "")
        elif status == "failed" and result.exit_code is None:
            result.is_error = True
        if status == "declined":
            result.mark, result.is_error = Mark.DENIED, True


def _call_of(item: dict[str, Any]) -> tuple[str, dict[str, Any] | str]:
    kind = item["type"]
    if kind == "command_execution":
        return "shell", {"command": _words(text_of(item.get("command")))}
    if kind == "file_change":
        changes, path = list(map(dict_of, list_of(item.get("changes")))), string_at(item, "changes[].path")
        return "apply_patch", {"path": path, "changes": changes} if path else {"changes": changes}
    if kind == "mcp_tool_call":
        name = f"mcp__{item.get('server', 'unknown')}__{item.get('tool', 'unknown')}"
        return name, arguments_of(item.get("arguments"))
    if kind == "web_search":
        return "web_search", {"query": text_of(item.get("query"))}
    if kind == "todo_list":
        return "update_plan", {"plan": list_of(item.get("items"))}
    given = {key: item[key] for key in ("prompt", "receiver_thread_ids") if item.get(key)}
    return str_or_none(item.get("tool")) or "unknown", given


def _words(command: str) -> list[str] | str:
    """Return the words of a shell's call, as Codex had them before it joined them; any other command as it is."""
    try:
        return shlex.split(command) if _SHELL.match(command) else command
    except ValueError:
        return command


FORMAT = declared(__file__, _Reader)
