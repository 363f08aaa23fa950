"""The byte code of templates is kept beside that of the package, and never changes what is rendered."""

from __future__ import annotations

import sys
from pathlib import Path

import jinja2
import pytest

from analyzer.report.environment import KeptTemplates, kept_templates


@pytest.fixture(autouse=True)
def written(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an installation, whatever the environment of the tests says."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def rendered(text: str, kept: Path) -> str:
    """A template as a new process renders it."""
    loader = jinja2.DictLoader({"page.j2": text})
    return jinja2.Environment(loader=loader, bytecode_cache=KeptTemplates(kept)).get_template("page.j2").render(n=2)


def test_a_template_is_kept_in_one_file_and_read_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rendered("{{ n }} steps", tmp_path) == "2 steps"
    (file,) = tmp_path.iterdir()
    before = file.read_bytes()

    def refused(*_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(jinja2.Environment, "compile", refused)
    assert rendered("{{ n }} steps", tmp_path) == "2 steps"
    assert file.read_bytes() == before


def test_a_changed_template_is_compiled_again_into_the_same_file(tmp_path: Path) -> None:
    rendered("{{ n }} steps", tmp_path)
    assert rendered("{{ n }} files", tmp_path) == "2 files"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.slow
@pytest.mark.parametrize("damage", [b"", b"no byte code", None], ids=["empty", "something else", "cut"])
def test_a_damaged_file_is_replaced(tmp_path: Path, damage: bytes | None) -> None:
    rendered("{{ n }} steps", tmp_path)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for length in range(0, len(whole), 7) if damage is None else (None,):
        file.write_bytes(whole[:length] if damage is None else damage)
        assert rendered("{{ n }} steps", tmp_path) == "2 steps"
        assert file.read_bytes() == whole


def test_other_code_of_ours_is_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered("{{ n }} steps", tmp_path)
    (file,) = tmp_path.iterdir()
    before = file.read_bytes()
    monkeypatch.setattr("analyzer.__version__", "0.0.0")
    assert rendered("{{ n }} steps", tmp_path) == "2 steps"
    assert file.read_bytes() != before


def test_nothing_is_written_where_python_writes_no_byte_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert rendered("{{ n }} steps", tmp_path / "kept") == "2 steps"
    assert not (tmp_path / "kept").exists()


def test_a_folder_that_cannot_be_written_to_hinders_nothing(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file")
    assert rendered("{{ n }} steps", tmp_path / "kept") == "2 steps"


def test_an_interpreter_that_keeps_no_byte_code_keeps_no_templates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.implementation, "cache_tag", None)
    assert kept_templates() is None
