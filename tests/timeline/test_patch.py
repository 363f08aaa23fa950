"""The files and texts in a patch."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.model.action import Edit
from analyzer.timeline.patch import blocks_of, edits_of


def patch(*lines: str) -> str:
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "edits"),
    [
        pytest.param(
            patch("*** Begin Patch", "*** Update File: src/a.py", "@@ def f", " same", "-old", "+new", "*** End Patch"),
            [Edit("src/a.py", "old", "new")],
            id="update",
        ),
        pytest.param(
            patch("*** Begin Patch", "*** Add File: b.py", "+one", "+two", "*** End Patch"),
            [Edit("b.py", None, "one\ntwo", created=True)],
            id="new file",
        ),
        pytest.param(
            patch("*** Begin Patch", "*** Delete File: c.py", "*** End Patch"), [Edit("c.py")], id="deleted file"
        ),
        pytest.param(
            patch("*** Update File: a b.py", "-x", "*** Update File: c.py", "+y"),
            [Edit("a b.py", "x"), Edit("c.py", None, "y")],
            id="two files, a name with a blank",
        ),
        pytest.param(
            patch("diff --git a/x.py b/x.py", "--- a/x.py", "+++ b/x.py", "@@ -1,2 +1,2 @@", " same", "-old", "+new"),
            [Edit("x.py", "old", "new")],
            id="unified diff",
        ),
        pytest.param(
            patch("--- a/x.py", "+++ b/x.py", "-1", "+2", "--- a/y.py", "+++ b/y.py", "-3", "+4"),
            [Edit("x.py", "1", "2"), Edit("y.py", "3", "4")],
            id="unified diff of two files",
        ),
        pytest.param(
            patch("--- a/q.sql", "+++ b/q.sql", "@@ -1 +1 @@", "--- a comment in SQL", "+select 1"),
            [Edit("q.sql", "-- a comment in SQL", "select 1")],
            id="removed line that starts with dashes",
        ),
        pytest.param(
            patch("--- /dev/null", "+++ b/new.py", "@@ -0,0 +1 @@", "+x"),
            [Edit("new.py", None, "x", created=True)],
            id="unified diff of a new file",
        ),
        pytest.param(
            patch("--- a/old.py", "+++ /dev/null", "@@ -1 +0,0 @@", "-x"),
            [Edit("old.py", "x")],
            id="unified diff of a deleted file",
        ),
        pytest.param("no patch at all", [], id="other text"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_edits(text: str, edits: list[Edit]) -> None:
    assert list(edits_of(text)) == edits


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["*** Add File: a", "*** Update File: ", "+++ b/x", "--- a/x", "+", "-", "@@", "", "*** End Patch"]
        )
        | st.text()
    )
)
def test_any_text_can_be_read(lines: list[str]) -> None:
    for edit in edits_of("\n".join(lines)):
        assert isinstance(edit.path, str)


@pytest.mark.parametrize(
    ("text", "edits"),
    [
        pytest.param(
            patch("------- SEARCH", "old", "=======", "new", "+++++++ REPLACE"),
            [Edit("a.py", "old", "new")],
            id="Cline",
        ),
        pytest.param(
            patch("<<<<<<< SEARCH", ":start_line:4", "-------", "old", "=======", "new", ">>>>>>> REPLACE"),
            [Edit("a.py", "old", "new")],
            id="with the line",
        ),
        pytest.param(
            patch("<<<<<<< SEARCH", "=======", "new", ">>>>>>> REPLACE"),
            [Edit("a.py", None, "new\n", created=True)],
            id="a new file",
        ),
        pytest.param(patch("--- a/a.py", "+++ b/a.py", "-old", "+new"), [], id="a diff has none"),
    ],
)
def test_blocks(text: str, edits: list[Edit]) -> None:
    assert list(blocks_of(text, "a.py")) == edits
