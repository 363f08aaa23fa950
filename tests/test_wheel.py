"""The built wheel works on its own: installed into an empty environment with nothing but what it says that it requires,
away from the checkout."""

from __future__ import annotations

import filecmp
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib.metadata import Distribution, distributions
from importlib.metadata import distribution as metadata_of
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from analyzer.cli.main import main
from tests.conftest import ROOT

pytestmark = [pytest.mark.wheel, pytest.mark.timeout(600)]

SAMPLE = "bspline_clamping.json"
COMMANDS = """
from analyzer.cli.main import main

for arguments in (
    ["audit", "runs", "-o", "audit", "-j", "1", "--export", "csv"],
    ["compare", "audit", "audit"],
    ["backtest", "audit", "--policy", "guard", "-j", "1"],
    ["audit", "merge", "audit", "-o", "merged", "-q"],
):
    assert main(arguments) == 0, arguments
    print(end="\\0", flush=True)
"""


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A process that sees nothing of the checkout nor of the environment of these tests."""
    hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "NO_COLOR", "FORCE_COLOR")
    clean = {
        name: value
        for name, value in os.environ.items()
        if name not in hidden and not name.startswith("ANALYZE_SESSION_")
    }
    return subprocess.run(
        list(map(str, command)), cwd=cwd, env=clean, capture_output=True, text=True, check=False, timeout=600
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the checkout with the build backend of the development environment."""
    pytest.importorskip("hatchling", reason="the build backend is not installed; `make test` installs it")
    place = tmp_path_factory.mktemp("wheel")
    done = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", place, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = place.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the programs of an environment that holds the wheel and what it requires, nothing else."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place)
    programs = place / ("Scripts" if os.name == "nt" else "bin")
    # Compiling all that is installed takes longer than the rest of it; what is used is compiled when it's imported.
    pip = (sys.executable, "-m", "pip", "--python", programs / "python", "install", "--no-compile", "--no-deps")
    done = run(*pip, "--quiet", "--no-index", wheel, cwd=place)
    assert done.returncode == 0, done.stdout + done.stderr
    site = Path(sysconfig.get_path("purelib", vars={"base": str(place)}))
    (own,) = distributions(name="analyze-session", path=[str(site)])
    for other in required(own):
        give(other, site)
    take_what_is_compiled(site / "analyzer")
    return programs


def required(distribution: Distribution, extras: frozenset[str] = frozenset()) -> list[Distribution]:
    """All that the distribution requires here, as its metadata say, and what that requires in turn, each as it's
    installed in the environment of these tests, in a version that is asked for. What is installed there and required by
    nothing isn't among them."""
    found: dict[tuple[str, frozenset[str]], Distribution] = {}
    todo = [(distribution, extras)]
    while todo:
        asking, wanted = todo.pop()
        for requirement in map(Requirement, asking.requires or ()):
            marker = requirement.marker
            if marker and not any(marker.evaluate({"extra": extra}) for extra in ("", *wanted)):
                continue
            key = canonicalize_name(requirement.name), frozenset(requirement.extras)
            if key not in found:
                found[key] = metadata_of(requirement.name)
                todo.append((found[key], key[1]))
            version = found[key].version
            assert requirement.specifier.contains(version, prereleases=True), f"{requirement}: {version} is installed"
    return list(found.values())


def give(distribution: Distribution, site: Path) -> None:
    """Put what is installed of the distribution into another environment, as links. Packages that several distributions
    have parts of are no link themselves."""
    assert distribution.files
    for file in distribution.files:
        if file.parts[0] == "..":
            continue  # a program
        home = Path(str(distribution.locate_file("")))
        whole = len(file.parts) == 1 or (home / file.parts[0] / "__init__.py").exists()
        link = Path(*file.parts[: 1 if whole else 2])
        if not (site / link).is_symlink():
            (site / link).parent.mkdir(exist_ok=True)
            (site / link).symlink_to(home / link)


def take_what_is_compiled(package: Path) -> None:
    """Give the package's modules, the same as those of the checkout to the byte, what those were compiled to when these
    tests imported them: the first program to run would take seconds to make the same."""
    for module in package.rglob("*.py"):
        ours = ROOT / "analyzer" / module.relative_to(package)
        compiled = Path(cache_from_source(str(ours)))
        if compiled.is_file() and filecmp.cmp(module, ours, shallow=False):
            shutil.copystat(ours, module)  # what is compiled names the time at which its source was written
            copy = Path(cache_from_source(str(module)))
            copy.parent.mkdir(exist_ok=True)
            shutil.copyfile(compiled, copy)


def test_the_wheel_holds_templates_samples_and_migrations(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    templates = {
        f"analyzer/_templates/{file.relative_to(ROOT / 'templates')}" for file in (ROOT / "templates").rglob("*.j2")
    }
    samples = {
        f"analyzer/_samples/{file.relative_to(ROOT / 'sample_sessions').as_posix()}"
        for file in (ROOT / "sample_sessions").rglob("*.*")
        if file.is_file()
    }
    migrations = {
        f"analyzer/audit/migrations/{file.name}" for file in (ROOT / "analyzer" / "audit" / "migrations").glob("*.sql")
    }
    assert templates
    assert migrations
    assert templates | samples | migrations | {"analyzer/py.typed"} <= names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"analyzer", "analyze_session"}


def test_the_installed_program_writes_the_same_report_as_the_checkout(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / SAMPLE).write_bytes((ROOT / "sample_sessions" / SAMPLE).read_bytes())
    monkeypatch.chdir(tmp_path)
    assert main([SAMPLE]) == 0
    here = capfd.readouterr().out
    there = run(installed / "analyze-session", SAMPLE, cwd=tmp_path)
    assert (there.returncode, there.stderr) == (0, "")
    assert there.stdout.startswith("# ")
    assert there.stdout == here


def test_the_installed_package_is_the_one_that_runs(installed: Path, tmp_path: Path) -> None:
    show = (
        "import analyzer, pathlib; print(*sorted(file.name for file in (pathlib.Path(analyzer.__file__).parent / "
        "'_samples').iterdir()))"
    )
    done = run(installed / "python", "-c", show, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert SAMPLE in done.stdout.split()


@pytest.mark.parametrize(
    "arguments", [["--version"], ["formats"], ["detectors"], ["schema"], ["explain", "loops"]], ids=" ".join
)
def test_every_command_runs_from_the_installed_package(installed: Path, tmp_path: Path, arguments: list[str]) -> None:
    done = run(installed / "analyze-session", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_audits_are_made_compared_and_replayed_by_the_installed_package(installed: Path, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    (runs / SAMPLE).write_bytes((ROOT / "sample_sessions" / SAMPLE).read_bytes())
    # One process for all of them: each would load half of the program anew, and start a server for its workers.
    done = run(installed / "python", "-c", COMMANDS, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    audited, compared, replayed, *_ = done.stdout.split("\0")
    assert audited == ""
    assert compared.startswith("# ")
    assert replayed.startswith("# ")
    assert (tmp_path / "audit" / "report.md").read_text(encoding="utf-8").startswith("# ")
    assert len(list((tmp_path / "audit" / "sessions").glob("*.md"))) == 1
    assert (tmp_path / "audit" / "tables" / "sessions.csv").is_file()
    assert (tmp_path / "merged" / "report.md").is_file()
