"""Sessions that only look as if they went round in circles."""

from __future__ import annotations

from tests.build import Part, read, traceback, write
from tests.detectors.rounds import fails, loops
from tests.sessions import Written, parts_of
from tests.tables import table


@table("does_not_fire")
def test_does_not_fire(parts: Written) -> None:
    assert [found.title for found in loops(*parts_of(parts))] == []


def test_a_reproduction_that_fails_before_the_fix_is_no_loop() -> None:
    output = traceback(
        "ValueError: month must be in 1..12",
        ("repro.py", 3, "<module>", "parse('x')"),
        ("dates.py", 9, "parse", "raise"),
    )
    parts: list[Part] = [
        write("repro.py", "x"),
        [[fails("python repro.py", output), read(f"{name}.py", name)] for name in ("a", "b", "c")],
    ]
    assert loops(*parts, task="It raises ValueError: month must be in 1..12, why?") == []
    assert len(loops(*parts, task="Something else")) == 1
