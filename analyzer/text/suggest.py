"""Did you mean ...?"""

from __future__ import annotations

from collections.abc import Iterable

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
