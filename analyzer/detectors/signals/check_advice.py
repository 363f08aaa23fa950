"""What to do about a claim of success, by the check that ran on what is delivered, or that a step had shown."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.detectors.signals.listed_tests import test_file_of
from analyzer.detectors.signals.unbounded_commands import name_of
from analyzer.model.action import Action
from analyzer.text.clip import clip_path
from analyzer.text.markdown import code
from analyzer.timeline.delivery import Delivery

RUN_A_CHECK = "Run the check that would fail if the change were wrong, after the last edit, and report what it printed."
"""What to do where no check is known."""


def on_failed(check: Action, known: Action | None, *, stopped: bool) -> str:
    """What to do about a check that ran on what is delivered and failed, or was `stopped`; `known` is the run of it on
    the original code that failed as well."""
    ran = f"{code(name_of(check), 80)} (step {check.step})"
    if known is not None:
        return f"Say in the report that {ran} fails as it did on the original code, and whether the task is about that."
    if stopped:
        return f"Find out why {ran} doesn't end before handing the work in, or report that it was stopped."
    return f"Fix what {ran} shows and run it again before handing the work in, or report that it fails."


def which_check(delivery: Delivery, actions: Sequence[Action]) -> str:
    """The tests of what was changed, where the session showed which these are; empty otherwise."""
    found = test_file_of([change.file for change in delivery.files], actions)
    return f"Run {code(clip_path(found[0], 80))}, which step {found[1]} showed, after the last edit." if found else ""
