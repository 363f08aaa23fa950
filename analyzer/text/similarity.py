"""Whether two masked messages say the same, and what many have in common. The only place that imports rapidfuzz."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from rapidfuzz import fuzz, process

from analyzer.text.late import late
from analyzer.text.names import WORD

NEAR = 90.0
"""Similarity, in percent, from which two messages count as nearly identical. rapidfuzz's normalised indel
similarity."""
_WORD = late(r"[^\W\d_]{3,}")
_LONGEST = 4_000
"""Characters of a message that are compared; whoever writes longer ones says what matters first."""
MOST_COMPARED = 250
"""A text is compared with so many others: thousands of different ones would take time that grows with their square."""

_IDENTIFIERS = late(
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
    ones must have the identifiers of `text`: the veto has been cast already. Only the last ones are looked at."""
    first = max(0, len(known) - MOST_COMPARED)
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
    first, second = set(WORD.findall(one.casefold())), set(WORD.findall(other.casefold()))
    if not first or not second:
        return first == second
    numbers = ({word for word in first if word[0].isdigit()}, {word for word in second if word[0].isdigit()})
    return all(len(some & others) >= share * min(len(some), len(others)) for some, others in ((first, second), numbers))


def identifiers(text: str) -> list[str]:
    """The names and numbers in a message that make it speak of one thing rather than another."""
    return _IDENTIFIERS.findall(text)


_ANY = "<*>"
_VALUE = late(
    r"\b[a-z][a-z0-9+.-]*://[^\s'\"<>)\]]+"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)*"
    r"|(?<![\w.*>-])(?:~|[A-Za-z]:)?[/\\](?:[^\s,;:()'\"\[\]{}<>=]+)"
    r"|(?<=\w=)(?!=)[^\s,;&()\[\]{}'\"<>]+"
    r"|(?<=[=:] )(?i:true|false|null|none)\b"
    r"|\b(?:[a-z][a-z0-9_-]*\.){2,}[a-z0-9_-]+\b"
    r"|[\w.+-]*\d[\w.+-]*"
    r"|\b[0-9a-f]{8,}\b"
)
_RUN = late(r"<\*>(?:[\s,;:#/.+~|-]*<\*>)+")
_UNIT = late(r"<\*> ?(?:[kKMGT]i?B|B|[Bb]ytes?|ms|us|µs|ns|secs?|seconds?|mins?|minutes?|hours?|%)(?![\w])")
_HAPPENS = late(r"[A-Za-z][a-z]+(?:ed|ing)\W*")
_LETTERS = late(r"[A-Za-z]{2,}")
_VALUES = 3
"""How many different words must stand at one place to be values."""
_ROLES = frozenset({"user", "users", "client", "host", "by", "for", "from", "account", "process", "named"})
"""Words after which two different ones are enough."""
_FEWEST = 2
"""Words that must agree besides."""
_MOST_WORDS = 60
"""Words of a message up to which values are looked for place by place."""
_PASSES = 4
_LONGEST_LISTED = 1_000
"""Characters of a message that are looked at: what differs after them is a value."""

Words = tuple[str, ...]


def templates_of(messages: Sequence[str]) -> list[str]:
    """The template of each message: what many have in common, with `<*>` where they differ.

    This is for showing many messages as few lines; whether two failures are the same failure is decided more strictly.
    What looks like a value (numbers and whatever has a digit, addresses, hosts, paths, ids, what follows `=`) is one
    wherever it stands; then a word is one where at least three different ones, or a value, stand at the same place and
    all the rest agrees, such as the names of users. Words that say what happens (`started`, `stopping`) never are.
    """
    shapes = [_shape(message) for message in messages]
    merged = _merged(dict.fromkeys(shapes))
    return [" ".join(merged[shape]) for shape in shapes]


def similar(messages: Sequence[str]) -> list[str]:
    """The template of each message that has others like it, and the rest as they are."""
    templates = templates_of(messages)
    alike: dict[str, set[str]] = defaultdict(set)
    for message, template in zip(messages, templates, strict=True):
        alike[template].add(message)
    return [
        template if len(alike[template]) > 1 else message for message, template in zip(messages, templates, strict=True)
    ]


def _shape(message: str) -> Words:
    """The words of a message without what looks like a value."""
    text = _UNIT.sub(_ANY, _VALUE.sub(_ANY, message[:_LONGEST_LISTED]))
    return tuple(_RUN.sub(_ANY, text).split())


def _merged(shapes: Iterable[Words]) -> Mapping[Words, Words]:
    """For each shape the one that stands for it and those that differ from it in values only."""
    known = {shape: shape for shape in shapes}
    for _ in range(_PASSES):
        slots = _slots(set(known.values()))
        if not slots:
            break
        known = {shape: _with_slots(now, slots) for shape, now in known.items()}
    return known


def _slots(shapes: Iterable[Words]) -> set[tuple[int, Words]]:
    """The places of values: a place, and the words around it."""
    values: dict[tuple[int, Words], set[str]] = defaultdict(set)
    valued: set[tuple[int, Words]] = set()
    for shape in shapes:
        if len(shape) <= _MOST_WORDS:
            for place, word in enumerate(shape):
                if word == _ANY:
                    valued.add((place, shape))
                else:
                    values[place, (*shape[:place], _ANY, *shape[place + 1 :])].add(word)
    return {
        (place, around)
        for (place, around), words in values.items()
        if sum(_LETTERS.search(word) is not None for word in around) >= _FEWEST
        and ((place, around) in valued or _vary(place, around, words))
    }


def _vary(place: int, around: Words, words: set[str]) -> bool:
    """Whether the different words at one place are values."""
    before = around[place - 1].strip(":=([").casefold() if place else ""
    if len(words) < (2 if before in _ROLES else _VALUES):
        return False
    return sum(_HAPPENS.fullmatch(word) is not None for word in words) * 2 <= len(words)


def _with_slots(shape: Words, slots: set[tuple[int, Words]]) -> Words:
    for place, word in enumerate(shape):
        if word != _ANY and len(shape) <= _MOST_WORDS:
            around = (*shape[:place], _ANY, *shape[place + 1 :])
            if (place, around) in slots:
                shape = around
    return shape
