"""Which files downloads write."""

from __future__ import annotations

from analyzer.workspace.command_effects.downloads import downloaded
from tests.build import diagnosed, run, says
from tests.tables import table


@table("a_download_writes_a_file")
def test_a_download_writes_a_file(line: str, expected: list[str]) -> None:
    program, *words = [word.strip("'") for word in line.replace("'Accept: x'", "Accept:x").split()]
    assert downloaded(program, words) == expected


@table("a_download_that_prints_or_has_no_name_writes_none")
def test_a_download_that_prints_or_has_no_name_writes_none(line: str) -> None:
    program, *words = line.split()
    assert downloaded(program, words) == []


def test_the_page_names_the_file_in_the_working_directory() -> None:
    report = diagnosed(run("cd lib && curl -O https://www.example.org/dl/tool-4.7.jar"), says("It is there."))
    assert report.outcome.deliverable is not None
    assert report.outcome.deliverable.files == ["lib/tool-4.7.jar"]
