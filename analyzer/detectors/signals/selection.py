"""Which tests a run takes: all of them, or those that its command chooses by name or by file."""

from __future__ import annotations

from pathlib import PurePosixPath

from analyzer.model.action import Action
from analyzer.text.names import name_set

_CHOOSES = name_set(
    "-k -t -E -m --grep -run --run --filter --filterset --gtest_filter --testNamePattern --test-name-pattern"
)
_SUFFIXES = frozenset({".py", ".js", ".ts", ".tsx", ".jsx", ".mjs", ".rb", ".go", ".rs", ".php", ".java", ".kt"})


def narrower(run: Action, wide: Action) -> bool:
    """Whether a run takes less than another one of the same runner: chosen by name, or by files below its targets."""
    if run.operation.runner != wide.operation.runner:
        return False
    chosen, before = targets(run), targets(wide)
    if chosen == before:
        return False
    if selects(run) and not selects(wide):
        return not before or all(any(_below(one, other) for other in before) for one in chosen)
    if not chosen:
        return False
    return not before or (
        all(any(_below(one, other) for other in before) for one in chosen) and len(chosen) <= len(before)
    )


def selects(run: Action) -> bool:
    """Whether a run chooses its tests by name."""
    return any(word.split("=", 1)[0] in _CHOOSES for entry in run.operation.commands for word in entry.args)


def targets(run: Action) -> set[str]:
    """The files, folders and tests that a run names."""
    return {
        word
        for entry in run.operation.commands
        for word in entry.args
        if not word.startswith("-") and ("/" in word or "::" in word or PurePosixPath(word).suffix in _SUFFIXES)
    }


def _below(one: str, other: str) -> bool:
    return one == other or one.startswith((f"{other.rstrip('/')}/", f"{other}::")) or other in (".", "./...")
