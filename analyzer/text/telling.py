"""The parts of a long error that say what it was: of a service's answer its code and what it objects to, which stand
behind a sentence that any such answer has."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.text.clip import clip_words
from analyzer.text.late import late

_HEAD = late(r"[^{\n]{3,160}(?=\{)")
_MESSAGE = late(
    r"""(?i)['"](?:message|detail|error_description)['"]: ?(?P<q>['"])(?P<said>.{3,400}?)(?:[.!?](?=\s)|(?P=q))"""
)
_CODE = late(r"""(?i)['"](?:code|error_?code|reason|type)['"]: ?(?:['"][\w .:/-]{3,60}['"]|\d{3,6}\b)""")
_HELD_BACK = late(
    r"""(?i)['"]\w{3,40}['"]: ?\{[^{}]{0,120}?['"](?:filtered|detected|blocked|exceeded)['"]: ?true[^{}]{0,80}\}"""
)
_SAID = 140


def telling(text: str, limit: int, cut: Callable[[str, int], str] = clip_words) -> str:
    """`text` on one line where it's no longer than `limit`; of the answer of a service its beginning, the first
    sentence of its message, its codes and what it held back, each to the letter, with an ellipsis for what is left out
    between them; any other text as `cut` shortens it."""
    line = " ".join(text.split()) if len(text) < 20 * limit else text
    if len(line) <= limit:
        return line
    head = _HEAD.match(line)
    if head is None:
        return cut(text, limit)
    message = _MESSAGE.search(line)
    spans = [head.span(), *(found.span() for pattern in (_CODE, _HELD_BACK) for found in pattern.finditer(line))]
    if len(spans) == 1:
        return cut(text, limit)
    if message is not None:
        spans.append((message.start("said"), min(message.end("said"), message.start("said") + _SAID)))
    shown, end = "", 0
    for start, stop in sorted(spans):
        if start < end:
            continue
        piece = line[start:stop].strip()
        gap = "" if not shown else " … " if line[end:start].strip() else " "
        if len(shown) + len(gap) + len(piece) + 2 > limit:
            continue
        shown, end = f"{shown}{gap}{piece}", stop
    return f"{shown} …" if end < len(line) else shown
