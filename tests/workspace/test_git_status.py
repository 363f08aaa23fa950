"""What git's own words show of a working copy."""

from __future__ import annotations

import pytest

from analyzer.workspace.ownership import WorkingCopy, working_copy_shown

LONG = """On branch main
Changes not staged for commit:
  (use "git add <file>..." to update what will be committed)
\tmodified:   quay.py
\tdeleted:    old/pier.py

Untracked files:
  (use "git add <file>..." to include in what will be committed)
\tnotes.md
\tcharts/

no changes added to commit
"""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (" M quay.py\n?? notes.md\n?? charts/\n!! build/", WorkingCopy(("notes.md", "charts/"), ("quay.py",))),
        ('3f2a19c Mend the pier\nR  a.py -> b.py\n?? "low tide.md"', WorkingCopy(("low tide.md",), ("b.py",))),
        (LONG, WorkingCopy(("notes.md", "charts/"), ("quay.py", "old/pier.py"))),
        ("On branch main\nnothing to commit, working tree clean", WorkingCopy()),
        ("", WorkingCopy()),
    ],
)
def test_status(text: str, shown: WorkingCopy) -> None:
    assert working_copy_shown(text) == shown
