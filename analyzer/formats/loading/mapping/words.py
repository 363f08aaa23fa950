"""The words by which programs call the parts of a call: which word of a key, or of a record's sort, speaks for what."""

from __future__ import annotations

import re

from analyzer.formats.loading.interface import expressions_of, words_of

LISTS: dict[str, tuple[str, ...]] = {name: tuple(listed) for name, listed in words_of(__file__).items()}
"""The words for the key of each part of a call, the likeliest first; `sorts` are the keys by which records say of what
sort they are."""
LISTS["ids_of_sessions"] = (*LISTS["sessions"], "id")
OF_NAMES = LISTS["names"][: LISTS["names"].index("method")]
"""The words that speak for a tool's name even where all records name the same."""
FAILED, SUCCEEDED = frozenset(LISTS["failed"]), frozenset(LISTS["succeeded"])

SAYS = expressions_of(__file__)
"""What speaks in a word, or at the beginning of a name, for a call, for its reply, or for who said something."""


def spelled(key: str) -> str:
    """A key in the form in which these lists have theirs: `toolName` -> `tool_name`."""
    last = key.rpartition(".")[2]
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", last).replace("-", "_").casefold()
