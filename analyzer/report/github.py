"""Findings as workflow commands of GitHub Actions, which it shows as annotations.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

from analyzer.model.words import Severity
from analyzer.report.results import Results, relative
from analyzer.report.safe import clip, visible

_COMMANDS = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "notice"}


def render(results: Results, base: str) -> str:
    """One line per finding above `info`, the worst first, since only the first ten of each kind are shown; files below
    the folder `base` are named from there on.

    A file that could not be read is a warning, after the findings. Empty where there's neither.
    """
    lines = []
    for result in results.results:
        command = _COMMANDS.get(result.severity)
        if command is not None:
            file, _ = relative(result.session.path, base)
            title = f"{result.detector}: {clip(result.kind, 100)}"
            place = f"file={_property(visible(file))},line=1,title={_property(title)}"
            lines.append(f"::{command} {place}::{_data(result.summary())}\n")
    for path, what in results.problems:
        file, _ = relative(path, base)
        lines.append(
            f"::warning file={_property(visible(file))},line=1,title=could not be read::{_data(clip(what, 1_000))}\n"
        )
    return "".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
