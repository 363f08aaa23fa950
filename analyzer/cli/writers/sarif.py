"""SARIF, for code scanning: each finding as a result, each detector as a rule with its manual page."""

from __future__ import annotations

from pathlib import Path

from analyzer.cli.console.target import Target
from analyzer.cli.writers.interface import Writer
from analyzer.cli.writers.results import AuditResult, PostMortemResult


def _findings(result: PostMortemResult | AuditResult, _: Target) -> str:
    import analyzer
    from analyzer.detectors.engine.manual import manual_pages
    from analyzer.report import sarif

    pages = manual_pages(result.asked.select, result.asked.ignore)
    return sarif.render(result.findings(), pages, analyzer.__version__, str(Path.cwd()))


SARIF = Writer("sarif", {PostMortemResult: _findings, AuditResult: _findings}, (".sarif",))
