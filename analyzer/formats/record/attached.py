"""What an editor puts before the words of its user: the files that are open, what was selected, what a search found."""

from __future__ import annotations

from analyzer.text.expressions import compiled

_BLOCK = compiled(r"\s*<(?P<tag>[a-z]{2,20}(?:_[a-z]{2,20}){1,3})(?:\s[^>\n]{0,200})?>")
"""A tag of several words, as programs name them; people write markup of one word."""
_MOST = 20


def parted(text: str) -> tuple[str, str]:
    """The blocks with which a message begins, and the words behind them; the first is empty where there are none, or no
    words follow."""
    at = 0
    for _ in range(_MOST):
        block = _BLOCK.match(text, at)
        end = text.find(f"</{block['tag']}>", block.end()) if block is not None else -1
        if block is None or end < 0:
            break
        at = end + len(block["tag"]) + 3
    words = text[at:].strip()
    return (text[:at].strip(), words) if words else ("", text)
