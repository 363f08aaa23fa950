"""A program's own error message, known by its form: the program, a word of the command line, and what is wrong."""

from __future__ import annotations

import pytest

from analyzer.model.words import Status
from tests.failures.recorded import failure_of, shell
from tests.tables import table

ERRORS = [
    pytest.param("strings tides.img | grep low", "strings: 'tides.img': No such file", id="behind-a-pipe"),
    pytest.param("strings tides.img", "strings: tides.img: No such file\n", id="a-viewer"),
    pytest.param("/usr/bin/objdump -d pilot.o", "/usr/bin/objdump: pilot.o: file format not recognized", id="by-path"),
    pytest.param("unsquashfs quay.img", "unsquashfs: quay.img: bad superblock", id="words-nobody-listed"),
    pytest.param("strip -s a.o b.o", "strip: a.o: truncated\nstrip: b.o: truncated", id="two-operands"),
    pytest.param("cmp a.bin b.bin | head -1", "cmp: EOF on b.bin: which is empty", id="operand-after-words"),
    pytest.param("python tools/tide.py low.csv", "tide.py: low.csv: unknown column 'mood'", id="a-script"),
    pytest.param("xz -d tide.xz", "xz: tide.xz: File format not recognized", id="not-recognized"),
    pytest.param("losetup /dev/loop0 quay.img", "losetup: quay.img: failed to set up loop device", id="failed-to"),
    pytest.param("./pilot harbour.toml", "pilot: harbour.toml: malformed table on line 3", id="own-program"),
    pytest.param("dirname", "dirname: missing operand\nTry 'dirname --help'", id="without-an-operand"),
    pytest.param("pilot | sort", "pilot: no harbour is configured", id="refuses"),
]


UNCLEAR = [
    pytest.param("pilot", "pilot: harbour 3 of 4", id="a-state"),
    pytest.param("pilot --quiet | tail -1", "pilot: low tide", id="behind-a-pipe"),
]


@pytest.mark.parametrize(("command", "text"), UNCLEAR)
def test_what_a_program_says_without_an_error_is_unknown_unless_the_log_tells(command: str, text: str) -> None:
    assert shell(command, text).status is Status.UNKNOWN
    assert shell(command, text, 0).status is Status.OK


@pytest.mark.parametrize(("command", "text"), ERRORS)
def test_a_message_about_an_operand_is_an_error(command: str, text: str) -> None:
    failure = failure_of(shell(command, text))
    assert failure.message == text.splitlines()[0]


@table("fine")
def test_other_lines_of_that_shape_are_none(command: str, text: str) -> None:
    assert shell(command, text).status is not Status.ERROR


def test_an_exit_code_that_nothing_hides_outweighs_the_form() -> None:
    assert shell("unsquashfs quay.img", "unsquashfs: quay.img: superblock 4.0", 0).status is Status.OK
    assert shell("unsquashfs quay.img | tail", "unsquashfs: quay.img: bad superblock", 0).status is Status.ERROR


def test_a_file_that_is_not_there_is_called_that() -> None:
    assert failure_of(shell("strings tide.img", "strings: 'tide.img': No such file")).type == "NoSuchFileOrDirectory"
    assert failure_of(shell("strings tide.img", "strings: 'tide.img': bad magic")).type == "ProgramError"
