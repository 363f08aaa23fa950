"""In which ways failed trials differ from what their tasks expect, over all tasks."""

from __future__ import annotations

from itertools import groupby

from analyzer.audit.links import Links
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_report import TrialMode

_MARKED = "SELECT count(*) FROM findings WHERE pattern IS NOT NULL"
_HELD = """SELECT f.pattern, f.session, f.lane, f.first_step, s.task_key
FROM findings f LEFT JOIN sessions s USING (session) WHERE f.detector = ? AND f.pattern IS NOT NULL
ORDER BY f.pattern, f.session, f.position"""


def trial_modes(tables: Tables, links: Links, most: int) -> list[TrialMode]:
    """The modes of failure of the trials that were held against their tasks, the most frequent first.

    A trial counts with the first thing in which it differs, so that no trial is in two modes.
    """
    if not tables.value(_MARKED):
        return []
    from analyzer.detectors.engine.registry import detector_with
    from analyzer.detectors.engine.traits import Trait

    name = detector_with(Trait.HELD_AGAINST_TASK).name
    made = []
    for mode, rows in groupby(tables.rows(_HELD, (name,)), key=lambda row: row[0]):
        part = list(rows)
        _, session, lane, step, _ = part[0]
        made.append(
            TrialMode(
                mode=mode,
                trials=len({row[1] for row in part}),
                tasks=len({row[4] for row in part}),
                example=links.place(session, lane, step),
            )
        )
    return sorted(made, key=lambda entry: (-entry.trials, -entry.tasks, entry.mode))[:most]
