"""Which files of a folder are one session of Kimi."""

from __future__ import annotations

from analyzer.formats.container.tree import Claim, Folder, Unit
from analyzer.text.expressions import compiled

_WIRE = "wire.jsonl"
_CONTEXT = compiled(r"context(?:_\d+)?\.jsonl")


def claim(folder: Folder) -> Claim | None:
    """The wire, without the context and its older states: what they hold is in the wire as well."""
    repeated = {name for name in folder.files if _CONTEXT.fullmatch(name)}
    if folder.named or not repeated or _WIRE not in folder.files or not folder.holds(_WIRE, b'"TurnBegin"', b'"turn.'):
        return None
    return Claim((Unit(folder.place(_WIRE)),), frozenset(repeated | {_WIRE}))
