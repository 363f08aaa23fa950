"""What a backtest says in sentences, whatever the page is written in: backticks make code, two stars stress."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.backtest import Backtest, PolicyScore
from analyzer.report import figures
from analyzer.report.safe import code
from analyzer.text.english import number, one_or_many, plural

_FEW = 30
_HALF = 0.5
NONE_STUCK = (
    "**None of these runs was stuck**, so there's nothing to choose a guard from: only what each policy disturbs can "
    "be determined."
)
FEW_RUNS = "**Few runs.** The 95% intervals behind recall and precision are wide; differences within them mean nothing."
HOME_GROUND = (
    "**Home advantage.** Which runs are stuck is judged by this program's own detectors, the ones that `guard` runs "
    "live: it sees what they see and can't be wrong where they are. So the "
    "frontier below is drawn twice, for `guard` with its settings and for all others; to compare `guard` with "
    "them give labels from outside (`--labels FILE`). A run with a recorded success counts as good whatever the "
    "detectors say."
)


def percent(share: float | None) -> str:
    """A share for people, and nothing where it's unknown."""
    return figures.percent(share) if share is not None else ""


def runs_text(result: Backtest) -> str:
    """How many runs there are of each sort."""
    counts = result.counts
    solved = f" ({number(counts.solved)} with a recorded success)" if counts.solved else ""
    rest = "without a label" if result.truth == "labels" else "neither"
    return (
        f"{number(counts.runs)} past runs: **{number(counts.stuck)} stuck, {number(counts.good)} good**{solved}, "
        f"{number(counts.unclear)} {rest}."
    )


def policies_text(result: Backtest) -> str:
    """How many policies saw them."""
    policies = plural(len(result.policies), "policy", "policies")
    swept = ", swept over the grids of their parameters," if result.swept else ""
    missed = plural(result.stopped_by_none, "stuck run", number=number)
    are = one_or_many(result.stopped_by_none, "is", "are")
    nobody = f" {missed} {are} stopped by none of them." if result.stopped_by_none else ""
    return f"{policies}{swept} saw each of them action by action; the first alarm ends the run.{nobody}"


def _of_them(some: int, stuck: int) -> str:
    """`Both stuck runs are`, `80% of the stuck runs are`."""
    if some < stuck:
        return f"{percent(some / stuck)} of the stuck runs are"
    return {1: "The only stuck run is", 2: "Both stuck runs are"}.get(stuck, f"All {stuck} stuck runs are")


def format_text(result: Backtest) -> str:
    """From which transcript format most of the stuck runs come; empty where there's only one, or none outweighs all
    others."""
    most = max(result.formats, key=lambda row: row.stuck, default=None)
    if most is None or len(result.formats) < 2 or 2 * most.stuck <= result.counts.stuck:
        return ""
    of_them = _of_them(most.stuck, result.counts.stuck)
    return f"{of_them} of the format `{most.format}`: what follows holds for those first."


def is_few(result: Backtest) -> bool:
    """Whether there are too few runs to tell policies apart that differ a little."""
    return result.counts.stuck < _FEW or result.counts.good < _FEW


def at_home(result: Backtest) -> bool:
    """Whether our own detectors judge our own guard, so that it's kept apart from the others."""
    return result.truth == "detectors" and any(score.kind == "guard" for score in result.policies)


def recommendation(result: Backtest, picks: Sequence[tuple[list[str], PolicyScore]]) -> str:
    """Which policy to take, in plain words: of the picked ones that which serves most aims. Empty where there's none to
    choose from."""
    if not picks:
        return ""
    _, score = max(picks, key=lambda pick: len(pick[0]))
    if (score.precision or 0.0) < _HALF:
        return (
            "**Take none of them to stop runs**: even the best is wrong more often than it's right in these runs. As a "
            "nudge it may still do."
        )
    soon = f"; {plural(score.too_soon, 'alarm')} would have come too soon" if score.too_soon else ""
    begin = "**Best in these few runs:**" if is_few(result) else "**Take**"
    return (
        f"{begin} `{score.policy}`. {rule_text(score)} It would have stopped {score.stopped} of "
        f"{plural(result.counts.stuck, 'stuck run', number=number)}, with {percent(score.to_come)} of the loop "
        f"still to come, and disturbed {score.disturbed or 'none'} of "
        f"{plural(result.counts.good, 'good run', number=number)}{soon}."
    )


def rule_text(score: PolicyScore) -> str:
    """What a policy watches for, as a sentence that begins with a capital letter."""
    return f"{score.about[:1].upper()}{score.about[1:]}"


def rules(result: Backtest) -> list[tuple[str, str]]:
    """What each rule watches for, by its name."""
    return list({score.name: rule_text(score) for score in result.policies}.items())


def stops_text(result: Backtest, score: PolicyScore) -> str:
    """What a policy stops."""
    return f"{score.stopped} of {result.counts.stuck} stuck runs, with {percent(score.to_come)} of the loop to come"


def disturbs_text(result: Backtest, score: PolicyScore) -> str:
    """What a policy disturbs."""
    solved = f" ({score.disturbed_solved} with a recorded success)" if score.disturbed_solved else ""
    soon = f", and {score.too_soon} of the stuck ones too soon" if score.too_soon else ""
    return f"{score.disturbed} of {result.counts.good} good runs{solved}{soon}"


def frontier_text(result: Backtest) -> str:
    """What the frontier is."""
    return (
        f"No other policy{' of its sort' if at_home(result) else ''} is as good as one of these in recall, precision "
        "and what it spares, and better in one of the three."
    )


def money_text(result: Backtest) -> str:
    """What saved and lost mean, and what they're counted from."""
    return (
        "Saved is what was still to come in the stuck runs that a policy stops, lost what was still to come in the "
        f"good ones. {number(result.with_seconds)} of the runs record times, {number(result.with_tokens)} tokens, "
        f"{number(result.with_usd)} their cost; each sum is followed by the number of runs behind it. Where a log "
        "records tokens and cost per step, those of the steps count; else the run's are shared out by actions."
    )


def left_out_text(result: Backtest) -> str:
    """Which runs and files no policy saw; empty where there are none."""
    if not (result.without_actions or result.copies):
        return ""
    copies = f", {figures.plural(result.copies, 'copy', 'copies')} of another file" if result.copies else ""
    return f"Left out: {figures.plural(result.without_actions, 'run')} without any action{copies}."


def definitions(result: Backtest) -> list[str]:
    """What counts as what."""
    if result.truth == "labels":
        truth = [
            f"**Stuck** and **good** is what {code(result.labels or '', 80)} says. A stuck run without steps "
            "counts as stuck from its first action on, so that no alarm is too soon in it."
            " Runs without a label are judged by nobody."
        ]
    else:
        truth = [
            "**Stuck**: a loop of medium or high severity that the agent never got out of, or in which the harness or "
            "a limit ended the run. It's stuck from the loop's first step to the run's end.",
            "**Good**: a recorded evaluation says that the task was solved, or the outcome is `succeeded`, or no "
            "loop above `info` was found. A run that failed without a loop counts as good here: a loop guard has no "
            "business in it.",
            "**Neither**: it got out of its loops and its success isn't known. Alarms there count neither for nor "
            "against a policy.",
        ]
    return [
        *truth,
        "**Stopped**: the first alarm comes while the run is stuck and something is still to come; with the last "
        "action it's **late**. **Too soon**: it comes in a stuck run before any episode. An alarm in a loop that the "
        "agent got out of counts as a miss only.",
        "**Disturbed**: the first alarm comes in a good run; in brackets how many of those have a recorded success. "
        "**Recall** is stopped by stuck, **precision** stopped by stopped, too soon and disturbed, each with its 95% "
        "interval.",
        "**To come**: the share of the stuck stretch that was still to come, on average over the runs that are "
        "stopped; **spared** over all stuck runs. **Median action**: after how many actions of the run. **Net "
        "actions**: saved less lost.",
        "What an agent would have done after a nudge instead of a stop can't be known from a recording.",
    ]
