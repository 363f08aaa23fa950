"""What holds for every edit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.build import Part, edit, read, run, think, write
from tests.workspace.states import ids

LINES = st.lists(
    st.text(st.characters(categories=("L", "N", "P", "Zs")), min_size=1, max_size=12), min_size=1, max_size=6
)
WORDS = st.text("abcdefgh", min_size=1, max_size=8)
PAIRS = st.tuples(WORDS, WORDS).filter(lambda pair: pair[0] != pair[1])
PATHS = st.sampled_from(["a.py", "b.py", "src/c.py"])
EDITS = st.lists(st.tuples(PATHS, PAIRS), max_size=5)
NOTHING: list[Part] = [
    run("ls -la", "total 0"),
    run("git status", "clean"),
    run("echo ok", "ok"),
    run("cd . && true"),
    read("other.md", "Some words.\n"),
    think("Let me see."),
    run("grep -rn x .", ""),
]


def _made(edits: list[tuple[str, tuple[str, str]]]) -> list[Part]:
    return [edit(path, before, after) for path, (before, after) in edits]


@given(EDITS, PATHS, PAIRS)
def test_an_edit_and_its_inverse_restore_the_id(
    edits: list[tuple[str, tuple[str, str]]], path: str, pair: tuple[str, str]
) -> None:
    before, after = f"<{pair[0]}>", f"[{pair[1]}]"
    made = ids(*_made(edits), edit(path, before, after), edit(path, after, before))
    assert made[-1] == made[-3]


@given(LINES, LINES)
def test_a_file_written_back_restores_the_id(one: list[str], other: list[str]) -> None:
    first, second = "\n".join(one), "\n".join(other)
    made = ids(read("z.txt", "words\n"), write("a.txt", first), write("a.txt", second), write("a.txt", first))
    assert made[-1] == made[-3]
    assert (made[-2] == made[-1]) == (first.rstrip("\n") == second.rstrip("\n"))


@pytest.mark.slow
@given(EDITS, st.data())
def test_what_does_nothing_never_changes_an_id(edits: list[tuple[str, tuple[str, str]]], data: st.DataObject) -> None:
    parts = _made(edits)
    mixed: list[Part] = []
    places = []
    for part in parts:
        mixed.extend(data.draw(st.lists(st.sampled_from(NOTHING), max_size=2)))
        places.append(len(mixed))
        mixed.append(part)
    with_noise = ids(*mixed)
    assert [with_noise[place] for place in places] == ids(*parts)[:-1]
    assert with_noise[-1] == ids(*parts)[-1]


@given(EDITS, PATHS, LINES)
def test_a_read_never_changes_an_id(edits: list[tuple[str, tuple[str, str]]], path: str, lines: list[str]) -> None:
    parts = _made(edits)
    made = ids(*parts, read(f"never/{path}", "\n".join(lines)))
    assert made[-1] == made[-2] == ids(*parts)[-1]
