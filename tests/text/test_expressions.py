"""Expressions that are kept for later runs are those that `re.compile` makes, and whatever is doubtful is compiled."""

from __future__ import annotations

import marshal
import os
import re
import stat
import sys
from pathlib import Path

import pytest

import analyzer
from analyzer.text.expressions import KeptExpressions, kept_expressions
from analyzer.text.required import required

EXPRESSIONS: tuple[tuple[str, int], ...] = (
    (r"(?:error|fatal): \w+", 0),
    (r"^(?P<file>[^:\n]+):(?P<line>\d+)(?::(?P<column>\d+))?: (error|warning)", re.MULTILINE),
    (r"(?i:kiss)es?|(?P<quote>['\"]).*?(?P=quote)", 0),
    (r"task is (?:not )?done", re.IGNORECASE | re.DOTALL),
    (r"[^\W\d_]{3,}|[äöüß-ſ\u4e00-\u9fff]+", re.IGNORECASE),
    (r"(?<![\w.])a{2,5}+(?>b|bc)*(?!\d)", 0),
    (r"(?a:\w+)(?(1)x|y)?()", re.VERBOSE),
    ("", 0),
)
TEXTS = [
    "",
    "an error: x",
    "src/a.py:3:4: error",
    "KISSes 'x'",
    "Task is\nDONE task is done",
    "ſtraße 中文 ÄÖ",
    "aaab",
    "xy",
]


@pytest.fixture(autouse=True)
def written(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an installation, whatever the environment of the tests says."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def run(file: Path | None, expressions: tuple[tuple[str, int], ...] = EXPRESSIONS) -> list[re.Pattern[str]]:
    """The expressions as a new process gets them, which then keeps what it had to compile."""
    kept = KeptExpressions(file)
    found = [kept.pattern(*expression) for expression in expressions]
    kept.write()
    return found


def refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(re, "compile", refused)


def test_what_is_kept_finds_what_the_plain_expression_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = [re.compile(source, flags) for source, flags in EXPRESSIONS]
    run(tmp_path / "kept")
    refuse(monkeypatch)
    for again, wanted in zip(run(tmp_path / "kept"), plain, strict=True):
        assert again == wanted
        assert (again.pattern, again.flags, again.groups) == (wanted.pattern, wanted.flags, wanted.groups)
        assert again.groupindex == wanted.groupindex
        for text in TEXTS:
            matches = [[(one.regs, one.lastgroup) for one in used.finditer(text)] for used in (again, wanted)]
            assert matches[0] == matches[1], (wanted.pattern, text)
            assert again.sub("-", text) == wanted.sub("-", text)


def test_the_literals_are_kept_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path / "kept")
    wanted = [required(source, flags) for source, flags in EXPRESSIONS]
    kept = KeptExpressions(tmp_path / "kept")
    monkeypatch.setattr("analyzer.text.expressions.required", None)
    again = [kept.required(source, flags) for source, flags in EXPRESSIONS]
    assert [found and found[0] for found in again] == wanted
    assert any(found is not None and found[1]("the task is done") for found in again)


def test_what_was_asked_for_is_added_to_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = KeptExpressions(tmp_path / "kept"), KeptExpressions(tmp_path / "kept")
    one.pattern("one")
    other.required("other")
    one.write()
    other.write()
    before = (tmp_path / "kept").read_bytes()
    refuse(monkeypatch)
    run(tmp_path / "kept", (("one", 0), ("other", 0)))
    assert (tmp_path / "kept").read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["kept"]


@pytest.mark.parametrize("damage", ["empty", "something else", "cut", "one bit", "no table"])
def test_a_damaged_file_counts_as_none_and_is_replaced(tmp_path: Path, damage: str) -> None:
    few = (("(?P<word>error)s?", 0), ("x{2,}", 0))
    file = tmp_path / "kept"
    run(file, few)
    whole = file.read_bytes()
    damaged = {
        "empty": [b""],
        "something else": [b"no expressions" * 9],
        "cut": [whole[:length] for length in range(0, len(whole), 41)],
        "one bit": [whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :] for at in range(0, len(whole), 37)],
        "no table": [whole[:32] + marshal.dumps([1, 2]), marshal.dumps({})],
    }
    for content in damaged[damage]:
        file.write_bytes(content)
        assert run(file, few) == [re.compile(source, flags) for source, flags in few]
        assert file.read_bytes() == whole


def test_what_another_python_or_another_version_of_the_code_wrote_counts_as_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path / "kept")
    before = (tmp_path / "kept").read_bytes()
    monkeypatch.setattr("analyzer.text.expressions._build", lambda: b"3.99")
    assert not KeptExpressions(tmp_path / "kept")._entry(*EXPRESSIONS[0])
    assert run(tmp_path / "kept") == [re.compile(source, flags) for source, flags in EXPRESSIONS]
    assert (tmp_path / "kept").read_bytes() != before


def test_a_file_that_cannot_be_written_hinders_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = [re.compile(source, flags) for source, flags in EXPRESSIONS]
    (tmp_path / "file").write_text("a file")
    assert run(tmp_path / "file" / "kept") == wanted
    assert run(None) == wanted
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert run(tmp_path / "kept") == wanted
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize("why", ["writes none", "can't write any"])
def test_where_python_keeps_no_byte_code_they_are_kept_for_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    monkeypatch.setenv("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME", str(tmp_path / "cache"))
    if why == "writes none":
        monkeypatch.setattr(sys, "dont_write_bytecode", True)
    else:
        monkeypatch.setattr(os, "access", lambda *_: False)
    first = kept_expressions()
    first.pattern("one")
    first.write()
    (folder,) = (tmp_path / "cache").iterdir()
    assert folder.name == "analyze-session"
    assert len(list(folder.iterdir())) == 1
    assert os.name == "nt" or stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert kept_expressions()._entry("one", 0)


@pytest.mark.skipif(os.name == "nt", reason="needs owners of POSIX")
def test_what_somebody_else_put_there_counts_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    kept = kept_expressions()
    kept.pattern("one")
    kept.write()
    owner = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    assert not kept_expressions()._entry("one", 0)


def test_a_folder_that_cannot_be_made_hinders_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("a file")
    monkeypatch.setenv("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    kept = kept_expressions()
    assert kept.pattern("one") == re.compile("one")
    kept.write()
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_a_python_without_that_machine_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path / "kept")
    monkeypatch.setattr("analyzer.text.expressions._machine", lambda: object())
    monkeypatch.setattr("analyzer.text.expressions._build", lambda: b"3.99")
    for _ in range(2):
        assert run(tmp_path / "kept") == [re.compile(source, flags) for source, flags in EXPRESSIONS]


def test_a_wrong_expression_is_an_error_each_time(tmp_path: Path) -> None:
    for _ in range(2):
        kept = KeptExpressions(tmp_path / "kept")
        with pytest.raises(re.error, match="missing"):
            kept.pattern("(unclosed")
        kept.write()


FUNCTION = re.compile(r"^(?P<indent> *)def (?P<name>\w+)(?P<body>.*(?:\n(?:(?P=indent)(?: +|\) ).*)?)*)", re.MULTILINE)
MAKER = re.compile(r"\b(?:late|compiled)\((?!source: str)")
PASSED_ON = {"_compiled", "_fields", "expression", "expressions_of", "row", "table"}
"""Functions that pass the expressions of a module's table on."""


def test_no_expression_is_kept_that_a_function_makes() -> None:
    """It could hold words of a session, which must not stay on the disk."""
    made = [
        f"{file.name}: {function['name']}"
        for file in sorted(Path(analyzer.__file__).parent.rglob("*.py"))
        for function in FUNCTION.finditer(file.read_text(encoding="utf-8"))
        if function["name"] not in PASSED_ON and MAKER.search(function["body"])
    ]
    assert made == []


def test_that_is_seen() -> None:
    source = "def one(\n    name: str,\n) -> None:\n    x = 1\n\n    return late(name)\n\n\n_A = late('a')\n"
    (function,) = FUNCTION.finditer(source)
    assert MAKER.search(function["body"])
    assert not function["body"].endswith("late('a')\n")
