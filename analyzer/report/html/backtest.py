"""A backtest as one HTML page: what the Markdown page says, with the policies in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from markupsafe import Markup, escape

from analyzer.model.backtest import Backtest, PolicyScore
from analyzer.report.backtest import context_of
from analyzer.report.backtest_words import at_home
from analyzer.report.html.page import page
from analyzer.report.html.prose import with_code
from analyzer.report.picture.chart import NARROW, Bar, pair_chart, responsive
from analyzer.report.picture.policies import SHAPES, crowded, plane
from analyzer.report.picture.scale import scale_of
from analyzer.report.picture.svg import element, mark
from analyzer.report.safe import clip, visible
from analyzer.text.english import number

_BARS = 12
"""How many policies have bars of what they save and lose; the table has all."""
_NAME = 48
"""How many letters of a policy's name are written beside its mark in a wide picture."""


def render(result: Backtest) -> str:
    """The result as a page that needs nothing else, ending in a newline."""
    context = context_of(result)
    own: list[PolicyScore] = context["own"]
    picks: list[tuple[list[str], PolicyScore]] = context["picks"]
    stopping = [score for score in own if score.stopped]
    addresses = {score.policy: f"#policy-{place}" for place, score in enumerate(own, 1)}
    numbers = {score.policy: place for place, (_, score) in enumerate(picks, 1)}

    def draw(corner: float | None, width: int) -> Markup:
        names = {policy: f"{place} {clip(policy, _NAME)}" for policy, place in numbers.items()}
        labels = {policy: str(place) for policy, place in numbers.items()} if width <= NARROW else names
        apart = at_home(result)
        return plane(stopping, result.policies, labels, addresses, apart=apart, width=width, corner=corner)

    corner = crowded(stopping)
    kinds = [kind for kind in SHAPES if any(score.kind == kind for score in stopping)]
    context |= {
        "sentence": sentence,
        "addresses": addresses,
        "numbers": numbers,
        "picture": responsive(partial(draw, None)) if stopping else None,
        "zoom": responsive(partial(draw, corner)) if corner is not None else None,
        "families": [(key(kind), SHAPES[kind][1]) for kind in kinds],
        "keys": {kind: key(kind) for kind in SHAPES},
        "bars": _bars(picks),
    }
    return page("Backtest of guard policies", "backtest.html.j2", context, parts=("chart", "sortable", "backtest"))


def sentence(text: str) -> Markup:
    """One of our sentences: backticks make code, two stars stress; everything else shows as it is."""
    return with_code(visible(text), _stressed)


def _stressed(text: str) -> Markup:
    strong = Markup("<strong>{}</strong>")
    parts = (strong.format(part) if number % 2 else escape(part) for number, part in enumerate(text.split("**")))
    return Markup().join(parts)


def key(kind: str) -> Markup:
    """The mark of a family of policies by itself."""
    shape, family = next(entry for name, entry in SHAPES.items() if name == kind)
    return element(
        "svg",
        element("title", family),
        element("g", mark(shape, 7, 7, 4.5), class_="guard" if kind == "guard" else "best"),
        viewBox="0 0 14 14",
        width=14,
        height=14,
        role="img",
        class_="chart key",
    )


def _bars(picks: Sequence[tuple[list[str], PolicyScore]]) -> Markup | None:
    """What the picked policies save and lose, in actions."""
    scores = [score for _, score in picks][:_BARS]
    if not scores:
        return None
    pairs = [(score.policy, _bar("saved", score.saved.actions), _bar("lost", score.lost.actions)) for score in scores]
    scale = scale_of([bar.value for _, *bars in pairs for bar in bars], "count")
    description = " ".join(f"{clip(name, 80)}: {saved.shown} saved, {lost.shown} lost." for name, saved, lost in pairs)
    return responsive(
        lambda width: pair_chart(
            pairs, scale, width=width, title="Actions saved and lost", description=description, axis="actions"
        )
    )


def _bar(name: str, actions: int) -> Bar:
    return Bar(name, actions, number(actions))
