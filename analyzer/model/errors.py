"""Errors that reach the person at the terminal."""

from __future__ import annotations


class AnalyzerError(Exception):
    """Something that the user can understand and act upon.

    `what` is one sentence; `where` a path, `path:line` or step; `hint` what to do next. `str()` of the error is the
    whole message, as the command line prints it.
    """

    def __init__(self, what: str, *, where: str | None = None, hint: str | None = None) -> None:
        self.what = what
        self.where = where
        self.hint = hint
        super().__init__(self.message)

    @property
    def message(self) -> str:
        """The place, the fact and the advice, as one text."""
        place = f"{self.where}: " if self.where else ""
        advice = f"\n{self.hint}" if self.hint else ""
        return f"{place}{self.what}{advice}"


class UnreadableInput(AnalyzerError):
    """The input is missing, empty, binary, damaged beyond use, or no transcript of a known format.

    `format` and `size_bytes` are set where the format was recognised before its reader found nothing that it could use.
    `foreign` is True for a file that is sound and simply no transcript (or known to hold what isn't one), so that a
    search through folders may pass over it.
    """

    format: str | None = None
    size_bytes: int | None = None

    def __init__(self, what: str, *, where: str | None = None, hint: str | None = None, foreign: bool = False) -> None:
        super().__init__(what, where=where, hint=hint)
        self.foreign = foreign


class BadConfiguration(AnalyzerError):
    """A configuration file or option has an unknown key or a value of the wrong type."""
