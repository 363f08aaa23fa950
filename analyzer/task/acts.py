"""Whether a user asks for an act: by a sentence whose verb it is, not by any sentence in which its words occur."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import cache, lru_cache

from analyzer.model.struct import Struct
from analyzer.task.prose import sentences
from analyzer.task.request_clauses import DENIAL, clauses_of, plain_words, unopened
from analyzer.text.late import late

_LONGEST = 600
"""Characters of a sentence that are read."""
_READ = 30_000
"""Characters of a turn whose sentences are read; of what comes behind them only that it speaks of an act."""
_COMMAND = late(r"^(?:<command-name>)?/(?P<name>[\w:-]{1,60})(?![/\w.])", re.MULTILINE)
"""A command of the harness that the user gave, which names what it does."""
_REMEMBERED = 512
_FOREIGN = 0.3
"""The part of a sentence's letters in a script of their own from which on its verbs can't be read here."""


class Spoken(IntEnum):
    """How far somebody spoke of an act."""

    NOTHING = 0
    """No word of it occurs, except in names, paths, code and quotations."""
    NAMED = 1
    """Its words occur, but nothing says that it's to be done: another verb's object, a question, a prohibition. Or the
    text is in a script that isn't read here."""
    MEANT = 2
    """It's said that it can, should or will be done, or something is asked for that may take it."""
    ASKED = 3
    """It's asked for, or allowed, in so many words."""


class Act(Struct, frozen=True):
    """An act by its words, each a regular expression: the verbs in their basic form; verbs that mean it only with one
    of `objects` in the same clause; nouns that ask for it with `do`, `make` or `open`; verbs of acts that may take it;
    and all words that speak of it."""

    verbs: str
    stems: str
    general: str = ""
    objects: str = ""
    things: str = ""
    within: str = ""


@lru_cache(maxsize=_REMEMBERED)
def spoken_of(text: str, act: Act) -> Spoken:
    """How far a turn of the user speaks of an act. A command of the harness speaks of it by its name."""
    stems = _patterns(act).stems
    named = (found["name"].replace("-", " ").replace("_", " ") for found in _COMMAND.finditer(text[:_READ]))
    beyond = stems.search(text[_READ:]) is not None or any(stems.search(name) is not None for name in named)
    said = (_in_sentence(sentence, act) for sentence in sentences(text))
    return max(said, default=Spoken.NOTHING) or (Spoken.NAMED if beyond else Spoken.NOTHING)


def offered(text: str, act: Act) -> Spoken:
    """How far an agent's text that was approved offers an act: by a question, as what comes next, or as a step."""
    found = Spoken.NOTHING
    for sentence in sentences(text):
        said = _in_sentence(sentence, act)
        if _patterns(act).offers.search(plain_words(sentence[:_LONGEST])) is not None:
            return Spoken.ASKED
        found = max(found, min(said, Spoken.NAMED) if "you" in sentence.casefold().split() else said)
    return found


def sentence_speaks(sentence: str, act: Act) -> Spoken:
    """How far one sentence of the user speaks of an act."""
    return _in_sentence(sentence, act)


def told_to_run(text: str, head: str) -> Spoken:
    """How far a turn speaks of a command, given by its first words: asked for where it's to be run."""
    found = Spoken.NOTHING
    for sentence in sentences(text):
        start = sentence.find(head)
        while start >= 0:
            before, after = sentence[max(0, start - 60) : start], sentence[start + len(head) :][:1]
            if not (after.isalnum() or before[-1:].isalnum()):
                asked = _RUN.search(before) is not None and DENIAL.search(before) is None and "?" not in sentence
                found = max(found, Spoken.ASKED if asked else Spoken.NAMED)
            start = sentence.find(head, start + 1)
    return Spoken.NAMED if found is Spoken.NOTHING and head in text else found


_RUN = late(r"\b(?:run|execute|invoke|call|type|do|use)\s+(?:a |the |just )?[`'\"(]{0,3}$", re.IGNORECASE)
_WANTING = ("get ", "have ", "want ", "need ", "i want", "we want", "i need", "we need", "i'd like", "i would like")
_REMINDING = ("don't forget to", "do not forget to", "never forget to", "not forget to")
_ASKING = ("can you", "could you", "would you", "will you", "please")
_PARTS = late(
    r"\W*(?:buttons?|keys?|endpoints?|handlers?|scripts?|steps?|jobs?|workflows?|actions?|commands?|methods?|functions?"
    r"|icons?|events?|requests?|calls?|routes?|markers?|logic|flows?|operations?|dialogs?|menus?|permissions?|notes?"
    r"|notifications?|messages?|pages?|templates?|forms?|pipelines?|process|errors?)\b",
    re.IGNORECASE,
)
"""Nouns that make a thing of any verb before them."""
_STATES = late(
    r"(?:(?!\b(?:when|once|after|if|that|which|what|so|because|since|until|as|before|who)\b).)*?"
    r"\b(?:is|are|was|were|isn['’]t|aren['’]t|wasn['’]t|fail(?:s|ed)|does|doesn['’]t|did|didn['’]t|has|hasn['’]t|should"
    r"|must|can(?:not|['’]t)?|takes|took|hangs|hung|returns?|gives|gave|shows|needs|seems|breaks|broke|works|errors"
    r"|stack|queue|array|buffer|heap|button|lock)\b",
    re.IGNORECASE | re.DOTALL,
)
"""What makes the word before it a subject, or what it's done to something within a program, before a clause begins."""


class _Patterns(Struct, frozen=True):
    verb: re.Pattern[str]
    general: re.Pattern[str] | None
    objects: re.Pattern[str] | None
    done: re.Pattern[str]
    meant: re.Pattern[str]
    within: re.Pattern[str] | None
    stems: re.Pattern[str]
    offers: re.Pattern[str]


@cache
def _patterns(act: Act) -> _Patterns:
    verbs = "|".join(part for part in (act.verbs, act.general) if part)
    named = "|".join(part for part in (verbs, act.within) if part)
    things = rf"|(?:an? |the )?(?:{act.things})" if act.things else ""
    made = (
        r"|(?:do|make|create|open|cut|trigger|start|run|submit|raise|put up|file|send|perform|kick off|issue)\s+"
        rf"(?:(?:an?|the|another|one|new|draft|final|git|this|that|your)\s+)*(?:{act.things})"
        if act.things
        else ""
    )
    return _Patterns(
        _compiled(rf"(?:{act.verbs or '(?!)'}{made})(?![\w-])"),
        _compiled(rf"(?:{act.general})(?![\w-])") if act.general else None,
        _compiled(rf"\b(?:{act.objects})(?![\w-])") if act.objects else None,
        _compiled(
            r"\b(?:get|have|want|need|like|should|must|can|to|may|will)\s+(?:be\s+|(?:it|this|that|them|everything|(?:the"
            rf"|my|our|all|these|those)(?:\s+[\w-]+){{1,3}}?)\s+)(?:\w+ly\s+)?(?:{verbs or '(?!)'})"
            r"(?:e?d|[a-z]ed|ten|nt)\b"
        ),
        _compiled(
            r"\b(?:to|can|could|may|should|will|would|must|let['’]?s|gonna|(?:we|i|you)['’](?:ll|d))\s+"
            rf"(?:(?:also|now|just|then|still|safely|finally)\s+)?(?P<verb>{named})(?![\w-])(?P<rest>.*)"
        ),
        _compiled(rf"(?:{act.within})(?![\w-])") if act.within else None,
        _compiled(rf"(?<![\w-])(?:{act.stems})"),
        _compiled(
            r"\b(?:(?:shall|should|can|may|could) (?:i|we)|(?:want|like) me to|i(?:['’]ll| will|['’]m going to| can"
            rf"| could|['’]d| would)|let me|ready to|next(?: steps?)?:?)\b[^.\n]{{0,60}}?\b(?:{verbs}{things})(?![\w-])"
        ),
    )


def _compiled(source: str) -> re.Pattern[str]:
    return late(source, re.IGNORECASE)


def _in_sentence(sentence: str, act: Act) -> Spoken:
    if _foreign(sentence):
        return Spoken.NAMED
    patterns = _patterns(act)
    text = plain_words(sentence[:_LONGEST]).replace("’", "'")
    for words in _REMINDING:
        place = text.casefold().find(words)
        text = f"{text[:place]}please{text[place + len(words) :]}" if place >= 0 else text
    asks_back = "?" in sentence and not any(words in text.casefold() for words in _ASKING)
    found = Spoken.NAMED if patterns.stems.search(text) is not None else Spoken.NOTHING
    for clause, sure in clauses_of(text):
        said = _in_clause(clause, patterns)
        if said > Spoken.NAMED and asks_back:
            said = Spoken.NAMED
        found = max(found, said if sure else min(said, Spoken.MEANT))
    return found


def _in_clause(clause: str, patterns: _Patterns) -> Spoken:
    own = unopened(clause)
    if _does(patterns.verb, own) or _does_general(own, patterns):
        return Spoken.ASKED
    if patterns.done.search(clause) is not None and _general_fits(clause, patterns):
        return Spoken.ASKED if clause.casefold().startswith(_WANTING) else Spoken.MEANT
    found = patterns.meant.search(clause)
    if found is not None and _is_verb(found["rest"]) and _general_fits(found[0], patterns):
        return Spoken.MEANT
    return Spoken.MEANT if patterns.within is not None and _does(patterns.within, own) else Spoken.NOTHING


def _does(pattern: re.Pattern[str], clause: str) -> bool:
    found = pattern.match(clause)
    return found is not None and _is_verb(clause[found.end() :])


def _does_general(clause: str, patterns: _Patterns) -> bool:
    found = patterns.general.match(clause) if patterns.general is not None else None
    return (
        found is not None and patterns.objects is not None and patterns.objects.search(clause, found.end()) is not None
    )


def _general_fits(clause: str, patterns: _Patterns) -> bool:
    """Whether a clause has a verb that needs no object, or an object that makes its verb mean the act."""
    if patterns.objects is None or patterns.general is None:
        return True
    return patterns.objects.search(clause) is not None or not patterns.general.search(clause)


def _is_verb(rest: str) -> bool:
    """Whether a word is a verb, by what follows it."""
    return _PARTS.match(rest) is None and _STATES.match(rest) is None


def _foreign(sentence: str) -> bool:
    if sentence.isascii():
        return False
    letters = [char for char in sentence if char.isalpha()]
    return sum(char >= "Ͱ" for char in letters) > _FOREIGN * len(letters)
