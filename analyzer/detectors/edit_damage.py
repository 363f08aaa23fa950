"""Edits leave lines in a file twice, remove a definition that shown code still uses, or remove only its first line.

What it flags
    `lost-header`: an edit removed the first line of a function, class or test while the lines below it remained:
    they are now unreachable, indented below a line that opens no block, or part of what is above them.
    `removed-in-use`: a function, class or constant whose definition an edit removed, which nothing defines at the end,
    and which code that the session shows still uses: in the same file, or in one that imports it. `never-reached`:
    an edit put a statement right below one that leaves the block, or one that leaves the block right above a
    statement. `doubled-block`: lines that an edit inserted although the same lines were already there, and that are
    there twice at the end.

Why it matters
    The damage is the agent's own. A check that doesn't load the place still passes, and whoever runs it next gets
    an error about a name that existed before.

What it does not flag
    Code that the agent says is meant to be unreachable for now.
    Definitions that were moved, renamed (with all uses that were shown), or restored (at a low severity where a first
    line was missing in between); those that somebody says are being removed; uses whose file gets the name in another
    way; files whose content is only partly known after the edit; work on which tests passed afterwards; the same lines
    at another place.

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
from analyzer.detectors.signals.broken_definitions import Broken, broken_definitions
from analyzer.detectors.signals.misplaced_lines import Doubled, Unreached, doubled, unreached
from analyzer.failures.roles import last_part
from analyzer.model.finding import Evidence, Finding, Place, Taxonomy
from analyzer.model.words import MAIN_LANE, Category, Kind, Severity, Status
from analyzer.text.clip import clip
from analyzer.text.english import listed, plural
from analyzer.text.markdown import code
from analyzer.timeline.closing.ending import claim_of
from analyzer.timeline.verification.proof import Proof
from analyzer.workspace.edits import Related, related_edits, still_stacked
from analyzer.workspace.headers import name_defined
from analyzer.workspace.lost_headers import Now
from analyzer.workspace.places import touched_places
from analyzer.workspace.symbols import Orphan, orphans

_REMOVED, _DOUBLED, _LOST, _UNREACHED = "removed-in-use", "doubled-block", "lost-header", "never-reached"
_MOST_NAMES = 3


class EditDamage(Detector):
    """One finding per definition that is gone, and one per block that is there twice."""

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
        delivery = facts.delivery
        touched = touched_places(history)
        without = broken_definitions(facts.timeline, delivery, touched)
        for broken in without:
            yield _without_header(facts, broken)
        if not touched and not any(entry.versions for entry in history.taken):
            return
        below = {(entry.path, entry.lost.body) for entry in without}
        for cut in unreached(facts.timeline, delivery, touched):
            if (cut.path, cut.cut.below) not in below:
                yield _never_reached(facts, cut)
        gone = orphans(history, facts.timeline.session.task or "")
        if gone and not _tested(facts):
            together: dict[tuple[str, int, str], list[Orphan]] = {}
            for orphan in gone:
                together.setdefault((orphan.lane, orphan.step, orphan.path), []).append(orphan)
            for orphans_of_step in together.values():
                yield _removed(facts, orphans_of_step)
        stacked = still_stacked(history, related_edits(history))
        for entry in stacked:
            yield _doubled(facts, entry)
        for twice in doubled(facts.timeline, delivery, touched):
            if not any(twice.path == entry.path and twice.lines[0] in entry.block for entry in stacked):
                yield _twice(facts, twice)


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


_NOW = {
    Now.UNREACHABLE: "follows {above} and is never reached",
    Now.STRAY: "is indented below {above}, which opens no block",
    Now.JOINED: "belongs to what stands above it, {above}",
}


def _without_header(facts: Facts, broken: Broken) -> Finding:
    lost, where = broken.lost, code(last_part(broken.path))
    header, body, above = (code(clip(line.strip(), 90)) for line in (lost.header, lost.body, lost.above))
    how = f"The diff handed in at step {broken.step} takes the line {header} out of {where} and leaves"
    if not broken.shown:
        how = f"{_what_took_it(facts, broken)} out of {where} and left"
    title = f"{how} what stood below it: {body} now {_NOW[lost.now].format(above=above)}"
    steps, severity = [broken.step], _severity(facts, lost.now)
    if broken.fixed is not None:
        title = f"{how} what stood below it, {body}; step {broken.fixed} changed that"
        steps, severity = [broken.step, broken.fixed], Severity.LOW
    return EditDamage.finding(
        kind=_LOST,
        severity=severity,
        confidence=0.6 if lost.now is Now.JOINED else 0.85,
        title=title,
        lane=broken.lane,
        steps=steps,
        detectable_at=broken.step,
        evidence=_shown_at(facts, broken.lane, broken.step, lost.header),
        advice=[f"Put {header} back above {body} in {where}."] if broken.fixed is None else [],
        cost=facts.cost(broken.lane, steps[0], steps[-1]),
        fault=Place(file=broken.path, line=lost.line, code=lost.body.strip(), step=broken.step),
    )


def _never_reached(facts: Facts, entry: Unreached) -> Finding:
    cut, where = entry.cut, code(last_part(entry.path))
    above, below = (code(clip(line.strip(), 90)) for line in (cut.above, cut.below))
    own = cut.new == cut.below
    title = f"{below} in {where} is never reached since step {entry.step}: it follows {above}"
    if own:
        title = f"What step {entry.step} put into {where} is never reached: {below} follows {above}"
    steps = [entry.step] if entry.fixed is None else [entry.step, entry.fixed]
    severity = _severity(facts, Now.UNREACHABLE if own else Now.JOINED)
    if entry.fixed is not None:
        title, severity = f"{title}; step {entry.fixed} changed that", Severity.LOW
    return EditDamage.finding(
        kind=_UNREACHED,
        severity=severity,
        confidence=0.75,
        title=title,
        lane=entry.lane,
        steps=steps,
        detectable_at=entry.step,
        evidence=_shown_at(facts, entry.lane, entry.step, cut.new),
        advice=[f"Put {below} in {where} where it can be reached, or take it out."] if entry.fixed is None else [],
        cost=facts.cost(entry.lane, steps[0], steps[-1]),
        fault=Place(file=entry.path, line=cut.line, code=cut.below.strip(), step=entry.step),
    )


def _twice(facts: Facts, entry: Doubled) -> Finding:
    where, first = code(last_part(entry.path)), next(line.strip() for line in entry.lines if line.strip())
    defines = any(name_defined(line) for line in entry.lines)
    what = f"the {plural(len(entry.lines), 'line')} from {code(clip(first, 90))} on"
    if len(entry.lines) == 1:
        what = f"the line {code(clip(first, 90))}"
    return EditDamage.finding(
        kind=_DOUBLED,
        severity=Severity.MEDIUM if defines else Severity.LOW,
        confidence=0.8,
        title=f"Step {entry.step} left {what} in {where} twice in a row, and so it is at the end",
        lane=entry.lane,
        steps=[entry.step],
        detectable_at=entry.step,
        evidence=_shown_at(facts, entry.lane, entry.step, first),
        advice=[f"Take one of the two out of {where}."],
        cost=facts.cost(entry.lane, entry.step, entry.step),
        fault=Place(file=entry.path, line=entry.line, code=first, step=entry.step),
    )


def _shown_at(facts: Facts, lane: str, step: int, line: str) -> list[Evidence]:
    """The last step up to one that shows a line, or writes it."""
    bare = line.strip()
    for action in reversed(facts.lane(lane)[:step]):
        if bare in (action.result or "") or any(bare in (edit.after or "") for edit in action.operation.edits):
            return [Evidence(step=action.step, quote=clip(bare, 200))]
    return []


def _what_took_it(facts: Facts, broken: Broken) -> str:
    """The step that took a line out, with the range of lines that its edit replaces where it names one."""
    header = code(clip(broken.lost.header, 90))
    edits = facts.action(broken.lane, broken.step).operation.edits
    ranges = [edit.lines for edit in edits if edit.lines is not None]
    if len(edits) != 1 or len(ranges) != 1 or ranges[0][1] < ranges[0][0]:
        return f"Step {broken.step} took the line {header}"
    first, last = ranges[0]
    span = f"line {first}" if first == last else f"lines {first}-{last}"
    return f"Step {broken.step} replaced {span} and thereby took the line {header}"


def _severity(facts: Facts, now: Now) -> Severity:
    """How much a definition without its first line matters in what was delivered."""
    claim = claim_of(facts.timeline, facts.lane(MAIN_LANE))
    sure = now is not Now.JOINED and claim is not None and not _tested(facts)
    return Severity.HIGH if sure else Severity.MEDIUM


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
        kind=_REMOVED,
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


def _doubled(facts: Facts, entry: Related) -> Finding:
    lines = len(entry.block.split("\n"))
    steps = sorted({entry.step, entry.earlier} if entry.earlier is not None else {entry.step})
    first = next(line.strip() for line in entry.block.split("\n") if line.strip())
    what = "The line" if lines == 1 else f"The {plural(lines, 'line')}"
    before = f"step {entry.earlier} had put" if entry.earlier is not None else "were right"
    before = "was right" if lines == 1 and entry.earlier is None else before
    there = f"that {before} into {code(last_part(entry.path))}"
    if entry.earlier is None:
        there = f"that {before} there in {code(last_part(entry.path))}"
    verb = "is" if lines == 1 else "are"
    return EditDamage.finding(
        kind=_DOUBLED,
        severity=Severity.LOW,
        confidence=0.8,
        title=f"{what} {there} {'was' if lines == 1 else 'were'} put in again at step {entry.step}, and {verb} there "
        "twice at the end",
        lane=entry.lane,
        steps=steps,
        detectable_at=entry.step,
        evidence=[Evidence(step=step, quote=clip(first, 200)) for step in steps],
        advice=[f"Take one of the two out of {code(last_part(entry.path))}."],
        cost=facts.cost(entry.lane, steps[0], steps[-1]),
        fault=Place(file=entry.path, line=None, code=first, step=entry.step),
    )
