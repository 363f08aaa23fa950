"""Compilers, type checkers, linters and formatters as rows (`rows.toml`): the hints by which a text is worth a look,
and the expressions that find a diagnostic in it."""

from __future__ import annotations

from analyzer.failures.compilers.matcher import Diagnostics, Tool
from analyzer.text.plain import holds_any
from analyzer.text.rows import made_of, table_beside

_TABLE = table_beside(__file__)
COMPILERS = made_of(Tool, _TABLE["compiler"], _TABLE["parts"])
"""Asked first: what doesn't compile is the sharper message."""
LINTERS = made_of(Tool, _TABLE["linter"], _TABLE["parts"])
"""Asked only where it's known that one of them ran: their lines look like much else. `ruff` reads every tool that
prints `file:line:column: CODE message` (flake8, pycodestyle, pydocstyle), `formatter` what Prettier, black, isort,
rustfmt and gofmt say of files that they would change."""
GO = next(tool for tool in COMPILERS if tool.name == "go")
"""`go build`, `go vet`, staticcheck and golangci-lint: the latter two name the check at the end of the line."""


def diagnostics_in(text: str, *, linters: bool) -> tuple[Diagnostics, str] | None:
    """The diagnostics of the first tool that said something in `text`, with their language; `linters` says whether
    these are asked."""
    for tool in (*COMPILERS, *LINTERS) if linters else COMPILERS:
        if holds_any(text, tool.hints):
            found = tool.read(text)
            if found is not None:
                return found, tool.language
    return None
