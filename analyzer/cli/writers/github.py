"""Annotations of GitHub Actions: one line of standard output per finding."""

from __future__ import annotations

from pathlib import Path

from analyzer.cli.console.target import Target
from analyzer.cli.writers.interface import Writer
from analyzer.cli.writers.results import AuditResult, PostMortemResult


def _findings(result: PostMortemResult | AuditResult, _: Target) -> str:
    from analyzer.report import github

    return github.render(result.findings(), str(Path.cwd()))


GITHUB = Writer("github", {PostMortemResult: _findings, AuditResult: _findings})
