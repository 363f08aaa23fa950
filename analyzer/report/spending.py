"""Where the actions, the time, the tokens and the money of a session went, as sentences and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from analyzer.model.spending import LaneStep, PhaseSpent, Spending, Spent, ToolSpent, Waste, WasteKind
from analyzer.model.struct import Struct
from analyzer.report import figures
from analyzer.report.safe import clip
from analyzer.text.english import dollars, duration, listed, number, one_or_many, plural

_FEW = 5
"""Actions from which on tools and phases are worth a table of their own."""
_MOST_TOOLS = 12
_NAME = 60
_INSTANT = 0.05
WASTE = {
    WasteKind.LOOP: "rounds of a loop after it was detectable",
    WasteKind.RETRY: "failing calls, made again on the same state",
    WasteKind.REREAD: "reads and searches, made again on the same state, and queries with the same answer",
    WasteKind.DISCARDED: "edits to files that are in the end as they were at first",
    WasteKind.WAITING: "waits",
    WasteKind.OVERSIZED: "more than 30 000 characters",
}
"""What people call each reason."""
WASTED = "What was repeated, discarded or waiting"
Row = TypeVar("Row", bound=Spent)
Entry = TypeVar("Entry")
_NOTHING = frozenset({"", "-"})


class Cell(Struct, frozen=True):
    """One cell: a text, and the steps of the main lane that it names."""

    text: str = ""
    steps: tuple[int, ...] = ()


class Table(Struct, frozen=True):
    """One table: its title, its columns, each with whether it holds numbers, its rows, and how many rows more there
    are."""

    title: str
    columns: Sequence[tuple[str, bool]]
    rows: Sequence[Sequence[Cell]]
    more: int = 0


Column = tuple[str, bool, Callable[[Entry], Cell | str]]
"""Its name, whether it holds numbers, and its cell of a row. A column that says nothing of any row is left out."""


def table(title: str, columns: Sequence[Column[Entry]], rows: Sequence[Entry], more: int = 0) -> Table:
    """The table of some rows, with the columns that say something of at least one of them."""
    cells = [
        (name, is_number, [Cell(cell) if isinstance(cell := of(row), str) else cell for row in rows])
        for name, is_number, of in columns
    ]
    shown = [each for each in cells if any(cell.steps or cell.text not in _NOTHING for cell in each[2])]
    return Table(
        title,
        [(name, is_number) for name, is_number, _ in shown],
        list(zip(*(column for _, _, column in shown), strict=True)),
        more,
    )


class SpendingView(Struct, frozen=True):
    """The section: its title, what it comes down to, a few sentences, and the tables."""

    title: str
    short: str
    sentences: Sequence[str]
    tables: Sequence[Table]


def view_of(spending: Spending | None) -> SpendingView | None:
    """What the page says; None where there's nothing worth saying."""
    if spending is None or (spending.usd is None and not spending.waste and spending.all.actions < _FEW):
        return None
    parts = [price_of(spending)] if spending.usd is not None else []
    if spending.wasted is not None:
        of = plural(spending.all.actions, "action")
        parts.append(f"{number(spending.wasted.actions)} of {of} repeated, discarded or waiting")
    sentences = list(_sentences(spending))
    made = (
        _waste(spending, WASTED, "What", large=False),
        _waste(spending, "Large results", "Size", _CHARACTERS, large=True),
        _tools(spending),
        _phases(spending),
    )
    tables = [each for each in made if each is not None]
    title = "Cost and waste" if spending.wasted is not None else "Cost"
    return SpendingView(title, ", ".join(parts), sentences, tables) if sentences or tables else None


def price_of(spending: Spending) -> str:
    """`$0.58`, `at least $0.58 at list prices`; empty where it isn't known."""
    if spending.usd is None:
        return ""
    amount = dollars(spending.usd, spending.bound)
    return f"{amount} at list prices" if spending.basis == "list prices" else amount


def _sentences(spending: Spending) -> Iterator[str]:
    if spending.basis == "list prices" and spending.usd is not None:
        why = {
            "at least": " The recorded output is less than what the agent wrote.",
            "at most": " The log doesn't say what came from a cache.",
        }.get(spending.bound or "", "")
        worked_out = f"Worked out from its tokens at the list prices of {spending.prices_as_of}"
        yield f"{worked_out}; the log records no cost in money, or zero.{why}"
    if spending.unpriced:
        names = listed([clip(name, _NAME) for name in spending.unpriced[:4]])
        yield f"No price is known for {names}; --prices names a file with prices."
    if spending.sub_agents:
        used = number(sum(row.tokens for row in spending.sub_agents))
        steps = [str(row.step) for row in spending.sub_agents]
        where = f"{one_or_many(len(steps), 'step')} {listed(steps)}"
        yield f"Sub-agents used {used} tokens by their own count ({where}); no other figure includes them."
    wasted, answers = spending.wasted, spending.answers
    if wasted is not None:
        parts = (
            ("actions", wasted.actions, spending.all.actions),
            ("time in tools", wasted.seconds, spending.all.seconds),
            ("tokens", wasted.tokens, _whole(spending.all.tokens, answers.tokens if answers else None)),
            ("cost", wasted.usd, _whole(spending.all.usd, answers.usd if answers else None)),
        )
        known = [(what, part / whole) for what, part, whole in parts if part is not None and whole]
        shares = [f"{figures.percent(share)} of the {what}" for what, share in known]
        if shares:
            yield f"What was repeated, discarded or waiting took {listed(shares)}."


def _whole(actions: float | None, answers: float | None) -> float | None:
    return None if actions is None else actions + (answers or 0)


_WASTED_AT: Column[Waste] = (
    "Steps",
    False,
    lambda row: Cell(f"{row.others} of sub-agents" if row.others else "", tuple(row.steps)),
)
_CHARACTERS: Column[Waste] = ("Characters", True, lambda row: number(row.characters) if row.characters else "")


def _waste(spending: Spending, title: str, head: str, *more: Column[Waste], large: bool) -> Table | None:
    """What was spent for nothing; apart from it the results that are large, which says nothing of whether they were
    needed."""
    rows = [row for row in spending.waste if (row.kind is WasteKind.OVERSIZED) is large]
    reason: Column[Waste] = (head, False, lambda row: WASTE[row.kind])
    return _table(spending, title, reason, rows, [*more, _WASTED_AT]) if rows else None


def _tools(spending: Spending) -> Table | None:
    if spending.all.actions < _FEW or not spending.tools:
        return None
    rows = spending.tools[:_MOST_TOOLS]
    more = max(0, len(spending.tools) - _MOST_TOOLS)
    answers, name = _answers(spending)
    if answers is not None:
        rows.append(ToolSpent(tool=name, actions=0, failed=0, tokens=answers.tokens, usd=answers.usd))
    last: list[Column[ToolSpent]] = [
        ("Failed", True, lambda row: number(row.failed) if row.failed else ""),
        (
            "Slowest",
            False,
            lambda row: (
                _at(duration(row.slowest_seconds), row.slowest, row.slowest_elsewhere)
                if row.slowest_seconds is not None and row.slowest_seconds >= 1
                else Cell()
            ),
        ),
        ("Largest result", False, _largest),
    ]
    return _table(spending, "By tool", ("Tool", False, lambda row: clip(row.tool, _NAME)), rows, last, more)


def _answers(spending: Spending) -> tuple[Spent | None, str]:
    """What the answers without a call took, and what they are called; None where that isn't known or nothing."""
    answers = spending.answers
    if answers is None or not (answers.tokens or answers.usd):
        return None, ""
    return answers, f"({plural(answers.actions, 'answer')} without a call)"


def _largest(row: ToolSpent) -> Cell:
    size = row.largest_characters
    return _at(f"{number(size)} characters", row.largest, row.largest_elsewhere) if size is not None else Cell()


def _at(amount: str, step: int | None, elsewhere: LaneStep | None) -> Cell:
    if elsewhere is not None:
        return Cell(f"{amount} (step {elsewhere.step} of {elsewhere.lane})")
    return Cell(amount, (step,)) if step is not None else Cell()


def _phases(spending: Spending) -> Table | None:
    if spending.all.actions < _FEW or len(spending.phases) < 2:
        return None
    rows: list[Spent] = [*spending.phases]
    answers, name = _answers(spending)
    if answers is not None and sum(phase.actions for phase in spending.phases) == spending.all.actions:
        # Without sub-agents all answers are the main lane's, and the phases with them are the whole.
        rows.append(Spent(actions=0, tokens=answers.tokens, usd=answers.usd))
    phase: Column[Spent] = ("Phase", False, lambda row: row.phase if isinstance(row, PhaseSpent) else name)
    steps: Column[Spent] = (
        "Steps",
        False,
        lambda row: (
            Cell("", tuple(range(row.first_step, row.last_step + 1))) if isinstance(row, PhaseSpent) else Cell()
        ),
    )
    return _table(spending, "By phase of the main lane", phase, rows, [steps])


def _cost(usd: float, spending: Spending) -> str:
    return dollars(usd, spending.bound) if spending.bound else figures.amount(usd, "usd")


def _table(
    spending: Spending, title: str, head: Column[Row], rows: Sequence[Row], last: Sequence[Column[Row]], more: int = 0
) -> Table:
    """The table of what some rows took."""
    bound = f"{spending.tokens_bound} " if spending.tokens_bound else ""
    columns: list[Column[Row]] = [
        head,
        ("Actions", True, lambda row: number(row.actions) if row.actions else ""),
        ("In tools", True, lambda row: duration(row.seconds) if row.seconds and row.seconds >= _INSTANT else ""),
        ("Tokens", True, lambda row: f"{bound}{number(row.tokens)}" if row.tokens else ""),
        ("Cost", True, lambda row: _cost(row.usd, spending) if row.usd else ""),
        *last,
    ]
    return table(title, columns, rows, more)
