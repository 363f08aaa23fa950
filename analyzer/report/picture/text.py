"""The picture of a session in monospaced text, for Markdown and terminals.

The main lane is a swimlane chart: a column per action, a row per sort of action, so that an edit-test loop is a zigzag;
it wraps into blocks. A letter is an action, a capital letter one that failed, a digit a failure
that came back. Sub-agents have lines of letters alone.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from analyzer.model.struct import replace
from analyzer.model.words import MAIN_LANE, ShownKind, lane_label
from analyzer.report.picture.model import LETTERS, MOST_GROUPS, Cell, Group, PictureModel
from analyzer.report.picture.text_blocks import Line, Piece, blocks, lines_of, piece, plain, sign
from analyzer.report.safe import clip
from analyzer.text.english import plural
from analyzer.text.english import times as counted

BLOCKS = 2
"""How many blocks the main lane has at most; a longer session has several actions per column."""
MOST_TOLD = 3
"""How many failures that came back the legend words."""
FEW = 4
"""Up to so many actions are no picture."""
_NARROWEST = 20


def picture_text(model: PictureModel, width: int = 80, unicode: bool = True, blocks: int = BLOCKS) -> str:
    """The picture as lines of at most `width` columns (at least 20), without a newline at the end; nothing of a session
    without actions.

    Without `unicode` every character is ASCII. The main lane takes at most `blocks` blocks.
    """
    return "\n".join(plain(line) for line in picture_lines(model, width, unicode, blocks))


def picture_lines(model: PictureModel, width: int = 80, unicode: bool = True, most_blocks: int = BLOCKS) -> list[Line]:
    """The same with the role of each piece."""
    width = max(width, _NARROWEST)
    lines = list(_drawn(model, width, unicode, most_blocks))
    if lines and not lines[0]:
        # Where the main lane did nothing, there's nothing for an empty line to part.
        lines = lines[1:]
    return lines if unicode else [_ascii(line) for line in lines]


def is_worth_drawing(model: PictureModel) -> bool:
    """Whether the picture of a session shows something that its list of actions doesn't: it has more than a handful,
    not all of one sort."""
    return len(model.cells) > FEW and (bool(model.brackets) or len({sign(cell) for cell in model.cells}) > 1)


def _drawn(model: PictureModel, width: int, unicode: bool, most_blocks: int) -> Iterator[Line]:
    main = model.lane(MAIN_LANE)
    per_column = undrawn = 0
    if main:
        episodes = [bracket for bracket in model.brackets if bracket.lane == MAIN_LANE]
        chart = lines_of(main, width, most_blocks, episodes)
        per_column = len(chart[0].columns[0].cells)
        lines, undrawn = blocks(model, chart, unicode)
        yield from lines
    shown = model.sub_agents
    yield ()
    for lane in shown:
        yield from _sub_agent(lane, model.lane(lane), width)
    if shown:
        yield ()
    yield from _legend(model, [MAIN_LANE, *shown], per_column, width)
    if model.left_out:
        yield from _words([model.left_out], width)
    if undrawn:
        yield from _words([f"{plural(undrawn, 'more episode')} not drawn"], width)


def _sub_agent(lane: str, cells: Sequence[Cell], width: int) -> Iterator[Line]:
    """The actions of a sub-agent behind its name, in as many lines as they take."""
    head = clip(f"{lane_label(clip(lane, 40))} ({len(cells)}):", width - _NARROWEST // 2) + " "
    room = width - len(head)
    for start in range(0, len(cells), room):
        name = head if not start else " " * len(head)
        yield Piece(name, "label"), *map(piece, cells[start : start + room])


_NAMED = frozenset({ShownKind.EDIT, ShownKind.TEST, ShownKind.RUN})
"""The kinds after which the rows are called that hold them."""


def _legend(model: PictureModel, lanes: Sequence[str], per_column: int, width: int) -> Iterator[Line]:
    """What the signs mean, of those that occur and that the names of the rows don't explain."""
    cells = [cell for cell in model.cells if cell.lane in lanes]
    signs = {sign(cell) for cell in cells}
    used = (kind for kind, letter in LETTERS.items() if {letter, letter.upper()} & signs)
    items = [f"{LETTERS[kind]} {kind}" for kind in used if kind not in _NAMED]
    items += ["capital: failed"] if any(character.isupper() for character in signs) else []
    items += ["digit: came back"] if any(character.isdigit() for character in signs) else []
    items += [words for words in ("- never ran, or stopped", "? no recorded result") if words[0] in signs]
    items += ["c context compacted"] if any(cell.compacted_before for cell in cells) else []
    items += [f"each column stands for {per_column} actions"] if per_column > 1 else []
    yield from _words(items, width)
    yield from _groups([group for group in model.groups if group.lane in lanes], cells, width)


def _groups(groups: Sequence[Group], cells: Sequence[Cell], width: int) -> Iterator[Line]:
    there = {cell.group for cell in cells}
    groups = [group for group in groups if group.number in there]
    for group in groups[:MOST_TOLD]:
        head = f"{min(group.number, MOST_GROUPS) + 1} "
        times = f" ({group.name}, {counted(group.count)})"
        words = clip(group.template, max(8, width - len(head) - len(times)))
        described = words + times if len(head + words + times) <= width else words
        yield Piece(head.rstrip(), f"group:{group.number}"), Piece(f" {described}", "text")
    rest = sorted({min(group.number, MOST_GROUPS) + 1 for group in groups[MOST_TOLD:]})
    if rest:
        several = len(groups) > MOST_TOLD + 1
        words = "other failures that came back" if several else "another failure that came back"
        yield from _words([f"{rest[0]}-{rest[-1]} {words}" if len(rest) > 1 else f"{rest[0]} {words}"], width)


def _words(items: Sequence[str], width: int) -> Iterator[Line]:
    """Words, wrapped between the items where that's possible."""
    lines: list[str] = []
    for item in items:
        if lines and len(lines[-1]) + len(item) + 3 <= width:
            lines[-1] += f" · {item}"
        else:
            lines += textwrap.wrap(item, width) or [""]
    yield from ((Piece(line, "text"),) for line in lines)


def _ascii(line: Line) -> Line:
    plain = (piece.text.replace(" · ", ", ").replace("…", "~") for piece in line)
    return tuple(
        replace(piece, text=text.encode("ascii", "replace").decode()) for piece, text in zip(line, plain, strict=True)
    )
