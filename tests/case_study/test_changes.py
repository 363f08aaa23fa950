"""What git knows of the commits of a fix."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from analyzer.case_study.changes import changes_after
from analyzer.model.errors import AnalyzerError
from analyzer.model.scenario import Fix, Scenario

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git isn't installed")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    place = tmp_path / "agent"
    place.mkdir()
    git(place, "init", "-q")
    for name, subject in (
        ("tool.py", "Start"),
        ("signature.py", "Take `prompt`"),
        ("a file.py", "Name\u00a0the argument <b>"),
    ):
        (place / name).write_text(subject, encoding="utf-8")
        git(place, "add", ".")
        git(place, "commit", "-qm", subject)
    return place


def git(place: Path, *arguments: str) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    who = {
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@example.test",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@example.test",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    subprocess.run(["git", *arguments], cwd=place, env=clean | who, check=True, capture_output=True)


def changes(base: Path, commits: str, repository: str | None = "agent") -> tuple[list[str], list[str]]:
    scenario = Scenario(title="t", prompt="p", fixes=[Fix(after_run=1, commits=commits, repository=repository)])
    found = changes_after(scenario, {1: "a", 2: "b"}, base)[1]
    return [subject.partition(" ")[2] for subject in found.commits], found.files


def test_a_range_gives_subjects_and_files_the_oldest_first(repository: Path) -> None:
    assert changes(repository.parent, "HEAD~2..HEAD") == (
        ["Take `prompt`", "Name\u00a0the argument <b>"],
        ["signature.py", "a file.py"],
    )


def test_a_single_commit_is_that_one(repository: Path) -> None:
    assert changes(repository.parent, "HEAD~1") == (["Take `prompt`"], ["signature.py"])


def test_without_a_repository_the_scenarios_folder_counts(repository: Path) -> None:
    assert changes(repository, "HEAD", None)[1] == ["a file.py"]


@pytest.mark.parametrize(
    "commits", ["nowhere..HEAD", "HEAD..HEAD", "--output=stolen", "-p", "HEAD --output=stolen", "HEAD\n"]
)
def test_what_is_no_range_is_an_error_that_names_it(repository: Path, commits: str) -> None:
    with pytest.raises(AnalyzerError) as raised:
        changes(repository.parent, commits)
    assert commits in str(raised.value)
    assert not list(repository.parent.rglob("stolen*"))


def test_a_folder_without_a_repository_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AnalyzerError, match="git can't read these commits"):
        changes(tmp_path, "HEAD", "nowhere")


def test_nothing_that_the_repository_configures_is_run(repository: Path) -> None:
    script = repository / "trap.sh"
    script.write_text(f"#!/bin/sh\ntouch '{repository}/sprung'\ncat\n")
    script.chmod(0o755)
    for name in ("core.fsmonitor", "core.pager", "gpg.program", "diff.external", "diff.trap.textconv"):
        git(repository, "config", name, str(script))
    git(repository, "config", "log.showSignature", "true")
    (repository / ".git" / "info" / "attributes").write_text("* diff=trap\n")
    changes(repository.parent, "HEAD~2..HEAD")
    assert not (repository / "sprung").exists()


def test_commits_of_a_hook_that_runs_in_another_repository(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert changes(repository.parent, "HEAD~1")[0] == ["Take `prompt`"]
