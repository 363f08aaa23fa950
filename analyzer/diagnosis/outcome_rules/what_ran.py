"""What a check that passed is called in a sentence: tests, those of a hook, what the user named, a build."""

from __future__ import annotations

from analyzer.diagnosis.end import End
from analyzer.model.action import Action
from analyzer.model.words import Kind
from analyzer.text.markdown import code
from analyzer.timeline.closing.ending import asked_for
from analyzer.timeline.verification.checks import runs_checker
from analyzer.timeline.verification.hooks import in_hooks, verb_of
from analyzer.timeline.verification.named_checks import named_by_user
from analyzer.timeline.verification.proof import counts_tests


def what_ran(end: End, check: Action) -> str:
    """The subject of `... passed`, with a capital letter."""
    if in_hooks(check):
        return f"The tests in the hooks of {code(verb_of(check))}"
    if check.kind is Kind.TEST or counts_tests(check):
        return "Tests"
    if named_by_user(check, asked_for(end.case.timeline)):
        return "The check that the user named"
    if runs_checker(check):
        return "The static check"
    return "The build" if check.operation.runner is not None else "A check"
