"""What the program says about itself, and that it says so at once."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import analyzer
from analyzer.cli.console.command import MODULES, ExitCode
from analyzer.cli.console.configuration import KEYS
from analyzer.cli.main import cli
from tests.cli.conftest import Program, process
from tests.tables import table

HEAVY = (
    "pydantic",
    "pandas",
    "numpy",
    "scipy",
    "rich",
    "jinja2",
    "rapidfuzz",
    "analyzer.formats",
    "analyzer.report",
    "analyzer.api",
)


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize("name", [None, *MODULES])
def test_every_help_shows_examples_and_every_exit_code(program: Program, name: str | None, flag: str) -> None:
    ran = program(*filter(None, (name, flag)))
    assert (ran.code, ran.err) == (0, "")
    examples = ran.out.partition("Examples:")[2]
    assert f"analyze-session {name}" in examples or name in (None, "post-mortem")
    assert "analyze-session " in examples
    codes = ran.out.partition("Exit codes:")[2].split()
    listed = {str(int(code)) for code in ExitCode} <= set(codes)
    assert listed if name is None else codes[-1] == "--help."


def test_the_help_lists_every_command_and_the_options_of_the_default_one(program: Program) -> None:
    out = program("--help").out
    for name in (*MODULES, "--format", "--fail-on", "--session", "--version"):
        assert name in out


@pytest.mark.parametrize("group", [[], ["audit"], ["case-study"]])
def test_every_summary_in_a_help_is_one_whole_sentence(program: Program, group: list[str]) -> None:
    title = "Commands" if group else "A run"
    commands = program(*group, "--help").out.partition(f"\n{title}:\n")[2].partition("\nExit codes")[0].splitlines()
    commands = [line for line in commands if line and not line.endswith(":")]
    assert commands
    assert [line for line in commands if not line.endswith(".") or line.endswith("...") or line[2] == " "] == []


def test_the_help_names_every_setting_of_the_configuration_file(program: Program) -> None:
    sentence = program("--help").out.partition("The settings ")[2].partition(" can also")[0]
    assert set(re.findall(r"\w+", sentence)) - {"and"} == set(KEYS)


def test_former_names_of_commands_work_and_are_not_listed(program: Program) -> None:
    assert "homes" not in program("audit", "--help").out
    assert program("audit", "homes").code == 0


def test_without_arguments_the_help_goes_to_standard_error(program: Program) -> None:
    ran = program()
    assert (ran.code, ran.out) == (2, "")
    assert "Usage: analyze-session [OPTIONS] LOG" in ran.err


def test_help_loads_nothing_heavy() -> None:
    # What is loaded stays, so one process shows it for all commands: the first that loads it is named.
    code = (
        "import sys\nfrom analyzer.cli.main import main\n"
        f"for words in {[[], *([name] for name in MODULES)]!r}:\n"
        "    main([*words, '--help'])\n"
        f"    loaded = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "    if loaded: sys.exit(f'{words}: {loaded}')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (0, "")
    assert done.stdout.count("Usage:") == 1 + len(MODULES)


def test_version_of_the_module_and_of_the_program_are_one() -> None:
    assert process("--version").out == f"analyze-session {analyzer.__version__}\n"


def every_command() -> Iterator[tuple[list[str], click.Command]]:
    """Each command with the words that call it."""
    waiting: list[tuple[list[str], click.Command]] = [([], cli)]
    while waiting:
        words, command = waiting.pop()
        yield words, command
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                assert inner is not None
                waiting.append(([*words, name], inner))


EVERY = [pytest.param(words, command, id=" ".join(words) or "alone") for words, command in every_command()]


@pytest.mark.parametrize(("words", "command"), EVERY)
def test_every_help_has_examples_and_fits_80_columns(
    words: list[str], command: click.Command, program: Program
) -> None:
    shown = program(*words, "--help").out
    assert shown.count("\n\n  Examples:\n    ") == 1
    assert [line for line in shown.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize(("words", "command"), EVERY)
def test_every_option_has_a_variable_by_its_long_name(words: list[str], command: click.Command) -> None:
    for option in command.params:
        if isinstance(option, click.Option) and not isinstance(command, click.Group) and option.name != "chosen":
            (long,) = (name for name in option.opts if name.startswith("--") and name != "--print")
            assert option.envvar == f"ANALYZE_SESSION_{long[2:].replace('-', '_').upper()}"


def test_a_variable_sets_an_option_that_is_called_otherwise_inside(
    program: Program, stuck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANALYZE_SESSION_SESSION", "no-such-session")
    assert "holds no session 'no-such-session'" in program(stuck).err


def test_the_format_of_reports_is_not_that_of_other_output(
    program: Program, stuck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANALYZE_SESSION_FORMAT", "html")
    assert program("check", stuck).out.startswith(str(stuck))


def test_the_format_of_reports_is_not_what_an_audit_prints_besides(
    program: Program, stuck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for report in ("html", "json"):
        monkeypatch.setenv("ANALYZE_SESSION_FORMAT", report)
        ran = program("audit", stuck, "-o", tmp_path / "audit", "-j", "1", "-q")
        assert (ran.code, ran.out, ran.err) == (0, "", "")


@table("a_format_of_the_environment_that_only_other_commands_write_does_not_count")
def test_a_format_of_the_environment_that_only_other_commands_write_does_not_count(
    program: Program, stuck: Path, monkeypatch: pytest.MonkeyPatch, given: str, code: int, said: str
) -> None:
    monkeypatch.setenv("ANALYZE_SESSION_FORMAT", given)
    ran = program("compare", stuck, stuck, "-q", "-j", "1")
    assert ran.code == code
    assert said in (ran.out if code == 0 else ran.err)
    assert program("compare", stuck, stuck, "-f", "sarif").code == 2


@pytest.mark.parametrize("name", ["ANALYZE_SESSION_VERSION", "ANALYZE_SESSION_HELP"])
def test_no_variable_makes_the_program_print_its_version_or_help(
    program: Program, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "1")
    assert program("detectors").out.startswith("NAME")
