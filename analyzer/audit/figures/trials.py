"""In which ways failed trials differ from what their tasks expect, over all tasks."""

from __future__ import annotations

import pandas

from analyzer.audit.figures.counts import records
from analyzer.audit.links import Links
from analyzer.model.audit_report import TrialMode


def trial_modes(findings: pandas.DataFrame, sessions: pandas.DataFrame, links: Links, most: int) -> list[TrialMode]:
    """The modes of failure of the trials that were held against their tasks, the most frequent first.

    A trial counts with the first thing in which it differs, so that no trial is in two modes.
    """
    marked = findings[findings["pattern"].notna()]
    if marked.empty:
        return []
    from analyzer.detectors.engine.registry import detector_with
    from analyzer.detectors.engine.traits import Trait

    held = marked[marked["detector"] == detector_with(Trait.HELD_AGAINST_TASK).name]
    if held.empty:
        return []
    known = held.merge(sessions[["session", "task_key"]], on="session", how="left").sort_values(["session", "position"])
    made = []
    for mode, part in known.groupby("pattern", sort=True):
        first = records(part.head(1))[0]
        made.append(
            TrialMode(
                mode=str(mode),
                trials=int(part["session"].nunique()),
                tasks=int(part["task_key"].nunique()),
                example=links.place(str(first["session"]), str(first["lane"]), int(first["first_step"])),
            )
        )
    return sorted(made, key=lambda entry: (-entry.trials, -entry.tasks, entry.mode))[:most]
