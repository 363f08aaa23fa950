"""What is stored of a file is computed again after a change to any code that reads or judges."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from analyzer.audit import settings
from analyzer.audit.settings import Settings

ROOT = Path(__file__).parents[2]


def test_every_package_below_the_report_is_behind_the_results(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()

    def note_places(places: tuple[str, ...]) -> str:
        asked.update(places)
        return ""

    monkeypatch.setattr(settings, "code_version", note_places)
    Settings().version()
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = [layer.replace("analyzer.", "").split(" | ") for layer in contracts[0]["layers"]]
    below = {room for layer in layers[layers.index(["diagnosis"]) :] for room in layer if room != "atomic"}
    assert below
    assert below <= asked
