"""Tasks that consist of a file and the text that it is to hold, such as "Create a.txt with 'x' as the content"."""

from __future__ import annotations

import re

from analyzer.model.struct import Struct
from analyzer.task.prose import prose
from analyzer.text.late import late
from analyzer.text.names import name_set

_LONGEST = 600
_QUOTED = late(r"\"([^\"\n]+)\"|“([^”\n]+)”|`([^`\n]+)`|(?<!\w)'([^\n]+?)'(?!\w)")
_FILE = late(r"(?<![\w/.])(?:\.?/?[\w-][\w.-]{0,60}/){0,6}[\w-][\w.-]{0,60}\.[A-Za-z]\w{0,7}(?![\w/])")
_VERBS = name_set("create make write add save put append insert update change")
_OTHER_WORDS = name_set(
    "please can could would you me for a an the new text plain file called named titled at in into to it that this "
    "which whose with containing contains contain content contents as its is be should must exactly only and string "
    "line word words single current working directory folder repository project root inside of message phrase "
    "another one more now also then ok say says saying read reads reading empty end bottom"
)
_CHANGES = name_set("update change")
_LAST = name_set("end bottom append")
"""Words for a place at the end of a file."""


class AskedText(Struct, frozen=True):
    """The file that a task asks for and the text that it is to hold. `file` is None where only what was asked before
    says which; `line` is True for a line to be added to it, `last` for one at its end."""

    file: str | None
    text: str
    line: bool = False
    last: bool = False

    def is_held_by(self, content: str) -> bool:
        """Whether a file's content is the text, with or without a line's end behind it."""
        return content.removesuffix("\n").removesuffix("\r") == self.text


def asked_text(task: str) -> AskedText | None:
    """The file and its text, or a line to be added to it, where they are all that a task asks for; None for every other
    task.

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
    words = set(re.findall(r"[^\W_]+(?:['’]\w+)?", _FILE.sub(" ", rest).casefold()))
    if "empty" in words and not texts:
        texts.append("")
    if len(texts) != 1 or len(set(names)) > 1 or not _VERBS & words or words - _VERBS - _OTHER_WORDS:
        return None
    line, last = "line" in words, bool(_LAST & words)
    if not names and not line and not ("it" in words and _CHANGES & words):
        return None
    if (last and not line) or ("empty" in words and texts[0]):
        return None
    return AskedText(names[0] if names else None, texts[0], line, last)
