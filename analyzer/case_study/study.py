"""Several recorded runs of one scenario -> a case study: the first failure of each, what fixed it, how it ended, what
was learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from analyzer.case_study.causes import cause_of
from analyzer.case_study.changes import Change, changes_after, fixes_astray
from analyzer.case_study.conformance import conform
from analyzer.case_study.first_failure import Trouble, first_failure
from analyzer.case_study.notes import Notes, placed
from analyzer.case_study.phases import repairs_of
from analyzer.case_study.plan_net import named_steps
from analyzer.case_study.runs import LoadedRun
from analyzer.case_study.story import Cause, Failed, RunStory, left_by, quotes_of, resolved, seen
from analyzer.case_study.success import all_passed, check_success
from analyzer.case_study.summary import lessons_of, summary_of
from analyzer.case_study.trials import contrasted, modes, pass_rate, stability, without_what_passes
from analyzer.model.case_study import CaseStudy, Failing, IndexEntry, Run
from analyzer.model.errors import AnalyzerError
from analyzer.model.scenario import PlanStep, Scenario
from analyzer.model.struct import replace
from analyzer.text.english import listed

Telling = Literal["auto", "cascade", "trials"]
"""How the runs are presented: as a sequence of failures and fixes, as trials of one system, or by whether anything says
that the system changed."""


def case_study(
    scenario: Scenario,
    runs: Sequence[LoadedRun],
    notes: Notes | None = None,
    *,
    base: Path | None = None,
    telling: Telling = "auto",
) -> CaseStudy:
    """The case study of runs in their order. `base` is the folder of the scenario file, from which repositories are
    named.

    Raises `AnalyzerError` without runs, and for commits that git can't read.
    """
    if not runs:
        raise AnalyzerError("there is no recorded run.", hint="Name transcripts after the scenario.")
    notes = notes or Notes()
    judged = [judge(scenario, run, number) for number, run in enumerate(runs, 1)]
    steps = {step.name: step.step for step in named_steps(scenario.plan)}
    stories = [_story(run, loaded, steps) for run, loaded in zip(judged, runs, strict=True)]
    names = {run.number: run.name for run in judged}
    changes = changes_after(scenario, names, base or Path())
    as_trials = telling == "trials"
    if telling == "auto" and not scenario.fixes and not any("solution" in note.parts for note in notes.failures):
        # Without a fix, trials are of one version and one model: nothing says that the system changed between them.
        sessions = [run.post_mortem.session for run in runs]
        as_trials = len({(session.agent_version, session.model) for session in sessions}) == 1
    as_trials = as_trials and len(runs) > 1
    stories = without_what_passes(stories)
    if as_trials:
        stories = contrasted(stories, runs)
    cascade = [
        _failing(stories, position, changes.get(entry.run.number, Change()), runs[position], trials=as_trials)
        for position, entry in enumerate(stories)
        if entry.failed is not None
    ]
    written, _ = placed(notes, cascade, names)
    found = modes(stories) if as_trials else []
    scenario = scenario.model_copy(update={key: written[key] for key in ("author", "date") if key in written})
    return CaseStudy(
        scenario=scenario,
        runs=[entry.run for entry in stories],
        cascade=cascade,
        succeeded=stories[-1].run.succeeded,
        left=left_by(scenario, runs[-1]),
        pass_rate=pass_rate(stories) if as_trials else None,
        trials=as_trials,
        modes=found,
        stability=stability(found, stories) if as_trials else None,
        summary=summary_of(stories, trials=as_trials, modes=found),
        lessons=lessons_of(stories, cascade, trials=as_trials, modes=found),
        notes=written,
    )


def astray(study: CaseStudy, notes: Notes | None = None) -> list[str]:
    """What was written and has no place in the document, in words for the person who wrote it: fixes after runs that
    aren't there, notes about failures that it doesn't have."""
    names = {run.number: run.name for run in study.runs}
    return [*fixes_astray(study.scenario, names), *placed(notes or Notes(), study.cascade, names)[1]]


def summarised(study: CaseStudy, link: str) -> IndexEntry:
    """What an index says of a case study; `link` is its document."""
    last = study.runs[-1]
    return IndexEntry(
        title=study.scenario.title,
        link=link,
        runs=len(study.runs),
        failures=sum(run.succeeded is False for run in study.runs),
        reached=f"{sum(row.done for row in last.rows)} of {len(last.rows)}" if last.conformance is not None else "",
        succeeded=study.succeeded,
        pass_rate=study.pass_rate,
        last=study.cascade[-1].title if study.cascade else None,
    )


def judge(scenario: Scenario, loaded: LoadedRun, number: int) -> Run:
    """How one run compares with the plan, and whether it succeeded: by the checks; without any, by the outcome."""
    checks = check_success(scenario, loaded.post_mortem, loaded.timeline)
    status = loaded.post_mortem.outcome.status
    succeeded = all_passed(checks) if checks else None if status == "unknown" else status == "succeeded"
    conformance = conform(scenario, loaded.timeline, succeeded)
    if conformance is not None and not checks and succeeded:
        optional = {step.name for step in named_steps(scenario.plan) if step.step.optional}
        if not all(row.done for row in conformance.rows if row.step not in optional):
            # Nobody but the agent says that it succeeded, and it left out what the plan wants.
            succeeded = None
            conformance = conformance.model_copy(update={"other_way": False})
    return Run(
        number=number,
        name=loaded.name,
        path=loaded.path,
        post_mortem=loaded.post_mortem,
        conformance=conformance,
        checks=checks,
        succeeded=succeeded,
        phase="none",
        repairs=repairs_of(loaded.timeline, scenario.phases),
    )


def _story(run: Run, loaded: LoadedRun, steps: Mapping[str, PlanStep]) -> RunStory:
    """A run with the first failure that mattered, and its cause."""
    trouble = first_failure(run, loaded, {name for name, step in steps.items() if step.optional})
    if trouble is None:
        return RunStory(run)
    if trouble.row is not None and trouble.row.step in steps:
        trouble = replace(trouble, planned=frozenset(steps[trouble.row.step].arguments))
    run = run.model_copy(update={"phase": trouble.phase})
    return RunStory(run, Failed(trouble, cause_of(trouble, run, loaded)))


def _failing(stories: Sequence[RunStory], position: int, change: Change, loaded: LoadedRun, *, trials: bool) -> Failing:
    entry = stories[position]
    assert entry.failed is not None
    trouble, cause = entry.failed
    is_gone, because = (None, None) if trials else resolved(stories, position)
    finding = trouble.finding
    return Failing(
        run=entry.run.number,
        title=cause.title,
        at=trouble.planned_step or ("planning" if trouble.phase == "planning" else None),
        step=trouble.step,
        seen=seen(trouble, entry.run, loaded),
        symptom=quotes_of(trouble, entry.run, loaded),
        root_cause=cause.text + _again(trouble) + _linked(cause, stories[:position]),
        hypothesis=cause.hypothesis,
        detector=f"{finding.detector}/{finding.kind}" if finding is not None else None,
        fingerprint=entry.run.fingerprint(trouble.step),
        solution="\n\n".join(change.texts) or None,
        proposed=list(dict.fromkeys(cause.proposed))[:4],
        commits=change.commits,
        files=change.files,
        gone=is_gone,
        gone_because=because,
    )


def _linked(cause: Cause, before: Sequence[RunStory]) -> str:
    """A sentence on an earlier failure over the same argument: its fix may have caused this one."""
    for earlier in reversed(before):
        other = earlier.failed.cause if earlier.failed is not None else None
        if other is not None and cause.names & other.names and other.key != cause.key:
            return (
                f" Run {earlier.run.number} had failed over the same argument, so the change made after it probably "
                "updated only one of the two sides."
            )
    return ""


def _again(trouble: Trouble) -> str:
    """How often a failure that is reported once came back."""
    finding, action = trouble.finding, trouble.action
    if finding is None or finding.category not in ("loop", "error") or action is None or not action.failed:
        return ""
    shown, more = [str(step) for step in finding.steps[:8]], " and more" if len(finding.steps) > 8 else ""
    return f" It came back: actions {listed(shown)}{more} show the same." if len(shown) > 1 else ""
