"""Which part of what a failed command printed is its message."""

from __future__ import annotations

import pytest

from tests.failures.recorded import failure_of, outputs, shell
from tests.tables import table

NOTICE = """Error processing line 1 of /opt/venv/lib/python3.11/site-packages/tides-nspkg.pth:

  Traceback (most recent call last):
    File "<frozen site>", line 206, in addpackage
    File "<string>", line 1, in <module>
  ModuleNotFoundError: No module named 'tides_hook'

Remainder of file ignored
"""
"""What Python's `site` says of a broken `.pth` file before it runs the program all the same."""
NPM_DENIED = """npm ERR! code EACCES
npm ERR! syscall mkdir
npm ERR! path /usr/local/lib/node_modules/sextant
npm ERR! errno -13
npm ERR! Error: EACCES: permission denied, mkdir '/usr/local/lib/node_modules/sextant'
"""


@pytest.mark.parametrize(
    ("command", "text", "message"),
    [
        pytest.param(
            "python -m pytest", "/usr/bin/python3: No module named pytest\n", "No module named pytest", id="module"
        ),
        pytest.param(
            "npm i -g sextant",
            NPM_DENIED,
            "Error: EACCES: permission denied, mkdir '/usr/local/lib/node_modules/sextant'",
            id="npm",
        ),
        pytest.param("python pilot.py", NOTICE + "the quay is closed\n", "the quay is closed", id="notice"),
    ],
)
def test_the_telling_part_is_the_message(command: str, text: str, message: str) -> None:
    assert failure_of(shell(command, text, 1)).message == message


def test_a_timeout_tells_which_command_it_was() -> None:
    one = failure_of(shell("python pilot.py", "Command timed out after 30 seconds"))
    other = failure_of(shell("make all", "Command timed out after 30 seconds"))
    assert one.subject != other.subject


def test_an_exit_code_in_front_of_the_output_is_no_message() -> None:
    assert failure_of(shell("./deploy.sh", "Exit code 3\nthe quay is closed", 3)).message == "the quay is closed"


@pytest.mark.parametrize("name", ["pytest/long", "cargo/failing", "jest/failing", "unittest/failing"])
def test_a_long_result_is_read_at_both_ends(name: str) -> None:
    output = outputs()[name]
    text = "waiting for the tide\n" * 40_000 + output.text
    assert (
        failure_of(shell(output.command, text, output.exit_code)).runner
        == failure_of(shell(output.command, output.text)).runner
    )


def test_failing_tests_and_counts_are_kept() -> None:
    failure = failure_of(shell("python -m pytest", outputs()["pytest/ids"].text))
    assert failure.counts == {"failed": 4, "passed": 1}
    assert failure.failing_tests[1] == "tests/test_ids.py::test_berth[a[0] - b[1]]"
    assert (failure.runner, failure.language) == ("pytest", "python")


@table("sharpest")
def test_the_line_that_says_most(command: str, text: str, exit_code: int, message: str) -> None:
    assert failure_of(shell(command, text, exit_code)).message == message


def test_pydantic_names_the_field() -> None:
    text = (
        'Traceback (most recent call last):\n  File "pay.py", line 3, in <module>\n    '
        "Payment()\npydantic_core._pydantic_core.ValidationError: 1 validation error for Payment\npayment_id\n  "
        "Field required [type=missing, input_value={}, input_type=dict]\n    For further information visit "
        "https://example.org/v/missing\n"
    )
    assert "payment_id: Field required" in failure_of(shell("python pay.py", text, 1)).message
