"""What stands around the rows of the chart: brackets over episodes, with their rounds; flags at the steps that the
reader should know; the small marks of user turns and compactions; and of failures that came back one sign per failing
step, the same sign for the same failure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from markupsafe import Markup

from analyzer.report.picture.line import BOLD_WIDTH, ChartLine, Levels, Style, text_width
from analyzer.report.picture.model import MOST_GROUPS, Bracket, Cell, Group, Mark, numbers_of, of_lane
from analyzer.report.picture.svg import box, element, label, number, outline, path
from analyzer.text.english import times
from analyzer.text.late import late

BRACKET_LEVEL = 23.0
"""The height of one bracket with its label."""
MOST_LEVELS = 4
_NARROWEST = 4.0
_CROWD = 3
_STEPS = late(r"\s*\(steps? [^()]*\)$")


def label_of(bracket: Bracket) -> str:
    """A finding's title without its steps, which the picture shows."""
    return _STEPS.sub("", bracket.title)


def anchor(lanes: Sequence[str], lane: str, step: int, prefix: str) -> str:
    """The place of a step in the page: `#step-17`, in another lane than the main one `#lane-2-step-17`."""
    return f"#{prefix}{of_lane(numbers_of(lanes).get(lane))}step-{step}"


def draw_brackets(
    line: ChartLine, brackets: Sequence[Bracket], width: float, top: float, prefix: str
) -> tuple[float, list[Markup]]:
    """The brackets of one line, from `top` down, in a picture of that width: their height and themselves. What overlaps
    is stacked; what would be one too many on top of each other is left to the shading and the list of findings."""
    placed: list[tuple[int, Bracket, float, float, float, str]] = []
    here = [
        (bracket, span)
        for bracket in brackets
        if bracket.lane == line.lane and (span := line.span(bracket.first, bracket.last)) is not None
    ]
    crowd = len(here) > _CROWD
    levels, most = Levels(), 2 if crowd else MOST_LEVELS
    # In a crowd the longest come first, since not all may find a place.
    for bracket, (x0, x1) in sorted(
        here, key=lambda each: (each[1][0] - each[1][1] if crowd else 0, each[0].first, -each[0].last)
    ):
        for level, words in (
            (at, text)
            for at in range(most)
            for text in _labels(bracket, at == most - 1, x1 - x0, len(here), bracket.first < line.first, width)
        ):
            wide = text_width(words, bold=True)
            start = max(2.0, min(x0 + 3, width - wide - 2))
            if levels.take(level, min(x0, start) - 4, max(x1, start + wide) + 4):
                placed.append((level, bracket, x0, x1, start, words))
                break
    height = BRACKET_LEVEL * len(levels)
    return height, [_bracket(line, each, top + height, prefix) for each in placed]


def shading(line: ChartLine, brackets: Sequence[Bracket], top: float, height: float) -> list[Markup]:
    """Behind the cells: every round of an episode shaded, by turns darker and lighter."""
    parts: tuple[list[str], list[str]] = ([], [])
    for bracket in brackets:
        if bracket.lane == line.lane:
            for position, (first, last) in enumerate(_rounds(line, bracket)):
                span = line.span(first, last)
                if span is not None:
                    parts[position % 2].append(box(span[0], top, span[1] - span[0], height))
    return [path(name, "".join(part)) for name, part in zip(("round", "round odd"), parts, strict=True) if part]


def _rounds(line: ChartLine, bracket: Bracket) -> list[tuple[int, int]]:
    """The rounds to tell apart: the whole episode as one where they would be too narrow to see."""
    span = line.span(bracket.first, bracket.last)
    if span is None:
        return []
    columns = sum(bracket.first <= column.first <= bracket.last for column in line.columns)
    rounds = [(first, last) for first, last in bracket.rounds if last >= line.first and first <= line.last]
    return (
        rounds
        if span[1] - span[0] >= _NARROWEST * len(rounds) and columns >= len(rounds)
        else [(bracket.first, bracket.last)]
    )


def _labels(bracket: Bracket, last: bool, room: float, neighbours: int, continued: bool, width: float) -> list[str]:
    """What can be written over a bracket in a picture of that width, the longest first; where there are many, what it
    has room for."""
    rounds = len(bracket.rounds)
    long = label_of(bracket)
    most = min(60, int((width - 4) / BOLD_WIDTH))
    shown = long if len(long) <= most else f"{long[: most - 1].rstrip()}…"
    short = [f"{rounds} rounds", f"{rounds}×", *([""] if last else [])]
    if continued:
        return [f"… {short[0]}", *short[1:]]
    return [shown, *short] if not last and (neighbours <= 2 or text_width(shown) < 1.5 * room) else short


def _bracket(
    line: ChartLine, placed: tuple[int, Bracket, float, float, float, str], bottom: float, prefix: str
) -> Markup:
    level, bracket, x0, x1, start, words = placed
    y = bottom - BRACKET_LEVEL * level - 5
    begins, ends = bracket.first >= line.first, bracket.last <= line.last
    outline = f"M{number(x0 + 1)} {number(y + 4)}V{number(y)}" if begins else f"M{number(x0)} {number(y)}"
    outline += f"H{number(x1 - 1)}V{number(y + 4)}" if ends else f"H{number(x1)}"
    ticks = "".join(
        f"M{number(span[1])} {number(y - 2)}v4"
        for _, last in _rounds(line, bracket)[:-1]
        if line.first <= last <= line.last and (span := line.span(last, last))
    )
    text = label(words, start, y - 4) if words else Markup()
    hit = path("hit", box(x0, y - 4, x1 - x0, 8))
    return element(
        "a",
        element("title", bracket.title),
        hit,
        path("line", outline + ticks),
        text,
        href=f"#{prefix}finding-{bracket.finding + 1}",
        class_=f"bracket {bracket.severity}",
    )


FLAG_LEVEL = 20.0
"""The height of one flag."""
SMALL = 12.0
"""The height of a line of small marks."""
FLAGS = {
    "first failure": ("first", "M -2.3 -2.3, l 4.6 4.6, m -4.6 0, l 4.6 -4.6"),
    "detectable": ("known", "M 0 -3.2, v 3.6, m 0 1.6, v 1.2"),
    "end": ("end", "M -1.6 -1.6, h 3.2, v 3.2, h -3.2, z"),
}
"""The class and the sign of each flag: a cross, an exclamation mark, a filled square."""
_USER, _FOLD = "M 0 -4, l 3.5 7, h -7, z", "M -4 -4, l 4 4, l -4 4, z, M 4 -4, l -4 4, l 4 4, z"
"""The small marks of a user's turn, a triangle that points up, and of a compaction, two triangles, point to point."""


def word_of(mark: Mark) -> str:
    """What the flag says: its word, at the end with how it ended."""
    _, bracket, rest = mark.title.partition("(")
    return f"{mark.word}: {rest.removesuffix(')')}" if mark.word == "end" and bracket else mark.word


def draw_flags(
    line: ChartLine, marks: Sequence[Mark], style: Style, top: float, lanes: Sequence[str], prefix: str
) -> tuple[float, list[Markup], list[Markup]]:
    """The flags of one line: their height, themselves, and their poles, each from its flag down to its cell."""
    levels = Levels()
    placed = []
    here = [(x, mark) for mark in marks if mark.lane == line.lane and (x := line.middle(mark.step)) is not None]
    # From right to left, so that no pole goes through the words of a flag to its right.
    for x, mark in sorted(here, key=lambda each: -each[0]):
        width = 10 + text_width(word_of(mark))
        left = x + width > style.width - 2
        low, high = (x - width, x + 7) if left else (x - 7, x + width)
        placed.append((levels.put(low, high), mark, x, left))
    height = FLAG_LEVEL * len(levels) + (2 if placed else 0)
    made, poles = [], []
    for level, mark, x, left in reversed(placed):
        y = top + height - FLAG_LEVEL * (level + 0.5) - 2
        foot = top + height + style.row * (line.row(mark.step) + 0.5)
        name, sign = FLAGS[mark.word]
        poles.append(path(f"pole {name}", f"M{number(x)} {number(y + 5.5)}V{number(foot)}"))
        text = label(word_of(mark), x - 9 if left else x + 9, y + 3.8, anchor="end" if left else None)
        target = anchor(lanes, mark.lane, mark.step, prefix)
        ring = element("circle", cx=x, cy=y, r=5.5)
        shown = (element("title", mark.title), ring, path(None, outline(sign, x, y)), text)
        made.append(element("a", *shown, href=target, class_=f"mark {name}"))
    return height, made, poles


def side_name(text: str, gutter: float, y: float) -> Markup:
    """What a line of marks is called, at the left."""
    return element("text", text, class_="name little", x=gutter - 6, y=y, aria_hidden="true")


def draw_small(gutter: float, line: ChartLine, top: float) -> tuple[float, list[Markup]]:
    """Under the rows: a line where the user spoke, and one where the context was compacted."""
    users = [column.x0 for column in line.columns if any(cell.after_user for cell in column.cells)]
    folds = [column.x0 for column in line.columns if any(cell.compacted_before for cell in column.cells)]
    y, made = top, list[Markup]()
    for name, word, sign, places in (("user", "user", _USER, users), ("fold", "compact", _FOLD, folds)):
        if places:
            made += [
                path(name, "".join(outline(sign, x, y + 5) for x in _apart(places, 2))),
                side_name(word, gutter, y + 9),
            ]
            y += SMALL
    return y - top, made


SIGN_LEVEL = 13.0
"""The height of one line of signs."""
_MOST_SIGN_LEVELS = 3


def group_sign(kind: int, x: float, y: float, r: float) -> str:
    """The sign of the group with that number, around a point, as a path."""
    if kind >= MOST_GROUPS:
        return _circle(x, y, r) + _circle(x, y, r - 1.4)
    return outline(_SIGNS[kind - 1], x, y, r) if kind else _circle(x, y, r)


def group_class(kind: int) -> str:
    """The class of a group's signs; those beyond the first eight share one."""
    return f"g{kind}" if kind < MOST_GROUPS else "gx"


def draw_groups(
    cells: Sequence[Cell], groups: Sequence[Group], gutter: float, line: ChartLine, top: float
) -> tuple[float, list[Markup]]:
    """The signs of one line: their height and themselves, each group's joined by a thin line, the groups' names at the
    left. `cells` are all cells of the lane, so that a line runs on where the group was or comes in another line of the
    chart."""
    pitch = min((column.x1 - column.x0 for column in line.columns), default=8.0)
    radius = min(3.8, max(2.6, pitch / 2))
    steps: dict[int, list[int]] = defaultdict(list)
    for cell in cells:
        if cell.group is not None:
            steps[cell.group].append(cell.step)
    levels = Levels()
    names = {each.number: each for each in groups}
    made, beside = [], defaultdict[float, list[str]](list)
    for kind in sorted(steps, key=lambda each: (min(each, MOST_GROUPS), each)):
        points = sorted({middle for step in steps[kind] if (middle := line.middle(step)) is not None})
        if not points:
            continue
        start = line.left if steps[kind][0] < line.first else points[0]
        end = line.right if steps[kind][-1] > line.last else points[-1]
        y = top + SIGN_LEVEL * (levels.put(start - radius, end + radius, _MOST_SIGN_LEVELS) + 0.5)
        joined = [path("join", f"M{number(start)} {number(y)}H{number(end)}")] if end > start else []
        shapes = path(None, "".join(group_sign(kind, x, y, radius) for x in _apart(points, radius)))
        name = names.get(kind)
        title = [element("title", f"{name.name}: the same failure {times(name.count)}")] if name else []
        made.append(element("g", *title, *joined, shapes, class_=group_class(kind)))
        beside[y] += [name.name] if name else []
    for y, written in beside.items():
        made.append(side_name(" ".join(written[:2]) + ("…" if len(written) > 2 else ""), gutter, y + 4))
    return SIGN_LEVEL * len(levels) + (3 if made else 0), made


def _apart(points: Sequence[float], radius: float) -> list[float]:
    """The points without those that coincide with the one before."""
    kept: list[float] = []
    for x in points:
        if not kept or x - kept[-1] >= 1.4 * radius:
            kept.append(x)
    return kept


def _circle(x: float, y: float, r: float) -> str:
    return (
        f"M{number(x - r)} {number(y)}a{number(r)} {number(r)} 0 1 0 {number(2 * r)} 0a{number(r)} {number(r)} 0 1 0 "
        f"-{number(2 * r)} 0z"
    )


_SIGNS = (
    "M -0.875 -0.875, h 1.75, v 1.75, h -1.75, z",
    "M 0 -1.15, l 1.15 2.1, h -2.3, z",
    "M 0 -1.3, l 1.3 1.3, l -1.3 1.3, l -1.3 -1.3, z",
    "M -0.4 -1.15, h 0.8, v 0.75, h 0.75, v 0.8, h -0.75, v 0.75, h -0.8, v -0.75, h -0.75, v -0.8, h 0.75, z",
    "M 0 1.15, l 1.15 -2.1, h -2.3, z",
    "M -1 -1.1, h 2, l -2 2.2, h 2, z",
    "M -0.45 -1.2, h 0.9, v 2.4, h -0.9, z",
)
"""The signs of the second to the eighth group, from a square to a bar; that of the first is a disc."""
