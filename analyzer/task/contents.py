"""Tasks that consist of a file and the text that it is to hold, such as "Create a.txt with 'x' as the content"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyzer.task.prose import prose
from analyzer.text.late import late
from analyzer.text.names import name_set

_LONGEST = 600
_QUOTED = late(r"\"([^\"\n]+)\"|“([^”\n]+)”|`([^`\n]+)`|(?<!\w)'([^\n]+?)'(?!\w)")
_FILE = late(r"(?<![\w/.])(?:\.?/?[\w-][\w.-]{0,60}/){0,6}[\w-][\w.-]{0,60}\.[A-Za-z]\w{0,7}(?![\w/])")
_VERBS = name_set("create make write add save put")
_OTHER_WORDS = name_set(
    "please can could would you me for a an the new text plain file called named titled at in into to it that this "
    "which whose with containing contains contain content contents as its is be should must exactly only and string "
    "line word words single current working directory folder repository project root inside of message phrase"
)


@dataclass(frozen=True, slots=True)
class AskedText:
    """The file that a task asks for and the text that it is to hold."""

    file: str
    text: str

    def is_held_by(self, content: str) -> bool:
        """Whether a file's content is the text, with or without a line's end behind it."""
        return content.removesuffix("\n").removesuffix("\r") == self.text


def asked_text(task: str) -> AskedText | None:
    """The file and its text where they are all that a task asks for; None for every other task.

    Every word of the task must belong to such a request, so that nothing else that it asks for is overlooked.
    """
    if len(task) > _LONGEST:
        return None
    said = prose(task)
    names: list[str] = []
    texts: list[str] = []
    for found in _QUOTED.finditer(said):
        quoted = next(group for group in found.groups() if group is not None)
        (names if _FILE.fullmatch(quoted) else texts).append(quoted)
    rest = _QUOTED.sub(" ", said)
    names += _FILE.findall(rest)
    words = re.findall(r"[^\W_]+(?:['’]\w+)?", _FILE.sub(" ", rest).casefold())
    if len(texts) != 1 or len(set(names)) != 1 or not _VERBS & set(words) or set(words) - _VERBS - _OTHER_WORDS:
        return None
    return AskedText(names[0], texts[0])
