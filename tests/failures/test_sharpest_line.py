"""Of a failure that no reader knows, the line that says most about it."""

from __future__ import annotations

from analyzer.failures.messages.search import sharpest_line
from tests.tables import table


@table("the_line")
def test_the_line(text: str, said: str) -> None:
    assert sharpest_line(text, "run it") == said
