"""JUnit XML: each detector as a test, which fails from the severity of `--fail-on` on (by default from `low` on)."""

from __future__ import annotations

from pathlib import Path

from analyzer.cli.console.target import Target
from analyzer.cli.writers.interface import Writer
from analyzer.cli.writers.results import AuditResult, PostMortemResult
from analyzer.model.words import Severity


def _findings(result: PostMortemResult | AuditResult, _: Target) -> str:
    from analyzer.detectors.engine.manual import manual_pages
    from analyzer.report import junit

    asked = result.asked
    level = Severity(asked.fail_on) if asked.fail_on else Severity.LOW
    return junit.render(result.findings(), list(manual_pages(asked.select, asked.ignore)), str(Path.cwd()), level)


JUNIT = Writer("junit", {PostMortemResult: _findings, AuditResult: _findings})
