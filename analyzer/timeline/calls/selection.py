"""Which tests a run takes: all of them, or those that its command chooses by name or by file."""

from __future__ import annotations

from pathlib import PurePosixPath

from analyzer.model.action import Action

_CHOOSES = frozenset(
    {
        "-k",
        "-t",
        "-E",
        "-m",
        "--grep",
        "-run",
        "--run",
        "--filter",
        "--filterset",
        "--gtest_filter",
        "--testNamePattern",
        "--test-name-pattern",
    }
)
_SUFFIXES = frozenset({".py", ".js", ".ts", ".tsx", ".jsx", ".mjs", ".rb", ".go", ".rs", ".php", ".java", ".kt"})


def takes_all_of(run: Action, other: Action) -> bool:
    """Whether a run takes every test that another one of the same runner took, as far as the commands say."""
    if run.operation.runner is None or run.operation.runner != other.operation.runner or selects(run):
        return False
    chosen = targets(run)
    return not chosen or (
        bool(before := targets(other)) and all(any(_below(one, wide) for wide in chosen) for one in before)
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
