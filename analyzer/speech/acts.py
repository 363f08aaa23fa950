"""The acts of a sentence: what somebody does by saying it, such as claiming, denying, asking or correcting.

The table `lexicon.toml` holds all words and patterns. Its accuracy on labelled sentences is in `docs/accuracy.md`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache, lru_cache

from analyzer.model.struct import Struct
from analyzer.speech.words import UNKNOWN, Lexicon, expression_of, lexicon_data, literals_of, words_of
from analyzer.text.late import late
from analyzer.text.names import names

_LONGEST = 600
"""Characters of a sentence that are read."""
_PAST = ("ed", "sent", "paid", "put")
_ME, _TO_YOU = frozenset({"i", "we"}), frozenset({"you", "your"})
_NEAR = 4
"""Words behind a verb in which its object is looked for."""
_MOST_UNKNOWN = 0.75
"""The part of its words that a text in English may have besides those of the lexicon."""
_MOST_BYTES = 1.5
"""The bytes of a character of a text in English, on average."""
_REMEMBERED = 16_384


class Act(StrEnum):
    """What a sentence does."""

    DONE = "done"
    """It says that a part of the work is done, or works now."""
    CHECKED = "checked"
    """It says that a check, a run or a look confirmed something."""
    NOT_DONE = "not_done"
    """It says that something isn't done, failed, or couldn't be done or checked."""
    DEFERS = "defers"
    """It leaves work to the user, to others or to later."""
    HEDGES = "hedges"
    """It says that something is assumed, unsure or untested."""
    BLAMES_EARLIER = "blames_earlier"
    """It says that a problem was there before, or has another cause than the work."""
    ASKS = "asks"
    """It asks the user, or offers more."""
    REQUESTS = "requests"
    """The user asks for something to be done or answered."""
    FORBIDS = "forbids"
    """The user sets a limit."""
    STILL_WRONG = "still_wrong"
    """The user says that what was to be repaired isn't."""
    SAID_BEFORE = "said_before"
    """The user says something again."""
    WRONG = "wrong"
    """The user says that what the agent did, said or understood isn't what was meant."""
    ONLY_APPROVES = "only_approves"
    """It does nothing but agree."""
    APPROVES = "approves"
    """The user likes what was done, or says to go on with it."""
    ASSUMES = "assumes"
    """The agent takes for granted that what it did works."""
    COULD_NOT_CHECK = "could_not_check"
    """The agent says that it couldn't check or reproduce something."""
    GIVES_UP = "gives_up"
    """The agent says that it didn't do the task."""
    LEAVES_TO_OTHERS = "leaves_to_others"
    """The agent leaves the work undone for its risk, or to others."""
    LACKS = "lacks"
    """Contents, results or files that are referred to aren't there."""
    ASKS_FOR_INPUT = "asks_for_input"
    """Somebody is asked for contents, results or files."""
    ABSENT = "absent"
    """Something isn't there."""
    REFERS_BACK = "refers_back"
    """It refers to contents or results that stand before it."""
    ASKS_TO_SUPPLY = "asks_to_supply"
    """The user is asked to see to something that isn't there."""


class _Rule(Struct, frozen=True):
    """Patterns of one act. `unless` rules it out wherever it's found in the sentence; `before` where it's found in
    the same clause before the match; a denial there turns it into `denied`, or into nothing."""

    act: Act
    say: re.Pattern[str]
    unless: re.Pattern[str] | None
    before: re.Pattern[str] | None
    denied: Act | None
    keep: bool


class _Grammar(Struct, frozen=True):
    lexicon: Lexicon
    rules: Mapping[str, tuple[_Rule, ...]]
    clause: Mapping[str, re.Pattern[str]]


_PATTERNS = ("say", "unless", "before")


def expression(patterns: str, lexicon: Lexicon) -> re.Pattern[str]:
    """One expression for patterns of the lexicon, any of which may match."""
    return late("|".join([expression_of(pattern, lexicon) for pattern in patterns.split(";")]))


@cache
def _grammar() -> _Grammar:
    data = lexicon_data()
    lexicon = Lexicon(data["classes"], data["verbs"])
    rows: list[tuple[str, Mapping[str, str]]] = [(by, row) for by in ("agent", "user") for row in data[by]]
    patterns = [*data["clause"].values(), *(row[key] for _, row in rows for key in _PATTERNS if key in row)]
    lexicon.add_words(name for pattern in patterns for name in literals_of(pattern) if not lexicon.is_class(name))
    lexicon.settle()
    rules: dict[str, list[_Rule]] = {"agent": [], "user": []}
    for by, row in rows:
        denied = row.get("denied", "")
        rules[by].append(
            _Rule(
                Act(row["act"]),
                expression(row["say"], lexicon),
                expression(row["unless"], lexicon) if "unless" in row else None,
                expression(row["before"], lexicon) if "before" in row else None,
                Act(denied) if denied not in ("", "keep") else None,
                denied == "keep",
            )
        )
    clause = {name: expression(pattern, lexicon) for name, pattern in data["clause"].items()}
    return _Grammar(lexicon, {by: tuple(found) for by, found in rules.items()}, clause)


@lru_cache(maxsize=_REMEMBERED)
def acts_of(sentence: str, by: str = "agent", among: frozenset[Act] | None = None) -> frozenset[Act]:
    """What a sentence of the agent (or the `user`) does; with `among`, only whether it does these."""
    grammar = _grammar()
    row = _row_of(sentence[:_LONGEST])
    acts: set[Act] = set()
    for rule in grammar.rules[by]:
        if rule.act not in acts and (among is None or rule.act in among or rule.denied in among):
            acts.update(_acts_by(rule, row, grammar))
    return frozenset(acts if among is None else acts & among)


@lru_cache(maxsize=_REMEMBERED)
def _row_of(sentence: str) -> str:
    return _grammar().lexicon.row(words_of(sentence))


def _acts_by(rule: _Rule, row: str, grammar: _Grammar) -> Iterable[Act]:
    if rule.unless is not None and rule.unless.search(row) is not None:
        return ()
    found: set[Act] = set()
    for match in rule.say.finditer(row):
        start = max((opened.end() for opened in grammar.clause["opens"].finditer(row, 0, match.start())), default=0)
        if rule.before is not None and rule.before.search(row, start, match.start()) is not None:
            continue
        if rule.keep or not _is_denied(grammar, row, start, match.end()):
            return (rule.act,)
        if rule.denied is not None:
            found.add(rule.denied)
    return found


def _is_denied(grammar: _Grammar, row: str, start: int, end: int) -> bool:
    """Whether a clause denies what it says; a denial within a relative clause about the subject denies nothing else."""
    found = grammar.clause["denial"].search(row, start, end)
    return found is not None and grammar.clause["relative"].search(row, start, found.start()) is None


def verb_of(word: str) -> str | None:
    """The basic form of a verb of doing, of which `word` is a form; None for other words."""
    return _grammar().lexicon.verb("MAKE", word)


def lead_verb(sentence: str) -> tuple[str, frozenset[str]] | None:
    """The verb that a sentence begins with, behind words of courtesy and order, and the words behind it; None where it
    begins otherwise."""
    grammar = _grammar()
    words = words_of(sentence[:_LONGEST])
    found = grammar.clause["leads"].match(grammar.lexicon.row(words))
    if found is None:
        return None
    return words[found.end() - 1].text, frozenset(word.text for word in words[found.end() :])


def is_english(text: str) -> bool:
    """Whether a text is mostly in words that the lexicon knows; of others only names and numbers can be read."""
    start = text[:_LONGEST]
    if len(start.encode("utf-8", "replace")) > _MOST_BYTES * len(start):
        return False
    row = _row_of(start)
    return len(row) < _NEAR or row.count(UNKNOWN) <= _MOST_UNKNOWN * len(row)


def words_for(table: str, name: str) -> tuple[str, ...]:
    """The words of a row of one of the lexicon's tables, such as those by which an operation may be carried out; empty
    where there's no such row."""
    return names(lexicon_data()[table].get(name, ""))


def operations_in(small: str) -> set[str]:
    """The operations outside of the files of which a sentence in small letters speaks."""
    return {verb for verb in lexicon_data()["operations"] if verb in small}


def verbs_done(sentence: str) -> list[str]:
    """The operations outside of the files that a sentence says were done, or another lasting act for who is spoken to:
    those of its past forms that nothing denies, puts off or asks about, each by the basic form of its verb."""
    grammar, data = _grammar(), lexicon_data()
    words = words_of(sentence[:_LONGEST])
    row = grammar.lexicon.row(words)
    if grammar.clause["open"].search(row) is not None:
        return []
    found: dict[str, None] = {}
    lasting = words_for("clauses", "lasting")
    for place, word in enumerate(words):
        verb = grammar.lexicon.verb("MAKE", word.text)
        by_me = not _ME.isdisjoint(one.text for one in words[max(0, place - _NEAR) : place])
        own = by_me and verb in lasting and any(one.text in _TO_YOU for one in words[place + 1 :])
        past = (verb in data["operations"] or own) and word.text.endswith(_PAST)
        if verb is None or not past or not _is_done(grammar, row, place):
            continue
        objects = data["operation_objects"].get(verb)
        if objects is None or any(one.text in objects.split() for one in words[place + 1 : place + 1 + _NEAR]):
            found[verb] = None
    return list(found)


def _is_done(grammar: _Grammar, row: str, place: int) -> bool:
    """Whether a verb in its past form says that somebody did it, or that it's done. In "ready to be staged and
    committed" what leaves the verb before open does so for this one."""
    clause = grammar.clause
    lead = row[max((opened.end() for opened in clause["opens"].finditer(row, 0, place)), default=0) : place]
    wide = lead or row[max((bound.end() for bound in clause["parts"].finditer(row, 0, place)), default=0) : place]
    if clause["denial"].search(wide) or clause["doubt"].search(wide) or clause["behind"].search(row[place + 1 :]):
        return False
    if clause["doer"].search(lead) is not None:
        return True
    listed = len(lead) == place and clause["thing"].search(lead) is not None
    return listed and clause["place"].search(row[place + 1 :]) is not None
