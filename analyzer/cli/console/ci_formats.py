"""Findings in the forms that a CI wants: `-f sarif`, `junit` and `github`."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.model.words import Severity

if TYPE_CHECKING:
    from analyzer.report.results import Results

CI_FORMATS = ("sarif", "junit", "github")


def render(
    results: Results,
    chosen: str,
    *,
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    fail_on: str | None = None,
) -> str:
    """The findings as one of `CI_FORMATS`, with files named from the current folder on. `select` and `ignore` say which
    detectors were asked; `fail_on` is the severity from which on a finding is a failure in JUnit, by default `low`."""
    base = str(Path.cwd())
    if chosen == "github":
        from analyzer.report import github

        return github.render(results, base)
    from analyzer.cli.console.manual import manual_page
    from analyzer.detectors.engine.registry import detectors

    asked = {
        entry.name: manual_page(entry)
        for entry in detectors()
        if (not select or entry.name in select) and entry.name not in ignore
    }
    if chosen == "junit":
        from analyzer.report import junit

        return junit.render(results, list(asked), base, Severity(fail_on) if fail_on else Severity.LOW)
    import analyzer
    from analyzer.report import sarif

    return sarif.render(results, asked, analyzer.__version__, base)
