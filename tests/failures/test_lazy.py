"""A parser that is imported only when its hints stand in a text must be asked for everything that it can read."""

from __future__ import annotations

import subprocess
import sys

import pytest

from analyzer.failures.compilers import COMPILERS, LINTERS
from analyzer.failures.traces.table import LANGUAGES, Language
from analyzer.text.plain import plain
from tests.failures.recorded import outputs

TOOLS = {
    "ruby": ("ruby",),
    "php": ("php",),
    "java": ("java", "kotlin"),
    "csharp": ("dotnet", "mono"),
    "go": ("go",),
    "rust": ("rustc", "cargo"),
    "c": ("sanitizers",),
}
"""Where outputs lie that hold the traces of a language: of another's it may read one by mistake."""


def texts(folders: tuple[str, ...] = ()) -> list[str]:
    return [plain(output.text) for name, output in outputs().items() if not folders or name.split("/")[0] in folders]


@pytest.mark.parametrize("name", [tool.name for tool in (*COMPILERS, *LINTERS)])
def test_hints_of_compilers(name: str) -> None:
    tool = next(tool for tool in (*COMPILERS, *LINTERS) if tool.name == name)
    assert all(tool.hints.any_within(text) for text in texts() if tool.read(text) is not None)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.LANGUAGE)
def test_hints_of_traces(language: Language) -> None:
    own = texts(TOOLS.get(language.LANGUAGE, ("none",)))
    shown = (text for text in own if any(trace.type and trace.frames for trace in language.traces(text)))
    assert all(language.hints.any_within(text) for text in shown)


def test_nothing_is_imported_before_it_is_needed() -> None:
    code = "import sys, analyzer.failures; print([name for name in sys.modules if name.endswith('.go_test')])"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )
