"""What programs write besides what a user says and a tool returns: a benchmark's instructions, an editor's open files
or a gateway's envelope around a prompt, and in the place of a result that a call was refused, cut off, or never made.
"""

from __future__ import annotations

import re
from collections import deque
from itertools import islice
from typing import NamedTuple

from analyzer.formats.loading.interface import expressions_of, words_of
from analyzer.model.words import Mark
from analyzer.text.late import late


class _Marks(NamedTuple):
    """What stands before the task and behind it. The first `start` counts, and the first `end` after it, or with `last`
    the last one; without `end` the task goes on to the end. They're looked for one after the other, so that the time
    grows with the length of the prompt whatever it holds."""

    start: re.Pattern[str]
    end: re.Pattern[str] | None
    last: bool = False

    def between(self, prompt: str) -> str:
        """What stands between the marks; empty where one of them is missing."""
        start = self.start.search(prompt)
        if start is None or self.end is None:
            return prompt[start.end() :].strip() if start is not None else ""
        ends = self.end.finditer(prompt, start.end())
        found = deque(ends, maxlen=1) if self.last else list(islice(ends, 1))
        return prompt[start.end() : found[0].start()].strip() if found else ""


_MARKS = tuple(
    _Marks(late(row["start"]), late(row["end"]) if "end" in row else None, row.get("last", False))
    for row in words_of(__file__)["marks"]
)


def issue_of(prompt: str) -> str:
    """Return the issue inside a benchmark's task prompt where the prompt marks it, else the whole prompt."""
    found = next((text for marks in _MARKS if (text := marks.between(prompt))), "")
    return (found or prompt.strip()).replace("\r\n", "\n")


_EXPRESSIONS = expressions_of(__file__)
_INTERNAL, _NOTICE, _STAMP = (_EXPRESSIONS[name] for name in ("internal", "notice", "stamp"))
_OF_GATEWAY = (_EXPRESSIONS["about"], _EXPRESSIONS["event"])


def opened(text: str) -> tuple[str, list[str]]:
    """Return the words of a message that came through a gateway and apart from them what the gateway wrote; the text as
    it is where there's no envelope."""
    start = text.lstrip()[:100]
    if not (start.startswith(("[", "System")) or "(untrusted" in start or "<<<BEGIN_" in text):
        return text, []
    around = [found[0] for found in _INTERNAL.finditer(text)]
    words = _INTERNAL.sub("", text) if around else text
    if _NOTICE.match(words) is not None:
        return "", [*around, words.strip()]
    while found := next(filter(None, (pattern.match(words) for pattern in _OF_GATEWAY)), None):
        around.append(found[0].strip())
        words = words[found.end() :]
    stamp = _STAMP.match(words)
    if stamp is None and not around:
        return text, []
    words = words if stamp is None else words[stamp.end() :]
    return words.strip(), around


_OF_RESULTS = {Mark(name): pattern for name, pattern in expressions_of(__file__).items() if name in set(Mark)}


def mark_of(text: str) -> Mark | None:
    """What a result says of its call where it begins with the words of the program."""
    return next((mark for mark, pattern in _OF_RESULTS.items() if pattern.match(text)), None)
