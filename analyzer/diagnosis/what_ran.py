"""What a check that passed is called in a sentence: tests, those of a hook, or the check that the user named."""

from __future__ import annotations

from analyzer.model.action import Action
from analyzer.model.words import Kind
from analyzer.text.markdown import code
from analyzer.timeline.hooks import in_hooks, verb_of
from analyzer.timeline.proof import counts_tests


def what_ran(check: Action) -> str:
    """The subject of `... passed`, with a capital letter."""
    if in_hooks(check):
        return f"The tests in the hooks of {code(verb_of(check))}"
    if check.kind is Kind.TEST or counts_tests(check):
        return "Tests"
    return "The check that the user named"
