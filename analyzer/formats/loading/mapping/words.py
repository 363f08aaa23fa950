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

_EXPRESSIONS = expressions_of(__file__)
CALLS = _EXPRESSIONS["calls"]
REPLIES = _EXPRESSIONS["replies"]
OF_TOOLS = _EXPRESSIONS["of_tools"]
"""Beginnings of names that say: what follows is the name of a tool."""
OF_THE_MODEL = _EXPRESSIONS["of_the_model"]
USERS = _EXPRESSIONS["users"]
AGENTS = _EXPRESSIONS["agents"]
THOUGHTS = _EXPRESSIONS["thoughts"]


def spelled(key: str) -> str:
    """A key in the form in which these lists have theirs: `toolName` -> `tool_name`."""
    last = key.rpartition(".")[2]
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", last).replace("-", "_").casefold()
