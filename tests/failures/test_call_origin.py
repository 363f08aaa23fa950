"""Failures that speak of how something was called, and calls that didn't end."""

from __future__ import annotations

import pytest

from analyzer.failures import Surroundings, origin_of, with_roles
from analyzer.model.failure import Failure, Frame
from analyzer.model.words import FailureKind, FrameRole, Kind
from analyzer.model.words import OriginRole as O

USAGE = [
    ("chart.py: error: unrecognized arguments: --deep", "python chart.py --deep", O.TOOL),
    ("error: unexpected argument '--deep' found", "tides --deep=3 north", O.TOOL),
    ("error: unknown command 'plot'", "tides plot north", O.TOOL),
    ("chart.py: error: the following arguments are required: --port", "python chart.py", O.TOOL),
    ("tides: unrecognized option '--deep'", "tides --deep", O.TOOL),
    ("tides: invalid option -- z", "tides -xz", O.TOOL),
    ("find: paths must precede expression: `a.py'", "find . -name *.py", O.TOOL),
    ('error: Script not found "chart"', "bun run chart", O.TOOL),
    ("bash: line 1: ${a..b}: bad substitution", "echo ${a..b}", O.TOOL),
    ("cat: illegal option -- A", "cat -A tides.txt", O.ENVIRONMENT),
    ("grep: invalid option -- P", "grep -oP 'a' tides.txt", O.ENVIRONMENT),
    ("/usr/bin/sed: unknown option -- r", "sed -r s/a/b/ t", O.ENVIRONMENT),
    ("bash: ./run: /bin/zsh: bad interpreter: No such file", "./run", O.ENVIRONMENT),
    ("runner: error: unrecognized arguments: --harbour", "make check", O.UNKNOWN),
    ("error: unknown option '--harbour'", "npm run build", O.UNKNOWN),
    ("tides: invalid option -- q", "make check", O.UNKNOWN),
]


@pytest.mark.parametrize(("message", "command", "role"), USAGE, ids=[message for message, *_ in USAGE])
def test_who_called_it_wrongly(message: str, command: str, role: O) -> None:
    entry = Failure(FailureKind.USAGE, "UsageError", message)
    assert origin_of(entry, Surroundings(Kind.RUN, subject=command, command=command)).role is role


@pytest.mark.parametrize(
    ("error", "role"),
    [("ShellSyntaxError", O.TOOL), ("UnboundVariable", O.ENVIRONMENT), ("InvalidInput", O.ENVIRONMENT)],
)
def test_what_the_shell_and_its_programs_say(error: str, role: O) -> None:
    assert (
        origin_of(Failure(FailureKind.USAGE, error, "no"), Surroundings(Kind.RUN, command="tides | jq .")).role is role
    )


def test_an_error_of_usage_that_a_program_raises_has_the_origin_of_its_trace() -> None:
    frames = (
        Frame("tests/test_cli.py", 4, "test_plot", FrameRole.UNKNOWN, "run(['plot'])"),
        Frame("tides/cli.py", 9, "plot", FrameRole.UNKNOWN, "raise UsageError('no harbour')"),
    )
    entry = Failure(FailureKind.USAGE, "UsageError", "no harbour", frames=frames)
    with_roles(entry, ())
    assert origin_of(entry, Surroundings(Kind.TEST)).role is O.IMPLEMENTATION


TIMEOUTS = [
    ("python pilot.py", O.IMPLEMENTATION),
    ("time ./pilot.sh", O.IMPLEMENTATION),
    ("pytest tests", O.IMPLEMENTATION),
    ("pip install numpy", O.ENVIRONMENT),
    ("apt-get install tides", O.ENVIRONMENT),
    ("make", O.UNKNOWN),
    ("grep -r depth /", O.UNKNOWN),
    ("ssh harbour uptime", O.UNKNOWN),
    ("python -m http.server", O.UNKNOWN),
    ("python manage.py runserver", O.UNKNOWN),
]


@pytest.mark.parametrize(("command", "role"), TIMEOUTS, ids=[command for command, _ in TIMEOUTS])
def test_a_run_that_does_not_end(command: str, role: O) -> None:
    entry = Failure(FailureKind.TIMEOUT, "Timeout", "stopped after 30 s")
    around = Surroundings(Kind.RUN, subject=command, command=command, scripts=("/srv/pilot.sh",))
    assert origin_of(entry, around).role is role


@pytest.mark.parametrize(
    ("error", "tool", "role"),
    [("Timeout", "web_fetch", O.ENVIRONMENT), ("HttpError", "ask", O.ENVIRONMENT), ("Timeout", "ask", O.UNKNOWN)],
)
def test_a_call_of_a_tool_that_does_not_end(error: str, tool: str, role: O) -> None:
    entry = Failure(FailureKind.TIMEOUT, error, "timed out")
    assert origin_of(entry, Surroundings(Kind.OTHER, tool=tool)).role is role
