"""What a check that passed is called in a sentence: tests, those of a hook, what the user named, a build."""

from __future__ import annotations

from analyzer.diagnosis.end import End
from analyzer.model.action import Action
from analyzer.model.words import Kind
from analyzer.text.clip import clip
from analyzer.text.english import listed, one_or_many
from analyzer.text.markdown import code
from analyzer.timeline.closing.ending import asked_for
from analyzer.timeline.verification.checks import runs_checker
from analyzer.timeline.verification.hooks import in_hooks, verb_of
from analyzer.timeline.verification.named_checks import named_by_user
from analyzer.timeline.verification.proof import counts_tests

_MOST_JOBS = 4


def what_ran(end: End, check: Action) -> str:
    """The subject of `... passed`, with a capital letter."""
    if (remote := remote_checks(end, check)) is not None:
        return f"The {remote}"
    if in_hooks(check):
        return f"The tests in the hooks of {code(verb_of(check))}"
    if check.kind is Kind.TEST or counts_tests(check):
        return "Tests"
    return _by_name(end, check)


def _by_name(end: End, check: Action) -> str:
    """What a check is called that runs no tests."""
    if named_by_user(check, asked_for(end.case.timeline)):
        return "The check that the user named"
    if runs_checker(check):
        return "The static check"
    return "The build" if check.operation.runner is not None else "A check"


def remote_checks(end: End, check: Action) -> str | None:
    """The checks on a server that a call saw pass, by their names; None for another call."""
    run = end.proofs.remote.get(id(check))
    if run is None:
        return None
    named = [name for name in run.jobs if name]
    shown = [code(clip(name, 40)) for name in named[:_MOST_JOBS]]
    more = [f"{len(named) - _MOST_JOBS} more"] if len(named) > _MOST_JOBS else []
    return f"remote {one_or_many(len(run.jobs), 'check')} {listed([*shown, *more])}".rstrip()
