"""Which folders are a trial of Terminal-Bench."""

from __future__ import annotations

import posixpath

from analyzer.formats.container.tree import Claim, Folder

_VERDICT = (b'"trial_name"', b'"is_resolved"', b'"task_id"')
_RECORDINGS = frozenset({"agent.log", "agent.cast"})


def claim(folder: Folder) -> Claim | None:
    """A folder with a verdict and what was typed into the terminal, or a recording of it, is one trial.

    The results of a whole run lie two levels higher and repeat the verdicts of its trials.
    """
    if not folder.entire or "results.json" not in folder.files:
        return None
    # Names such as results.json are common, so a look inside must confirm them.
    recorded = "commands.txt" in folder.files or not _RECORDINGS.isdisjoint(folder.inside("sessions"))
    if not recorded or not folder.holds("results.json", *_VERDICT):
        return None
    return folder.as_one(posixpath.join(posixpath.dirname(posixpath.dirname(folder.path)), "results.json"))
