"""What `from analyzer import ...` offers: real functions and classes, found lazily, however the modules were imported
before."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import analyzer
from analyzer import Guard, analyze, audit, compare, load

NAMES = ("Guard", "analyze", "audit", "compare", "load")


def script(tmp_path: Path, text: str) -> str:
    """What a plain script prints, run as people run it."""
    file = tmp_path / "script.py"
    file.write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_dir_lists_the_public_names() -> None:
    assert {*NAMES, "__version__"} == set(analyzer.__all__)
    assert set(NAMES) <= set(dir(analyzer))


@pytest.mark.parametrize(
    ("call", "parameters"),
    [
        pytest.param(analyze, ["path", "input_format", "select"], id="analyze"),
        pytest.param(load, ["path", "input_format", "masks"], id="load"),
        pytest.param(audit, ["paths", "folder", "input_format"], id="audit"),
        pytest.param(compare, ["before", "after", "folder"], id="compare"),
        pytest.param(Guard, ["task", "select", "ignore"], id="Guard"),
    ],
)
def test_signatures_name_their_parameters(call: object, parameters: list[str]) -> None:
    assert callable(call)
    assert list(inspect.signature(call).parameters)[:3] == parameters


def test_no_module_has_a_class_of_its_own() -> None:
    assert {type(module) for name, module in sys.modules.items() if name.split(".")[0] == "analyzer"} == {type(sys)}


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'analyzer' has no attribute 'analyse'"):
        analyzer.analyse  # type: ignore[attr-defined]  # noqa: B018


def test_importing_the_package_loads_nothing_heavy(tmp_path: Path) -> None:
    heavy = ("pydantic", "pandas", "numpy", "rapidfuzz", "analyzer.formats", "analyzer.api")
    assert (
        script(tmp_path, f"import sys, analyzer\nprint([name for name in {heavy!r} if name in sys.modules])") == "[]\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "before",
    [
        "",
        "import analyzer.audit.store.store",
        "from analyzer.audit.compare import load",
        "from analyzer import compare",
    ],
)
def test_audit_is_the_function_whatever_was_imported_before(tmp_path: Path, before: str) -> None:
    assert (
        script(tmp_path, f"{before}\nfrom analyzer import audit\nprint(audit.__module__)") == "analyzer.audit.audit\n"
    )


@pytest.mark.slow
def test_a_script_without_a_main_block_may_use_workers(tmp_path: Path, samples: Path) -> None:
    log = str(samples / "polling_a_build.json")
    printed = script(
        tmp_path,
        "from analyzer import audit, compare\n"
        f"print(len(audit({log!r}, jobs=2).sessions))\n"
        f"print(compare({log!r}, {log!r}, jobs=2).before.sessions)\n",
    )
    assert printed == "1\n1\n"


def test_a_side_without_sessions_is_an_error(tmp_path: Path, samples: Path) -> None:
    from analyzer.model.errors import AnalyzerError

    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "notes.txt").write_text("nothing")
    with pytest.raises(AnalyzerError, match="holds no sessions to compare"):
        compare(samples / "polling_a_build.json", tmp_path / "empty", jobs=1)
