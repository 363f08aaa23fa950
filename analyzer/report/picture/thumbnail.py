"""A session as a thumbnail for tables, and as a short code from which the page's script draws the same.

The code is `ACTIONS:COLUMNS` or `ACTIONS:COLUMNS|EPISODES`, such as `26:srrxexxxexssrxxeTeTeTeTeTeT|15-26`: how many
actions the main lane has; a letter of `LETTERS` for each column, the capital where an action of that column failed; and
from which to which column each episode goes, counted from 1. Up to 80 actions have a column each. More share `COLUMNS`
columns evenly; such a column has the letter of its first action that failed, else of the kind it has most of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from markupsafe import Markup

from analyzer.model.finding import Finding
from analyzer.model.postmortem import TimelineRow
from analyzer.model.words import MAIN_LANE, Category, ShownKind, Status
from analyzer.report.figures import plural
from analyzer.report.picture.model import LETTERS, ROW_OF, drawn_as
from analyzer.report.picture.svg import box, element, number, path
from analyzer.text.late import late

COLUMNS = 80
"""The most columns that a thumbnail has."""
WIDTH, HEIGHT = 160, 20
_WIDEST = 400
_KIND_OF = {letter: kind for kind, letter in LETTERS.items()}
_CODE = late(r"(?P<actions>\d+):(?P<columns>[A-Za-z]*)(?:\|(?P<episodes>\d+-\d+(?:,\d+-\d+)*))?")


def code_of(rows: Iterable[TimelineRow], findings: Iterable[Finding] = ()) -> str:
    """The code of a session with this timeline and these findings; of both, what belongs to the main lane."""
    actions = [(drawn_as(row), row.shown_as is Status.ERROR) for row in rows if row.lane == MAIN_LANE]
    loops = (finding for finding in findings if finding.category is Category.LOOP and finding.lane == MAIN_LANE)
    return code_from(actions, [(loop.first_step, loop.last_step) for loop in loops])


def code_from(actions: Sequence[tuple[ShownKind, bool]], episodes: Iterable[tuple[int, int]]) -> str:
    """The code of these actions, each with its kind and whether it failed, and of episodes with their first and last
    steps."""
    count = len(actions)
    columns = min(COLUMNS, count)
    letters = [_letter(actions[count * place // columns : count * (place + 1) // columns]) for place in range(columns)]
    inside = [episode for episode in episodes if 1 <= episode[0] <= episode[1] <= count]
    # An episode goes from column to column, counted from 1.
    where = sorted({tuple((step * columns - 1) // count + 1 for step in episode) for episode in inside})
    return f"{count}:{''.join(letters)}" + (f"|{','.join(f'{first}-{last}' for first, last in where)}" if where else "")


def svg_of(code: str) -> Markup:
    """The thumbnail that a code stands for. Raises ValueError for a text that is no code."""
    read = _CODE.fullmatch(code)
    if read is None or any(letter.lower() not in _KIND_OF for letter in read["columns"]):
        raise ValueError(f"not the code of a thumbnail: {code[:100]!r}")
    columns = read["columns"]
    episodes = [tuple(map(int, each.split("-"))) for each in (read["episodes"] or "").split(",") if each]
    paths: dict[str, list[str]] = {}
    for place, letter in enumerate(columns):
        failed = letter.isupper()
        row = ROW_OF[_KIND_OF[letter.lower()]]
        x, width = _left(place, len(columns)), _left(place + 1, len(columns)) - _left(place, len(columns))
        gap = 50 if width >= 300 else 0
        y, height = 60 + 330 * row - (150 if failed else 0), 560 if failed else 260
        d = box(x / 100, max(0, y) / 100, (width - gap) / 100, height / 100)
        paths.setdefault("f" if failed else f"k{row}", []).append(d)
    shapes = [path(name, "".join(paths[name])) for name in sorted(paths)]
    lines = (
        f"M{number(_left(first - 1, len(columns)) / 100)} 19.2H{number(_left(last, len(columns)) / 100 - 0.8)}"
        for first, last in episodes
    )
    shapes += [path("episode", "".join(lines))] if episodes else []
    words, view = _words(int(read["actions"]), columns, len(episodes)), f"0 0 {WIDTH} {HEIGHT}"
    size = {"width": WIDTH, "height": HEIGHT}
    return element("svg", *shapes, class_="thumbnail", viewBox=view, **size, role="img", aria_label=words)


def _words(actions: int, columns: str, episodes: int) -> str:
    failed = sum(letter.isupper() for letter in columns)
    parts = [plural(actions, "action")]
    if failed:
        parts.append(f"{failed} failed" if len(columns) == actions else f"failures in {failed} of {len(columns)} parts")
    if episodes:
        parts.append(f"{plural(episodes, 'episode')} of repetition")
    return ", ".join(parts)


def _left(place: int, columns: int) -> int:
    """Where a column begins, in hundredths; whole numbers, so that the page's script comes to the same."""
    return min(WIDTH * 100 * place // columns, _WIDEST * place) if columns else 0


def _letter(actions: Sequence[tuple[ShownKind, bool]]) -> str:
    failed = next((kind for kind, wrong in actions if wrong), None)
    if failed is not None:
        return LETTERS[failed].upper()
    return LETTERS[Counter(kind for kind, _ in actions).most_common(1)[0][0]]
