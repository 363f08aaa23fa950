"""A sentence by its plain words: code, quotations, paths, the names of files and symbols each become one letter."""

from __future__ import annotations

import re

from analyzer.text.late import late

_CODE = late(r"`[^`\n]{0,300}`|\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|«[^»\n]{1,200}»|(?<!\w)'[^'\n]{1,80}'(?!\w)")
_PLACES = late(r"\b(?:GitHub|GitLab|PyPI|DockerHub|BitBucket)\b", re.IGNORECASE)
_TWO_VERBS = late(
    r"(?<![\w/.])(commit|push|merge|build|test|tag|release|publish|deploy|ship|stage|add)\s*/\s*"
    r"(?=(?:commit|push|merge|build|test|tag|release|publish|deploy|ship)\b)",
    re.IGNORECASE,
)
_NAME = late(r"[/\\_]|::|\w\.[A-Za-z]|^[@$]|^--?[A-Za-z]|^\.\w|[a-z][A-Z]|[A-Z][a-z]+[A-Z]|=|^\w+\(", re.ASCII)
_CORE = late(r"^(?P<open>[(\[{'\"*]*)(?P<core>.*?)(?P<close>[)\]}'\"*.,;:!?…]*)$", re.DOTALL)


def plain_words(sentence: str) -> str:
    """The sentence with `X` in place of every name, path, piece of code and quotation."""
    text = _PLACES.sub(lambda found: found[0].lower(), _CODE.sub(" X ", sentence))
    words = (_plain(word) for word in _TWO_VERBS.sub(r"\1 and ", text).split())
    return " ".join(words)


def _plain(word: str) -> str:
    found = _CORE.match(word)
    if found is None or _NAME.search(found["core"]) is None:
        return word
    return f"{found['open']}X{found['close']}"
