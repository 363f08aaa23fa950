"""English words that depend on a number or on how many there are, times and counts for people, lists, and the nearest
word to one that was meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzer.model.finding import Cost
    from analyzer.model.postmortem import Deliverable


def plural(count: int, noun: str, many: str = "", *, number: Callable[[int], str] = str) -> str:
    """`1 session`, `2 sessions`; `many` is the plural of a noun that doesn't end in `s` there, and `number` writes the
    count."""
    return f"{number(count)} {one_or_many(count, noun, many)}"


def one_or_many(count: int, noun: str, many: str = "") -> str:
    """The noun alone, in front of a list of so many: `step`, `steps`."""
    return noun if count == 1 else many or f"{noun}s"


def listed(words: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def capital(text: str) -> str:
    """`text` with a capital letter in front, unless it begins with code."""
    return text[:1].upper() + text[1:]


def times(count: int) -> str:
    """`never`, `once`, `twice`, `6 times`."""
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


MEANT = "Did you mean"


def nearest(word: str, known: Iterable[str], least: float = 0.6) -> str | None:
    """The known word that `word` was probably meant to be, or None: the most alike from `least` on (0 to 1). Case, and
    whether words are joined by hyphens or underscores, make no difference."""
    import difflib

    folded = {entry.casefold().replace("_", "-"): entry for entry in known}
    found = difflib.get_close_matches(word.casefold().replace("_", "-"), folded, n=1, cutoff=least)
    return folded[found[0]] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A sentence with the nearest known word; without a near one, a sentence that lists them all."""
    entries = list(known)
    if not entries:
        return "There are none."
    near = nearest(word, entries)
    return f"{MEANT} {near!r}?" if near else f"Known are: {', '.join(entries)}."


def file_changes(left: Deliverable, files: Sequence[str], shown: Callable[[str], str], most: int) -> str:
    """At most so many of some files with what was done to them, and how many more there are of which that is true:
    "Changed `a`, and created `b` and 2 more."."""
    created = [path for path in files if path in left.created]
    written = [path for path in files if path in left.written]
    deleted = [path for path in files if path in left.deleted]
    changed = [path for path in files if path not in (*created, *written, *deleted)]
    clauses = []
    for verb, paths in (("changed", changed), ("created", created), ("wrote", written), ("deleted", deleted)):
        kept, most = paths[:most], max(0, most - len(paths))
        rest = len(paths) - len(kept)
        if paths:
            more = [f"{rest} more" if kept else plural(rest, "file")] if rest else []
            clauses.append(f"{verb} {listed([*map(shown, kept), *more])}")
    text = ", ".join(clauses[:-1]) + (", and " if len(clauses) > 1 else "") + "".join(clauses[-1:])
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def duration(seconds: float) -> str:
    """Seconds for people: `4.2 s`, `4 min 45 s`, `2 h 05 min`."""
    if round(seconds) < 60:
        return f"{seconds:.0f} s" if round(seconds, 1) >= 10 or seconds == int(seconds) else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes:02d} min"
    return f"{hours // 24} days {hours % 24} h"


def number(value: float) -> str:
    """A number with thin groups of three: `12 345 678`."""
    return f"{value:,}".replace(",", " ")


def dollars(usd: float, bound: str | None = None) -> str:
    """An amount of USD: `$0.58`, `at least $0.58`, `less than $0.01`. A bound of a small amount keeps its digits, since
    `at least less than` says nothing."""
    if not 0 < usd < 0.005:
        amount = f"${usd:,.2f}".replace(",", " ")
        return f"{bound} {amount}" if bound else amount
    if not bound:
        return "less than $0.01"
    digits = f"{usd:.7f}" if usd < 0.0001 else f"{usd:.4f}"
    return f"{bound} ${digits.rstrip('0')}"


def amounts(cost: Cost, tokens_bound: str = "", usd_bound: str | None = None) -> list[str]:
    """The time, tokens and USD of something, as far as they're known and more than next to nothing."""
    parts = [duration(cost.seconds)] if cost.seconds is not None and cost.seconds >= 1 else []
    parts += [f"{tokens_bound} {number(cost.tokens)} tokens".lstrip()] if cost.tokens else []
    return parts + ([dollars(cost.usd, usd_bound)] if cost.usd is not None and cost.usd >= 0.005 else [])


_PAUSES = 60.0
"""Seconds of pauses from which on they're named."""


def time_taken(seconds: float, active: float | None) -> str:
    """How long a session took: `4 min 45 s`; where pauses make up most of it, `4 min 45 s of work in 36 days 4 h`."""
    if active is None or seconds - active < max(_PAUSES, active):
        return duration(seconds)
    return f"{duration(active)} of work in {duration(seconds)}"
