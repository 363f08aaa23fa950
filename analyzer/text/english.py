"""English words that depend on a number or on how many there are, lists, and the nearest word to one that was meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
