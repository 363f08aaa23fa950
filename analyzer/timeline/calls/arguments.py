"""The arguments of a call, found under any of the names in use."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from typing import Any

from analyzer.model.struct import Struct
from analyzer.text.clip import one_line
from analyzer.text.late import late
from analyzer.text.names import names

_PATH = names(
    """
    path file_path filepath filePath filename file target_file notebook_path relative_path absolute_path AbsolutePath
    TargetFile targetFile uri
    """
)
_PATCH = ("patch", "patchText", "input", "diff")
_BEFORE = names("old old_string old_str oldString oldText old_text search find target")
_AFTER = names("new new_string new_str newString newText new_text replace replacement text insert new_source")
_CONTENT = ("content", "file_text", "contents", "fileText", "code", "source")
_COMMAND = ("command", "cmd", "cmdline", "script", "commands", "CommandLine", "input")
_PROGRAM = names("program executable binary exe")
_WORDS = names("args arguments argv")
_PATTERN = names("pattern query regex search_term file_name name glob dir directory q")
_EDITS = ("edits", "edit", "replacements", "changes")
_TYPED = ("chars", "input", "text")
_DEEDS = ("op", "operation", "action", "method")
_SUBJECT = (*_COMMAND, *_PATH, *_PATTERN, "url", "description", "prompt", "id", "task_id", "session_id")


_ASKS_NAME = late(r"(?:^|_|[a-z])(?:query|queries|question|keyword|term|topic|prompt|search)s?$|^q$", re.IGNORECASE)
"""How an argument is called that is words to look for."""
HANDLE_NAME = late(r"(?:^|_|[a-z])(?:id|session|shell|task|job|pid|process|handle|terminal|name|ref)s?$", re.IGNORECASE)
"""How an argument is called that names what runs."""


class Arguments(Struct, frozen=True):
    """The arguments by name, or as the text `raw` where the log has no names."""

    named: Mapping[str, Any]
    raw: str = ""

    @property
    def opened(self) -> Arguments:
        """The arguments with those that are JSON once more in place of their texts."""
        found: dict[str, Any] = {}
        for name, value in (("", self.raw), *self.named.items()):
            inner = _read(value) if isinstance(value, str) and value.lstrip()[:1] in ("{", "[") else value
            found.update(inner if isinstance(inner, dict) else {name: inner})
        return Arguments(found) if found != {"": self.raw, **self.named} else self

    @property
    def deeds(self) -> list[str]:
        """The values that name what a tool with several uses is to do."""
        return [value for name in _DEEDS if isinstance(value := self.named.get(name), str)]

    @property
    def path(self) -> str | None:
        """The file that the call names."""
        return self._first(_PATH)

    @property
    def pattern(self) -> str | None:
        """What is searched for."""
        return self._first(_PATTERN)

    @property
    def content(self) -> str | None:
        """The whole text of a file or of a notebook's cell."""
        return self._first(_CONTENT)

    @property
    def patch(self) -> str | None:
        """The text of a patch."""
        return self._first(_PATCH)

    @property
    def typed(self) -> str:
        """What is typed into a running program."""
        return one_line(self._first(_TYPED) or "")

    @property
    def editor_command(self) -> str:
        """The command of an editor that has several."""
        return self._first(("command",)) or ""

    @property
    def has_shell_line(self) -> bool:
        """Whether there is a shell line and an argument is named as shell lines usually are."""
        return (self._first(_COMMAND[:3]) is not None and bool(self.shell_line)) or bool(self._started)

    @property
    def before(self) -> str | None:
        """The text that an edit replaces, which may be empty."""
        return self._text(_BEFORE)

    @property
    def after(self) -> str | None:
        """The text that an edit puts in, which may be empty."""
        return self._text(_AFTER)

    @property
    def several(self) -> list[Mapping[str, Any]]:
        """The edits of a call that makes several, or holds its only one apart."""
        for key in _EDITS:
            value = self.named.get(key)
            found: list[Mapping[str, Any]] = [
                each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)
            ]
            if found:
                return found
        return []

    @property
    def replacement(self) -> tuple[str | None, str | None]:
        """The text that one of several edits replaces and the text that it puts in, None where either is empty."""
        return self._first(_BEFORE), self._first(_AFTER)

    @property
    def shell_line(self) -> str:
        """The shell line, also where it's given as a list of words."""
        for key in _COMMAND:
            value = self.named.get(key)
            if isinstance(value, str) and value.strip():
                return value
            if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
                return str(value[2]) if len(value) == 3 and value[1] in ("-c", "-lc", "-ic") else " ".join(value)
        return self._started or self.raw

    @property
    def _started(self) -> str:
        """The program that is started with its words, where a call names them apart or in one list; else empty."""
        given = next((value for key in _WORDS if isinstance(value := self.named.get(key), list)), [])
        program = self._first(_PROGRAM)
        words = [*([program] if program else []), *given]
        listed = program is not None or self.named.get("argv") is given
        return shlex.join(words) if listed and given and all(isinstance(word, str) for word in words) else ""

    @property
    def only_text(self) -> str:
        """The one text among the arguments, whatever it's called, unless that says that it names or asks something;
        empty where there are several or none, and for what a format kept as it was written (`raw`)."""
        texts = [
            (name, value)
            for name, value in self.named.items()
            if name != "raw" and isinstance(value, str) and value.strip()
        ]
        given = [value for name, value in texts if not (HANDLE_NAME.search(name) or _ASKS_NAME.search(name))]
        return given[0] if len(texts) == 1 and given else ""

    @property
    def subject(self) -> str:
        """The argument that says most about a call, on one line; the first text where none is known by name."""
        found = self._first(_SUBJECT)
        if found is None:
            found = next((value for value in self.named.values() if isinstance(value, str) and value), "")
        return one_line(found)

    @property
    def lines_read(self) -> tuple[int, int | None] | None:
        """The lines that a read shows, 1-based and inclusive."""
        view = self.named.get("view_range")
        if isinstance(view, list) and len(view) == 2 and all(isinstance(end, int) for end in view):
            return view[0], view[1] if view[1] >= 0 else None
        start = self.named.get("offset", self.named.get("start_line", self.named.get("line")))
        count, end = self.named.get("limit"), self.named.get("end_line")
        if not isinstance(start, int):
            return None
        if isinstance(end, int):
            return start, end
        return start, start + count - 1 if isinstance(count, int) else None

    @property
    def lines_replaced(self) -> tuple[int, int] | None:
        """The lines that an edit replaces, 1-based and inclusive."""
        start = self.named.get("start", self.named.get("start_line"))
        end = self.named.get("end", self.named.get("end_line"))
        return (start, end) if isinstance(start, int) and isinstance(end, int) else None

    def _first(self, keys: tuple[str, ...]) -> str | None:
        return next((value for key in keys if isinstance(value := self.named.get(key), str) and value), None)

    def _text(self, keys: tuple[str, ...]) -> str | None:
        return next((value for key in keys if isinstance(value := self.named.get(key), str)), None)


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
