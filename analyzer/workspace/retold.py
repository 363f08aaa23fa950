"""Files that repeat the code of the task: a reproduction of what the user reports, rather than what was asked for."""

from __future__ import annotations

import re

from analyzer.text.late import late

_FENCED = late(r"^[ \t]*```[^\n]*\n(?P<code>.*?)^[ \t]*```", re.MULTILINE | re.DOTALL)
_INDENTED = late(r"(?:^(?: {4}|\t|>>> )[^\n]*\n?)+", re.MULTILINE)
_FAULT = late(
    r"\b(?:bugs?|issue|error|exception|fail(?:s|ed|ing|ure)?|crash\w*|broken|wrong(?:ly)?|unexpected\w*|incorrect\w*"
    r"|regression|reproduc\w+|traceback|instead of|(?:does|do|should)(?:n['’]t| not))\b",
    re.IGNORECASE,
)
_WANTED = late(
    r"\b(?:save|put|copy|paste|write|use|add|creat\w+)\b[^.\n]{0,60}\b(?:this|the following|it|these|that) "
    r"(?:\w+ ){0,2}?(?:code|class|script|snippet|file|module|lines?|example|into|in|to)\b",
    re.IGNORECASE,
)
_LONGEST = 60_000
_MOST_LINES = 2_000
_SHORTEST = 8
_ENOUGH = 4


def repeats_report(text: str | None, task: str) -> bool:
    """Whether at least four lines of a file, and half of its lines that say something, occur in the code of a task that
    reports a fault. A task that tells to write its code down wants to have it."""
    task = task[:_LONGEST]
    if text is None or _FAULT.search(task) is None or _WANTED.search(task) is not None:
        return False
    given = {_bare(line) for block in _blocks(task) for line in block.splitlines()}
    own = [bare for line in text.splitlines()[:_MOST_LINES] if len(bare := _bare(line)) >= _SHORTEST]
    own = [line for line in own if not line.startswith(("import", "from", "using", "#include", "package"))]
    shared = sum(line in given for line in own)
    return shared >= _ENOUGH and 2 * shared >= len(own)


def _blocks(task: str) -> list[str]:
    return [found["code"] for found in _FENCED.finditer(task)] or [found[0] for found in _INDENTED.finditer(task)]


def _bare(line: str) -> str:
    return "".join(line.removeprefix(">>> ").removeprefix("... ").split())
