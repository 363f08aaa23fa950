"""A backtest as Markdown."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from string import ascii_letters
from typing import Any

from analyzer.model.backtest import Amount, Backtest, Example, Interval, PolicyScore
from analyzer.report import backtest_words
from analyzer.report.backtest_words import percent
from analyzer.report.environment import written
from analyzer.text.english import duration, number

_SHOWN = 25
"""How many policies behind the frontier the page lists; the JSON and the CSV have all."""
_SURE_ENOUGH = 0.9


def render(result: Backtest, *, narrow: bool = False) -> str:
    """The result as a Markdown page, ending in a newline; `narrow` leaves out columns, for terminals."""
    context = context_of(result)
    own, behind = context["own"], context["behind"]
    picture, legend = _picture(own)
    context |= {
        "narrow": narrow,
        "behind": behind[:_SHOWN],
        "left_out": max(0, len(behind) - _SHOWN),
        "money": context["money"][:_SHOWN],
        "picture": picture,
        "legend": legend,
        "several": SEVERAL if SEVERAL in picture else None,
    }
    return written("backtest", **context)


def context_of(result: Backtest) -> dict[str, Any]:
    """What the page says, whatever it's written in: values as text, and our sentences (`words`). `own` is every policy
    but those that fire as another one does."""
    own = [score for score in result.policies if score.same_as is None]
    behind = [score for score in own if not score.frontier and score.stopped]
    picks = _picks(own, at_home=result.truth == "detectors")
    examples, below = _examples([score for _, score in picks])
    return {
        "result": result,
        "words": backtest_words,
        "own": own,
        "picks": picks,
        "recommendation": backtest_words.recommendation(
            result, [pick for pick in picks if pick[1].kind != "guard" or result.truth != "detectors"]
        ),
        "frontier": [_row(score) for score in own if score.frontier],
        "behind": [_row(score) for score in behind],
        "idle": [score for score in own if not score.stopped],
        "twins": _twins(result.policies),
        "money": [
            {"policy": score.policy, "score": score, **_amounts("saved", score.saved), **_amounts("lost", score.lost)}
            for score in [*(score for score in own if score.frontier), *behind]
        ],
        "examples": examples,
        "below": below,
        "curves": _curves(result.policies),
        "percent": percent,
    }


def _with_interval(share: float | None, interval: Interval | None) -> str:
    """`97% (92-100)`. An end is `100` for 0.998, since `92->99` reads like an arrow."""
    return f"{percent(share)} ({100 * interval.low:.0f}-{100 * interval.high:.0f})" if interval else ""


def _row(score: PolicyScore) -> dict[str, object]:
    return {
        "score": score,
        "policy": score.policy,
        "stopped": score.stopped,
        "recall": _with_interval(score.recall, score.recall_interval),
        "late": score.late,
        "too_soon": score.too_soon,
        "disturbed": f"{score.disturbed} ({score.disturbed_solved})" if score.disturbed_solved else score.disturbed,
        "precision": _with_interval(score.precision, score.precision_interval),
        "plain_precision": percent(score.precision),
        "to_come": percent(score.to_come),
        "spared": percent(score.spared),
        "median": f"{score.median_action:g}" if score.median_action is not None else "",
        "net": f"{score.saved.actions - score.lost.actions:+}",
        "beaten_by": score.beaten_by or "",
    }


def _picks(scores: Sequence[PolicyScore], *, at_home: bool) -> list[tuple[list[str], PolicyScore]]:
    """For each of some aims the policy that serves it best; what one policy does best is listed together. `at_home`
    keeps our guard apart."""
    working = [score for score in scores if score.stopped]
    foreign = [score for score in working if score.kind != "guard"]
    all_fair = foreign if at_home else working
    sure = [score for score in all_fair if (score.precision or 0) >= _SURE_ENOUGH]
    plain = [score for score in foreign if score.kind == "plain"]
    published = [score for score in foreign if score.as_published]
    own = [score for score in working if score.kind == "guard"] if at_home else []
    aims: tuple[tuple[str, list[PolicyScore], Callable[[PolicyScore], tuple[float, ...]]], ...] = (
        (
            "stop as many stuck runs as possible",
            all_fair,
            lambda score: (score.recall or 0, score.precision or 0, score.spared or 0),
        ),
        ("be right nine times out of ten, and early", sure, lambda score: (score.spared or 0, score.precision or 0)),
        (
            "be right with the greatest certainty",
            all_fair,
            lambda score: (score.precision_interval.low if score.precision_interval else 0, score.spared or 0),
        ),
        ("save the most actions, minus lost ones", all_fair, _net),
        ("save the most with a rule of a few lines", plain, _net),
        ("save the most with a rule as another program ships it", published, _net),
        ("use this program's guard (judged by its own detectors, see below)", own, _net),
    )
    picks: dict[str, tuple[list[str], PolicyScore]] = {}
    for aim, choice, worth in aims:
        if choice:
            best = max(choice, key=worth)
            picks.setdefault(best.policy, ([], best))[0].append(aim)
    return list(picks.values())


def _net(score: PolicyScore) -> tuple[float, ...]:
    return score.saved.actions - score.lost.actions, score.precision or 0


def _curves(scores: Sequence[PolicyScore]) -> list[tuple[str, list[tuple[str, PolicyScore]]]]:
    """Every policy that was replayed with several settings, with those that stop something, in the order of their
    values."""
    found: dict[str, list[tuple[str, PolicyScore]]] = {}
    for score in sorted(
        scores, key=lambda entry: (entry.name, [(type(value).__name__, value) for value in entry.settings.values()])
    ):
        if score.stopped and (score.kind != "guard" or score.same_as is None):
            settings = ", ".join(f"{name}={value}" for name, value in score.settings.items()) or "as shipped"
            if len(score.settings) == 1 and score.kind != "guard":
                settings = settings.partition("=")[2]
            found.setdefault(score.name, []).append((settings, score))
    return [
        (f"{name} ({', '.join(points[0][1].settings)})" if points[0][1].kind != "guard" else name, points)
        for name, points in found.items()
        if len(points) > 1
    ]


def _examples(
    scores: Sequence[PolicyScore],
) -> tuple[list[tuple[str, list[tuple[Example, str]], list[tuple[Example, str]]]], str]:
    """Runs to look at for some policies, each with its path below the folder that all have in common."""
    folders = {posixpath.dirname(run.path) for score in scores for run in (*score.misses, *score.disturbs)}
    below = posixpath.commonpath(folders) if folders and all(folder.startswith("/") for folder in folders) else ""

    def short(runs: Sequence[Example]) -> list[tuple[Example, str]]:
        return [(run, posixpath.relpath(run.path, below) if below else run.path) for run in runs]

    return [
        (score.policy, short(score.disturbs), short(score.misses)) for score in scores if score.misses or score.disturbs
    ], below


def _twins(scores: Sequence[PolicyScore]) -> list[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for score in scores:
        if score.same_as is not None:
            found.setdefault(score.same_as, []).append(score.policy)
    return list(found.items())


def _amounts(name: str, amount: Amount) -> dict[str, str]:
    return {
        f"{name}_actions": number(amount.actions),
        f"{name}_seconds": f"{duration(amount.seconds)} in {amount.seconds_of}" if amount.seconds is not None else "",
        f"{name}_tokens": f"{number(amount.tokens)} in {amount.tokens_of}" if amount.tokens is not None else "",
        f"{name}_usd": f"{amount.usd:.2f} in {amount.usd_of}" if amount.usd is not None else "",
    }


def _picture(scores: Sequence[PolicyScore]) -> tuple[str, list[tuple[str, str, int]]]:
    """The policies that stop something in a plane, each with the letter of its name, and the legend: the letters in the
    order of the table, with how many policies each stands for."""
    counts = Counter(score.name for score in scores if score.stopped)
    marks = dict(zip(counts, ascii_letters, strict=False))
    points = [
        (score.spared or 0.0, score.precision or 0.0, marks.get(score.name, "?")) for score in scores if score.stopped
    ]
    picture = scatter(points, "spared: share of the loops' actions that were still to come", "precision")
    return picture, [(mark, name, counts[name]) for name, mark in marks.items()]


_WIDTH, _HEIGHT = 50, 20
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
        here = [places.get((column, row), set()) for column in range(_WIDTH + 1)]
        signs = (SEVERAL if len(marks) > 1 else next(iter(marks), " ") for marks in here)
        lines.append(f"{name:>6} |{''.join(signs)}".rstrip())
    lines.append(f"{'':6} +{'-' * (_WIDTH + 1)}")
    ticks = "".join(f"{f'{100 * tick // 5}%':<{_WIDTH // 5}}" for tick in range(6))
    lines.append(f"{'':8}{ticks}".rstrip())
    lines.append(f"{'':8}{across}")
    return "\n".join(lines)


def _at(share: float, size: int) -> int:
    return round(min(1.0, max(0.0, share)) * size)
