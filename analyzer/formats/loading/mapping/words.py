"""The words by which programs call the parts of a call: which word of a key, or of a record's sort, speaks for what."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from analyzer.text.expressions import compiled

LISTS: dict[str, tuple[str, ...]] = {
    name: tuple(listed)
    for name, listed in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).items()
}
"""The words for the key of each part of a call, the likeliest first; `sorts` are the keys by which records say of what
sort they are."""
LISTS["ids_of_sessions"] = (*LISTS["sessions"], "id")
OF_NAMES = LISTS["names"][: LISTS["names"].index("method")]
"""The words that speak for a tool's name even where all records name the same."""
FAILED, SUCCEEDED = frozenset(LISTS["failed"]), frozenset(LISTS["succeeded"])

CALLS = compiled(
    r"(?:tool|function|action|command|skill|api).*(?:start|call|invo|request|begin|use|exec|run|dispatch)"
    r"|(?:call|invoke|start|request|begin|use|run|exec)\w*[._ -]?(?:tool|function|action|command|skill)"
    r"|\A(?:call|request|req|invoke|invocation|action|tool|function|step|command|execute|tool_?call|act|span)s?\Z",
    re.IGNORECASE,
)
REPLIES = compiled(
    r"(?:tool|function|action|command|skill|api).*(?:end|result|finish|complet|output|response|return|done|error|fail)"
    r"|\A(?:result|response|resp|return|returned|observation|observe|output|reply|done|end|finished|outcome)s?\Z"
    r"|(?:result|output|response|reply).*(?:tool|function|action)",
    re.IGNORECASE,
)
OF_TOOLS = compiled(
    r"\A(?:execute|run|call|invoke)?[_ ]?(?:tool|function|action|skill|command)s?[:/. ]\Z", re.IGNORECASE
)
"""Beginnings of names that say: what follows is the name of a tool."""
OF_THE_MODEL = compiled(r"llm|chat_?model|completion|generation|model|prompt|chain|retriev|embed", re.IGNORECASE)
USERS = compiled(r"user|human|customer|prompt|query|question|task|goal|instruction", re.IGNORECASE)
AGENTS = compiled(r"assistant|\bai\b|agent|bot|model|llm|reply|answer|final|say|message|respon|output", re.IGNORECASE)
THOUGHTS = compiled(r"thought|think|reason|rationale|reflect|plan|\Awhy\Z", re.IGNORECASE)


def words_of(key: str) -> str:
    """A key in the form in which these lists have theirs: `toolName` -> `tool_name`."""
    last = key.rpartition(".")[2]
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", last).replace("-", "_").casefold()
