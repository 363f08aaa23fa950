"""Whether code refused its input on purpose, and who supplied what it refused.

An implementation that raises by an explicit check speaks about its caller. When the same refusal comes back, equal but
for what moves by itself, through several edits of the implementation, the input is the suspect: the test, the helper,
factory or fixture nearest to the implementation, or the data file that the test reads. How sure that is depends on what
can be seen: the refused value in the supplier's code, a direct call, or only the number of edits that changed nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.failures.passed_value import (
    DATA_FILE,
    changed_on_the_way,
    contradicts_itself,
    has_literal,
    holds,
    made_by,
    named_values,
    passes_on,
)
from analyzer.failures.roles import same_file
from analyzer.model.failure import CodeLine, Failure, Frame
from analyzer.model.struct import Struct
from analyzer.model.words import FailureKind, FrameRole
from analyzer.text.late import late
from analyzer.text.names import name_set

_RAISES = late(
    r"^(?:raise|throw|panic!?|fail|require|check|precondition|abort|bail!|ensure!|die|trigger_error|(?:debug_)?assert!?"
    r"|return (?:Err|fmt\.Errorf|errors\.New|nil, (?:fmt\.Errorf|errors\.New)))\b"
    r"|(?:[);{?:]|\bor|\|\||&&)\s*(?:raise|throw|panic!?|die|croak)\b"
)
"""How a line begins that refuses something on purpose, or does so behind its condition."""
_VALUE_REFUSALS = name_set("""
ArgumentError ArgumentException ArgumentNullException ArgumentOutOfRangeException DateTimeException
DateTimeParseException DomainException FormatException IllegalArgumentException InvalidArgumentException
JSONDecodeError JsonParseException LengthException NumberFormatException OutOfRangeException ParseError ParseException
RangeError RangeException UnicodeDecodeError UnexpectedValueException ValueError domain_error invalid_argument
length_error out_of_range
""")
"""Errors of languages and their libraries that speak about a value that was handed over."""
_MISTAKES = name_set("""
ArithmeticException ArrayIndexOutOfBoundsException Assertion AssertionError AttributeError ClassCastException
DivideByZeroException Error Exception ImportError IndexError IndexOutOfBoundsException IndexOutOfRangeException
InvalidCastException KeyError KeyNotFoundException ModuleNotFoundError NameError NilClass NoMethodError
NotImplementedError NullPointerException NullReferenceException OSError RecursionError ReferenceError RuntimeError
StackOverflowError StopIteration StringIndexOutOfBoundsException SyntaxError TypeError UnboundLocalError
UnsupportedOperationException ZeroDivisionError panic
""")
"""Errors that a mistake in the raising code itself shows; they refuse nothing unless the line raises on purpose."""
_CLASS = late(r"^[A-Z]\w*(?:Error|Exception|Invalid\w*|Violation|Refused|Rejected)$")
_QUOTED = late(r"['\"`‘“]([^'\"`’”\n]{1,60})['\"`’”]")
_WITHIN = {sign: late(rf"(?<!\w){sign}([^{sign}\n]{{1,60}}){sign}(?!\w)") for sign in "'\"`"}
"""The same by one sort of quotation mark, which may stand within another."""
_GIVEN = late(r"\b(?:(?:got|given|received|not|was) |[A-Za-z_]\w*(?:=|: ))(-\d+(?:\.\d+)?|\d+\.\d+|\d{2,})\b")
_TELLING = late(
    r"(?<![\w./-])(?=[\w.@:+-]{0,60}\d)(?:[\w@+-][\w.@:+-]{4,60}(?<![.:])(?![\w/])|(?=\d{0,4}[A-Za-z])\w{3,4}(?![\w.]))"
)
"""A word with a digit in it that is long enough to stand for one value: a code, an id, a date, a long number."""
_DATA_ENDING = late(r"""[}/]([\w-][\w.-]{0,100}\.(?:json|jsonl|ya?ml|toml|csv|tsv|txt|xml|ini|geojson|sql))['"`]""")
_DIRECT, _SHOWN, _DEFINED, _SURVIVED = 0.8, 0.75, 0.7, 0.6
_UNWRAPPED = late(r"called `Result::(?:unwrap|expect)\(\)` on an `Err` value|[^\n]{0,200}: \w*(?:Err|Error)\(")
_PASSED_ON = late(
    r"\b(?:Fatalf?|Errorf?|FailNow)\([^\n]*\berr\b|\b(?:NoErrorf?|Nil|assertIsNone|assertNull|assert_nil|ifError)\("
    r"[^\n]*\berr|\bassert (?:not )?\w*err(?:or|ors)?(?: is None| == None)?\s*(?:,|$)"
    r"|\bexpect\([^\n]*\berr(?:or|ors)?\)\.to\.?(?:[bB]e\.?[nN]ull|BeUndefined|BeFalsy|[eE]qual\(null)"
)
"""How a test gives up over an error that it was handed."""
_RETURNED_EDITS = 2
_MANY_EDITS = 3
"""Edits of the implementation that a refusal must survive to count where nothing else shows who supplied the value."""


class Supplier(Struct, frozen=True):
    """Who supplied the refused value: a line of test code or a data file, how sure that is (0 to 1) and what shows it,
    as the end of a sentence."""

    place: CodeLine
    function: str | None
    confidence: float
    shown_by: str


def refuses(failure: Failure) -> bool:
    """Whether the failure is a refusal: the deepest frame raises on purpose, or the class of the error says so."""
    if hands_back(failure):
        return True
    if not failure.frames:
        return False
    raised = failure.frames[-1]
    if failure.kind is FailureKind.TEST:
        return raised.role is FrameRole.PROJECT and raised.code is not None and raised.code.startswith("assert")
    name = (failure.type or "").rsplit(".", 1)[-1].rsplit("::", 1)[-1]
    if raised.code is not None and _RAISES.search(raised.code):
        return True
    if name in _VALUE_REFUSALS or "Invalid" in name or "Validation" in name:
        return True
    return raised.code is None and name not in _MISTAKES and _CLASS.match(name) is not None


def breaks(failure: Failure) -> bool:
    """Whether the failure is one that a mistake in the raising code shows, rather than a refusal of what it was
    given."""
    name = (failure.type or "").rsplit(".", 1)[-1].rsplit("::", 1)[-1]
    return name in _MISTAKES and not refuses(failure)


def hands_back(failure: Failure) -> bool:
    """Whether a test stops at an error that the implementation returned, rather than at one that it raised."""
    if not failure.frames or failure.frames[-1].role is not FrameRole.TEST:
        return False
    line = failure.frames[-1].code or ""
    return _UNWRAPPED.match(failure.message) is not None or _PASSED_ON.search(line) is not None


def supplier_of(
    failure: Failure,
    test_code: Sequence[CodeLine],
    edited: Sequence[str],
    survived: int,
    unread: Sequence[str] = (),
    known: Sequence[CodeLine] = (),
) -> Supplier | None:
    """The supplier of what the failure refuses, or None where nothing speaks for one.

    The frames must have their roles. `test_code` are the lines of tests and of their data that the transcript has
    shown; `edited` are the implementation files to which `survived` accepted edits went while the refusal stayed;
    `unread` are files of the trace that nothing in the transcript has ever shown; `known` are all lines of test code
    that it has shown.
    """
    if contradicts_itself(failure.message):
        return None
    if hands_back(failure):
        # The trace shows no more than where the test gave up.
        tests = [frame for frame in failure.frames if frame.role is FrameRole.TEST]
        return _where_shown(failure.message, tests, test_code) if survived >= _RETURNED_EDITS else None
    own = [frame for frame in failure.frames if frame.role in (FrameRole.TEST, FrameRole.PROJECT)]
    first = next((number for number, frame in enumerate(own) if frame.role is FrameRole.TEST), len(own))
    tests = [frame for frame in own[first:] if frame.role is FrameRole.TEST or frame.file in unread]
    refusing = [frame for frame in own[first:] if frame not in tests]
    touched = [frame for frame in refusing if any(same_file(frame.file, path) for path in edited)]
    if not tests or own[-1] in tests or not touched:
        return None
    supplier = tests[-1]
    file = _data_file(supplier, known)
    place = CodeLine(file, None, "") if file else _line(supplier)
    if changed_on_the_way(failure.message, supplier.code or "", [line.text for line in _lines(tests, test_code)]):
        return None
    if (shown := _where_shown(failure.message, tests, test_code)) is not None:
        return shown
    made = made_by(supplier.code or "", supplier.file, known) if file is None and survived >= _RETURNED_EDITS else None
    if own[-2] is supplier and file is None:
        passing = _passing(tests, known)
        unseen = not passing.code or (bool(named_values(failure.message)) and not has_literal(passing.code))
        sure = _SURVIVED if unseen else _DIRECT
        how = "it makes the call that is refused" if passing is supplier else "the value is passed on from there"
        return _where_made(made, tests, sure) or Supplier(_line(passing), passing.function, sure, how)
    if survived >= _MANY_EDITS and len(touched) == len(refusing):
        how = "the test reads it" if file else "it is the last line before the implementation that was edited"
        return _where_made(made, tests, _SURVIVED) or Supplier(place, supplier.function, _SURVIVED, how)
    return None


def _where_made(made: CodeLine | None, tests: Sequence[Frame], sure: float) -> Supplier | None:
    if made is None:
        return None
    return Supplier(made, _function(made, tests), max(sure, _DEFINED), "what the refused call passes is made there")


def _passing(tests: Sequence[Frame], known: Sequence[CodeLine]) -> Frame:
    """The deepest frame of test code that doesn't merely pass on what it was given itself."""
    for frame in reversed(tests):
        if not passes_on(frame.code or "", frame.file, frame.line, known):
            return frame
    return tests[-1]


def _where_shown(message: str, tests: Sequence[Frame], test_code: Sequence[CodeLine]) -> Supplier | None:
    """The line of test code that holds a value of which the message speaks."""
    values = telling_values(message)
    shown = next((line for line in _lines(tests, test_code) if any(holds(line.text, value) for value in values)), None)
    if shown is None:
        return None
    return Supplier(shown, _function(shown, tests), _SHOWN, "the refused value stands there")


def telling_values(message: str) -> list[str]:
    """The values that a message quotes, says it got, or that can hardly be in code by chance."""
    within = [value for sign in "'\"`" for value in _WITHIN[sign].findall(message)]
    found = [*_QUOTED.findall(message), *within, *_GIVEN.findall(message), *_TELLING.findall(message)]
    return list(dict.fromkeys(found))


def _lines(tests: Sequence[Frame], test_code: Sequence[CodeLine]) -> list[CodeLine]:
    return [*(_line(frame) for frame in reversed(tests) if frame.code), *test_code]


def _line(frame: Frame) -> CodeLine:
    return CodeLine(frame.file, frame.line, frame.code or "", frame.shown_at)


def _function(line: CodeLine, tests: Sequence[Frame]) -> str | None:
    return next((frame.function for frame in tests if frame.file == line.file), None)


def _data_file(frame: Frame, known: Sequence[CodeLine]) -> str | None:
    """The data file that a line names; where only the end of its path stands there, the known one of that name."""
    found = DATA_FILE.search(frame.code or "")
    if found is not None:
        return found[1]
    ending = _DATA_ENDING.search(frame.code or "")
    if ending is None:
        return None
    return next((line.file for line in known if line.file.rsplit("/", 1)[-1] == ending[1]), None)
