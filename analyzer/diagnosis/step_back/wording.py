"""Words that several sorts of trouble have in common."""

from __future__ import annotations

from analyzer.diagnosis.case import Case, call_text
from analyzer.text.markdown import code


def main_call(case: Case) -> str:
    """The call that shows the main finding, as text."""
    assert case.main is not None
    return call_text(case.action(case.main.steps[-1]))


def file_names(paths: list[str]) -> str:
    """The first files, as code."""
    return ", ".join(f"{code(path)}" for path in paths[:3]) or "the files"
