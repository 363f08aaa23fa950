"""The words of a command line, however they are quoted, joined or prefixed."""

from __future__ import annotations

from analyzer.text.expressions import compiled
from analyzer.workspace.paths import normal

_WORD = compiled(r"[^\s'\"\\;&|()]+")
_JOINED_ERRORS = compiled(r"\s2>(?:&1|/dev/null)(?!\S)")
_IDLE = frozenset({"-u", "-m", "command", "env", "sudo", "bash", "sh", "-c", "-lc"})
"""Words that don't change what a line prints, as long as it prints the same."""
_PYTHON = compiled(r"python[\d.]*\Z")


def command_words(line: str, directory: str) -> str:
    """A line's words in their order, each that may be a path as seen from its directory; two lines with the same words
    that print to the letter the same do the same."""
    words = _WORD.findall(_JOINED_ERRORS.sub("", line.removeprefix("$ ")))
    said = (word for word in words if word not in _IDLE and not _PYTHON.match(word))
    return " ".join(word if word.startswith("-") or not directory else normal(word, directory) for word in said)
