"""A parser that is imported only when its hints stand in a text must be asked for everything that it can read."""

from __future__ import annotations

import subprocess
import sys

import pytest

from analyzer.failures.compilers.table import COMPILERS, LINTERS
from analyzer.failures.runners.registry import REPORTS
from analyzer.failures.traces.registry import PARSERS
from analyzer.text.plain import plain
from tests.failures.recorded import outputs

TOOLS = {
    "python": ("python", "django"),
    "javascript": ("node",),
    "ruby": ("ruby",),
    "php": ("php",),
    "jvm": ("java", "kotlin"),
    "dotnet": ("dotnet", "mono"),
    "go": ("go",),
    "rust": ("rustc", "cargo"),
    "sanitizers": ("sanitizers",),
}
"""Where outputs lie that hold the traces of a parser: of other languages' it may read one by mistake, and needn't be
asked."""


def texts(folders: tuple[str, ...] = ()) -> list[str]:
    return [plain(output.text) for name, output in outputs().items() if not folders or name.split("/")[0] in folders]


@pytest.mark.slow
@pytest.mark.parametrize("module", [entry.module for entry in REPORTS])
def test_hints_of_reports(module: str) -> None:
    entry = next(entry for entry in REPORTS if entry.module == module)
    assert all(entry.may_read(text) for text in texts() if entry.load().recognises(text))


@pytest.mark.parametrize("name", [tool.name for tool in (*COMPILERS, *LINTERS)])
def test_hints_of_compilers(name: str) -> None:
    tool = next(tool for tool in (*COMPILERS, *LINTERS) if tool.name == name)
    assert all(tool.may_read(text) for text in texts() if tool.read(text) is not None)


@pytest.mark.parametrize("module", [entry.module for entry in PARSERS if entry.module.rsplit(".", 1)[-1] in TOOLS])
def test_hints_of_traces(module: str) -> None:
    entry = next(entry for entry in PARSERS if entry.module == module)
    own = texts(TOOLS[module.rsplit(".", 1)[-1]])
    assert own
    assert all(
        entry.may_read(text) for text in own if any(trace.type and trace.frames for trace in entry.load().traces(text))
    )


def test_nothing_is_imported_before_it_is_needed() -> None:
    code = (
        "import sys, analyzer.failures; print([name for name in sys.modules if name.endswith(('.rspec', "
        "'.cargo_test', '.rustc', '.jvm'))])"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )
