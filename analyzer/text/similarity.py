"""Whether two masked messages say the same. The only place that imports rapidfuzz."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import fuzz, process

from analyzer.text.expressions import compiled

NEAR = 90.0
"""Similarity, in percent, from which two messages count as nearly identical. rapidfuzz's normalised indel
similarity."""
_WORD = compiled(r"[^\W\d_]{3,}")
_TOKEN = compiled(r"\w+")
_LONGEST = 4_000
"""Characters of a message that are compared; whoever writes longer ones says what matters first."""
_MOST_COMPARED = 1_000
"""A text is compared with so many others: thousands of different ones would take time that grows with their square."""

_IDENTIFIERS = compiled(
    r"`[^`'\n]{1,120}'|'[^'\n]{1,120}'|\"[^\"\n]{1,120}\"|`[^`\n]{1,120}`|(?<![\w./-])[\w.-]*/[\w./-]+"
    r"|\b\w+(?:\.\w+)+\b|\b\w+_\w+\b|\b[a-z]+[A-Z]\w*\b|\b[A-Z][a-z]+[A-Z]\w*\b|\b[A-Z]+\d+\b"
    r"|(?<![\w<])\d+(?:\.\d+)?(?![\w>])"
)


def near(one: str, other: str) -> bool:
    """Whether two masked messages are nearly identical.

    Vetoed where an identifier (a quoted word, a path, a dotted, snake_case or CamelCase name, a code such as `E999`) or
    a number that no mask hides differs: then they're different failures in the same words.
    """
    if one == other:
        return True
    one, other = one[:_LONGEST], other[:_LONGEST]
    return (
        fuzz.ratio(one, other, score_cutoff=NEAR) > 0
        and identifiers(one) == identifiers(other)
        and not _one_name(one, other)
    )


def first_near(known: Sequence[str], text: str) -> int | None:
    """The position of the first of the `known` masked messages that `text` is nearly identical to, or None. The known
    ones must have the identifiers of `text`: the veto has been cast already. Of very many the last thousand are looked
    at."""
    first = max(0, len(known) - _MOST_COMPARED)
    texts = [entry[:_LONGEST] for entry in known[first:]]
    found = process.extract(text[:_LONGEST], texts, scorer=fuzz.ratio, score_cutoff=NEAR, limit=None)
    positions = sorted(first + position for _, _, position in found)
    return next((position for position in positions if not _one_name(known[position], text)), None)


def _one_name(one: str, other: str) -> bool:
    """Whether exactly one word replaces another: nearness forgives wording, not names."""
    first, second = _WORD.findall(one), _WORD.findall(other)
    return len(first) == len(second) and sum(a != b for a, b in zip(first, second, strict=True)) == 1


def alike(one: str, other: str, percent: float = NEAR) -> bool:
    """Whether two texts are similar, whatever names they contain."""
    return one == other or fuzz.ratio(one, other, score_cutoff=percent) > 0


def same_words(one: str, other: str, share: float) -> bool:
    """Whether two texts have at least this share of their words, and of their numbers, in common, counted by the one
    that has fewer."""
    first, second = set(_TOKEN.findall(one.casefold())), set(_TOKEN.findall(other.casefold()))
    if not first or not second:
        return first == second
    numbers = ({word for word in first if word[0].isdigit()}, {word for word in second if word[0].isdigit()})
    return all(len(some & others) >= share * min(len(some), len(others)) for some, others in ((first, second), numbers))


def identifiers(text: str) -> list[str]:
    """The names and numbers in a message that make it speak of one thing rather than another."""
    return _IDENTIFIERS.findall(text)
