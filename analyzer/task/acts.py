"""Whether a user asks for an act: by a sentence whose verb it is, not by any sentence in which its words occur."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import cache, lru_cache
from typing import NewType

from analyzer.speech.acts import lead_verb
from analyzer.speech.words import Word, lexicon_data, words_of
from analyzer.task.prose import sentences
from analyzer.text.late import late
from analyzer.text.names import name_set, names

_LONGEST = 600
"""Characters of a sentence that are read."""
_READ = 30_000
"""Characters of a turn whose sentences are read; of what comes behind them only that it speaks of an act."""
_COMMAND = late(r"^(?:<command-name>)?/(?P<name>[\w:-]{1,60})(?![/\w.])", 8)
"""A command of the harness that the user gave, which names what it does."""
_RUN = late(r"\b(?:run|execute|invoke|call|type|do|use)\s+(?:a |the |just )?[`'\"(]{0,3}$", 2)
_DENIES = late(r"\b(?:not|dont|never|no|without|avoid|stop|cannot)\b|n['’]t\b", 2)
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


AskedAct = NewType("AskedAct", str)
"""An act by its name in the lexicon."""

PUSHING, PUBLISHING, RELEASING, REMOVING_REMOTELY = map(AskedAct, ("pushing", "publishing", "releasing", "removing"))
SENDING, PAYING, WRITING_TO_FORGE, REQUESTING = map(AskedAct, ("sending", "paying", "forge", "requesting"))
RUNNING_REMOTE_CODE, COMMITTING, INSTALLING, TESTING = map(
    AskedAct, ("remote_code", "committing", "installing", "testing")
)
UNDOING, DELETING, TIDYING, FORCING, KILLING, SIDES = map(
    AskedAct, ("undoing", "deleting", "tidying", "forcing", "killing", "sides")
)


@cache
def _phrases(name: str, column: str) -> tuple[tuple[str, ...], ...]:
    written = names(lexicon_data()["permission"][name].get(column, ""))
    return tuple(sorted((tuple(phrase.split("_")) for phrase in written), key=len, reverse=True))


@cache
def _words(name: str) -> frozenset[str]:
    return name_set(lexicon_data()["clauses"][name])


@lru_cache(maxsize=_REMEMBERED)
def spoken_of(text: str, act: AskedAct) -> Spoken:
    """How far a turn of the user speaks of an act. A command of the harness speaks of it by its name."""
    named = (found["name"].replace("-", " ").replace("_", " ") for found in _COMMAND.finditer(text[:_READ]))
    said = max((sentence_speaks(sentence, act) for sentence in sentences(text)), default=Spoken.NOTHING)
    more = said or any(_names(list(words_of(words)), act) for words in (*named, text[_READ : 2 * _READ]) if words)
    return said or (Spoken.NAMED if more else Spoken.NOTHING)


def offered(text: str, act: AskedAct) -> Spoken:
    """How far an agent's text that was approved offers an act: by a question, as what comes next, or as a step."""
    found = Spoken.NOTHING
    for sentence in sentences(text):
        words = list(words_of(sentence[:_LONGEST]))
        for place in range(len(words)):
            lead = {word.text for word in words[max(0, place - 8) : place]}
            if lead & _words("offers") and "you" not in lead and _begins(words[place:], act, "verbs"):
                return Spoken.ASKED
        said = sentence_speaks(sentence, act)
        found = max(found, min(said, Spoken.NAMED) if any(word.text == "you" for word in words) else said)
    return found


def told_to_run_any(text: str, act: AskedAct) -> bool:
    """Whether a turn asks for an act by a command that does it."""
    heads = lexicon_data()["permission"][act].get("commands", ())
    return any(told_to_run(text, head) is Spoken.ASKED for head in heads)


def told_to_run(text: str, head: str) -> Spoken:
    """How far a turn speaks of a command, given by its first words: asked for where it's to be run."""
    found = Spoken.NOTHING
    for sentence in sentences(text):
        start = sentence.find(head)
        while start >= 0:
            before, after = sentence[max(0, start - 60) : start], sentence[start + len(head) :][:1]
            if not (after.isalnum() or before[-1:].isalnum()):
                asked = _RUN.search(before) is not None and _DENIES.search(before) is None and "?" not in sentence
                found = max(found, Spoken.ASKED if asked else Spoken.NAMED)
            start = sentence.find(head, start + 1)
    return Spoken.NAMED if found is Spoken.NOTHING and head in text else found


def sentence_speaks(sentence: str, act: AskedAct) -> Spoken:
    """How far one sentence of the user speaks of an act."""
    if _foreign(sentence):
        return Spoken.NAMED
    words = list(words_of(sentence[:_LONGEST]))
    found = Spoken.NAMED if _names(words, act) else Spoken.NOTHING
    texts = [word.text for word in words]
    asks_back = "QUESTION" in texts and not (
        {"can", "could", "would", "will", "please"} & set(texts) and "you" in texts
    )
    for clause, sure in _clauses(words, sentence):
        said = _in_clause(clause, act)
        if said > Spoken.NAMED and asks_back:
            said = Spoken.NAMED
        found = max(found, said if sure else min(said, Spoken.MEANT))
    return found


def clauses_of(sentence: str) -> Iterator[str]:
    """The clauses of a sentence that nothing denies, as they're written."""
    for clause, _ in _clauses(list(words_of(sentence[:_LONGEST])), sentence):
        yield sentence[clause[0].start : clause[-1].end]


def _clauses(words: Sequence[Word], sentence: str) -> Iterator[tuple[list[Word], bool]]:
    """The clauses of a sentence that nothing denies, and whether each can be read as a request by itself."""
    clause: list[Word] = []
    denied, sure, mark = False, True, ""
    for word in [*words, Word("BOUND", len(sentence), len(sentence))]:
        if word.text != "BOUND" and word.text not in _words("joints"):
            clause.append(word)
            continue
        if clause:
            first = clause[0].text
            firm = any(sign in mark for sign in (";", ":", "—", "–", "..", "but", "so")) or first in _words("firm")
            if firm or ("," in mark and "then" in mark):
                denied, sure = False, True
            elif mark and not sure and first in _words("opens"):
                sure = True
            denial = next((place for place, one in enumerate(clause) if _denies(clause, place, one)), None)
            if not denied and denial != 0:
                yield clause[:denial], sure
            denied = denied or denial is not None
            sure = _goes_on(clause, sentence, sure=sure)
            clause, mark = [], ""
        mark += f"{sentence[word.start : word.end].lower()} "


def _denies(clause: Sequence[Word], place: int, word: Word) -> bool:
    """Whether a word denies what follows it; "don't forget to" reminds of it."""
    following = clause[place + 1].text if place + 1 < len(clause) else ""
    if word.text in ("not", "never"):
        return following != "forget"
    return word.text in ("nothing", "without", "avoid", "stop", "refrain", "nor") or (
        word.text == "no" and place > 0 and not following.startswith(("problem", "worr"))
    )


def _goes_on(clause: Sequence[Word], sentence: str, *, sure: bool) -> bool:
    """Whether a verb behind this clause is one of a request again."""
    if clause[0].text in _words("subordinate") or all(word.text in _words("agrees") for word in clause):
        return sure
    own = _unopened(clause)
    unsure = any(word.text in _words("unsure") for word in own[1:])
    return sure and lead_verb(sentence[own[0].start : own[-1].end]) is not None and not unsure


def _unopened(clause: Sequence[Word]) -> Sequence[Word]:
    place = 0
    while place < len(clause) and clause[place].text in _words("opens"):
        if clause[place].text == "i" and not any(word.text == "you" for word in clause[place : place + 5]):
            break  # what somebody wants to do, not what is to be done for them
        if clause[place].text == "let" and not {"us", "me"} & {word.text for word in clause[place + 1 : place + 2]}:
            break  # "let the tenant know" asks for a message
        place += 1
    return clause[place:] or clause[-1:]


def _in_clause(clause: Sequence[Word], act: AskedAct) -> Spoken:
    own = _unopened(clause)
    if any(word.text == "forget" for word in clause[:4]):
        own = _unopened([word for word in clause if word.text not in ("do", "not", "never", "forget")])
    if _does(own, act, "verbs") or (_does(own, act, "general") and _has_object(own[1:], act)) or _makes(own, act):
        return Spoken.ASKED
    texts = [word.text for word in clause]
    verbs = (*_phrases(act, "verbs"), *_phrases(act, "general"))
    past = {f"{verb[0].removesuffix('e')}ed" for verb in verbs}
    for place in range(1, len(clause)):
        lead = set(texts[max(0, place - 5) : place])
        if lead & _words("wants") and texts[place] in past:
            return Spoken.ASKED if texts[0] in _words("wanting") else Spoken.MEANT
        before = next((text for text in reversed(texts[:place]) if text not in _words("between")), "")
        if before in _words("modal") and any(_does(clause[place:], act, column) for column in ("verbs", "within")):
            return Spoken.MEANT
        if before in _words("modal") and _does(clause[place:], act, "general") and _has_object(clause[place:], act):
            return Spoken.MEANT
    return Spoken.MEANT if _does(own, act, "within") else Spoken.NOTHING


def _does(words: Sequence[Word], act: AskedAct, column: str) -> bool:
    """Whether words begin with a verb of an act, by what follows it."""
    taken = _begins(words, act, column)
    if not taken:
        return False
    rest = [word.text for word in words[taken:]]
    if rest[:1] and rest[0] in _words("parts"):
        return False
    until = next((place for place, text in enumerate(rest) if text in _words("goes_on")), len(rest))
    return not _words("states") & set(rest[:until])


def _begins(words: Sequence[Word], act: AskedAct, column: str) -> int:
    """How many words a phrase of an act takes up with which some words begin; 0 for none."""
    texts = tuple(word.text for word in words[:4])
    return next((len(phrase) for phrase in _phrases(act, column) if texts[: len(phrase)] == phrase), 0)


def _has_object(words: Sequence[Word], act: AskedAct) -> bool:
    objects = {phrase[0] for phrase in _phrases(act, "objects")}
    return any(word.text in objects or word.text.removesuffix("s") in objects for word in words)


def _makes(words: Sequence[Word], act: AskedAct) -> bool:
    """Whether words ask for a thing by which an act is done ("open a draft pull request")."""
    things = _phrases(act, "things")
    if not words or words[0].text not in _words("making"):
        return False
    texts = [word.text.removesuffix("s") for word in words[1:6]]
    return any(
        tuple(texts[place : place + len(thing)]) == thing and not {"template", "button", "page"} & set(texts)
        for thing in things
        for place in range(len(texts))
    )


def _names(words: Sequence[Word], act: AskedAct) -> bool:
    """Whether words speak of an act, each whole or by its stem."""
    texts = [word.text for word in words]
    return any(
        (
            texts[place + len(stem) - 1] == stem[-1][:-1]
            if stem[-1].endswith("$")
            else texts[place + len(stem) - 1].startswith(stem[-1])
        )
        and texts[place : place + len(stem) - 1] == list(stem[:-1])
        for stem in _phrases(act, "stems")
        for place in range(len(texts) - len(stem) + 1)
    )


def _foreign(sentence: str) -> bool:
    if sentence.isascii():
        return False
    letters = [char for char in sentence if char.isalpha()]
    return sum(char >= "Ͱ" for char in letters) > _FOREIGN * len(letters)
