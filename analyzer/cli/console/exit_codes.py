"""What the program's exit status means."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit status of every command."""

    DONE = 0
    GATE = 1
    USAGE = 2
    NOTHING_TO_COMPARE = 3
    INTERRUPTED = 130

    @property
    def meaning(self) -> str:
        """The line of the help that explains it."""
        return _MEANINGS[self]


_MEANINGS = {
    ExitCode.DONE: "finished, whatever was found",
    ExitCode.GATE: (
        "a gate failed (--fail-on, compare --fail-on-regression, bench --fail-under, check --strict, or redact "
        "--check); the report is still written"
    ),
    ExitCode.USAGE: "wrong usage or configuration, unreadable input, or an error of this program",
    ExitCode.NOTHING_TO_COMPARE: "nothing to compare: one side has no sessions, or no two can be paired as requested",
    ExitCode.INTERRUPTED: "interrupted",
}
