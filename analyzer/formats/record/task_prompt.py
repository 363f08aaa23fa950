"""Find the task proper in the long prompt that a benchmark wraps around it."""

from __future__ import annotations

import re

_ISSUES = (
    re.compile(r"<pr_description>\s*(?:Consider the following PR description:\s*)?(.*)</pr_description>", re.DOTALL),
    re.compile(r"<issue_description>(.*)</issue_description>", re.DOTALL),
    re.compile(r"\nISSUE:\n(.*?)\n[ \t]*INSTRUCTIONS?:", re.DOTALL),
    re.compile(r"\A(We're currently solving the following CTF challenge\..*?)\n[ \t]*INSTRUCTIONS?:", re.DOTALL),
    re.compile(
        r"^-{5,} *(?:NEW |YOUR )?TASK(?: DESCRIPTION)? *-{5,}\s*\n(.*?)\n\s*-{5,} *END OF ", re.DOTALL | re.MULTILINE
    ),
    re.compile(r"^\W{3,}START OF EXAMPLES?\W{3,}$.*^\W{3,}END OF EXAMPLES?\W{3,}$\n(.*)", re.DOTALL | re.MULTILINE),
    re.compile(r"\APlease solve this issue: (.*?)\n\nYou can execute bash commands", re.DOTALL),
)


def issue_of(prompt: str) -> str:
    """Return the issue inside a benchmark's task prompt where the prompt marks it, else the whole prompt."""
    for pattern in _ISSUES:
        found = pattern.search(prompt)
        if found and found[1].strip():
            return found[1].strip().replace("\r\n", "\n")
    return prompt.strip().replace("\r\n", "\n")
