"""What the table of programs says of command lines, in three shells."""

from __future__ import annotations

import pytest

from analyzer.commands.effects import is_harmless
from analyzer.commands.table import Does, does, row_of
from analyzer.model.words import Kind
from analyzer.timeline.calls.shell_line import operation_of_line


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("yq '.tide' low.yml", Kind.READ),
        ("yq -i '.tide = 3' low.yml", Kind.EDIT),
        ("sort tides.txt", Kind.SEARCH),
        ("sort -o sorted.txt tides.txt", Kind.EDIT),
        ("sed -n 1,9p quay.py", Kind.READ),
        ("sed -ni.bak s/a/b/p quay.py", Kind.EDIT),
        ("git -C pier stash list", Kind.SEARCH),
        ("git stash pop", Kind.EDIT),
        ("git checkout -- quay.py", Kind.EDIT),
        ("git checkout main", Kind.RUN),
        ("git apply --check low.diff", Kind.READ),
        ("gh pr checkout 7", Kind.EDIT),
        ("find . -name '*.py' -exec sed -i s/a/b/ {} +", Kind.EDIT),
        ("find . -name '*.py' -exec cat {} +", Kind.SEARCH),
        ("find . -name '*.tmp' -delete", Kind.RUN),
        ("npm.cmd run build", Kind.RUN),
        ("npm.cmd test", Kind.TEST),
        ("python3.12 -m pytest", Kind.TEST),
        ("Get-Content quay.py", Kind.READ),
        ("get-childitem -Recurse", Kind.SEARCH),
        ("Select-String tide *.py", Kind.SEARCH),
        ("Set-Content low.txt 3", Kind.EDIT),
        ("docker compose logs web", Kind.READ),
        ("mooring --now", Kind.RUN),
        ("mooring status", Kind.RUN),
        ("terraform show", Kind.SEARCH),
        ("./mooring --help", Kind.SEARCH),
        ("pnpm --version", Kind.SEARCH),
        ("gh pr view 7 --json state", Kind.SEARCH),
        ("gh pr create --fill", Kind.RUN),
        ("git worktree list", Kind.SEARCH),
        ("git worktree add ../low", Kind.RUN),
        ("git tag", Kind.SEARCH),
        ("git tag v1", Kind.RUN),
        ("git branch -a", Kind.SEARCH),
        ("git branch low", Kind.RUN),
        ("tmux capture-pane -p -t 1", Kind.READ),
        ("tmux send-keys -t 1 make Enter", Kind.RUN),
        ("pip list", Kind.SEARCH),
    ],
)
def test_the_kind_of_a_line(line: str, kind: Kind) -> None:
    assert operation_of_line(line).kind is kind


@pytest.mark.parametrize(
    ("line", "name"),
    [("npm.cmd run build", "npm build"), ("npm run lint", "npm lint"), ("ruff.exe check .", "ruff"), ("npm ls", None)],
)
def test_what_is_started(line: str, name: str | None) -> None:
    assert operation_of_line(line).runner == name


@pytest.mark.parametrize(
    ("line", "safe"),
    [
        ("ruff check .", True),
        ("ruff check --fix .", False),
        ("ruff format .", False),
        ("ruff format --check .", True),
        ("black --check .", True),
        ("black .", False),
        ("npm test", True),
        ("npm run lint", True),
        ("npm run format", False),
        ("npm install", False),
        ("docker ps", True),
        ("kubectl -n low get pods", True),
        ("kubectl apply -f low.yml", False),
        ("gh pr view 7", True),
        ("gh pr checkout 7", False),
        ("mooring list", True),
        ("mooring", False),
        ("pytest --snapshot-update", False),
    ],
)
def test_what_leaves_the_files_alone(line: str, safe: bool) -> None:
    program, *words = line.split()
    assert is_harmless(program, words, is_test=program == "pytest") is safe


def test_an_option_stands_before_the_subcommand() -> None:
    assert does("git", ("-C", "log", "push")) == Does.RECORDS
    assert does("git", ("-C", "push", "log")) == Does.RECORDS | Does.ASKS


def test_what_is_not_in_the_table_is_not_known() -> None:
    assert row_of("mooring") is None
    assert does("mooring", ("list",)) is Does.NOTHING
