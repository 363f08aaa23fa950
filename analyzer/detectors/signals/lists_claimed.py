"""What an answer says of several things in a row, and of a look after an act, held against what the calls name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.detectors.signals.check_claims import OTHERWISE
from analyzer.detectors.signals.effects import tool_verb
from analyzer.model.action import Action
from analyzer.speech.acts import Act, acts_of, words_for
from analyzer.speech.heard import heard
from analyzer.text.late import late
from analyzer.text.names import name_set, names

_ITEM = r"(?:[A-Z]{1,8}-\d[\w-]*|#\d{2,}|[A-Z][\w'&-]*[a-z][\w'&-]*)"
_ROW = late(rf"(?<![\w.-]){_ITEM}(?:, {_ITEM})*(?:(?:,? and | & ){_ITEM}(?![\w-])|(?=,? and [a-z]))")
_ONE = late(_ITEM)
_AFTER = names("again afterwards double-checked re-checked rechecked reopened reloaded")
"""How somebody says that a look came after something else."""
_LOOKED = name_set("opened looked checked read verified confirmed fetched loaded queried")
_CLAIMS = frozenset({Act.DONE, Act.CHECKED})


def beyond_calls(text: str, actions: Sequence[Action]) -> Iterator[tuple[str, str]]:
    """The sentences of an answer that say something of a row of names of which the calls name some, or of a look after
    an act behind which there's none; each with what no call does. What a shell may have reached isn't known by name."""
    if any(action.operation.command is not None or action.result is None for action in actions):
        return
    for said in heard(text) if actions else ():
        acts = acts_of(said.quote)
        words = set(said.words.lower().replace(",", " ").split())
        looked = Act.CHECKED in acts or ("i" in words and not words.isdisjoint(_LOOKED))
        if (_CLAIMS.isdisjoint(acts) and not looked) or not OTHERWISE.isdisjoint(acts):
            continue
        for row in _ROW.finditer(said.quote):
            # The first word of a sentence is none of a row of names for its capital letter.
            items = _ONE.findall(row[0])
            begins = row.start() == 0 and not any(sign.isdigit() for sign in items[0])
            missing = _missing(items[begins:], actions)
            if missing is not None:
                yield said.quote, missing
        if looked and not words.isdisjoint(_AFTER) and not _looks_after(actions):
            yield said.quote, "looks at anything after the first act"


def _missing(items: Sequence[str], actions: Sequence[Action]) -> str | None:
    """That a call names the first of some names that none holds, where one holds another of them; of identifiers, that
    a call that may have done something does."""
    numbered = all(any(sign.isdigit() for sign in item) for item in items)
    reached = "\n".join(f"{one.arguments}\n{one.result}".lower() for one in actions if not numbered or _acts(one))
    absent = [item for item in items if item.lower() not in reached]
    which = "that did something names" if numbered else "names"
    return f"{which} {absent[0]}" if 0 < len(absent) < len(items) else None


def _acts(action: Action) -> bool:
    """Whether a call did something lasting, or may have."""
    looks = tool_verb(action.tool) in words_for("clauses", "looks")
    return not looks and action.failure is None


def _looks_after(actions: Sequence[Action]) -> bool:
    """Whether there's a call behind the first act that may be a look, or no act."""
    lasting = [tool_verb(one.tool) in words_for("clauses", "lasting") for one in actions]
    return True not in lasting or not all(lasting[lasting.index(True) :])
