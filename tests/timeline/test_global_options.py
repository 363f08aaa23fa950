"""Options before a subcommand: what the command does, and which of its spellings ask the same."""

from __future__ import annotations

import pytest

from analyzer.commands.table import from_subcommand
from tests.build import run, timeline


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("git status", "search"),
        ("git -c core.pager=cat status", "search"),
        ("git -c color.ui=never -c core.pager=cat status", "search"),
        ("git --no-pager log -3", "search"),
        ("git -C src diff", "read"),
        ("git --git-dir=x/.git show", "read"),
        ("docker images", "search"),
        ("docker --context tide images -a", "search"),
        ("docker --context tide ps", "search"),
        ("docker -H unix:///x logs tide", "read"),
        ("kubectl -n tide get pods", "search"),
        ("kubectl --context quay --namespace=tide describe pod x", "read"),
        ("cargo +nightly test", "test"),
        ("go -C tide test ./...", "test"),
        ("pnpm --filter log test", "test"),
    ],
)
def test_the_subcommand_says_what_is_done(line: str, kind: str) -> None:
    (action,) = timeline(run(line, "x")).actions
    assert action.kind == kind


@pytest.mark.parametrize(
    "line",
    [
        "git -C status commit -m x",
        "git -c core.pager=log push",
        "git --no-pager merge status",
        "docker --context ps rm tide",
        "docker run tide images",
        "kubectl -n get delete pod x",
        "kubectl apply -f get.yml",
        "go -C test run .",
        "helm -n list upgrade tide",
    ],
)
def test_the_value_of_an_option_is_no_subcommand(line: str) -> None:
    (action,) = timeline(run(line, "x")).actions
    assert action.kind == "run"


@pytest.mark.parametrize(
    ("program", "args", "rest"),
    [
        ("git", ["--version"], ["--version"]),
        ("git", [], []),
        ("git", ["--", "x"], ["--", "x"]),
        ("rm", ["-r", "x"], ["-r", "x"]),
        ("terraform", ["-chdir=x", "plan"], ["plan"]),
    ],
)
def test_words_without_a_subcommand_stay(program: str, args: list[str], rest: list[str]) -> None:
    assert from_subcommand(program, args) == tuple(rest)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("git status", "git -c core.pager=cat status", True),
        ("git --no-pager diff HEAD", "git diff HEAD", True),
        ("cd /w && git -P log", "cd /w && git -c color.ui=never log", True),
        ("git status --short 2>&1 | cat", "git status --porcelain", True),
        ("git status -s", "git -c color.ui=never status --porcelain=v1 2>/dev/null", True),
        ("git diff 2>&1", "git diff", True),
        ("git status", "git status --short", False),
        ("git status --porcelain=v2", "git status --porcelain", False),
        ("git diff > a.patch", "git diff", False),
        ("git log | head -3", "git log", False),
        ("git status", "git -C src status", False),
        ("git status", "git -c core.autocrlf=input status", False),
        ("git status", "git --no-pager log", False),
        ("echo 'git --no-pager log'", "echo 'git log'", False),
    ],
)
def test_how_an_answer_is_shown_makes_no_other_question(one: str, other: str, same: bool) -> None:
    first, second = timeline(run(one, "On branch main"), run(other, "On branch main")).actions
    assert (first.keys.call == second.keys.call) is same
    assert (second.repeats_step == 1) is same
