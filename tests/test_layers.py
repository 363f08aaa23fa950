"""The contracts in pyproject.toml cover what is there: import-linter checks what it's given, and nothing else."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest

import analyzer
from analyzer.detectors.engine.table import families
from analyzer.formats.loading.registry import formats
from tests.documentation import ROOT, import_contracts, layers

HELPERS = {"formats": {"container", "loading", "record"}, "detectors": {"engine", "episodes", "signals"}}
"""The folders of formats and detectors that hold no format and no detector."""


def children(package: str) -> set[str]:
    """The packages and modules directly in a package of ours."""
    module = importlib.import_module(package)
    return {found.name for found in pkgutil.iter_modules(module.__path__) if found.name != "__main__"}


def exists(name: str) -> bool:
    """Whether a module, or the package before a wildcard, is there."""
    folder = ROOT / re.sub(r"\.\*+$", "", name).replace(".", "/")
    return folder.is_dir() or folder.with_suffix(".py").is_file()


def test_every_package_and_module_stands_in_exactly_one_layer() -> None:
    listed = [name for layer in layers() for name in layer]
    assert sorted(listed) == sorted(children(analyzer.__name__))


@pytest.mark.parametrize("contract", import_contracts(), ids=lambda contract: contract["name"])
def test_a_contract_names_nothing_that_is_gone(contract: dict[str, object]) -> None:
    text = repr({key: value for key, value in contract.items() if key != "name"})
    named = set(re.findall(r"\banalyzer(?:\.[\w*]+)*", text))
    assert [name for name in named if not exists(name)] == []


@pytest.mark.parametrize("package", HELPERS)
def test_formats_and_detectors_are_independent_without_a_list_of_them(package: str) -> None:
    (contract,) = (entry for entry in import_contracts() if entry.get("modules") == [f"analyzer.{package}.*"])
    shared = {
        target.split(".")[2]
        for entry in contract["ignore_imports"]
        for source, _, target in [entry.partition(" -> ")]
        if source.endswith("**")
    }
    assert contract["type"] == "independence"
    assert shared == HELPERS[package]


def test_what_stands_directly_in_the_folder_of_formats_is_a_format() -> None:
    readers = (getattr(getattr(member, "reader", None), "func", type(member)) for member in formats())
    homes = {home.__module__.split(".")[2] for home in readers}
    assert children("analyzer.formats") - HELPERS["formats"] - homes == set()


def test_what_stands_directly_in_the_folder_of_detectors_is_a_family() -> None:
    homes = {rule.family for rules in families().values() for rule in rules}
    assert children("analyzer.detectors") - HELPERS["detectors"] == homes
