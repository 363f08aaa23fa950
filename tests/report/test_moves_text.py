"""What is said of a step that removes files, or brings files back."""

from __future__ import annotations

import csv
import io

import pytest

from analyzer.report.action_table import table_of
from analyzer.report.records import render_csv
from analyzer.report.step_notes import moves_text
from tests.build import Part, diagnosed, edit, read, run, write

SHOWN = [read(f"/w/{name}.py", f"import os\n\n\ndef {name}(at):\n    return at\n") for name in ("low", "high")]


def own(count: int, *, at_once: bool = False) -> list[Part]:
    """Files of the agent's own, removed together."""
    names = [f"try{number}.py" for number in range(count)]
    if at_once:
        made: list[Part] = [run("".join(f"cat <<'E' > {name}\nprint('{name}')\nE\n" for name in names), "")]
    else:
        made = [write(f"/w/{name}", f"print({name!r})\n") for name in names]
    return [*made, run(f"rm {' '.join(names)}", "")]


def changed(name: str, new: str) -> Part:
    return edit(f"/w/{name}.py", "return at", f"return {new}")


CASES = [
    pytest.param(own(1), "removes what step 3 made", id="one-file"),
    pytest.param(own(2), "removes what steps 3 and 4 made", id="two-files"),
    pytest.param(own(4), "removes what steps 3, 4, 5 and 6 made", id="four-files"),
    pytest.param(own(9), "removes 9 files that steps between 3 and 11 made", id="nine-files"),
    pytest.param(
        [*own(6)[:-1], *own(8, at_once=True)[:-1], run(f"rm {' '.join(f'try{number}.py' for number in range(8))}", "")],
        "removes files that steps between 3 and 9 made",
        id="files-that-several-steps-made",
    ),
    pytest.param(own(3, at_once=True), "removes what step 3 made", id="three-files-of-one-step"),
    pytest.param([run("rm /w/low.py", "")], "", id="a-file-of-the-project"),
    pytest.param(
        [changed("low", "0"), read("/w/other.py"), changed("high", "1"), run("git checkout low.py", "")],
        "takes back step 3",
        id="one-of-two-files-restored",
    ),
    pytest.param(
        [
            *(write("/w/notes.md", "one\n"), changed("low", "0"), edit("/w/low.py", "import os", "import sys")),
            *(changed("high", "1"), edit("/w/high.py", "import os", "import re"), write("/w/notes.md", "two\n")),
            run("git checkout low.py high.py", ""),
        ],
        "files are again as before steps 4 and 6",
        id="two-files-restored",
    ),
]


@pytest.mark.parametrize(("parts", "said"), CASES)
def test_moves_in_words(parts: list[Part], said: str) -> None:
    made = diagnosed(SHOWN, *parts, task="Fix it.", environment={"working directory": "/w"})
    assert moves_text(made.timeline[-1]) == said


def test_a_table_for_programs_has_a_line_for_each_part() -> None:
    made = diagnosed(SHOWN, *own(1), task="Fix it.", environment={"working directory": "/w"})
    *_, last = csv.DictReader(io.StringIO(render_csv([table_of(made)])))
    assert last["moves"] == "kind: removes-own\nstep: 3\nfile: /w/try0.py"
