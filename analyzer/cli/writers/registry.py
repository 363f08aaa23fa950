"""The formats, in the order of the help. A new one is a module beside this one and an entry here."""

from __future__ import annotations

from analyzer.cli.writers.csv import CSV
from analyzer.cli.writers.github import GITHUB
from analyzer.cli.writers.html import HTML
from analyzer.cli.writers.interface import Writer
from analyzer.cli.writers.json import JSON
from analyzer.cli.writers.jsonl import JSONL
from analyzer.cli.writers.junit import JUNIT
from analyzer.cli.writers.markdown import MARKDOWN
from analyzer.cli.writers.sarif import SARIF
from analyzer.cli.writers.terminal import TERMINAL
from analyzer.cli.writers.text import TEXT

WRITERS = (TEXT, MARKDOWN, HTML, JSON, TERMINAL, CSV, JSONL, SARIF, JUNIT, GITHUB)


def writers_of(result: type) -> dict[str, Writer]:
    """The formats in which results of this class can be written, by name."""
    return {writer.name: writer for writer in WRITERS if result in writer.renders}
