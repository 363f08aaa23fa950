"""Where a failure comes from.

Nearly every trace of a test run starts in a test file, so that alone means nothing. The cause is the test's when the
test's own code raises, or when the implementation's validation refuses values that the test passes: shown by the
message's demand against the literal in the trace, or by the same refusal coming back unchanged while edits to the
implementation come and go.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from analyzer.failures.command_line import FETCHES, of_timeout, of_usage
from analyzer.failures.compilers import disagrees, unread_data
from analyzer.failures.evidence import Surroundings
from analyzer.failures.passed_value import changed_on_the_way, holds, named_values
from analyzer.failures.refusal import breaks, hands_back, refuses, supplier_of
from analyzer.failures.requirement import unmet_requirement
from analyzer.failures.roles import is_among, is_test_path, role_of, same_file
from analyzer.model.failure import CodeLine, Failure, Frame, Origin
from analyzer.model.struct import replace
from analyzer.model.words import FailureKind, FrameRole, Kind, OriginRole
from analyzer.text.late import late
from analyzer.text.plain import holds_any

_BY_KIND: dict[FailureKind, tuple[OriginRole, float, str]] = {
    FailureKind.EDIT_REFUSED: (OriginRole.TOOL, 0.95, "the editing tool refused the agent's edit"),
    FailureKind.INVALID_CALL: (OriginRole.TOOL, 0.95, "the call itself was malformed"),
    FailureKind.DENIED: (OriginRole.TOOL, 0.9, "the call was refused before it ran to its end"),
    FailureKind.CASCADE: (OriginRole.TOOL, 0.95, "the call wasn't run because another call of the same message failed"),
    FailureKind.LIMIT: (OriginRole.ENVIRONMENT, 0.8, "a limit of the harness was reached"),
    FailureKind.COMMAND_NOT_FOUND: (OriginRole.ENVIRONMENT, 0.9, "the program isn't installed or isn't on the path"),
    FailureKind.NOT_FOUND: (OriginRole.ENVIRONMENT, 0.8, "the path doesn't exist where the command ran"),
    FailureKind.PERMISSION: (OriginRole.ENVIRONMENT, 0.9, "the environment doesn't permit it"),
    FailureKind.NETWORK: (OriginRole.ENVIRONMENT, 0.9, "the network or a remote service failed"),
    FailureKind.CRASH: (OriginRole.ENVIRONMENT, 0.5, "the process died"),
}
_TEST_FUNCTION = late(r"(?:^|::)tests?::\w|^_?TestBody$|::TestBody$|_Test::TestBody")
"""Tests that stand beside the code that they test: Rust's inline modules, and what GoogleTest makes of `TEST(...)`."""
_BY_MACRO = frozenset({"gtest", "ctest"})
"""Runners that report the place of a macro of the test's own."""
_REPORTED = frozenset({"TestFailure", "Assertion"})
"""Types under which a framework reports the place of its own macro, which is in a test."""
_VALIDATION = late(
    r"^(?:.*\.)?(?:ValueError|TypeError|KeyError|IndexError|\w*Validation\w*|\w*Invalid\w*|ImproperlyConfigured"
    r"|FieldError|OperationalError|AttributeError|FileNotFoundError|LookupError|RuntimeError|\w*DoesNotExist)$"
)
_SURROUNDINGS = late(
    r"\b(?:EADDRINUSE|ECONNREFUSED|ENOTFOUND|ETIMEDOUT|ENOSPC|EMFILE|ENETUNREACH)\b|[Aa]ddress already in use|No "
    r"space left on device|Too many open files"
)
"""What the system says when it's the machine that lacks something."""
_LIBRARY = late(r"([^\s:]{1,200}): cannot open shared object file")
"""What the system's loader says of a library that a program or a module needs."""
_STALE_BUILD = late(
    r"(?:[Ee]xport named|does not provide an export named|[Mm]odule) [^\n]{0,300}/(?:dist|build|lib|out|node_modules)/"
)
_REFUSES = late(
    r"\b(?:validation errors?|fields? required|missing (?:field|argument|key)|is required|not (?:allowed|permitted)"
    r"|invalid|unexpected (?:keyword|argument|field|key)|must (?:be|have|contain))\b",
    re.IGNORECASE,
)
"""How a check of input speaks in a message that shows no trace."""
_SURVIVED_EDITS = 2
"""Edits of the implementation that a message without a trace must survive to speak against the test data that it
names."""
_OF_WHAT_IS_CALLED = frozenset({"AttributeError", "TypeError", "NotImplementedError", "NoMethodError", "ImportError"})


def with_roles(failure: Failure, scripts: Sequence[str]) -> None:
    """Give each frame of the failure its role: by its file, or because it's a test by its function or by who reports
    it."""
    failure.frames = tuple(replace(frame, role=_role(failure, frame, scripts)) for frame in failure.frames)


def _role(failure: Failure, frame: Frame, scripts: Sequence[str]) -> FrameRole:
    role = role_of(frame.file, scripts)
    if role is not FrameRole.PROJECT:
        return role
    if failure.runner in _BY_MACRO and failure.type in _REPORTED and len(failure.frames) == 1:
        return FrameRole.TEST
    return FrameRole.TEST if _TEST_FUNCTION.search(frame.function or "") else role


def origin_of(failure: Failure, around: Surroundings) -> Origin:
    """The origin of a failure whose frames have roles."""
    name = (failure.type or "").rsplit(".", 1)[-1]
    if failure.kind is FailureKind.LINT and failure.unexplained and failure.frames and _is_foreign(failure, around):
        reason = "the check gives no message, and no edit of the session wrote the line that it marks"
        return _at(OriginRole.UNKNOWN, 0.5, reason, failure.frames[-1])
    if failure.type == "Rejected":
        return Origin(OriginRole.TOOL, 0.6, "the tool rejected what it was given")
    asked = failure.kind is FailureKind.PERMISSION and around.named_in_task
    if failure.kind in _BY_KIND and not (asked and failure.frames):
        role, confidence, reason = _BY_KIND[failure.kind]
        reason = "the call was stopped before it ran to its end" if failure.type == "Interrupted" else reason
        if failure.kind is FailureKind.PERMISSION and failure.frames:
            own = [frame for frame in failure.frames if frame.role in (FrameRole.TEST, FrameRole.PROJECT)]
            return _at(role, confidence, reason, (own or failure.frames)[-1])
        file = failure.subject if failure.kind is FailureKind.EDIT_REFUSED else None
        return Origin(role, confidence, reason, file=file)
    if failure.kind is FailureKind.MISSING_DEPENDENCY:
        return _of_missing(failure, around)
    if not failure.frames:
        if failure.kind is FailureKind.USAGE:
            return of_usage(failure, around)
        if failure.kind is FailureKind.TIMEOUT:
            return of_timeout(failure, around)
        refused = _of_test_data(failure, around) or _of_named_value(failure, around)
        if refused is not None:
            return refused
        if failure.type == "CheckFailed" and around.scripts and around.survived and _REFUSES.search(failure.message):
            changed = ", ".join(around.unchanged_through[:2])
            reason = f"the same refusal of what the agent's own script passes came back through edits to {changed}"
            return Origin(OriginRole.TEST, 0.6, reason)
        if failure.type == "CheckFailed" and around.scripts and not (around.edited or around.changed):
            reason = "a script that the agent wrote complains, and nothing else was changed so far"
            return Origin(OriginRole.TEST, 0.5, reason)
        if failure.kind is FailureKind.TEST:
            return Origin(OriginRole.IMPLEMENTATION, 0.5, "a check failed, and no trace says where")
        if failure.kind is FailureKind.LINT:
            return Origin(OriginRole.IMPLEMENTATION, 0.6, "a linter or type checker complains about the code")
        if failure.kind is FailureKind.COMPILE:
            built = failure.type == "BuildError"
            reason = "a build failed, and nothing says where" if built else "the code doesn't compile"
            return Origin(OriginRole.IMPLEMENTATION, 0.6, reason)
        if failure.type in ("GitError", "GitPushRejected", "DpkgError", "npmError"):
            return Origin(OriginRole.ENVIRONMENT, 0.6, "the state of the working copy or the machine doesn't allow it")
        if around.tool is not None and around.kind not in (Kind.RUN, Kind.TEST):
            if holds_any(around.tool.lower(), FETCHES):
                return Origin(OriginRole.ENVIRONMENT, 0.6, "what the tool was to fetch can't be had")
            return Origin(OriginRole.TOOL, 0.7, "the tool turned the call down")
        if _STALE_BUILD.search(failure.message):
            reason = "a built copy lacks the name, so it may be older than its source"
            return Origin(OriginRole.ENVIRONMENT, 0.6, reason)
        return Origin(OriginRole.UNKNOWN, 0.3, "no trace says where it comes from")
    return _of_frames(failure, name, around)


def _is_foreign(failure: Failure, around: Surroundings) -> bool:
    """Whether the line that a check marks is none that the agent wrote."""
    code = failure.frames[-1].code
    if not code or not around.changed or not around.all_texts:
        return False
    # An edit may show no more than the words that it exchanges within a line.
    return not any(code in text or (text.strip() and text.strip() in code) for text in around.own_texts)


def _of_missing(failure: Failure, around: Surroundings) -> Origin:
    quoted = re.search(r"['\"]([\w.@/:-]+)['\"]|^No module named ([\w.]+)", failure.message)
    name = (quoted[1] or quoted[2]) if quoted else ""
    module = name.split(".")[0]
    installed = module and any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", line) for line in around.installs)
    # Without quotes it's the command line that names it (`python -m pytest`).
    by_code = module and quoted is not None and quoted[1] is not None and not installed
    if by_code and any(re.search(rf"['\"]{re.escape(module)}['\"]", text) for text in around.own_texts):
        reason = f"the agent's own script names the module `{module}`, which doesn't exist"
        role, sure = OriginRole.TEST, 0.7
    elif failure.message.startswith("cannot import name"):
        role, sure, reason = OriginRole.IMPLEMENTATION, 0.5, "the module exists but doesn't define the name"
    elif (library := _LIBRARY.match(failure.message)) is not None:
        role, sure, reason = OriginRole.ENVIRONMENT, 0.9, f"the system's library `{library[1]}` isn't installed"
    else:
        role, sure, reason = OriginRole.ENVIRONMENT, 0.8, "a module can't be found"
        reason = f"the module `{name}` isn't installed or can't be found" if name else reason
    if not failure.frames:
        return Origin(role, sure, reason)
    raised = failure.frames[-1]
    return Origin(role, sure, reason, raised.file, raised.line, raised.function)


def _at(role: OriginRole, confidence: float, reason: str, frame: Frame) -> Origin:
    return Origin(role, confidence, reason, frame.file, frame.line, frame.function, frame.code, frame.shown_at)


def _of_frames(failure: Failure, name: str, around: Surroundings) -> Origin:
    frames = failure.frames
    raised = frames[-1]
    own = [frame for frame in frames if frame.role in (FrameRole.TEST, FrameRole.PROJECT)]
    tests = [frame for frame in frames if frame.role is FrameRole.TEST]
    deepest = own[-1] if own else raised
    if failure.kind is FailureKind.COMPILE:
        at_fault = OriginRole.TEST if deepest.role is FrameRole.TEST else OriginRole.IMPLEMENTATION
        if at_fault is OriginRole.TEST and disagrees(failure):
            return _at(at_fault, 0.5, f"the compiler rejects {deepest.file}, or what it uses doesn't fit it", deepest)
        wrong = "doesn't compile" if failure.type == "CompileError" else "doesn't parse"
        return _at(at_fault, 0.9, f"{deepest.file} {wrong}", deepest)
    refused = _of_test_data(failure, around)
    if refused is not None:
        return refused
    supplied = _of_supplier(failure, around)
    if supplied is not None and (not around.named_in_task or around.survived > 1):
        return supplied
    if hands_back(failure):
        return _at(OriginRole.IMPLEMENTATION, 0.55, "the implementation returned an error to the test", deepest)
    if _SURROUNDINGS.search(failure.message):
        return _at(OriginRole.ENVIRONMENT, 0.7, "the system doesn't give what the program asks of it", deepest)
    if name in ("Assertion", "AssertionError") or failure.kind is FailureKind.TEST:
        if raised.role is FrameRole.TEST or not own:
            reason = "a test's assertion about the implementation's result failed"
            return _at(OriginRole.IMPLEMENTATION, 0.6, reason, deepest)
        return _at(OriginRole.IMPLEMENTATION, 0.7, "an assertion in the implementation failed", raised)
    if around.named_in_task and raised.role is not FrameRole.TEST:
        return _at(OriginRole.IMPLEMENTATION, 0.75, "it is the error that the task describes", deepest)
    if raised.role is FrameRole.TEST:
        return _at(OriginRole.TEST, 0.8, "it was raised by the test's or script's own code", raised)
    touched = is_among(deepest.file, around.edited)
    if deepest.role is not FrameRole.TEST and not touched and (data := unread_data(failure)) is not None:
        reason = "a parser can't read the data that the program was given"
        unknown = OriginRole.UNKNOWN
        return Origin(unknown, 0.5, reason, file=data) if data else _at(unknown, 0.5, reason, deepest)
    if deepest.role is FrameRole.PROJECT and touched:
        reason = "the deepest frame of the project is in a file that the agent changed"
        return _at(OriginRole.IMPLEMENTATION, 0.75, reason, deepest)
    scripts = (
        frame.file.startswith("<") or any(same_file(frame.file, script) for script in around.scripts) for frame in tests
    )
    if _VALIDATION.match(name) and not breaks(failure) and any(scripts):
        reason = "code that the agent hadn't touched refuses what its own script does"
        return _at(OriginRole.TEST, 0.6, reason, tests[-1])
    if not own:
        return _at(OriginRole.LIBRARY, 0.5, "only library code is in the trace", raised)
    if deepest.role is FrameRole.TEST:
        reason = "a library refuses what the test's own code passes; no implementation is in the trace"
        return _at(OriginRole.TEST, 0.5, reason, deepest)
    return _at(OriginRole.IMPLEMENTATION, 0.6, "the deepest frame of the project is implementation code", deepest)


def _of_test_data(failure: Failure, around: Surroundings) -> Origin | None:
    """The test as the origin, where a literal in its code fails what the message demands."""
    tests = [frame for frame in failure.frames if frame.role is FrameRole.TEST]
    asserts = failure.kind is FailureKind.TEST
    shown = [CodeLine(frame.file, frame.line, frame.code, frame.shown_at) for frame in tests[::-1] if frame.code]
    for sure, lines in ((0.95, shown), (0.9, around.test_code)):
        for line in lines:
            demand = unmet_requirement(failure.message, [line.text], bounds_only=asserts, named=lines is not shown)
            if demand is not None:
                function = next((frame.function for frame in tests if frame.file == line.file), None)
                reason = f"{demand.text}: the value comes from the test, not from the code that refuses it"
                return Origin(OriginRole.TEST, sure, reason, line.file, line.line, function, line.text, line.shown_at)
    return None


def _of_named_value(failure: Failure, around: Surroundings) -> Origin | None:
    """Test data as the origin, where a message without a trace names a value that stands there, and nothing but edits
    of the implementation came between its occurrences."""
    ran = around.kind in (Kind.RUN, Kind.TEST)
    if failure.kind is FailureKind.TEST or not ran or around.survived < _SURVIVED_EDITS:
        return None
    values = named_values(failure.message)
    line = next((line for line in around.known_tests if any(holds(line.text, value) for value in values)), None)
    if line is None or changed_on_the_way(failure.message, "", [entry.text for entry in around.known_tests]):
        return None
    changed = ", ".join(around.unchanged_through[:2])
    reason = f"the same refusal came back through edits to {changed}, and the value that it names stands there"
    return Origin(OriginRole.TEST, 0.65, reason, line.file, line.line, None, line.text, line.shown_at)


def _of_supplier(failure: Failure, around: Surroundings) -> Origin | None:
    """The supplier as the origin of a refusal that came back through edits of the implementation."""
    if not around.unchanged_through or not refuses(failure):
        return None
    survived = around.survived or len(around.unchanged_through)
    edited, known = around.unchanged_through, around.known_tests
    found = supplier_of(failure, around.test_code, edited, survived, around.unread, known)
    if found is None:
        return None
    through = f"came back unchanged through edits to {', '.join(edited[:2])}"
    reason = f"the same refusal of what the test passes {through}; {found.shown_by}"
    place, role, function = found.place, OriginRole.TEST, found.function
    code = place.text or None
    return Origin(role, found.confidence, reason, place.file, place.line, function, code, place.shown_at)


def is_of_what_is_called(failure: Failure) -> bool:
    """Whether the caller's line shows an error of that sort for what the implementation lacks: a method, an argument, a
    name to import. It doesn't tell who is wrong."""
    return (failure.type or "").rsplit(".", 1)[-1] in _OF_WHAT_IS_CALLED


def is_test_code(path: str, scripts: Sequence[str]) -> bool:
    """Whether a file is test code: by its name, or because the agent wrote it to try something out."""
    return is_test_path(path) or any(same_file(path, script) for script in scripts)
