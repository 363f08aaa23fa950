"""The report as a terminal shows it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.cli.console.output import shown_by_pager, use_color
from analyzer.cli.console.terminal import PICTURE, WIDEST, render
from analyzer.cli.main import main
from analyzer.model.words import ShownKind, Status
from analyzer.report.picture.model import Cell, Group, PictureModel
from tests.cli.conftest import Program, command
from tests.tables import table

pytestmark = pytest.mark.slow

FOLDED = """# Title

<!-- made for machines -->
<details><summary>All <b>12</b> steps &amp; more_or_less</summary>

Inside.

```html
<details> stays </details>
```

</details>

After.
"""


def plain(markdown: str, *, unfold: bool = False) -> str:
    return render(markdown, color=False, unfold=unfold)


def test_folded_parts_are_named_but_not_shown() -> None:
    out = plain(FOLDED)
    assert "All 12 steps & more_or_less: shown with -v or -f markdown" in out
    assert "Inside" not in out
    assert "After." in out


def test_folded_parts_are_shown_on_demand() -> None:
    out = plain(FOLDED, unfold=True)
    assert "All 12 steps & more_or_less\n" in out
    assert "Inside." in out
    assert "<details> stays </details>" in out
    assert "shown with" not in out


def test_folds_may_be_nested_and_stand_in_one_line() -> None:
    nested = "<details><summary>A</summary>\n\n<details><summary>B</summary>b</details>\n\nx\n</details>\n\nafter"
    assert [line for line in plain(nested).splitlines() if line] == ["A: shown with -v or -f markdown", "", "after"][
        ::2
    ]
    assert re.findall(r"\w+", plain(nested, unfold=True)) == ["A", "B", "b", "x", "after"]


def test_comments_and_anchors_are_left_out() -> None:
    out = plain('<a id="steps"></a>\n\n## Steps\n\n<!-- one\ntwo -->\nThree<br>four')
    assert "one" not in out
    assert "two" not in out
    assert "<" not in out
    assert "Threefour" in out


@table("words_of_the_session_stay_as_they_are")
def test_words_of_the_session_stay_as_they_are(text: str) -> None:
    expected = text.replace("\\", "").replace("&lt;", "<").replace("&gt;", ">").replace("`", "")
    assert plain(text).strip() == expected
    assert plain(f"| a |\n|---|\n| {text} |\n").count(expected) == 1
    assert expected in plain(f"# {text}")


def test_a_code_block_stays_as_it_is() -> None:
    block = "<!-- kept -->\n[red]x[/red]\n<summary>kept</summary>\n~~~\n# kept"
    out = plain(f"before\n\n```\n{block}\n```\n\nafter", unfold=False)
    assert [line.strip() for line in out.splitlines() if line.strip()] == ["before", *block.splitlines(), "after"]


def test_a_longer_fence_holds_shorter_ones() -> None:
    out = plain("````\n```\n<details>\n```\n````\n\nafter")
    assert "<details>" in out
    assert "after" in out


@pytest.mark.parametrize("color", [False, True])
def test_terminal_escapes_of_the_session_are_gone(color: bool) -> None:
    out = render("# before\x1b[2J \x1b]0;owned\x07 after\n\n```\n\x1b[31mred\x1b[0m\n```\n", color=color, unfold=True)
    assert "\x1b[2J" not in out
    assert "owned" not in out
    assert color == ("\x1b[" in out)
    assert set(re.findall(r"\x1b(?!\[[\d;]*m)", out)) == set()


def _model(lane: str, template: str) -> PictureModel:
    failing = Cell(2, "main", ShownKind.TEST, Status.ERROR, 0)
    cells = (
        Cell(1, "main", ShownKind.EDIT, Status.OK),
        failing,
        *(Cell(step, lane, ShownKind.READ, Status.OK) for step in range(1, 5)),
    )
    return PictureModel(("main", lane), cells, (), (), (Group(0, "F1", "main", 2, template),))


def _with_picture(model: PictureModel, color: bool = False, unicode: bool = True) -> str:
    return render(
        f"# Page\n\n```{PICTURE}\n0\n```\n\nAfter.\n", color=color, unfold=False, pictures=[model], unicode=unicode
    )


def test_a_picture_stands_where_its_block_stands() -> None:
    lines = [line for line in _with_picture(_model("helper", "ValueError: no")).splitlines() if line]
    assert lines[0].strip() == "Page"
    assert lines[1:5] == ["step   1", "change e", "check   1", "sub-agent helper (4): rrrr"]
    assert lines[-1] == "After."


def test_a_block_that_stands_for_no_picture_is_shown() -> None:
    assert "7" in render(f"```{PICTURE}\n7\n```\n", color=False, unfold=False, pictures=[_model("a", "b")])
    assert "x" in render(f"```{PICTURE}\nx\n```\n", color=False, unfold=False, pictures=[_model("a", "b")])


@given(st.text(max_size=60), st.text(max_size=200))
def test_no_words_in_a_picture_drive_the_terminal(lane: str, template: str) -> None:
    model = _model(f"a{lane}\x1b[2J", f"{template}\x1b]0;owned\x07")
    colors = _with_picture(model, color=True)
    assert set(re.sub(r"\x1b\[[\d;]*m", "", colors)) & {"\x1b", "\x07", "\x9b", "\u202e"} == set()
    assert re.sub(r" +$", "", re.sub(r"\x1b\[[\d;]*m", "", colors), flags=re.MULTILINE) == _with_picture(model), (
        "colours add nothing but colours"
    )
    assert _with_picture(_model("helper", template), unicode=False).isascii()


@given(st.text(max_size=300))
def test_no_text_makes_it_fail_or_write_more_than_colours(text: str) -> None:
    out = render(f"# Report\n\n{text}\n", color=True, unfold=True)
    assert "\x1b" not in re.sub(r"\x1b\[[\d;]*m", "", out)


@pytest.mark.parametrize(("columns", "widest"), [(None, 100), ("60", 60), ("240", 100)])
def test_the_width(
    stuck: Path, program: Program, monkeypatch: pytest.MonkeyPatch, columns: str | None, widest: int
) -> None:
    if columns:
        monkeypatch.setenv("COLUMNS", columns)
    lines = program(stuck, "-f", "terminal", "-v").out.splitlines()
    assert max(map(len, lines)) <= widest <= WIDEST


@table("when_there_are_colours")
def test_when_there_are_colours(choice: str, terminal: bool, environment: dict[str, str], expected: bool) -> None:
    assert use_color(choice, terminal, environment) is expected


@table("colours_of_the_whole_program")
def test_colours_of_the_whole_program(
    program: Program,
    stuck: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    environment: dict[str, str],
    colored: bool,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    out = program(stuck, "-f", "terminal", *options).out
    assert ("\x1b[" in out) == colored


def on_a_terminal(*arguments: str | Path, **environment: str) -> str:
    """What the program writes where standard output is a terminal."""

    def run(theirs: int) -> int:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in environment.items():
                patch.setenv(name, value)
            with os.fdopen(theirs, "w", encoding=environment.get("PYTHONIOENCODING", "utf-8")) as terminal:
                patch.setattr(sys, "stdout", terminal)
                return main([str(argument) for argument in arguments])

    return _written(run)


def _written(run: Callable[[int], int]) -> str:
    """What is written to a terminal by what ends with 0 and closes it."""
    import pty

    ours, theirs = pty.openpty()
    chunks: list[bytes] = []
    reader = threading.Thread(target=_read, args=(ours, chunks))
    reader.start()
    code = run(theirs)
    reader.join()
    os.close(ours)
    assert code == 0
    return b"".join(chunks).decode().replace("\r\n", "\n")


def _read(terminal: int, chunks: list[bytes]) -> None:
    """All that is written to a terminal until its other side is closed."""
    while True:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # what Linux says when the other side is closed
            return
        if not chunk:
            return
        chunks.append(chunk)


@pytest.mark.skipif(os.name == "nt", reason="needs pseudo terminals")
def test_a_process_of_its_own_knows_its_terminal(stuck: Path) -> None:
    def run(theirs: int) -> int:
        with os.fdopen(theirs, "wb") as terminal:
            return subprocess.run(command(stuck), stdin=subprocess.DEVNULL, stdout=terminal, check=False).returncode

    assert "\x1b[" in _written(run)


@pytest.mark.skipif(os.name == "nt", reason="needs pseudo terminals")
def test_on_a_terminal_the_report_is_rendered_for_it(stuck: Path, elsewhere: Path) -> None:
    assert "\x1b[" in on_a_terminal(stuck)
    uncolored = on_a_terminal(stuck, NO_COLOR="1")
    assert "\x1b" not in uncolored
    assert not uncolored.startswith("# ")
    assert on_a_terminal(stuck, "-o", "report.md") == ""
    assert (elsewhere / "report.md").read_text().startswith("# ")


@pytest.mark.skipif(os.name == "nt", reason="needs pseudo terminals")
@pytest.mark.parametrize("columns", ["40", "120"])
def test_the_picture_heads_the_report_on_a_terminal(stuck: Path, columns: str) -> None:
    out = on_a_terminal(stuck, NO_COLOR="1", COLUMNS=columns)
    picture = [line for line in out[: out.index("Asked")].splitlines() if re.match(r"[a-z]+ +[a-z\d ]+$", line)]
    assert "change     e   e     e e e e e e" in picture
    assert "check                 1 1 1 1 1 1" in picture
    assert "6 rounds" in out
    assert max(map(len, out.splitlines())) <= int(columns)
    assert "\x1b[1;37;41m1\x1b[0m" in on_a_terminal(stuck, COLUMNS=columns)


@pytest.mark.skipif(os.name == "nt", reason="needs pseudo terminals")
def test_a_terminal_that_knows_ascii_only_gets_it(stuck: Path) -> None:
    out = on_a_terminal(stuck, NO_COLOR="1", PYTHONIOENCODING="ascii")
    assert "[-+-+-+-+-+] edit-test loop, 6 rounds" in out
    assert "┬" in on_a_terminal(stuck, NO_COLOR="1", PYTHONIOENCODING="utf-8")


@pytest.mark.skipif(os.name == "nt", reason="needs pseudo terminals")
def test_markdown_on_a_terminal_holds_no_escapes_either(elsewhere: Path) -> None:
    log = elsewhere / "log.jsonl"
    log.write_text(
        '{"session": {"id": "x", "task": "Look \\u001b[2J here"}}\n'
        '{"action": {"tool": "sh\\u001b]0;t\\u0007", "arguments": "ls \\u001b[31m", "result": "\\u001b[2J", '
        '"exit_code": 1}}\n'
    )
    assert "\x1b" not in on_a_terminal(log, "-f", "markdown")
    assert "\x1b" not in on_a_terminal(log, "-f", "json")
    assert "\x1b[2J" not in on_a_terminal(log, "-v")


@pytest.mark.skipif(os.name == "nt", reason="needs pseudo terminals")
@pytest.mark.parametrize(
    ("pager", "lines", "paged"),
    [("sed s/^/|/", "10", True), ("sed s/^/|/", "4000", False), ("cat", "10", False), ("", "10", False)],
    ids=["long", "fits the screen", "cat", "none"],
)
def test_a_long_report_is_shown_by_a_pager(
    pager: str, lines: str, paged: bool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PAGER", pager)
    monkeypatch.setenv("LINES", lines)
    monkeypatch.setattr("analyzer.cli.console.output.is_terminal", bool)
    assert shown_by_pager("a line\n" * 40) is paged
    assert ("|a line" in capfd.readouterr().out) is paged
