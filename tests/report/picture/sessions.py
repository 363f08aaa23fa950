"""Invented sessions to draw, given as one letter per action."""

from __future__ import annotations

from analyzer.model.words import MAIN_LANE, Severity, Status
from analyzer.report.picture.model import LETTERS, Bracket, Cell, Group, Mark, PictureModel

KINDS = {letter: kind for kind, letter in LETTERS.items()}


def cells(
    letters: str,
    lane: str = MAIN_LANE,
    *,
    every: float | None = None,
    takes: float | None = None,
    tokens: int | None = None,
) -> list[Cell]:
    """One action per letter, as in `LETTERS`; a capital failed, and one with `?` after it isn't known. They begin
    `every` so many seconds and take `takes`."""
    made: list[Cell] = []
    for letter in letters:
        if letter == "?":
            last = made.pop()
            made.append(cell(last.step, last.shown_kind, Status.UNKNOWN, lane, last.start, last.seconds, last.tokens))
            continue
        step = len(made) + 1
        status = Status.ERROR if letter.isupper() else Status.OK
        start = every * (step - 1) if every is not None else None
        made.append(cell(step, KINDS[letter.lower()], status, lane, start, takes, tokens * step if tokens else None))
    return made


def cell(step, kind, status, lane=MAIN_LANE, start=None, seconds=None, tokens=None) -> Cell:  # type: ignore[no-untyped-def]
    return Cell(step, lane, kind, status, None, start, seconds, tokens)


def model(
    *lanes: list[Cell], brackets: tuple[Bracket, ...] = (), marks: tuple[Mark, ...] = (), groups: tuple[Group, ...] = ()
) -> PictureModel:
    """What the picture of these lanes shows."""
    return PictureModel(
        tuple(lane[0].lane for lane in lanes if lane),
        tuple(each for lane in lanes for each in lane),
        brackets,
        marks,
        groups,
    )


def bracket(
    first: int, last: int, period: int, title: str = "Edit-test loop", lane: str = MAIN_LANE, finding: int = 0
) -> Bracket:
    """An episode with rounds of `period` steps."""
    rounds = tuple((start, min(last, start + period - 1)) for start in range(first, last + 1, period))
    return Bracket(
        lane,
        first,
        last,
        rounds,
        f"{title}: {len(rounds)} rounds with the same result (steps {first}-{last})",
        Severity.HIGH,
        finding,
    )
