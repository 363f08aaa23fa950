"""What the documents say about the command line is what it does."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from analyzer.cli.console.command import DEFAULT_COMMAND, MEANINGS, ExitCode
from analyzer.cli.console.configuration import read
from analyzer.cli.main import cli
from tests.conftest import ROOT

DOCUMENT = (ROOT / "docs/exit-codes-and-options.md").read_text(encoding="utf-8")


def options(name: str) -> list[str]:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return [option for parameter in command.params if isinstance(parameter, click.Option) for option in parameter.opts]


@pytest.mark.parametrize("option", options(DEFAULT_COMMAND))
def test_every_option_of_the_post_mortem_is_documented(option: str) -> None:
    assert f"`{option}`" in DOCUMENT


@pytest.mark.parametrize(
    ("name", "elsewhere"),
    [
        ("timeline", "--help --debug --quiet --agent --project"),
        (
            "diff",
            "--help --debug --quiet --format --output --config --input-format --mapping --color --agent --project",
        ),
    ],
)
def test_every_option_that_is_the_command_s_own_is_documented(name: str, elsewhere: str) -> None:
    long = {option for option in [*options(name), "--help"] if option.startswith("--")} - {"--no-redact"}
    documented = set(re.findall(r"--[a-z-]+", (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")))
    assert long - documented == set(elsewhere.split())


@pytest.mark.parametrize("code", list(ExitCode))
def test_every_exit_code_is_documented(code: ExitCode) -> None:
    meaning = re.sub(r"(?:\b[a-z]+ )?--[a-z-]+", r"`\g<0>`", MEANINGS[code])
    assert f"| {int(code)} | {meaning} |" in DOCUMENT


def test_the_settings_in_the_document_are_valid(tmp_path: Path) -> None:
    example = DOCUMENT.partition("```toml\n")[2].partition("```")[0]
    file = tmp_path / "pyproject.toml"
    file.write_text(example)
    assert read(file)["fail_on"] == "high"
