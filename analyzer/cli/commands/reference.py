"""What the program knows and brings along: what it looks for, the form of its JSON, and what puts it into an agent or a
shell (a guard, a skill, a server, the completion of commands)."""

from __future__ import annotations

import textwrap
from difflib import unified_diff
from importlib.resources import files
from itertools import groupby

import click
from click.shell_completion import CompletionItem

from analyzer.cli.console.command import PROGRAM, Command, ExitCode
from analyzer.cli.console.options import flag_option, output_option
from analyzer.cli.console.output import WIDTH, Target, check_target, table, write

_GUARD, _SKILL = "loop_guard.py", "SKILL.md"


@click.command("detectors", cls=Command, short_help="List the detectors.")
def detectors() -> ExitCode:
    """List the detectors with their families and the first line of their manual pages.

    LIVE says which of them can follow a session while it happens (the command watch, and the guard for agents' own
    loops); the others need the end of it.

    \b
    Examples:
      analyze-session detectors
      analyze-session run.json --select loops
      analyze-session run.json --ignore environment
    """
    from analyzer.detectors.engine.interface import LiveDetector
    from analyzer.detectors.engine.registry import detectors as known
    from analyzer.detectors.engine.registry import manual_page
    from analyzer.detectors.engine.table import families

    rows = [
        (entry.name, "yes" if isinstance(entry, LiveDetector) else "-", manual_page(entry).splitlines()[0])
        for entry in known()
    ]
    kin = [(family, ", ".join(rule.name for rule in rules)) for family, rules in families().items()]
    names = table(("NAME", "LIVE", "WHAT IT FLAGS"), rows, width=WIDTH)
    write(names + "\n" + table(("FAMILY", "DETECTORS"), kin, width=WIDTH), None)
    return ExitCode.DONE


def _complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from analyzer.detectors.engine.registry import detectors

    return [CompletionItem(entry.name) for entry in detectors() if entry.name.startswith(incomplete)]


@click.command("explain", cls=Command, short_help="Show the manual page of a detector.")
@click.argument("name", metavar="NAME", shell_complete=_complete)
def explain(name: str) -> ExitCode:
    """Show the manual page of the detector NAME: what it flags, why that matters, what it does not flag.

    \b
    Examples:
      analyze-session explain loops
    """
    from analyzer.detectors.engine.registry import known_detector, manual_page

    write(fill(manual_page(known_detector(name)), Target().width or WIDTH) + "\n", None)
    return ExitCode.DONE


def fill(page: str, width: int) -> str:
    """The page with its paragraphs filled to `width` columns. Lines of a paragraph share their indentation; headings,
    items of lists and blank lines stand alone."""
    shown: list[str] = []
    for (indent, prose), group in groupby(page.splitlines(), _shape):
        lines = list(group)
        if prose and any(len(line) > width for line in lines):
            text = " ".join(line.strip() for line in lines)
            filled = textwrap.wrap(text, width - indent, break_long_words=False, break_on_hyphens=False)
            shown += [f"{' ' * indent}{line}" for line in filled]
        else:
            shown += lines
    return "\n".join(shown)


def _shape(line: str) -> tuple[int, bool]:
    """How far a line is indented, and whether it may be a part of a paragraph."""
    text = line.lstrip()
    return len(line) - len(text), bool(text) and not text.startswith(("- ", "* ", "$ ", "> "))


CONTRACTS = ("post-mortem", "diff", "audit", "find", "cost", "compare", "backtest", "case-study", "scenario")
"""The keys of `analyzer.report.schema.CONTRACTS`, which a help page needs without the models."""


@click.command("schema", cls=Command, short_help="Print the JSON Schemas of the JSON output.")
@click.argument("contract", metavar=f"[{'|'.join(CONTRACTS)}]", default="post-mortem", type=click.Choice(CONTRACTS))
@output_option
def schema(contract: str, output: str | None) -> ExitCode:
    """Print the JSON Schema of what `--format json` prints (post-mortem, the default), of an audit's report.json
    (audit), of what diff, find, cost, compare, backtest and case-study print as JSON, or of the scenario files of case
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


@click.command("guard", cls=Command, short_help="Print a loop guard to put into an agent's own loop.")
@flag_option("--patch", f"Print it as a patch that adds {_GUARD}, for `git apply`, rather than as a file.")
@output_option
def guard(patch: bool, output: str | None) -> ExitCode:
    """Print a loop guard: one Python file that needs nothing but the standard library.

    It has the two cheapest rules of the backtest: the same call with the same answer, and the same error, for the third
    time, whatever happens in between, with varying values masked. It returns a message for the agent's context.
    The full set of rules is `analyzer.Guard`.

    \b
    Examples:
      analyze-session guard -o loop_guard.py
      analyze-session guard --patch | git apply
    """
    source = files("analyzer.cli.snippets").joinpath(_GUARD).read_text(encoding="utf-8")
    if patch:
        source = "".join(unified_diff([], source.splitlines(keepends=True), "/dev/null", f"b/{_GUARD}"))
    write(source, output)
    return ExitCode.DONE


@click.command("skill", cls=Command, short_help="Print instructions for an agent to read its own post-mortem.")
@output_option
def skill(output: str | None) -> ExitCode:
    """Print a skill file: how an agent gets the post-mortem of its own or an earlier session, how to read it, and
    what to conclude from it.

    \b
    Examples:
      analyze-session skill -o .claude/skills/post-mortem/SKILL.md
      analyze-session skill >> AGENTS.md
    """
    check_target(output)
    write(files("analyzer.cli.snippets").joinpath(_SKILL).read_text(encoding="utf-8"), output)
    return ExitCode.DONE


@click.command("mcp", cls=Command, short_help="Answer agents over the Model Context Protocol.")
@click.argument("paths", metavar="[PATH...]", nargs=-1, type=click.Path(exists=True))
def mcp(paths: tuple[str, ...]) -> ExitCode:
    """Run an MCP server on standard input and output, for an agent that asks about recorded sessions at PATH (by
    default the working directory) and below.

    Its tools are post_mortem (of a transcript), find (in an audit), explain (a finding) and guard_check (of a
    transcript that is being written). Nothing else is read, and secrets are replaced in every answer. It needs
    `pip install 'analyze-session[mcp]'`.

    \b
    Examples:
      analyze-session mcp audit/ runs/
      claude mcp add sessions -- analyze-session mcp ~/audit ~/.claude/projects
    """
    from analyzer.serving.mcp_server import serve

    serve(paths or (".",))
    return ExitCode.DONE


@click.command("completion", cls=Command, short_help="Print the completion script of a shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> ExitCode:
    """Print the script that makes SHELL complete commands, options and their values.

    \b
    Examples:
      eval "$(analyze-session completion bash)"
      analyze-session completion fish > analyze-session.fish
    """
    from click.shell_completion import get_completion_class

    from analyzer.cli.main import COMPLETION_VARIABLE, cli

    kind = get_completion_class(shell)
    assert kind is not None, "click knows these three shells"
    write(kind(cli, {}, PROGRAM, COMPLETION_VARIABLE).source() + "\n", None)
    return ExitCode.DONE
