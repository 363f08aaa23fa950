"""Work on the code that was reverted as a whole.

What it flags
    A stretch of steps with two or more changes of code, after which the code is again what it was before the stretch,
    and remains so: nothing of the stretch is delivered.

Why it matters
    The cost of the stretch is lost, and the same attempt is easily made a second time.

What it does not flag
    A single change that was tried and reverted, work that was put aside and brought back, or part of which is redone,
    scratch files and files that the agent created itself, stretches that end with something of unknown effect,
    stretches shorter than `steps`.

Options
    steps: how long the stretch must be (6).

Example:
    Steps 7 to 15 change `curve.py` four times; step 16 runs `git checkout curve.py`.

"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate
from types import MappingProxyType

from pydantic import Field

from analyzer.commands.table import Does, knows
from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.interface import Detector, Guidance, Options, Trait
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import MAIN_LANE, Category, Severity
from analyzer.text.clip import clip
from analyzer.text.english import listed, times
from analyzer.text.markdown import code
from analyzer.workspace.checks import code_ids, contradicted
from analyzer.workspace.paths import last
from analyzer.workspace.reversal import is_made_again

_LEAST_CHANGES = 2
_MOST_FILES = 3


_PUTS_BACK = Does.HANDLES | Does.RECORDS | Does.WRITES


class TakenBackOptions(Options):
    """Options of this detector."""

    steps: int = Field(default=6, ge=2)
    """How long the stretch must be."""


class TakenBack(Detector):
    """One finding per stretch, for information."""

    name = "taken-back"
    category = Category.EDIT
    taxonomy = Taxonomy.of(mast=["FM-1.3"], trail=["Resource Abuse"])
    options = TakenBackOptions.usual()
    traits = frozenset({Trait.ASPECT_OF_LOOP})
    cause_name = "work that was taken back"
    guidance = MappingProxyType(
        {
            "": Guidance(
                questions=("What did the changes from step {first} on show before they were taken back?",),
                approaches=(("Write it down", "Note what was tried and why it went before trying the next."),),
                improvement="Keep a note of what was taken back",
                change="Let the harness keep the diff of what is taken back, and show it before the next attempt.",
                lesson="What is taken back is worth a line on why.",
            )
        }
    )

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The stretches of the main lane after which the code was as before, and stayed so."""
        history, options = facts.timeline.history, self.options
        if history is None or not isinstance(options, TakenBackOptions):
            return
        ids = code_ids(history, facts.timeline.session.task or "")
        first = {made: place for place, made in reversed(list(enumerate(ids)))}
        changing = [place for place in range(len(history.steps)) if ids[place] != ids[place + 1]]
        elsewhere = list(accumulate((history.steps[at].lane != MAIN_LANE for at in changing), initial=0))
        seen_last = {made: at for at, made in enumerate(ids)}
        wrong: set[int] | None = None
        done = -1
        for number, place in enumerate(changing):
            begin = max(first[ids[place + 1]], done + 1)
            lane = history.steps[place].lane
            earliest = bisect_left(changing, begin)
            if ids[begin] != ids[place + 1] or lane != MAIN_LANE or number - earliest < _LEAST_CHANGES:
                continue
            start, end = changing[earliest], place
            if any(seen_last[ids[at]] > end for at in range(start + 1, end + 1) if ids[at] != ids[end + 1]):
                continue
            between = changing[earliest:number]
            same_lane = elsewhere[number + 1] == elsewhere[earliest]
            own = all(history.files.made.get(path, False) for path in history.steps[place].changed)
            if not same_lane or own or history.steps[place].unknown or not _is_seen(facts, history.steps[place].step):
                continue
            if end - start < options.steps:
                continue
            if is_made_again(history, range(start, end), range(end + 1, len(history.steps))):
                continue
            wrong = contradicted(history, ids) if wrong is None else wrong
            if place in wrong:
                continue
            done = end
            yield _finding(facts, [history.steps[at].step for at in between], history.steps[end].step, place)


DETECTOR = TakenBack()


def _is_seen(facts: Facts, step: int) -> bool:
    """Whether a step itself shows what it puts back: an edit, or a command that does; what a script makes of a file is
    only known as far as it was understood."""
    operation = facts.action(MAIN_LANE, step).operation
    return bool(operation.edits) or any(knows(entry.program, _PUTS_BACK) for entry in operation.commands)


def _finding(facts: Facts, steps: list[int], end: int, place: int) -> Finding:
    history = facts.timeline.history
    assert history is not None
    places = [at for at, state in enumerate(history.steps) if state.lane == MAIN_LANE and state.step in {*steps, end}]
    changed = list(dict.fromkeys(code(last(path)) for at in [place, *places] for path in history.steps[at].changed))
    more = [f"{len(changed) - _MOST_FILES} more"] if len(changed) > _MOST_FILES else []
    files = listed([*changed[:_MOST_FILES], *more])
    back = facts.action(MAIN_LANE, end).operation
    return TakenBack.finding(
        severity=Severity.INFO,
        confidence=0.8,
        title=(
            f"From step {steps[0]} to step {end} {files} {'were' if len(changed) > 1 else 'was'} changed "
            f"{times(len(steps) + 1)}, and the code is again what it was before"
        ),
        steps=[*steps, end],
        detectable_at=end,
        evidence=[Evidence(step=end, quote=clip(back.command or back.target, 200))],
        advice=["Say why the attempt was given up before the next one begins."],
        cost=facts.cost(MAIN_LANE, steps[0], end),
    )
