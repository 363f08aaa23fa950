"""Where a failure comes from: the founding question is whether it's the test or the implementation."""

from __future__ import annotations

import pytest

from analyzer.failures import Surroundings, origin_of, with_roles
from analyzer.model.failure import CodeLine, Failure, Frame
from analyzer.model.struct import replace
from analyzer.model.words import FailureKind as K
from analyzer.model.words import FrameRole, Kind
from analyzer.model.words import OriginRole as O
from tests.failures.recorded import failure_of, outputs, shell
from tests.tables import table

TEST = Frame("tests/test_curve.py", 12, "test_curve", FrameRole.UNKNOWN, "curve = Curve(degree=3, stations=low)")
SHORT = replace(TEST, code="curve = Curve(degree=3, stations=[0, 2, 4])")
RAISES = Frame(
    "tides/curve.py", 8, "__init__", FrameRole.UNKNOWN, 'raise ValueError("need at least 4 stations, got 3")'
)
BREAKS = Frame("tides/curve.py", 19, "height", FrameRole.UNKNOWN, "return self.low[hour]")
LIBRARY = Frame("/venv/lib/python3.11/site-packages/numpy/core.py", 3, "dot", FrameRole.UNKNOWN, "return c_dot(a, b)")
STDLIB = Frame(
    "/usr/lib/python3.11/json/decoder.py",
    355,
    "raw_decode",
    FrameRole.UNKNOWN,
    "raise JSONDecodeError(msg, s, err.value)",
)
SCRIPT = Frame("pilot.py", 3, "<module>", FrameRole.UNKNOWN, "Curve(3, low)")
SNIPPET = Frame("<stdin>", 3, "<module>", FrameRole.UNKNOWN)
RUN_TEST = Surroundings(Kind.TEST)
RUN_SCRIPT = Surroundings(Kind.RUN, scripts=("/srv/tides/pilot.py",))
EDITED = Surroundings(Kind.TEST, edited=("/srv/tides/tides/curve.py",))
UNCHANGED = Surroundings(Kind.TEST, edited=("/srv/tides/tides/curve.py",), unchanged_through=("tides/curve.py",))


def failure(
    *frames: Frame, error: str = "ValueError", message: str = "need at least 4 stations, got 3", kind: K = K.EXCEPTION
) -> Failure:
    return Failure(kind, error, message, frames=frames)


TRACES = [
    pytest.param(failure(SHORT, RAISES), RUN_TEST, O.TEST, TEST.file, 0.9, id="test-passes-too-little"),
    pytest.param(failure(SHORT, RAISES), EDITED, O.TEST, TEST.file, 0.9, id="test-passes-too-little-to-an-edited-file"),
    pytest.param(failure(TEST, RAISES), UNCHANGED, O.TEST, TEST.file, 0.7, id="refused-unchanged-through-edits"),
    pytest.param(
        failure(TEST, BREAKS, error="Error", message="listen EADDRINUSE: address already in use :::8765"),
        EDITED,
        O.ENVIRONMENT,
        BREAKS.file,
        0.7,
        id="the-port-is-taken",
    ),
    pytest.param(
        failure(TEST, BREAKS, RAISES),
        UNCHANGED,
        O.IMPLEMENTATION,
        RAISES.file,
        0.6,
        id="the-implementation-passes-it-on",
    ),
    pytest.param(
        failure(replace(TEST, code="tide(unit='furlong')"), BREAKS, RAISES, message="unknown unit 'furlong'"),
        UNCHANGED,
        O.TEST,
        TEST.file,
        0.7,
        id="the-refused-value-stands-in-the-test",
    ),
    pytest.param(
        failure(TEST, replace(RAISES, code=None), error="IllegalArgumentException"),
        UNCHANGED,
        O.TEST,
        TEST.file,
        0.7,
        id="refused-by-an-exception-of-java",
    ),
    pytest.param(
        failure(TEST, replace(RAISES, code="throw new Error(low)"), error="Error"),
        UNCHANGED,
        O.TEST,
        TEST.file,
        0.7,
        id="refused-by-a-throw",
    ),
    pytest.param(
        failure(TEST, RAISES),
        replace(UNCHANGED, test_code=(CodeLine(TEST.file, 10, "stations = [0, 2, 4]"),)),
        O.TEST,
        TEST.file,
        0.9,
        id="the-value-stands-above-the-call",
    ),
    pytest.param(
        failure(),
        replace(RUN_TEST, test_code=(CodeLine(TEST.file, 10, "stations = [0, 2, 4]"),)),
        O.TEST,
        TEST.file,
        0.9,
        id="no-trace-but-the-test-was-read",
    ),
    pytest.param(
        failure(
            Frame("src/curve.rs", 31, "curve::tests::low", FrameRole.UNKNOWN),
            error="panic",
            message="called `Option::unwrap()` on a `None` value",
        ),
        RUN_TEST,
        O.TEST,
        "src/curve.rs",
        0.7,
        id="inline-test-of-rust",
    ),
    pytest.param(
        failure(TEST, BREAKS, error="IndexError", message="list index out of range"),
        UNCHANGED,
        O.IMPLEMENTATION,
        RAISES.file,
        0.6,
        id="no-refusal-though-unchanged",
    ),
    pytest.param(failure(TEST, RAISES), RUN_TEST, O.IMPLEMENTATION, RAISES.file, 0.5, id="refused-once"),
    pytest.param(
        failure(TEST, RAISES), EDITED, O.IMPLEMENTATION, RAISES.file, 0.7, id="implementation-edited-by-the-agent"
    ),
    pytest.param(
        failure(TEST, error="AssertionError", message="assert 2 == 3", kind=K.TEST),
        RUN_TEST,
        O.IMPLEMENTATION,
        TEST.file,
        0.5,
        id="plain-assertion",
    ),
    pytest.param(
        failure(TEST, error="AssertionError", message="assert 2 == 3", kind=K.TEST),
        UNCHANGED,
        O.IMPLEMENTATION,
        TEST.file,
        0.5,
        id="plain-assertion-through-edits",
    ),
    pytest.param(
        failure(TEST, error="Failed", message="DID NOT RAISE ValueError", kind=K.TEST),
        RUN_TEST,
        O.IMPLEMENTATION,
        TEST.file,
        0.5,
        id="did-not-raise",
    ),
    pytest.param(
        failure(TEST, BREAKS, error="AssertionError", message="depth < 0", kind=K.TEST),
        RUN_TEST,
        O.IMPLEMENTATION,
        BREAKS.file,
        0.6,
        id="assertion-in-the-implementation",
    ),
    pytest.param(
        failure(TEST, error="NameError", message="name 'low' is not defined"),
        RUN_TEST,
        O.TEST,
        TEST.file,
        0.7,
        id="raised-by-the-test",
    ),
    pytest.param(
        failure(SCRIPT, error="NameError", message="name 'low' is not defined"),
        RUN_SCRIPT,
        O.TEST,
        SCRIPT.file,
        0.7,
        id="raised-by-the-own-script",
    ),
    pytest.param(
        failure(SNIPPET, error="NameError", message="name 'low' is not defined"),
        RUN_SCRIPT,
        O.TEST,
        "<stdin>",
        0.7,
        id="raised-by-a-snippet",
    ),
    pytest.param(failure(SCRIPT, RAISES), RUN_SCRIPT, O.TEST, SCRIPT.file, 0.5, id="own-script-is-refused"),
    pytest.param(failure(SNIPPET, RAISES), RUN_SCRIPT, O.TEST, "<stdin>", 0.5, id="snippet-is-refused"),
    pytest.param(
        failure(SCRIPT, RAISES),
        replace(RUN_SCRIPT, edited=("tides/curve.py",)),
        O.IMPLEMENTATION,
        RAISES.file,
        0.7,
        id="own-script-breaks-an-edited-file",
    ),
    pytest.param(
        failure(TEST, BREAKS, LIBRARY),
        RUN_TEST,
        O.IMPLEMENTATION,
        BREAKS.file,
        0.5,
        id="implementation-breaks-in-a-library",
    ),
    pytest.param(
        failure(TEST, STDLIB, error="json.decoder.JSONDecodeError", message="Expecting value"),
        RUN_TEST,
        O.TEST,
        TEST.file,
        0.4,
        id="test-breaks-in-a-library",
    ),
    pytest.param(failure(LIBRARY, STDLIB), RUN_TEST, O.LIBRARY, STDLIB.file, 0.4, id="library-only"),
    pytest.param(
        failure(replace(RAISES, code="def steer(:"), error="SyntaxError", kind=K.COMPILE),
        RUN_TEST,
        O.IMPLEMENTATION,
        RAISES.file,
        0.8,
        id="file-that-does-not-parse",
    ),
    pytest.param(
        failure(replace(TEST, code="def steer(:"), error="SyntaxError", kind=K.COMPILE),
        RUN_TEST,
        O.TEST,
        TEST.file,
        0.8,
        id="test-that-does-not-parse",
    ),
]


@pytest.mark.parametrize(("entry", "around", "role", "file", "least"), TRACES)
def test_origin_by_trace(entry: Failure, around: Surroundings, role: O, file: str, least: float) -> None:
    with_roles(entry, around.scripts)
    origin = origin_of(entry, around)
    assert (origin.role, origin.file) == (role, file)
    assert least <= origin.confidence <= 1.0
    assert origin.reason
    assert not origin.reason.endswith(".")


KINDS = [
    (K.EDIT_REFUSED, O.TOOL),
    (K.INVALID_CALL, O.TOOL),
    (K.DENIED, O.TOOL),
    (K.CASCADE, O.TOOL),
    (K.LIMIT, O.ENVIRONMENT),
    (K.COMMAND_NOT_FOUND, O.ENVIRONMENT),
    (K.NOT_FOUND, O.ENVIRONMENT),
    (K.PERMISSION, O.ENVIRONMENT),
    (K.NETWORK, O.ENVIRONMENT),
    (K.USAGE, O.TOOL),
    (K.CRASH, O.ENVIRONMENT),
    (K.MISSING_DEPENDENCY, O.ENVIRONMENT),
    (K.TIMEOUT, O.UNKNOWN),
    (K.COMPILE, O.IMPLEMENTATION),
    (K.TEST, O.IMPLEMENTATION),
    (K.OTHER, O.UNKNOWN),
]


@pytest.mark.parametrize(("kind", "role"), KINDS, ids=[str(kind) for kind, _ in KINDS])
def test_origin_by_kind_alone(kind: K, role: O) -> None:
    origin = origin_of(Failure(kind, "Error", "something went wrong"), Surroundings(Kind.OTHER))
    assert origin.role is role
    assert 0 < origin.confidence <= 1


def missing(message: str, *frames: Frame) -> Failure:
    return Failure(K.MISSING_DEPENDENCY, "ModuleNotFoundError", message, frames=frames)


def test_a_missing_module_is_the_environments() -> None:
    origin = origin_of(missing("No module named 'sextant.charts'", SCRIPT), RUN_TEST)
    assert (origin.role, origin.file) == (O.ENVIRONMENT, SCRIPT.file)
    assert "sextant.charts" in origin.reason


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("No module named pytest", "the module `pytest` isn't installed or can't be found"),
        (
            "libGL.so.1: cannot open shared object file: No such file",
            "the system's library `libGL.so.1` isn't installed",
        ),
    ],
)
def test_what_is_missing_is_named(message: str, reason: str) -> None:
    origin = origin_of(missing(message), RUN_TEST)
    assert (origin.role, origin.reason) == (O.ENVIRONMENT, reason)


def test_a_module_that_the_command_line_names_is_the_environments() -> None:
    around = replace(RUN_TEST, own_texts=('subprocess.run(["pytest"])',))
    assert origin_of(missing("No module named pytest"), around).role is O.ENVIRONMENT


def test_a_refusal_that_the_task_describes_is_the_implementations() -> None:
    denied = failure(
        TEST, BREAKS, error="PermissionError", message="[Errno 13] Permission denied: 'tides'", kind=K.PERMISSION
    )
    assert origin_of(denied, replace(RUN_TEST, named_in_task=True)).role is O.IMPLEMENTATION


def test_what_is_not_permitted_is_the_environments_and_has_a_place() -> None:
    denied = failure(
        TEST,
        BREAKS,
        error="PermissionError",
        message="[Errno 13] Permission denied: '/var/log/tides'",
        kind=K.PERMISSION,
    )
    origin = origin_of(denied, RUN_TEST)
    assert (origin.role, origin.file, origin.line) == (O.ENVIRONMENT, BREAKS.file, BREAKS.line)


def test_a_missing_module_that_the_own_script_names_is_the_scripts() -> None:
    around = replace(RUN_SCRIPT, own_texts=["INSTALLED_APPS = ['sextant']"])
    assert origin_of(missing("No module named 'sextant'", SCRIPT), around).role is O.TEST


def test_a_missing_name_is_the_implementations() -> None:
    assert origin_of(missing("cannot import name 'spline' from 'tides.curve'", TEST), RUN_TEST).role is O.IMPLEMENTATION


def test_roles_are_given_to_every_frame() -> None:
    entry = failure(TEST, SCRIPT, RAISES, LIBRARY, STDLIB)
    with_roles(entry, ["pilot.py"])
    assert [frame.role for frame in entry.frames] == [
        FrameRole.TEST,
        FrameRole.TEST,
        FrameRole.PROJECT,
        FrameRole.LIBRARY,
        FrameRole.STDLIB,
    ]


@table("origin_of_true_outputs")
def test_origin_of_true_outputs(name: str, role: O, file: str | None) -> None:
    output = outputs()[name]
    entry = failure_of(shell(output.command, output.text))
    with_roles(entry, ())
    origin = origin_of(entry, Surroundings(Kind.TEST))
    assert (origin.role, origin.file) == (role, file)
