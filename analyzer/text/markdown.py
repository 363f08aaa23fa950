"""Session text as Markdown."""

from __future__ import annotations

import re

from analyzer.text.clip import clip_words


def code(text: str, limit: int = 200) -> str:
    """`text` cut between words to one line, as a Markdown code span that its own backticks can't end."""
    line = clip_words(text, limit)
    longest = max((len(run) for run in re.findall(r"`+", line)), default=0)
    if not longest:
        return f"`{line}`"
    ticks = "`" * (longest + 1)
    return f"{ticks} {line} {ticks}"
