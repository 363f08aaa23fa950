"""A sentence as a row of word classes.

Each word of a sentence becomes one character that stands for all classes of the lexicon that the word belongs to, so
that a pattern of classes ("i|we HAVE? ADVERB* MADE") is a short regular expression over these characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from analyzer.model.struct import Struct
from analyzer.text.expressions import KEPT
from analyzer.text.late import late

_TOKEN = late(
    r"(?P<plain>[A-Za-z]?[a-z]+(?=[\s,;!?)]|:(?!/)|\.(?:\s|\Z)|\Z))"
    r"|(?P<ratio>\d{1,7} ?(?:/|of|out of) ?\d{1,7}(?![\w/.]))"
    r"|(?P<pair>[A-Za-z]{3,12}/[A-Za-z]{3,12}(?![\w/.-]))"
    r"|(?P<code>`[^`\n]{1,300}`|https?://\S{1,300}"
    r"|(?:[\w.~-]{0,60}[/\\]){1,12}[\w.-]{0,60}|\w[\w-]{0,60}\.[A-Za-z]\w{0,7}\b|\w*[a-z]_\w+|[a-z]+[A-Z]\w*)"
    r"|(?P<quote>\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|(?<!\w)'[^'\n]{3,80}'(?!\w))"
    r"|(?P<number>\d[\d,.]*\d|\d)(?P<percent> ?%)?"
    r"|(?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*)"
    r"|(?P<mark>[✅✓✔☑])|(?P<cross>[❌✗✘✖])|(?P<bound>[,;:()—–]|\s-\s|\.{2,4}|…)|(?P<question>[?？])"
)
"""A plain word first, which most are: the other forms needn't be tried on it."""
_SENTENCES, _WORDS = 2_048, 16_384
"""So many sentences are remembered with their words, and words with what they're parted into: many rules read the
same."""
_KINDS = {
    "code": "NAME",
    "quote": "QUOTE",
    "number": "NUMBER",
    "nought": "zero",
    "mark": "TICK",
    "cross": "CROSS",
    "bound": "BOUND",
    "question": "QUESTION",
}
UNKNOWN, _PAST = "_", "ED"
"""What stands for a word that is in no class, and for one that ends like the past form of a verb."""
_FIRST = 0xE000
_ENDINGS = {"n't": "not", "'ve": "have", "'m": "am", "'re": "are", "'ll": "will", "'d": "would", "'s": "'s"}
"""What a word ends with that is a word of its own."""
_WHOLE = {
    "can't": "can not",
    "cannot": "can not",
    "won't": "will not",
    "shan't": "shall not",
    "let's": "let's",
    "lets": "let's",
    "cant": "can not",
    "wont": "will not",
    "im": "i am",
    "ive": "i have",
    "thats": "that 's",
}
"""Words that are written as one, or without their apostrophe, by the words that they mean."""


class Word(Struct, frozen=True):
    """One word: in lower case, as one of its kinds where it's no word ("NAME"), and where it is in its sentence."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=_SENTENCES)
def words_of(sentence: str) -> tuple[Word, ...]:
    """The words of a sentence. Names of files, code and quotations are one word each; short forms are parted."""
    words: list[Word] = []
    for found in _TOKEN.finditer(sentence):
        kind = found.lastgroup or ""
        if kind == "number" and found[0] == "0":
            kind = "nought"
        elif kind in ("percent", "ratio"):
            kind = "number"
        start, end = found.span()
        if kind == "pair":
            one, other = found[0].lower().split("/")
            words += (Word(one, start, start + len(one)), Word("and", start, end), Word(other, start, end))
        elif kind in ("plain", "word"):
            words += [Word(text, start, end) for text in _parted(found[0])]
        else:
            words.append(Word(_KINDS[kind], start, end))
    return tuple(words)


@lru_cache(maxsize=_WORDS)
def _parted(written: str) -> Sequence[str]:
    word = written.lower().replace("’", "'").replace("e-mail", "email")
    if word in _WHOLE:
        return _WHOLE[word].split()
    if word.endswith("nt") and word[:-2] in lexicon_data()["clauses"]["auxiliaries"].split():
        return word[:-2], "not"
    for ending, meant in _ENDINGS.items():
        if word.endswith(ending) and len(word) > len(ending):
            return word[: -len(ending)], meant
    return (word,)


class Lexicon:
    """Word classes, and the characters that stand for them.

    `classes` names the words of each class. A class of verbs has its members in their basic form, with irregular past
    forms behind slashes (`write/wrote/written`), and gives four classes: `DO`, `DOES`, `DONE`, `DOING` with the name of
    the class in front, such as `MAKE`, `MAKE.s`, `MAKE.ed` and `MAKE.ing`.
    """

    def __init__(self, classes: Mapping[str, str], verbs: Mapping[str, str]) -> None:
        self._classes: dict[str, set[str]] = {name: set(words.split()) for name, words in classes.items()}
        self._verbs: dict[tuple[str, str], str] = {}
        for name, words in verbs.items():
            for verb in words.split():
                for form, word in _forms(verb):
                    self._classes.setdefault(f"{name}{form}", set()).add(word)
                    self._verbs.setdefault((name, word), verb.partition("/")[0])
        for kind in (*_KINDS.values(), _PAST):
            self._classes.setdefault(kind, set()).add(kind)
        self._of_word: dict[str, str] = {}
        self._combined: dict[frozenset[str], str] = {}
        self._members: dict[str, str] = {}

    def add_words(self, words: Iterable[str]) -> None:
        """Make each of some words a class of its own."""
        for word in words:
            self._classes.setdefault(word, set()).add(word)

    def settle(self) -> None:
        """Give each word its character, once all classes are known."""
        belongs: dict[str, set[str]] = {}
        for name, words in self._classes.items():
            for word in sorted(words):
                belongs.setdefault(word, set()).add(name)
        for word, names in belongs.items():
            self._of_word[word] = self._combined.setdefault(frozenset(names), chr(_FIRST + len(self._combined)))
        for combined, char in self._combined.items():
            for name in combined:
                self._members[name] = self._members.get(name, "") + char

    def row(self, words: Iterable[Word]) -> str:
        """One character for each word."""
        known, past = self._of_word, self._of_word[_PAST]
        return "".join([known.get(word.text) or (past if word.text.endswith("ed") else UNKNOWN) for word in words])

    def verb(self, name: str, word: str) -> str | None:
        """The basic form of a verb of a class, by any of its forms."""
        return self._verbs.get((name, word))

    def is_class(self, name: str) -> bool:
        """Whether there is such a class."""
        return name in self._classes

    def members(self, name: str) -> str:
        """The characters of all words of a class."""
        return self._members.get(name, "")


def _forms(verb: str) -> list[tuple[str, str]]:
    base, *past = verb.split("/")
    ends_in_y = base.endswith("y") and base[-2] not in "aeiou"
    if base.endswith(("s", "sh", "ch", "x", "z")):
        third = f"{base}es"
    else:
        third = f"{base[:-1]}ies" if ends_in_y else f"{base}s"
    stem = base.removesuffix("e") if not base.endswith(("ee", "oe", "ye")) else base
    doubled = f"{base}{base[-1]}"
    regular = [f"{base[:-1]}ied"] if ends_in_y else [f"{base}d" if base.endswith("e") else f"{base}ed", f"{doubled}ed"]
    forms = [("", base), (".s", third), (".ing", f"{stem}ing"), (".ing", f"{doubled}ing")]
    return forms + [(".ed", word) for word in past or regular]


@cache
def lexicon_data() -> Mapping[str, Any]:
    """The lexicon as it's written."""
    return KEPT.table(files("analyzer.speech").joinpath("lexicon.toml").read_text(encoding="utf-8"))


_PART = re.compile(r"(?P<names>[^\s?*+{]+)(?P<times>[?*+]|\{\d+,\d*\})?\Z")


def literals_of(patterns: str) -> Iterator[str]:
    """The names of classes and single words in some patterns."""
    for part in patterns.replace(";", " ").split():
        found = _PART.match(part)
        if found is not None and part not in ("^", "$"):
            yield from found["names"].split("|")


def expression_of(pattern: str, lexicon: Lexicon) -> str:
    """The regular expression over characters for a pattern: `^` and `$` are the sentence's beginning and end, `_` is
    any word within the clause, `~` any word or mark, `a|b` one of several, with the usual counts behind each."""
    made = []
    bound = lexicon.members("BOUND")
    for part in pattern.split():
        if part in ("^", "$"):
            made.append(part)
            continue
        found = _PART.match(part)
        if found is None:
            raise ValueError(part)
        if found["names"] == "_":
            one = f"[^{bound}]"
        elif found["names"] == "~":
            one = "."
        else:
            one = f"[{''.join(map(lexicon.members, found['names'].split('|')))}]"
        made.append(f"{one}{found['times'] or ''}")
    return "".join(made)
