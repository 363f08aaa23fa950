"""What is known to be said when something goes wrong (`rows.toml`).

By shells and well-known programs: a row with a `subject` counts only when the command line speaks of that subject,
since a log that is merely shown may quote the same words. By harnesses, of a call that they didn't run, stopped or gave
up, and by agents' tools that refuse or fail. By interpreters and databases: the text of an exception by itself.
"""

from __future__ import annotations

from analyzer.failures.messages.row import Table, table
from analyzer.text.rows import table_beside

_BESIDE = table_beside(__file__)
_ROWS, _PARTS = _BESIDE["rows"], _BESIDE["parts"]

SHELL = table(_ROWS["shell"], _PARTS)
"""What a shell itself says."""
ACCESS = table(_ROWS["access"], _PARTS)
"""Programs that can't get at what they should show."""
CAUSES = table(_ROWS["causes"], _PARTS)
"""Why everything after them fails: the network isn't there. They are looked for first."""
PROGRAMS = Table((*ACCESS, *table(_ROWS["programs"], _PARTS)))
"""Everything else that programs say."""
WRAPPERS = table(_ROWS["wrappers"], _PARTS)
"""What says only that something below it failed: enough where nothing else does, and where nothing is recorded."""
HARNESS = table(_ROWS["harness"], _PARTS)
"""In the order in which they're asked, each at the start of one of the outer lines of a result."""
RUNTIMES = table(_ROWS["runtimes"], _PARTS)
"""Rows that match at the start of an answer, in the words of CPython, V8, PostgreSQL, MySQL and SQLite."""
TOOLS = table(_ROWS["tools"], _PARTS)
"""What agents' tools say at the start of a result."""
