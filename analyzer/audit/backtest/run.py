"""One backtest: find the files, replay the policies in workers, count."""

from __future__ import annotations

import os
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from analyzer.audit.backtest.choice import Choice
from analyzer.audit.backtest.replay import Replayed, Run, replay
from analyzer.audit.backtest.score import PolicyCounts, ranked
from analyzer.audit.backtest.truth import AlarmEffect, Labels, Truth, Verdict, truth_of
from analyzer.audit.run import Engine, Watcher
from analyzer.audit.settings import Settings
from analyzer.audit.sources.discover import discover
from analyzer.audit.sources.source import DATABASE, Source, is_url
from analyzer.audit.store.store import Store
from analyzer.model.backtest import Backtest, FormatCounts, RunCounts


def backtest(
    paths: Sequence[str],
    choices: Sequence[Choice],
    engine: Engine,
    *,
    settings: Settings | None = None,
    labels: Path | None = None,
    swept: bool = False,
    watcher: Watcher | None = None,
) -> Backtest:
    """Replay the policies over the runs at the paths, of which one may be the folder of an audit. Nothing is stored.

    Raises `AnalyzerError` where a path, the settings or the file with the labels can't be used.
    """
    given = Labels(labels) if labels is not None else None
    sources, sessions, problems = _wanted(paths)
    sources.sort(key=lambda source: (-source.size, source.key))
    if watcher is not None:
        watcher.begins(len(sources), len(sources), sum(source.size for source in sources))
    found = []
    work = partial(replay, choices=tuple(choices), settings=settings or Settings())
    for entry in engine(work, sources, Replayed.lost):
        found.append(entry)
        if watcher is not None:
            watcher.ends_one(entry.source.size, entry.first_problem)
    found.sort(key=lambda entry: entry.source.key)
    return _counted(found, choices, given, sessions, problems, swept=swept)


def _wanted(paths: Sequence[str]) -> tuple[list[Source], dict[str, set[str]], list[str]]:
    """The files at the paths, each once; where a path is the folder of an audit, those that it covers, and of them the
    sessions that it covers by their files; and which of these files aren't there any more."""
    names: list[str] = []
    sessions: dict[str, set[str]] = {}
    problems: list[str] = []
    for path in paths:
        place = Path(path).expanduser()
        if is_url(path) or not (place / DATABASE).is_file():
            names.append(path)
            continue
        with Store(place, "") as store:
            for row in store.records("sessions"):
                sessions.setdefault(row["path"], set()).add(row["session"])
        for name in sessions:
            if is_url(name) or os.path.lexists(name):
                names.append(name)
            else:
                problems.append(f"{name}: isn't there any more.")
    return list(discover(names)) if names else [], sessions, problems


def _counted(
    found: Sequence[Replayed],
    choices: Sequence[Choice],
    labels: Labels | None,
    sessions: Mapping[str, set[str]],
    problems: list[str],
    *,
    swept: bool,
) -> Backtest:
    seen: set[str] = set()
    runs: list[Run] = []
    copies = without = 0
    for entry in found:
        if entry.sha256 and entry.runs and entry.sha256 in seen:
            copies += 1
            continue
        seen.add(entry.sha256)
        runs += [run for run in entry.runs if run.path not in sessions or run.key in sessions[run.path]]
        without += entry.without_actions
        problems += [": ".join(filter(None, (path, place, what))) for path, _, _, place, what in entry.problems]
    truths = [truth_of(run, labels) for run in runs]
    counts = RunCounts(**_sorts(runs, truths))
    tallies = [PolicyCounts(choice, number) for number, choice in enumerate(choices)]
    by_none = 0
    for run, truth in zip(runs, truths, strict=True):
        fates = {tally.add(run, truth) for tally in tallies}
        by_none += truth.verdict is Verdict.STUCK and AlarmEffect.STOPPED not in fates
    scores = [
        tally.score(counts).model_copy(update={"same_as": same})
        for tally, same in zip(tallies, _same(runs, truths, choices), strict=True)
    ]
    return Backtest(
        truth="detectors" if labels is None else "labels",
        labels=labels.name if labels is not None else None,
        counts=counts,
        formats=_formats(runs, truths),
        stopped_by_none=by_none,
        without_actions=without,
        copies=copies,
        problems=sorted(problems),
        unused_labels=labels.unused() if labels is not None else [],
        with_seconds=sum(any(end == end for end in run.ends) for run in runs),
        with_tokens=sum(run.tokens is not None for run in runs),
        with_usd=sum(run.usd is not None for run in runs),
        swept=swept,
        policies=ranked(scores, apart=labels is None),
    )


def _same(runs: Sequence[Run], truths: Sequence[Truth], choices: Sequence[Choice]) -> list[str | None]:
    """For each policy an earlier one that fires at the same actions wherever it counts; our guard only for itself."""
    counted = [run.fired for run, truth in zip(runs, truths, strict=True) if truth.verdict is not Verdict.UNCLEAR]
    first: dict[tuple[bool, bytes], str] = {}
    found: list[str | None] = []
    for number, choice in enumerate(choices):
        column = (choice.kind == "guard", array("i", (fired[number] for fired in counted)).tobytes())
        found.append(first.get(column))
        first.setdefault(column, choice.label)
    return found


def _formats(runs: Sequence[Run], truths: Sequence[Truth]) -> list[FormatCounts]:
    rows = []
    for form in {run.format for run in runs}:
        of_it = [(run, truth) for run, truth in zip(runs, truths, strict=True) if run.format == form]
        rows.append(FormatCounts(format=form, **_sorts([run for run, _ in of_it], [truth for _, truth in of_it])))
    return sorted(rows, key=lambda row: (-row.stuck, -row.runs, row.format))


def _sorts(runs: Sequence[Run], truths: Sequence[Truth]) -> dict[str, int]:
    verdicts = Counter(truth.verdict for truth in truths)
    return {
        "runs": len(runs),
        "stuck": verdicts[Verdict.STUCK],
        "good": verdicts[Verdict.GOOD],
        "solved": sum(run.solved and truth.verdict is Verdict.GOOD for run, truth in zip(runs, truths, strict=True)),
        "unclear": verdicts[Verdict.UNCLEAR],
    }
