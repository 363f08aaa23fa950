"""What the transcript has shown of files, up to a step."""

from __future__ import annotations

import pytest

from analyzer.timeline.sources import Sources
from tests.build import Part, edit, read, run, timeline, write
from tests.growth import assert_in_proportion
from tests.tables import table

TEXT = (
    "import tides\n\n\ndef test_low():\n    stations = [0, 2]\n    assert tides.low(stations)\n\n\ndef "
    "test_high():\n    pass\n"
)
NUMBERED = "\n".join(f"{number:6}\t{line}" for number, line in enumerate(TEXT.splitlines(), 1))


def sources(*parts: Part) -> Sources:
    found = Sources()
    for action in timeline(*parts).actions:
        found.take(action)
    return found


SHOWN = [
    pytest.param(read("tests/test_tides.py", NUMBERED), id="numbered-with-tabs"),
    pytest.param(read("tests/test_tides.py", NUMBERED.replace("\t", "→")), id="numbered-with-arrows"),
    pytest.param(read("tests/test_tides.py", TEXT), id="not-numbered"),
    pytest.param(run("cat tests/test_tides.py", TEXT), id="cat"),
    pytest.param(run("cd /w && cat -n tests/test_tides.py", NUMBERED), id="cat-with-numbers"),
    pytest.param(run("sed -n '4,6p' tests/test_tides.py", "\n".join(TEXT.splitlines()[3:6])), id="sed"),
    pytest.param(
        run(
            "grep -n stations tests/*.py",
            "tests/test_tides.py:5:    stations = [0, 2]\ntests/test_tides.py:6:    assert",
        ),
        id="grep",
    ),
    pytest.param(write("/w/tests/test_tides.py", TEXT), id="written"),
    pytest.param(
        [write("tests/test_tides.py", TEXT.replace("[0, 2]", "[]")), edit("tests/test_tides.py", "[]", "[0, 2]")],
        id="written-then-edited",
    ),
]


@pytest.mark.parametrize("parts", SHOWN)
def test_a_line_by_its_number(parts: Part) -> None:
    found = sources(parts).line("tests/test_tides.py", 5)
    assert found is not None
    assert (found.text, found.shown_at) == ("stations = [0, 2]", len(timeline(parts).actions))


def test_a_file_that_is_written_under_another_name_of_it() -> None:
    found = sources(read("../out/test_tides.py", TEXT), write("/w/out/test_tides.py", TEXT.replace("[0, 2]", "[4]")))
    lines = [found.line(path, 5) for path in ("../out/test_tides.py", "/w/out/test_tides.py")]
    assert [(line.text, line.shown_at) if line else None for line in lines] == [("stations = [4]", 2)] * 2


UNKNOWN = [
    pytest.param([], id="nothing-was-shown"),
    pytest.param(read("tests/test_tides.py", "No such file", is_error=True), id="a-read-that-failed"),
    pytest.param(run("tail -n 3 tests/test_tides.py", "    stations = [0, 2]\na\nb\nc\nd\n"), id="tail"),
    pytest.param(run("cat tests/test_tides.py other.py", TEXT), id="two-files"),
    pytest.param(
        [read("tests/test_tides.py", TEXT), edit("tests/test_tides.py", "not in it", "x")],
        id="an-edit-that-cannot-be-followed",
    ),
]


@pytest.mark.parametrize("parts", UNKNOWN)
def test_an_unknown_line(parts: Part) -> None:
    assert sources(parts).line("tests/test_tides.py", 5) is None


@table("the_body_of_a_test_by_its_id")
def test_the_body_of_a_test_by_its_id(path: str, text: str, test: str, first: str, last: str) -> None:
    body = [line for line in sources(read(path, text)).body_of(test) if line.text]
    assert {line.file for line in body} == {path}
    assert (body[0].text, body[-1].text) == (first, last)


def test_no_body_for_an_unknown_test() -> None:
    assert sources(read("tests/test_tides.py", TEXT)).body_of("tests/test_tides.py::test_lower") == []


def test_a_test_that_is_edited_after_its_body_was_looked_for() -> None:
    known = sources(write("tests/test_tides.py", TEXT))
    before = known.body_of("tests/test_tides.py::test_low")
    for action in timeline(write("tests/test_tides.py", "import tides\n" + TEXT)).actions:
        known.take(action)
    assert [line.line for line in known.body_of("tests/test_tides.py::test_low")] == [
        (line.line or 0) + 1 for line in before
    ]


@pytest.mark.slow
def test_many_files_under_other_names_than_theirs() -> None:
    def shown(number: int) -> tuple[Sources, list[str]]:
        names = [f"src/part_{at}.py" for at in range(number)]
        return sources(*(write(f"/app/{name}", "x = 1\n") for name in names)), names

    def ask(given: tuple[Sources, list[str]]) -> None:
        known, names = given
        assert all(known.line(name, 1) is not None for name in names)

    assert_in_proportion(ask, shown, 1_000, 4_000, "files")
