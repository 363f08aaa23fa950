"""Hide what moves by itself, so that the same failure looks the same.

Masks go by shape, never by "any digit": `3 failed` -> `1 failed` is progress, `in 0.12s` -> `in 0.13s` is noise. The
table is applied in one pass of one combined expression, earlier rows winning over later ones; a mask that a row names
must be the whole of what varies (the label before a number stays, so that templates read well).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import blake2b

from analyzer.model.errors import BadConfiguration
from analyzer.model.struct import Struct
from analyzer.text.late import joined, late, table_beside

MASKS_VERSION = 3
"""Goes up whenever the table changes what two texts compare as."""


class Mask(Struct, frozen=True):
    """A shape that varies: its name (a regular expression group), the label people know it by, and the expression."""

    name: str
    label: str
    pattern: str


_TABLE = table_beside(__file__)
MASKS = tuple(Mask(row["name"], row["label"], joined(row["pattern"], _TABLE["parts"])[0]) for row in _TABLE["mask"])
"""The table (`rows.toml`)."""

_MAY_START = r"(?=[\d/a-fA-F])(?<!\w)(?:(?=\d|[a-fA-F][0-9a-fA-F]{6})|(?<![.~/-])(?=/))"
"""Whatever a row of the table masks starts where no word goes on: with a digit, with seven hexadecimal digits, or with
a slash that begins a path. Asking that first makes the rest several times as fast."""
_NAME = late(r"[a-z][a-z0-9_-]{0,30}")
_BACK_REFERENCE = late(r"(?<!\\)(?:\\\\)*\\[1-9]|\(\?P=|\(\?P<")

_OURS = late(_MAY_START + "(?:" + "|".join(f"(?P<{mask.name}>{mask.pattern})" for mask in MASKS) + ")")


class MaskTable:
    """The rows in use: the ones above and, before them, those that a user adds by name and expression.

    `version` is equal for tables that hide the same: fingerprints of another version can't be compared.
    """

    def __init__(self, added: Mapping[str, str] | None = None) -> None:
        """Raises `BadConfiguration` for a name or an expression that can't be used."""
        added = dict(added or {})
        names = [_checked(name, pattern) for name, pattern in added.items()]
        own = "".join(f"(?P<_{number}>{pattern})|" for number, pattern in enumerate(added.values()))
        self._pattern = re.compile(own + _OURS.pattern) if added else _OURS
        self._shown = {mask.name: mask.name for mask in MASKS} | {
            f"_{number}": name for number, name in enumerate(names)
        }
        self._labels = {mask.name: mask.label for mask in MASKS} | {
            f"_{number}": name.replace("_", " ").replace("-", " ") for number, name in enumerate(names)
        }
        digest = blake2b(repr(list(added.items())).encode("utf-8", "replace"), digest_size=2).hexdigest()
        self.version = f"{MASKS_VERSION}.{digest}" if added else str(MASKS_VERSION)

    def mask(self, text: str) -> str:
        """`text` with everything that varies by itself replaced by `<name>`."""
        return self._pattern.sub(lambda found: f"<{self._shown[found.lastgroup or '']}>", text)

    def values(self, text: str) -> list[tuple[str, str]]:
        """What `mask` hides, in order: the label of the shape and the text."""
        return [(self._labels[found.lastgroup or ""], found.group()) for found in self._pattern.finditer(text)]

    def varied(self, texts: list[str], limit: int = 4) -> tuple[str, ...]:
        """What differs between texts that are equal once masked, as `label first -> last`, at most `limit` entries."""
        if len(texts) < 2:
            return ()
        first, last = self.values(texts[0]), self.values(texts[-1])
        found: dict[str, None] = {}
        for (label, before), (_, after) in zip(first, last, strict=False):
            if before != after:
                found[f"{label} {before} -> {after}"] = None
        if not found:
            values = [self.values(text) for text in texts]
            for position, (label, before) in enumerate(first):
                other = next(
                    (row[position][1] for row in values if len(row) > position and row[position][1] != before), None
                )
                if other is not None:
                    found[f"{label} {before} -> {other}"] = None
        return tuple(found)[:limit]


def _checked(name: str, pattern: str) -> str:
    """The name of a user's row, if it can be used."""
    if not _NAME.fullmatch(name):
        raise BadConfiguration(f"{name!r} is no name for a mask: use small letters, digits, - and _, at most 31.")
    if any(mask.name == name for mask in MASKS):
        raise BadConfiguration(
            f"a mask called {name!r} exists already.", hint="Choose another name; added masks are asked first."
        )
    if _BACK_REFERENCE.search(pattern):
        raise BadConfiguration(
            f"mask {name!r}: named groups and references back to a group can't be used in {pattern!r}."
        )
    try:
        expression = re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        raise BadConfiguration(f"mask {name!r}: {pattern!r} is no regular expression: {error}.") from None
    if expression.search("") is not None:
        raise BadConfiguration(f"mask {name!r}: {pattern!r} matches nothing at all, too, and so would hide nothing.")
    if pattern.startswith("(?") and re.match(r"\(\?[aiLmsux]+\)", pattern):
        raise BadConfiguration(f"mask {name!r}: write flags as a group, such as (?i:...), in {pattern!r}.")
    return name


STANDARD = MaskTable()
"""The rows above alone."""


def mask(text: str) -> str:
    """`text` masked by the standard table."""
    return STANDARD.mask(text)
