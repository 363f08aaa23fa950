"""`analyze-session schema`: the JSON Schemas of the JSON reports."""

from __future__ import annotations

import click

from analyzer.cli.console.command import Command
from analyzer.cli.console.exit_codes import ExitCode
from analyzer.cli.console.options import output_option
from analyzer.cli.console.output import check_target, write

CONTRACTS = ("post-mortem", "diff", "audit", "find", "compare", "backtest", "case-study", "scenario")
"""The keys of `analyzer.report.schema.CONTRACTS`, which a help page needs without the models."""


@click.command("schema", cls=Command, short_help="Print the JSON Schemas of the JSON output.")
@click.argument("contract", metavar=f"[{'|'.join(CONTRACTS)}]", default="post-mortem", type=click.Choice(CONTRACTS))
@output_option
def schema(contract: str, output: str | None) -> ExitCode:
    """Print the JSON Schema of what `--format json` prints (post-mortem, the default), of an audit's report.json
    (audit), of what diff, find, compare, backtest and case-study print as JSON, or of the scenario files of case
    studies (scenario).

    \b
    Examples:
      analyze-session schema
      analyze-session schema audit
      analyze-session schema scenario -o scenario.schema.json
      analyze-session schema -o analyze-session.schema.json
    """
    from analyzer.report.json import dump
    from analyzer.report.schema import schema as report_schema

    check_target(output)
    write(dump(report_schema(contract), indent=2), output)
    return ExitCode.DONE


COMMAND = schema
