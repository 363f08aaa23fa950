"""Language and runtime, as stated or as seen."""

from __future__ import annotations

import pytest

from tests.build import read, run, timeline


@pytest.mark.parametrize(
    ("command", "output", "expected"),
    [
        pytest.param(
            "pytest",
            "platform linux -- Python 3.12.1, pytest-8.3.0, pluggy-1.5.0",
            {"language": "Python 3.12.1 (seen at step 2)", "test runner": "pytest-8.3.0 (seen at step 2)"},
            id="pytest",
        ),
        pytest.param(
            "python --version", "Python 3.12.1\n", {"language": "Python 3.12.1 (seen at step 2)"}, id="python"
        ),
        pytest.param(
            "node x.js", "Error\n\nNode.js v20.11.0", {"runtime": "Node.js v20.11.0 (seen at step 2)"}, id="node"
        ),
        pytest.param(
            "go version",
            "go version go1.22.1 linux/amd64",
            {"language": "go version go1.22.1 (seen at step 2)"},
            id="go",
        ),
        pytest.param("cargo -V", "cargo 1.77.0 (3fe68eabf)", {"language": "cargo 1.77.0 (seen at step 2)"}, id="rust"),
        pytest.param(
            "java -version",
            'openjdk version "21.0.2"',
            {"runtime": 'openjdk version "21.0.2" (seen at step 2)'},
            id="java",
        ),
        pytest.param("cat notes", "We use Python 3.12.1 here.", {}, id="mentioned in a text"),
        pytest.param("ls", "", {}, id="nothing"),
    ],
)
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
