"""The parts of docs/ that are made from what they describe: the JSON contract, and the layers."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from typing import Any

from analyzer.report.schema import schema

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "analyzer"


def import_contracts() -> list[dict[str, Any]]:
    """The contracts of import-linter."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        found: list[dict[str, Any]] = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    return found


def layers() -> list[list[str]]:
    """The names of the packages and modules in each layer, the highest first."""
    (contract,) = (entry for entry in import_contracts() if entry["type"] == "layers")
    return [[name.strip().removeprefix(f"{PACKAGE}.") for name in layer.split("|")] for layer in contract["layers"]]


def picture_of_layers() -> str:
    """The layers as a Mermaid diagram: a box for each, arrows from the one that imports to the one that is imported."""
    rows = layers()
    lines = ["```mermaid", "flowchart TD"]
    lines += [f'  layer{number}["{"  ·  ".join(row)}"]' for number, row in enumerate(rows)]
    lines.append("  " + " --> ".join(f"layer{number}" for number in range(len(rows))))
    return "\n".join([*lines, "```"])


def purposes() -> str:
    """A table of the packages and modules with the first sentence of their docstrings."""
    rows = [f"| `{name}` | {first_sentence(name)} |" for layer in layers() for name in layer]
    return "\n".join(["| | |", "| --- | --- |", *rows])


def first_sentence(name: str) -> str:
    """What a package or module says of itself first."""
    folder = ROOT / PACKAGE / name
    file = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split()).partition(". ")[0].rstrip(".:") + "."


def contract() -> str:
    """A table of fields for each class of the post-mortem's JSON."""
    made = schema("post-mortem")
    classes = {"Report": made, **made["$defs"]}
    reached = _reached(made, classes)
    return "\n\n".join(_table(name, classes[name]) for name in reached)


def _reached(made: dict[str, Any], classes: dict[str, Any]) -> list[str]:
    """The classes in the order in which a reader meets them."""
    order = ["Report"]
    for name in order:
        for entry in classes[name].get("properties", {}).values():
            order += [other for other in dict.fromkeys(_references(entry)) if other not in order]
    assert set(order) == set(classes)
    return order


def _references(entry: Any) -> list[str]:
    if isinstance(entry, list):
        return [name for part in entry for name in _references(part)]
    if not isinstance(entry, dict):
        return []
    own = [entry["$ref"].rpartition("/")[2]] if "$ref" in entry else []
    return own + [name for part in entry.values() for name in _references(part)]


def _table(name: str, made: dict[str, Any]) -> str:
    about = _cell(made.get("description", ""))
    if "enum" in made:
        return f"### {name}\n\n{about}\n\nOne of {', '.join(f'`{value}`' for value in made['enum'])}."
    rows = [
        f"| `{field}` | {_type(entry)} | {_cell(entry.get('description', ''))} |"
        for field, entry in made.get("properties", {}).items()
    ]
    return "\n".join([f"### {name}", "", about, "", "| field | type | meaning |", "| --- | --- | --- |", *rows])


def _type(entry: dict[str, Any]) -> str:
    if "$ref" in entry:
        name = entry["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in entry:
        return " or ".join(_type(part) for part in entry["anyOf"])
    if "const" in entry:
        return f"`{entry['const']}`"
    if "enum" in entry:
        return " or ".join(f"`{value}`" for value in entry["enum"])
    if entry.get("type") == "array":
        return f"list of {_type(entry['items'])}" if "items" in entry else "list"
    if isinstance(more := entry.get("additionalProperties"), dict):
        return f"object of {_type(more)}"
    return str(entry.get("type", "any"))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
