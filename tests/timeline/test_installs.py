"""Which command lines install a package by name."""

from __future__ import annotations

import pytest

from analyzer.timeline.calls.installs import installs


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pip install tide-table==2.1", True),
        ("cd /w && python -m pip install -q 'tide-table>=2'", True),
        ("pip install -r requirements.txt", True),
        ("apt-get update && apt-get install -y tide", True),
        ("npm install --save-dev @tide/table", True),
        ("cargo add tide", True),
        ("uv pip install tide", True),
        ("pip install -e .", False),
        ("pip install .", False),
        ("pip install ./dist/tide-1.0.whl", False),
        ("npm install", False),
        ("make install", False),
        ("git add tide.py", False),
        ("pip list", False),
        ("grep install README.md", False),
        (None, False),
    ],
)
def test_it_installs_a_package(command: str | None, expected: bool) -> None:
    assert installs(command) is expected
