"""The registry of output formats is the only place that lists them."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import click
import pytest

from analyzer.cli.console.configuration import read
from analyzer.cli.console.output import Target
from analyzer.cli.console.results import (
    AlarmResult,
    AuditResult,
    BacktestResult,
    CaseStudyResult,
    CheckResult,
    ComparisonResult,
    DifferenceResult,
    PostMortemResult,
    TimelineResult,
)
from analyzer.cli.console.writers import WRITERS, Writer, writers_of
from analyzer.cli.main import cli
from analyzer.model.errors import BadConfiguration

COMMANDS = [
    pytest.param(["post-mortem"], PostMortemResult, id="post-mortem"),
    pytest.param(["timeline"], TimelineResult, id="timeline"),
    pytest.param(["audit", "run"], AuditResult, id="audit"),
    pytest.param(["compare"], ComparisonResult, id="compare"),
    pytest.param(["backtest"], BacktestResult, id="backtest"),
    pytest.param(["case-study", "write"], CaseStudyResult, id="case-study"),
    pytest.param(["diff"], DifferenceResult, id="diff"),
    pytest.param(["check"], CheckResult, id="check"),
    pytest.param(["watch"], AlarmResult, id="watch"),
]


def option(path: list[str], name: str) -> click.Option:
    command: click.Command = cli
    for word in path:
        assert isinstance(command, click.Group)
        inner = command.get_command(click.Context(command), word)
        assert inner is not None
        command = inner
    (found,) = (entry for entry in command.params if isinstance(entry, click.Option) and name in entry.opts)
    return found


@pytest.mark.parametrize(("path", "result"), COMMANDS)
def test_a_command_offers_every_format_that_writes_its_result(path: list[str], result: type) -> None:
    offered = option(path, "--format").type
    assert isinstance(offered, click.Choice)
    assert list(offered.choices) == [writer.name for writer in WRITERS if result in writer.renders]


@pytest.mark.parametrize(("path", "result"), COMMANDS)
def test_format_is_the_output_and_has_the_same_short_name_everywhere(path: list[str], result: type) -> None:
    assert "-f" in option(path, "--format").opts
    assert set(writers_of(result)) > {"json"}


def test_names_and_suffixes_mean_one_format_each() -> None:
    names = [writer.name for writer in WRITERS]
    suffixes = list(chain.from_iterable(writer.suffixes for writer in WRITERS))
    assert len(set(names)) == len(names)
    assert len(set(suffixes)) == len(suffixes)


def test_a_writer_renders_a_result_by_its_class() -> None:
    shout = Writer("shout", {TimelineResult: lambda result, target: f"{len(result.tables)} {target.output}!"})
    assert shout.render(TimelineResult([]), Target("x")) == "0 x!"


def test_the_setting_knows_the_formats_of_the_post_mortem(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('format = "csv"\n')
    with pytest.raises(BadConfiguration, match="markdown, html, json, terminal, sarif, junit, github"):
        read(file, named=True)
