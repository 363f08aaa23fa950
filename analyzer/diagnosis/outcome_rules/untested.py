"""Delivered files of which no test was run, where the tests that did run are named after the files they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from analyzer.failures.roles import is_test_path
from analyzer.model.action import Action
from analyzer.model.difference import ChangeKind
from analyzer.model.words import Kind
from analyzer.timeline.delivery import Delivery
from analyzer.timeline.verification.checks import is_document

_SHORTEST = 3
_MOST = 3


def untested(delivery: Delivery, checks: Sequence[Action]) -> list[tuple[str, str]]:
    """The delivered files without a test among those that ran, each with the name that its tests would have.

    Empty where a run named no test files, so that it took all of them, and where the names say nothing: at least one
    of the delivered files must have been tested by a file that is named after it.
    """
    files = [
        change.file
        for change in delivery.files
        if change.kind is ChangeKind.MODIFIED and not is_document(change.file) and not is_test_path(change.file)
    ]
    runs = [check for check in checks if check.kind is Kind.TEST]
    named = [list(_test_files(run)) for run in runs]
    if len(files) < 2 or not named or not all(named):
        return []
    tests = {name for names in named for name in names}
    after = {path: next((test for test in sorted(tests) if _stem(path) in _words(test)), None) for path in files}
    pattern = next(((path, test) for path, test in after.items() if test is not None), None)
    if pattern is None:
        return []
    known, test = pattern
    missed = [path for path, found in after.items() if found is None and len(_stem(path)) >= _SHORTEST]
    return [(path, test.replace(_stem(known), _stem(path))) for path in missed][:_MOST]


def _test_files(run: Action) -> Iterator[str]:
    for entry in run.operation.commands:
        for word in entry.args:
            path = word.split("::", 1)[0]
            name = path.rsplit("/", 1)[-1]
            if is_test_path(path) and "." in name:
                yield name


def _stem(path: str) -> str:
    return PurePosixPath(path).stem


def _words(test: str) -> set[str]:
    """What a test file is named after: its name without the part that says it's a test."""
    stem = test.split(".", 1)[0]
    found = {stem}
    for part in ("test_", "Test"):
        found.add(stem.removeprefix(part))
    for part in ("_test", "Test", "Tests", "_spec", "Spec", "-test"):
        found.add(stem.removesuffix(part))
    return found
