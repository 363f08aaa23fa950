"""The calls of small samples that we wrote in the manner of some agents: the kind of each, its exit code, and `!` where
it failed without one."""

from __future__ import annotations

import pytest

from analyzer.model.words import Status
from analyzer.timeline import build_timeline
from tests.formats.corpus_files import load_sample


@pytest.mark.parametrize(
    ("file", "format_", "calls"),
    [
        ("codex_exec_json.jsonl", "codex-exec-json", "test 1, edit, test 0"),
        ("codex_legacy.jsonl", "codex-legacy", "test 1, edit 0, test 0"),
        ("copilot_cli.jsonl", "copilot-cli", "test 1, read, edit, test 0"),
        ("gemini_cli.json", "gemini-cli", "test 1, read, edit !, edit, test 0"),
        ("opencode.json", "opencode", "test 1, read, edit !, edit, test 0"),
    ],
)
def test_the_calls_of_a_sample(file: str, format_: str, calls: str) -> None:
    made = []
    for action in build_timeline(load_sample(file, format_)).actions:
        code = "" if action.exit_code is None else str(action.exit_code)
        failed = "!" if action.status is Status.ERROR and not code else ""
        made.append(f"{action.kind} {code}{failed}".strip())
    assert ", ".join(made) == calls
