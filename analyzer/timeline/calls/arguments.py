"""What a call names: the family of its tool (every agent calls its file editor something else), and its arguments,
found under any of the names in use."""

from __future__ import annotations

import json
import re
import shlex
import string
from collections.abc import Mapping
from enum import Enum, auto
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from analyzer.model.struct import Struct, force_setattr
from analyzer.text.clip import one_line
from analyzer.text.late import late, table_beside
from analyzer.text.names import names


class Family(Enum):
    """Tools that do the same and take the same arguments."""

    SHELL = auto()
    READ = auto()
    SEARCH = auto()
    EDIT = auto()
    EDITOR = auto()
    """An editor of several commands, of which one is named by the argument `command`."""
    TEST = auto()
    NOTEBOOK = auto()
    THINK = auto()
    PLAN = auto()
    FINISH = auto()
    WAIT = auto()
    KEYBOARD = auto()
    """Types into a program that is running; without any text it waits for output."""


_FAMILY_OF: Mapping[str, Family] = MappingProxyType(
    {name: Family[family.upper()] for family, text in table_beside(__file__)["tools"].items() for name in names(text)}
)


_PLAIN = frozenset(string.ascii_lowercase + string.digits)
_NAME_PART = late(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
"""A word in the name of a tool, whether capitals or other signs part them."""
_PREFIX = late(r"^.*(?:__|[./:])")


def plain_name(tool: str) -> str:
    """A tool's own name, in small letters and digits, without the server or package that offers it and
    without the number of its version."""
    last = re.sub(r"_v\d$", "", tool.lower().rsplit("__", 1)[-1].rsplit(".", 1)[-1])
    return "".join(filter(_PLAIN.__contains__, last))


@lru_cache(maxsize=512)
def tool_words(tool: str) -> tuple[str, ...]:
    """The words of a tool's own name in small letters."""
    return tuple([word.lower() for word in _NAME_PART.findall(_PREFIX.sub("", tool))])


def family_of(name: str) -> Family | None:
    """The family of a tool by its plain name, or None for a tool that isn't known."""
    return _FAMILY_OF.get(name)


def _ranked(text: str, *, texts: bool = False) -> Mapping[str, int]:
    """The folded names of an argument, each with its rank; with `texts` each also with the words for a piece of text
    behind it, as `old` in `old_string`, `oldText` and `OldContent`."""
    found = [word + of for word in names(text) for of in (_TEXTS if texts else ("",))]
    return MappingProxyType({name: rank for rank, name in reversed(list(enumerate(found)))})


_TEXTS = ("", *names("str string text content contents code source snippet block chunk lines line"))
_PATH = _ranked(
    "path filepath filename file targetfile notebookpath relativepath absolutepath uri "
    "dirpath directorypath folderpath directory dir folder"
)
_PATCH = _ranked("patch patchtext input diff")
_BEFORE = _ranked("old before search find target original existing", texts=True)
_AFTER = _ranked("new after replace replacement updated insert replacewith text", texts=True)
_CONTENT = _ranked("content filetext contents filecontent filecontents codecontent code source body")
_COMMAND = names("command cmd cmdline script commands commandline input")
_LINE = _ranked(" ".join(_COMMAND))
_EDITOR = _ranked("command")
_SHELL = _ranked("command cmd cmdline commandline")
_PROGRAM = _ranked("program executable binary exe")
_WORDS = _ranked("args arguments argv")
_PATTERN = _ranked("pattern query regex searchterm filename name glob dir directory q")
_EDITS = _ranked("edits edit replacements changes chunks replacementchunks hunks")
_TYPED = _ranked("chars input text")
_DEEDS = names("op operation action method")
_SUBJECT = _ranked(" ".join((*_COMMAND, *_PATH, *_PATTERN, "url description prompt id taskid sessionid")))
_START, _END = _ranked("start startline"), _ranked("end endline")
_FROM, _COUNT, _LAST = _ranked("offset startline line"), _ranked("limit"), _ranked("endline")
ASKS_NAME = late(r"(?:^|_|[a-z])(?:query|queries|question|keyword|term|topic|prompt|search)s?$|^q$", re.IGNORECASE)
"""How an argument is called that is words to look for."""
_FLAGS = frozenset({"", "true", "false"})
HANDLE_NAME = late(r"(?:^|_|[a-z])(?:id|session|shell|task|job|pid|process|handle|terminal|name|ref)s?$", re.IGNORECASE)
"""How an argument is called that names what runs."""


class Arguments(Struct, frozen=True):
    """The arguments by name, or as the text `raw` where the log has no names.

    `folded` has them by their names in small letters without underscores: `old_string`, `oldString` and `OldString`
    are one.
    """

    named: Mapping[str, Any]
    raw: str = ""
    folded: Mapping[str, Any] = {}

    def __post_init__(self) -> None:
        folded = {}
        for name, value in self.named.items():
            folded[name.lower().replace("_", "")] = value
        force_setattr(self, "folded", folded)

    @property
    def opened(self) -> Arguments:
        """The arguments with those that are JSON once more in place of their texts."""
        found: dict[str, Any] = {}
        for name, value in (("", self.raw), *self.named.items()):
            inner = read_value(value) if isinstance(value, str) and value.lstrip()[:1] in ("{", "[") else value
            found.update(inner if isinstance(inner, dict) else {name: inner})
        return Arguments(found) if found != {"": self.raw, **self.named} else self

    @property
    def deeds(self) -> list[str]:
        """The values that name what a tool with several uses is to do."""
        return [value for name in _DEEDS if isinstance(value := self.folded.get(name), str)]

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
        """The whole text of a file or of a notebook's cell, which may be empty."""
        return self._text(_CONTENT)

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
        return self._first(_EDITOR) or ""

    @property
    def has_shell_line(self) -> bool:
        """Whether there is a shell line and an argument is named as shell lines usually are."""
        return (self._first(_SHELL) is not None and bool(self.shell_line)) or bool(self._started)

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
        listed = (value if isinstance(value, list) else [value] for value in self._values(_EDITS))
        return next(filter(None, ([each for each in of if isinstance(each, dict)] for of in listed)), [])

    @property
    def replacement(self) -> tuple[str | None, str | None]:
        """The text that one of several edits replaces and the text that it puts in, None where either is empty."""
        return self._first(_BEFORE), self._first(_AFTER)

    @property
    def shell_line(self) -> str:
        """The shell line, also where it's given as a list of words."""
        for value in self._values(_LINE):
            if isinstance(value, str) and value.strip():
                return value
            if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
                return str(value[2]) if len(value) == 3 and value[1] in ("-c", "-lc", "-ic") else " ".join(value)
        return self._started or self.raw

    @property
    def _started(self) -> str:
        """The program that is started with its words, where a call names them apart or in one list; else empty."""
        given = next((value for value in self._values(_WORDS) if isinstance(value, list)), [])
        program = self._first(_PROGRAM)
        words = [*([program] if program else []), *given]
        listed = program is not None or self.folded.get("argv") is given
        return shlex.join(words) if listed and given and all(isinstance(word, str) for word in words) else ""

    @property
    def only_text(self) -> str:
        """The one text among the arguments, whatever it's called, unless that says that it names or asks something;
        empty where there are several or none, and for what a format kept as it was written (`raw`)."""
        texts = [
            (name, value)
            for name, value in self.named.items()
            if name != "raw" and isinstance(value, str) and value.strip().lower() not in _FLAGS
        ]
        given = [value for name, value in texts if not (HANDLE_NAME.search(name) or ASKS_NAME.search(name))]
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
        view = self.folded.get("viewrange")
        if isinstance(view, list) and len(view) == 2 and all(isinstance(end, int) for end in view):
            return view[0], view[1] if view[1] >= 0 else None
        start, count, end = self._number(_FROM), self._number(_COUNT), self._number(_LAST)
        if start is None or end is not None:
            return None if start is None else (start, end)
        return start, start + count - 1 if count is not None else None

    @property
    def lines_replaced(self) -> tuple[int, int] | None:
        """The lines that an edit replaces, 1-based and inclusive."""
        start, end = self._number(_START), self._number(_END)
        return (start, end) if start is not None and end is not None else None

    def _values(self, ranks: Mapping[str, int]) -> list[Any]:
        """The arguments of some names, the first of these first."""
        found = []
        for name in self.folded:
            if name in ranks:
                found.append(name)  # noqa: PERF401 - it's asked for every call, and a comprehension is a call more
        if len(found) > 1:
            found.sort(key=ranks.__getitem__)
        return [self.folded[name] for name in found]

    def _first(self, ranks: Mapping[str, int]) -> str | None:
        best = None
        for name, value in self.folded.items():
            if name in ranks and value and isinstance(value, str) and (best is None or ranks[name] < ranks[best]):
                best = name
        return self.folded[best] if best is not None else None

    def _text(self, ranks: Mapping[str, int]) -> str | None:
        return next((value for value in self._values(ranks) if isinstance(value, str)), None)

    def _number(self, ranks: Mapping[str, int]) -> int | None:
        for name in self.folded:
            if name in ranks and isinstance(value := self.folded[name], int):
                return value
        return None


def read_value(text: str) -> Any:
    """What a text holds as JSON; the text itself where it's none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
