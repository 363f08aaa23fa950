"""The runners whose reports are read by rows (`rows.toml`)."""

from __future__ import annotations

from analyzer.failures.runners.row import Runner
from analyzer.model.struct import replace
from analyzer.text.rows import made_of, table_beside

_MADE = {runner.NAME: runner for runner in made_of(Runner, table_beside(__file__)["runner"], {})}
RUNNERS = tuple(replace(runner, inner=tuple(map(_MADE.__getitem__, runner.within))) for runner in _MADE.values())
"""In the order in which they're asked."""
