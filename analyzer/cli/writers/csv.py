"""CSV, for spreadsheets."""

from __future__ import annotations

from analyzer.cli.console.target import Target
from analyzer.cli.writers.interface import Writer
from analyzer.cli.writers.results import BacktestResult, TimelineResult


def _timeline(result: TimelineResult, _: Target) -> str:
    from analyzer.report.records import render_csv

    return render_csv(result.tables, full=result.full)


def _backtest(result: BacktestResult, _: Target) -> str:
    from analyzer.report.records import backtest_csv

    return backtest_csv(result.backtest)


CSV = Writer("csv", {TimelineResult: _timeline, BacktestResult: _backtest}, (".csv",))
