"""The files and texts in a patch."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.model.action import Edit
from analyzer.timeline.patch import blocks_of, edits_of
from tests.tables import table


@table("edits")
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


@table("blocks")
def test_blocks(text: str, edits: list[Edit]) -> None:
    assert list(blocks_of(text, "a.py")) == edits
