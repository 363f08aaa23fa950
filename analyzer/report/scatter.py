"""Points in a square of text: shares from 0 to 100% on both axes."""

from __future__ import annotations

from collections.abc import Iterable

_WIDTH = 50
_HEIGHT = 20
SEVERAL = "*"
"""Where points with different marks fall together."""


def scatter(points: Iterable[tuple[float, float, str]], across: str, up: str) -> str:
    """A picture of points, each with its place across and up (from 0 to 1) and its mark, under the names of the
    axes."""
    places: dict[tuple[int, int], set[str]] = {}
    for x, y, mark in points:
        places.setdefault((_at(x, _WIDTH), _at(y, _HEIGHT)), set()).add(mark)
    lines = [up]
    for row in range(_HEIGHT, -1, -1):
        name = f"{100 * row // _HEIGHT:4}%" if row % 5 == 0 else ""
        marks = "".join(_sign(places.get((column, row), set())) for column in range(_WIDTH + 1))
        lines.append(f"{name:>6} |{marks}".rstrip())
    lines.append(f"{'':6} +{'-' * (_WIDTH + 1)}")
    ticks = "".join(f"{f'{100 * tick // 5}%':<{_WIDTH // 5}}" for tick in range(6))
    lines.append(f"{'':8}{ticks}".rstrip())
    lines.append(f"{'':8}{across}")
    return "\n".join(lines)


def _sign(marks: set[str]) -> str:
    return SEVERAL if len(marks) > 1 else next(iter(marks), " ")


def _at(share: float, size: int) -> int:
    return round(min(1.0, max(0.0, share)) * size)
