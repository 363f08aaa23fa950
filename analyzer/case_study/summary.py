"""What happened over all runs, in a few sentences; and the scenarios of a folder, with a line on each case study."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from analyzer.case_study.cause import runs_text
from analyzer.case_study.resolution import RunStory
from analyzer.case_study.runs import natural
from analyzer.model.case_study import CaseStudy, IndexEntry, Mode, Run
from analyzer.text.english import capital, listed, plural


def summary_of(stories: Sequence[RunStory], *, trials: bool, modes: Sequence[Mode]) -> list[str]:
    """The summary: how many runs, which failed and where, how far they got, and how the last one ended."""
    if len(stories) == 1:
        return _single(stories[0])
    if trials:
        return [
            _ended(stories, trials=True),
            *([_kinds(modes)] if modes and any(entry.explained for entry in stories) else []),
            *_way(stories, trials=True),
        ]
    return [_ended(stories, trials=False), *_way(stories, trials=False)]


def _ended(stories: Sequence[RunStory], *, trials: bool) -> str:
    failed, good, unknown = (
        [entry.run.number for entry in stories if entry.run.succeeded is was] for was in (False, True, None)
    )
    kinds = {(entry.failed.cause.key, entry.failed.trouble.planned_step) for entry in stories if entry.failed}
    each = ", each in a different way" if not trials and len(failed) > 1 and len(kinds) == len(failed) else ""
    parts = [f"{runs_text(failed)} failed{each}"] if failed else []
    parts += [f"{runs_text(good)} succeeded"] if good else []
    parts += [f"for {runs_text(unknown)} it's unknown"] if unknown else []
    count = capital(plural(len(stories), "run", number=_number))
    return f"{count} of this scenario are recorded. {capital('; '.join(parts))}."


def _number(count: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    return words[count] if count < len(words) else str(count)


def _single(entry: RunStory) -> list[str]:
    run, plan = entry.run, entry.run.conformance
    how = f"and it {'succeeded' if run.succeeded else 'failed'}"
    if entry.failed is not None and run.succeeded is False:
        title = entry.failed.cause.title
        how += f": {title if title[:2].isupper() else title[:1].lower() + title[1:]}"
    said = f"One run of this scenario is recorded, {how}."
    if run.succeeded is None:
        reason = run.post_mortem.outcome.reason
        said = f"One run of this scenario is recorded. Whether it succeeded is unknown: {reason}"
    if plan is None:
        return [said]
    other = " It reached the goal in a way that differs from the plan." if plan.other_way else ""
    done = sum(row.done for row in plan.rows)
    return [said, f"It carried out {done} of {plural(len(plan.rows), 'step')} of the plan.{other}"]


def _kinds(modes: Sequence[Mode]) -> str:
    if sum(len(mode.runs) for mode in modes) == 1:
        return f"What failed: {modes[0].title} ({runs_text(modes[0].runs)})."
    return (
        f"They failed in {plural(len(modes), 'way', number=_number)}: "
        f"{'; '.join(f'{mode.title} ({runs_text(mode.runs)})' for mode in modes[:4])}."
    )


def _way(stories: Sequence[RunStory], *, trials: bool) -> list[str]:
    plans = [(entry.run.number, plan) for entry in stories if (plan := entry.run.conformance) is not None]
    if len(plans) != len(stories):
        return []
    of = f"Of the {plural(len(plans[0][1].rows), 'step')} of the plan, the runs carried out"
    done = [sum(row.done for row in plan.rows) for _, plan in plans]
    if len(done) > 12:
        return [f"{of} between {min(done)} and {max(done)}."]
    said = f"{of} {listed([str(count) for count in done])}{'' if trials else ', in this order'}."
    other = [number for number, plan in plans if plan.other_way]
    differs = f"{capital(runs_text(other))} reached the goal in a way that differs from the plan." if other else ""
    return [said, differs] if differs else [said]


def reached(run: Run) -> str:
    """How much of the plan a run carried out: `5 of 5`; empty without a plan."""
    return f"{sum(row.done for row in run.rows)} of {len(run.rows)}" if run.conformance is not None else ""


_SUFFIXES = (".yaml", ".yml")
_MARKS = (
    re.compile(r"^[\"']?scenario[\"']?[ \t]*:[ \t]*[\"']?\d", re.MULTILINE),
    re.compile(r"^[\"']?title[\"']?[ \t]*:(?s:.*)^[\"']?prompt[\"']?[ \t]*:", re.MULTILINE),
)
"""A scenario has the version of its form, or a title and a prompt; notes have neither."""
_HEAD = 65_536


def scenarios_in(folder: Path) -> list[tuple[str, Path]]:
    """The scenario files at and below a folder, each with a name of its own for its document: its path without slashes,
    and without what every path has. Hidden folders are left out; a YAML file with neither the version of a scenario's
    form nor a title and a prompt is none."""
    files: list[Path] = []
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        files += [
            Path(top) / name
            for name in names
            if name.endswith(_SUFFIXES) and not name.startswith(".") and _is_scenario(Path(top) / name)
        ]
    files.sort(key=lambda file: natural(file.relative_to(folder).as_posix()))
    named: dict[str, Path] = {}
    for file in files:
        inside = file.relative_to(folder)
        parts = [*inside.parent.parts, *([] if inside.stem == "scenario" and inside.parent.parts else [inside.stem])]
        name = base = re.sub(r"[^\w.-]+", "-", "-".join(parts)).strip("-.") or "scenario"
        number = 2
        while name in named or name == "index":
            name, number = f"{base}-{number}", number + 1
        named[name] = file
    return list(named.items())


def summarised(study: CaseStudy, link: str) -> IndexEntry:
    """What an index says of a case study; `link` is its document."""
    return IndexEntry(
        title=study.scenario.title,
        link=link,
        runs=len(study.runs),
        failures=sum(run.succeeded is False for run in study.runs),
        reached=reached(study.runs[-1]),
        succeeded=study.succeeded,
        pass_rate=study.pass_rate,
        last=study.cascade[-1].title if study.cascade else None,
    )


def _is_scenario(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            head = stream.read(_HEAD).decode("utf-8", "replace")
    except OSError:
        return False
    return any(mark.search(head) for mark in _MARKS)
