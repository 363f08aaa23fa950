"""A loss, as the rules find it, before it's a finding."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.model.words import Severity


@dataclass(slots=True, frozen=True)
class DestructiveEffect:
    """What a command destroys. `steps` are those that show what is lost."""

    kind: str
    severity: Severity
    what: str
    advice: str
    steps: tuple[int, ...] = ()
