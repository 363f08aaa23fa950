"""The readable beginning of a JSON object that was cut off."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.text.values import cut_members


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"path": "a.md", "content": "# Tides\\n\\nDefine th', {"path": "a.md"}),
        ('{"path": "a.md", "content": "# Tides\\', {"path": "a.md"}),
        ('{"path": "a.md", "con', {"path": "a.md"}),
        ('{"path": "a.md",', {"path": "a.md"}),
        ('{"path": "a.md"', {"path": "a.md"}),
        ('{"path": "a.md', {}),
        ('{"pa', {}),
        ('{"edits": [{"old": "x", "new": "y"}, {"old"', {}),
        ('{"path": "a.md", "edits": [1, 2', {"path": "a.md"}),
        ('{"path": "a.md", "at": 12', {"path": "a.md"}),
        ('{"path": "a.md", "all": tr', {"path": "a.md"}),
        ('{"path": "a.md", "all": true, "x": ', {"path": "a.md", "all": True}),
        ('  {"path": "a\nb", "x": "', {"path": "a\nb"}),
        # Twins that aren't cut off.
        ('{"path": "a.md"}', None),
        ('{"path": "a.md"} and more', None),
        ("{'path': 'a.md', 'content': 'x", None),
        ('{path: "a.md", content: "x', None),
        ('{"path": "a.md", "content": oops, "x": "', None),
        ('{"path": "a.md" "content": "x', None),
        ('{"command": "say "hello" to', None),
        ("{ echo one; echo two", None),
        ("*** Begin Patch", None),
        ('["a", "b', None),
        ("{", None),
        ("", None),
    ],
)
def test_the_whole_members_of_an_object_that_breaks_off(text: str, found: dict[str, Any] | None) -> None:
    assert cut_members(text) == found
