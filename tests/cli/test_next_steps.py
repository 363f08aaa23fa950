"""What is wrong with a call is said with what to do instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.cli.commands.reference import fill
from analyzer.detectors.engine.registry import detectors, manual_page
from tests.cli.conftest import Program
from tests.tables import table


@table("the_next_step_is_named")
def test_the_next_step_is_named(arguments: tuple[str, ...], says: str, program: Program, elsewhere: Path) -> None:
    (elsewhere / "run.json").write_text("{}", encoding="utf-8")
    (elsewhere / "empty.json").touch()
    ran = program(*arguments)
    assert ran.code == 2
    assert says in ran.err


def test_an_audit_of_nothing_leaves_nothing_behind(program: Program, elsewhere: Path) -> None:
    (elsewhere / "runs").mkdir()
    ran = program("audit", "runs", "-o", "audit")
    assert (ran.code, ran.out) == (2, "")
    assert "runs: there is no file to read." in ran.err
    assert not (elsewhere / "audit").exists()


@pytest.mark.parametrize("width", [80, 60])
def test_a_manual_page_fits_and_keeps_its_words(width: int) -> None:
    for detector in detectors():
        page = manual_page(detector)
        filled = fill(page, width)
        assert filled.split() == page.split()
        assert max(map(len, filled.splitlines())) <= width


def test_what_is_no_paragraph_stays_as_it_is() -> None:
    item, command = "- a list item that is longer than that", "    $ a command that is longer"
    page = f"Head\n\n    one two three four\n    five\n\n{item}\n{command}"
    assert fill(page, 20).splitlines() == ["Head", "", "    one two three", "    four five", "", item, command]
