"""Language and runtime, as stated or as seen."""

from __future__ import annotations

from tests.build import read, run, timeline
from tests.tables import table


@table("what_output_shows")
def test_what_output_shows(command: str, output: str, expected: dict[str, str]) -> None:
    assert timeline(run("ls"), run(command, output)).environment == expected


def test_what_the_log_states_comes_first() -> None:
    made = timeline(run("python --version", "Python 3.12.1"), environment={"language": "Python 3.11"})
    assert made.environment == {"language": "Python 3.11"}
    assert made.session.environment == {"language": "Python 3.11"}


def test_the_first_output_counts() -> None:
    made = timeline(run("python --version", "Python 3.12.1"), run("python3 --version", "Python 3.9.2"))
    assert made.environment == {"language": "Python 3.12.1 (seen at step 1)"}


def test_a_file_that_is_read_shows_nothing_about_the_environment() -> None:
    assert timeline(read("notes.md", "Python 3.12.1")).environment == {}
