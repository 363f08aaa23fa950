"""A rule belongs to its family: nothing outside of the family's folder knows it by name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import analyzer
from analyzer.detectors import detectors
from analyzer.detectors.engine.table import families
from tests.tables import table

PACKAGE = Path(analyzer.__file__).parent
TEMPLATES = PACKAGE.parent / "templates"
NAMES = {rule.name: Path("detectors", rule.family) for rules in families().values() for rule in rules}
UNMISTAKABLE = frozenset(name for name in NAMES if "-" in name)
"""Names that mean nothing but the detector; the others are ordinary words, and only count where detectors are
compared."""
_MAY_NAME = re.compile(
    "|".join(re.escape(name) if name in UNMISTAKABLE else f"[\"']{re.escape(name)}[\"']" for name in NAMES)
)


_ROWS = ("PolicyKind", "_Rule")


def _documentation(tree: ast.Module) -> set[int]:
    """The strings that stand alone: they say something to people only."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def _names_of_others(tree: ast.Module) -> set[int]:
    """The names that classes and rows of policies give themselves: a published rule may be called like a detector."""
    nodes = list(ast.walk(tree))
    rows = [node.args for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) in _ROWS]
    made = [
        node for node in nodes if isinstance(node, ast.Dict) and all(isinstance(it, ast.Lambda) for it in node.values)
    ]
    return (
        {id(value) for row in rows for value in row}
        | {id(key) for table in made for key in table.keys}
        | {
            id(node.value)
            for owner in ast.walk(tree)
            if isinstance(owner, ast.ClassDef)
            for node in owner.body
            if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["name"]
        }
    )


def named(source: str) -> Iterator[tuple[int, str]]:
    """The lines of a source that name a detector: by an unmistakable name as a whole string or joined to others in one
    (`a+b`), or by any name that a detector's or an entry's name is compared with or looked up among."""
    tree = ast.parse(source)
    harmless = _documentation(tree) | _names_of_others(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in harmless:
            yield from ((node.lineno, part) for part in node.value.split("+") if part in UNMISTAKABLE)
        if isinstance(node, ast.Compare):
            values = [
                part.value for side in node.comparators for part in ast.walk(side) if isinstance(part, ast.Constant)
            ]
            known = [str(value) for value in values if value in NAMES]
            if known and ast.unparse(node.left).rsplit(".", 1)[-1] in ("detector", "name"):
                yield from ((node.lineno, value) for value in known)


@table("a_name_is_seen_where_it_means_a_detector")
def test_a_name_is_seen_where_it_means_a_detector(source: str, names: list[str]) -> None:
    assert _MAY_NAME.search(source) or not names
    assert [name for _, name in named(source)] == names


@pytest.mark.slow
def test_no_module_names_a_detector() -> None:
    found = {
        f"{path.relative_to(PACKAGE)}:{line}": name
        for path in PACKAGE.rglob("*.py")
        # Parsing takes most of the time, and a name that is compared or looked up stands in the source, in quotes.
        if _MAY_NAME.search(text := path.read_text(encoding="utf-8"))
        for line, name in named(text)
        if NAMES[name] not in path.relative_to(PACKAGE).parents
    }
    assert found == {}


def test_every_rule_is_in_a_family() -> None:
    assert {entry.name for entry in detectors()} == set(NAMES)
    assert len(families()) <= 15


@pytest.mark.slow
def test_no_module_imports_a_detector() -> None:
    modules = {rule.module.__name__ for rules in families().values() for rule in rules}
    found = {
        f"{path.relative_to(PACKAGE)}: {node.module}"
        for path in PACKAGE.rglob("*.py")
        # Parsing takes most of the time, and what an import names stands in the source.
        if any(module in (text := path.read_text(encoding="utf-8")) for module in modules)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.module in modules and node.module.split(".")[2] not in path.parts
    }
    assert found == set()


def test_no_template_names_a_detector() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.j2")}
    assert texts
    assert [(path, name) for path, text in texts.items() for name in UNMISTAKABLE if name in text] == []
