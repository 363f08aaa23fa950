"""Edits remove a definition that shown code still uses.

What it flags
    `removed-in-use`: a function, class or constant whose definition an edit removed, which nothing defines at the end,
    and which code that the session shows still uses: in the same file, or in one that imports it.

Why it matters
    The damage is the agent's own. A check that doesn't load the place still passes, and whoever runs it next gets
    an error about a name that existed before.

What it does not flag
    Definitions that were moved, renamed (with all uses that were shown), or restored; those that somebody says are
    being removed; uses whose file gets the name in another way; files whose content is only partly known after the
    edit; work on which tests passed afterwards.

Options
    None.

Example:
    Step 3 removes `area` from `shapes.py`; `report.py:1`, which step 2 had shown, still imports it at the end.

"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector
from analyzer.detectors.engine.traits import Trait
from analyzer.failures.roles import last_part
from analyzer.model.finding import Evidence, Finding, Place, Taxonomy
from analyzer.model.words import MAIN_LANE, Category, Kind, Severity, Status
from analyzer.text.clip import clip
from analyzer.text.english import listed
from analyzer.text.markdown import code
from analyzer.timeline.verification.proof import Proof
from analyzer.workspace.symbols import Orphan, orphans

_MOST_NAMES = 3


class EditDamage(Detector):
    """One finding per edit that took definitions out."""

    name = "edit-damage"
    category = Category.EDIT
    taxonomy = Taxonomy.of(mast=["FM-3.3"], trail=["Incorrect Problem Identification"])
    traits = frozenset({Trait.RESULT_ONLY, Trait.ASPECT_OF_LOOP})
    cause_name = "damage by an edit"
    guidance = MappingProxyType(
        {
            "": Guidance(
                questions=("What does the file hold around the place of step {first} now?",),
                approaches=(("Look at the whole change", "Print the diff of all files before the last report."),),
                improvement="Show the diff before the report",
                change="Let the harness show the agent the diff of all files before it accepts the closing report.",
                lesson="An edit isn't done until the file around it has been looked at.",
            )
        }
    )

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """What the edits left."""
        history = facts.timeline.history
        if history is None:
            return
        gone = orphans(history, facts.timeline.session.task or "")
        if gone and not _tested(facts):
            together: dict[tuple[str, int, str], list[Orphan]] = {}
            for orphan in gone:
                together.setdefault((orphan.lane, orphan.step, orphan.path), []).append(orphan)
            for orphans_of_step in together.values():
                yield _removed(facts, orphans_of_step)


DETECTOR = EditDamage()


def _tested(facts: Facts) -> bool:
    """Whether tests passed on what was delivered."""
    return any(
        action.kind in (Kind.TEST, Kind.RUN)
        and action.status is Status.OK
        and facts.delivery.on_delivered(action)
        and facts.proofs.of(action) > Proof.RAN
        for action in facts.lane(MAIN_LANE)
    )


def _removed(facts: Facts, gone: Sequence[Orphan]) -> Finding:
    orphan = gone[0]
    names = [code(entry.name) for entry in gone[:_MOST_NAMES]]
    more = [f"{len(gone) - _MOST_NAMES} more"] if len(gone) > _MOST_NAMES else []
    use = orphan.uses[0]
    where = use.path if use.line is None else f"{use.path}:{use.line}"
    shown = next(_showing(facts, orphan, use.text), None)
    steps = sorted({orphan.step, shown} if shown is not None else {orphan.step})
    evidence = [Evidence(step=orphan.step, quote=clip(orphan.text, 200))]
    if shown is not None:
        evidence.append(Evidence(step=shown, quote=clip(use.text, 200)))
    return EditDamage.finding(
        kind="removed-in-use",
        severity=Severity.MEDIUM,
        confidence=0.75,
        title=(
            f"Step {orphan.step} took {listed([*names, *more])} out of {code(last_part(orphan.path))}, and "
            f"{code(clip(where, 90))} still uses {'it' if len(gone) == 1 else names[0]} at the end"
        ),
        lane=orphan.lane,
        steps=steps,
        detectable_at=steps[-1],
        evidence=evidence,
        advice=[f"Put {code(orphan.name)} back, or change what uses it: {code(clip(use.text, 120))}."],
        cost=facts.cost(orphan.lane, steps[0], steps[-1]),
        fault=Place(file=use.path, line=use.line, code=use.text, step=orphan.step),
    )


def _showing(facts: Facts, orphan: Orphan, text: str) -> Iterator[int]:
    """The steps of the lane that show a line, or write it."""
    for action in facts.lane(orphan.lane):
        if text in (action.result or "") or any(text in (edit.after or "") for edit in action.operation.edits):
            yield action.step
