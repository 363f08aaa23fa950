"""Which failures the pages and the JSON output say the source of."""

from __future__ import annotations

from analyzer.report.step_notes import brought_in, sentence
from tests.build import diagnosed, edit, read, run, traceback


def missing(name: str) -> str:
    return traceback(f"ModuleNotFoundError: No module named '{name}'", ("/w/a.py", 1, "<module>", f"import {name}"))


def test_every_group_whose_source_is_known_is_named_once_with_all_its_steps() -> None:
    pm = diagnosed(
        read("/w/b.py", "def low(at):\n    return LOW[at]\n"),
        run("python a.py", missing("tides"), 1),
        edit("/w/b.py", "return LOW[at]", "return low_at"),
        run("python a.py", missing("tides"), 1),
        run("python b.py", traceback("NameError: gone", ("/w/b.py", 2, "low", "return low_at")), 1),
        run("cat notes", "cat: notes: Permission denied", 1),
    )
    told = [(entry.steps, entry.kind, entry.found.introduced_at) for entry in brought_in(pm)]
    assert told == [([2, 4], "the environment", None), ([5], "the agent's own edit", 3)]
    assert [failure.step for failure in pm.failures if failure.provenance is not None] == [2, 5]


def test_what_the_reason_has_is_not_said_twice() -> None:
    [entry] = brought_in(diagnosed(run("python a.py", missing("tides"), 1)))
    assert (entry.quote, entry.place) == ("", "`/w/a.py:1`")
    assert sentence(entry.found, entry.quote) == (
        "The environment (`/w/a.py:1`). The module `tides` isn't installed, and nothing before this step shows its "
        "installation (confidence 80%)"
    )
