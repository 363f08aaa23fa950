r"""One row of the table of rules, and the pieces that their patterns are made of.

Texts are looked at many at once with `BOUNDARY` between them, so no pattern may run over it. A text may have been cut,
at its end or at an ellipsis: a secret that is cut there counts from fewer characters on. A text may be a string of JSON
within JSON, so that a secret comes after the `n` of `\n`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from analyzer.model.struct import Struct
from analyzer.text.late import joined, late, table_beside
from analyzer.text.names import names

BOUNDARY = "\0"
"""Separates two texts that are searched together."""
END = r"(?=\x00)|\Z"
"""The end of a text."""
START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=\[\dm)|(?<=\d\dm))"
"""No letter or digit before it but those of an escape, in JSON or in colours."""
START_OF_WORD = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=\[\dm)|(?<=\d\dm))"
"""The same, and no dash or underscore."""


def at_hint(_text: str, hint: int) -> int:
    """Where a pattern begins that matches at its hint."""
    return hint


def before(fits: Callable[[str], bool], most: int) -> Callable[[str, int], int]:
    """Goes back from a hint over characters that fit, as many as `most`."""

    def begin(text: str, hint: int) -> int:
        start = hint
        while start > 0 and hint - start < most and fits(text[start - 1]):
            start -= 1
        return start

    return begin


def _never(_found: re.Match[str]) -> bool:
    return False


_PLACEHOLDER = "[{name}-{number}]"


class Rule(Struct, frozen=True):
    """What one kind of secret looks like.

    `hints` are texts (in small letters where `any_case`) at one of which, or as far before it as `begin` says,
    `pattern` matches; `keeps` says of what was matched that it isn't a secret. `what` and `fact` are for people: what
    it is, and what is known about its form.
    """

    name: str
    pattern: str
    what: str
    fact: str
    hints: tuple[str, ...]
    keeps: Callable[[re.Match[str]], bool] = _never
    begin: Callable[[str, int], int] = at_hint
    any_case: bool = False
    placeholder: str = _PLACEHOLDER
    learned: bool = False
    """Whether the secret has no form of its own: once it's recognized by its context, it's replaced in other
    places, too."""

    def find(self, text: str, lowered: str, hints: Iterable[str] | None = None) -> Iterator[re.Match[str]]:
        """What the pattern matches, from the beginning to the end; in what stands beside no secret there may be one.
        `hints` are those in the text, where they were looked for already."""
        within = lowered if self.any_case else text
        known = self.hints if hints is None else hints
        places = sorted({self.begin(text, place) for hint in known for place in _places(within, hint)})
        done = 0
        for place in places:
            if place < done or (found := _compiled(self.pattern).match(text, place)) is None:
                continue
            kept = self.keeps(found)
            if not kept or self.span(found)[0] == found.start():
                done = found.end()
            if not kept:
                yield found

    def span(self, found: re.Match[str]) -> tuple[int, int]:
        """Where the secret is in what the pattern found: the group that took part of those that are called as in
        `_SECRETS`, else all of it."""
        for name in _SECRETS:
            if name in found.re.groupindex and found[name] is not None:
                return found.span(name)
        return found.span()


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when something may be found by it: most texts need few of the rules, and all of them take a while."""
    return late(pattern)


def _places(text: str, hint: str) -> Iterator[int]:
    place = text.find(hint)
    while place >= 0:
        yield place
        place = text.find(hint, place + 1)


_SECRETS = names("secret inner bare curl windows folder owner encoded account stat variable asked addressed set blamed")


TABLE = table_beside(__file__)
"""The rules that are rows, by their kind, and the `parts` of their patterns."""
Keeps = Mapping[str, Callable[[re.Match[str]], bool]]
Begins = Mapping[str, Callable[[str, int], int]]


def rules_of(kind: str, keeps: Keeps, begins: Begins, **more: str) -> tuple[Rule, ...]:
    """The rules of a kind, with `more` parts; what each keeps and where it begins is looked up by its name."""
    parts = {**TABLE["parts"], **more, "END": END}
    return tuple(
        Rule(
            row["name"],
            joined(row["pattern"], parts)[0],
            row["what"],
            row["fact"],
            tuple(row["hints"]),
            keeps=keeps.get(row["name"], _never),
            begin=begins.get(row["name"], at_hint),
            any_case=row.get("any_case", False),
            learned=row.get("learned", False),
            placeholder=row.get("placeholder", _PLACEHOLDER),
        )
        for row in TABLE[kind]
    )


def token(prefix: str, letters: str, least: int, start: str = START) -> str:
    """The pattern of a key with a prefix and at least so many of the letters; fewer where it's cut, if a digit is among
    them."""
    cut = rf"{prefix}(?={letters}{{0,40}}[0-9]){letters}{{6,}}(?:…{letters}*|{END})"
    return rf"{start}(?:{prefix}{letters}{{{least},}}(?:…{letters}*)?|{cut})"
