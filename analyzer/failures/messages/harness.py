"""What harnesses say of a call that they didn't run, stopped or gave up, and agents' tools when they refuse or fail.

What interpreters and databases say of an error whose type nobody printed: the text of an exception by itself.
"""

from __future__ import annotations

from analyzer.failures.messages.row import ROWS, table

_WHAT = (
    r"(?:the |this |your )?(?:tool(?: (?:call|use))?|command|action|function|process|execution|operation|request"
    r"|script)"
)

HARNESS = table(ROWS["harness"], WHAT=_WHAT)
"""In the order in which they're asked, each at the start of one of the outer lines of a result."""


RUNTIMES = table(ROWS["runtimes"])
"""Rows that match at the start of an answer, in the words of CPython, V8, PostgreSQL, MySQL and SQLite."""

TOOLS = table(ROWS["tools"])
"""What agents' tools say at the start of a result."""
