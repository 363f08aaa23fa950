"""The user asked for a review, and the agent changed the code.

What it flags
    A user message that asks for a review, an audit or an assessment and mentions no change, followed, before the user's
    next message, by edits of files that existed before.

Why it matters
    The user wanted to decide about the suggestions. Unrequested changes have to be found, read and
    perhaps reverted.

What it does not flag
    Turns that also ask for a change, a file or a run; answers to the agent; documents and files that the agent made in
    the same turn, such as the report; edits that failed.

Options
    None.

Example:
    "Can you audit this service and suggest improvements?" is answered with suggestions and a new `routes.py`.

"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector
from analyzer.failures.roles import same_file
from analyzer.model.action import Action, Edit
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import MAIN_LANE, Category, Kind, Severity
from analyzer.task.act_kinds import CHANGING
from analyzer.task.acts import Spoken, spoken_of
from analyzer.task.asked import asked_in
from analyzer.task.prose import prose
from analyzer.task.turns import Request, UserTurn
from analyzer.text.clip import clip
from analyzer.text.english import listed, one_or_many
from analyzer.text.markdown import code
from analyzer.timeline.verification.checks import is_prose

_LONGEST = 1_000
"""Characters from which on a turn is a brief with more in it than one request."""
_GUIDANCE = {
    "": Guidance(
        questions=("Which of the suggestions did the user want to have carried out?",),
        approaches=(
            ("Give the suggestions alone", "List what should change, where and why, and wait for the user's answer."),
        ),
        improvement="No edits where a review was asked for",
        change="State in the instructions that a review, an audit or a plan ends with its findings, without edits.",
        lesson="A request to look something over isn't leave to change it.",
    )
}


class UnaskedChange(Detector):
    """At most one finding per turn of the user."""

    name = "unasked-change"
    category = Category.PLAN
    taxonomy = Taxonomy.of(mast=["FM-1.1"], trail=["Goal Deviation"])
    guidance = _GUIDANCE
    cause_name = "changes that nobody asked for"

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """One finding for each turn that asked for a review and got edits."""
        actions = facts.lane(MAIN_LANE)
        for asked in asked_in(facts.timeline.session):
            if not _only_review(asked.turn):
                continue
            made = [action for action in actions[: asked.end - 1] if not action.harness]
            edits = list(_edits(made, asked.first))
            if edits:
                yield _finding(facts, asked.turn, asked.first, edits)


DETECTOR = UnaskedChange()


def _only_review(turn: UserTurn) -> bool:
    """Whether a turn asks for a review and for nothing else."""
    if Request.REVIEW not in turn.requests or turn.requests - {Request.REVIEW, Request.ANSWER}:
        return False
    said = prose(turn.text)
    return len(said) <= _LONGEST and spoken_of(turn.text, CHANGING) < Spoken.MEANT


def _edits(made: Sequence[Action], first: int) -> Iterator[tuple[Action, Edit]]:
    """The edits from a step on of code that was there before that step, as far as the log shows it."""
    before: list[str] = []
    for action in made:
        operation = action.operation
        if action.kind is Kind.READ and operation.path and action.failure is None:
            before.append(operation.path)
        for edit in action.accepted_edits:
            there = not edit.created or any(same_file(edit.path, known) for known in before)
            if action.step < first:
                before.append(edit.path)
            elif there and not is_prose(edit.path):
                yield action, edit


def _finding(facts: Facts, turn: UserTurn, first: int, edits: Sequence[tuple[Action, Edit]]) -> Finding:
    steps = list(dict.fromkeys(action.step for action, _ in edits))
    paths = list(dict.fromkeys(edit.path for _, edit in edits))
    names = [code(clip(path.rsplit("/", 1)[-1], 60)) for path in paths[:3]]
    more = [f"{len(paths) - 3} more"] if len(paths) > 3 else []
    said = clip(" ".join(prose(turn.text).split()), 160)
    return UnaskedChange.finding(
        kind="review-only",
        severity=Severity.MEDIUM,
        confidence=0.75,
        title=f"The user asked for a review, and the agent changed {listed([*names, *more])} "
        f"({one_or_many(len(steps), 'step')} {', '.join(map(str, steps[:6]))}{', ...' if len(steps) > 6 else ''})",
        lane=MAIN_LANE,
        first_step=steps[0],
        last_step=steps[-1],
        steps=steps[:20],
        detectable_at=steps[0],
        evidence=[
            Evidence(step=steps[0], label="edited", quote=clip(paths[0], 200)),
            Evidence(step=first, label="the user said", quote=said),
        ],
        advice=["List what should change, where and why, and wait for the user's answer before the first edit."],
        cost=facts.cost(MAIN_LANE, steps[0], steps[-1]),
    )
