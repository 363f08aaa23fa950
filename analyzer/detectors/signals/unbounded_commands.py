"""Why a command doesn't come to an end by itself, and how to run it so that it does."""

from __future__ import annotations

import re

from analyzer.model.action import Action
from analyzer.model.words import Kind
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code

_PROMPT = late(
    r"(?:\[[yY](?:es)?/[nN]o?\]|\((?:y|yes)/(?:n|no)(?:/[^)\n]{0,30})?\))\??:?\s{0,3}(?:Abort\.)?$"
    r"|\b(?:password|passphrase|username)\b[^\n]{0,80}:$|\bpress (?:any key|enter|return)\b[^\n]{0,40}$"
    r"|^(?:>>>|In \[\d{1,4}\]:|mysql>|sqlite>|\w{1,30}[=-][#>]|\(Pdb\)|ipdb>|\(gdb\)|\(END\)|--More--[^\n]{0,20})$",
    re.IGNORECASE,
)


def asks(action: Action) -> bool:
    """Whether the output ends with a question or a program's prompt."""
    lines = (action.result or "").rstrip()[-400:].splitlines()
    return bool(lines) and _PROMPT.search(lines[-1].strip()) is not None


def name_of(action: Action) -> str:
    """What a person would call the command or call by."""
    return clip((action.operation.command or "").strip() or f"{action.tool} {action.operation.target}".strip(), 200)


def why_unbounded(action: Action) -> tuple[str, str]:
    """Why a command hangs, as a kind, and how to run it instead."""
    name = code(name_of(action), 80)
    if asks(action):
        return (
            "waits-for-input",
            (
                f"{name} waits for an answer: give it the flag that answers it (`-y`, `--yes`), or "
                "pipe the answer into it."
            ),
        )
    if action.kind is Kind.TEST:
        return (
            "timeout",
            (
                f"Run one test file of {name} under a time limit (`timeout 60 ...`) to see which one hangs, or all "
                "of them in the background with the output redirected to a file."
            ),
        )
    if action.operation.command is None:
        return (
            "timeout",
            f"Don't call {name} again unchanged: ask for less at once, or check whether the service it talks to is up.",
        )
    return (
        "timeout",
        (
            f"Run {name} under its own time limit (`timeout 60 ...`), or in the background with its output "
            "redirected to a file; don't repeat it unchanged."
        ),
    )
