"""Texts cut to a length."""

from __future__ import annotations

import pytest

from analyzer.text.clip import clip_path


@pytest.mark.parametrize(
    ("path", "limit", "shown"),
    [
        ("src/tide.py", 20, "src/tide.py"),
        ("/home/anna/harbour/src/tide.py", 14, "…/src/tide.py"),
        ("C:\\harbour\\src\\tide.py", 14, "…\\src\\tide.py"),
        ("a_very_long_name_of_a_file.py", 10, "…a_file.py"),
    ],
)
def test_a_path_keeps_its_last_parts(path: str, limit: int, shown: str) -> None:
    assert clip_path(path, limit) == shown
    assert len(shown) <= limit
