"""What varies from one planted session to another: words and numbers, drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tests.build import Part

_WORDS = (
    *("harbour", "tide", "crane", "pier", "buoy", "ledger", "berth", "cargo"),
    *("rudder", "anchor", "signal", "hull", "mast", "keel", "winch", "sluice"),
)


@dataclass(slots=True)
class Draw:
    """What varies from one planted session to another."""

    chance: random.Random

    def word(self) -> str:
        """A word of the trade with a letter or two of its own."""
        return self.chance.choice(_WORDS) + "".join(self.chance.choices("abcdefgh", k=2))

    def words(self, count: int) -> list[str]:
        """So many different words."""
        found: dict[str, None] = {}
        while len(found) < count:
            found[self.word()] = None
        return list(found)

    def rounds(self, least: int = 5) -> int:
        """How often something comes back."""
        return self.chance.randint(least, least + 4)


Story = Callable[[Draw], Iterable[Part]]
