"""What the transcript has shown of the code around a failure: the frames' lines, the failing tests, their helpers and
data."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.failures.passed_value import speaks_of
from analyzer.failures.roles import is_test_module, is_test_path, same_file
from analyzer.model.failure import CodeLine, Failure, Frame
from analyzer.model.struct import replace
from analyzer.model.words import FrameRole
from analyzer.text.expressions import compiled
from analyzer.timeline.sources import Sources

_TEST_MODULE = compiled(r"^\s*(?:pub\s+)?mod\s+tests?\b")
_DATA_FILE = compiled(r"""['"`]([\w./-]{1,200}\.(?:json|ya?ml|toml|csv|tsv|txt|xml|ini|geojson))['"`]""")
_MOST_ABOVE, _MOST_BELOW = 15, 6
"""Lines of a test around a frame in which the value that it passes may stand."""
_MOST_TESTS = 5
_MOST_DATA = 400


def by_known_path(frame: Frame, sources: Sources) -> Frame:
    """A frame whose trace names only the end of a path (`org/acme/Shapes.java`) is a test's where the file of that name
    that the transcript has shown lies among the tests."""
    if frame.role is not FrameRole.PROJECT:
        return frame
    known = sources.name_of(frame.file)
    return replace(frame, role=FrameRole.TEST) if known is not None and is_test_path(known) else frame


def with_code(frame: Frame, sources: Sources) -> Frame:
    """The frame with the line of code that the transcript has shown there, where the trace shows none."""
    if frame.code or frame.line is None:
        return frame
    shown = sources.line(frame.file, frame.line)
    return replace(frame, code=shown.text, shown_at=shown.shown_at) if shown is not None else frame


def inline_test(frame: Frame, sources: Sources) -> Frame:
    """A frame below the line at which a module of tests begins, in the file that it tests, is a test's."""
    if frame.role is not FrameRole.PROJECT or frame.line is None:
        return frame
    begins = [number for number, line in sources.lines(frame.file).items() if _TEST_MODULE.match(line)]
    return replace(frame, role=FrameRole.TEST) if begins and begins[0] < frame.line else frame


def test_code(failure: Failure, sources: Sources) -> list[CodeLine]:
    """What the transcript has shown of the failing tests, and of the data files that they name."""
    found: list[CodeLine] = []
    for frame in failure.frames:
        if frame.role is FrameRole.TEST and frame.line is not None:
            around = range(frame.line, frame.line + _MOST_BELOW), range(frame.line - 1, frame.line - _MOST_ABOVE, -1)
            found.extend(
                line for span in around for number in span if (line := sources.line(frame.file, number)) is not None
            )
    for test in failure.failing_tests[:_MOST_TESTS]:
        found.extend(sources.body_of(test))
    found.extend(speaks_of(failure.message, _support_code(failure, sources)))
    names = dict.fromkeys(name for line in found for name in _DATA_FILE.findall(line.text))
    for name in list(names)[:_MOST_TESTS]:
        found.extend(sources.code(name)[:_MOST_DATA])
    return list(dict.fromkeys(found))


def known_tests(failure: Failure, sources: Sources) -> list[CodeLine]:
    """All lines of test code and of the tests' data that the transcript has shown, those of the trace's files first."""
    traced = [frame.file for frame in failure.frames if frame.role is FrameRole.TEST]
    names = [name for name in sources.names() if is_test_path(name) or any(same_file(name, file) for file in traced)]
    names.sort(key=lambda name: not any(same_file(name, file) for file in traced))
    return [line for name in names for line in sources.code(name)[:_MOST_DATA]]


def _support_code(failure: Failure, sources: Sources) -> Iterator[CodeLine]:
    """The known lines of the tests' helpers and data, and of the test files in the trace; other tests have their own
    data."""
    traced = [frame.file for frame in failure.frames if frame.role is FrameRole.TEST]
    for name in sources.names():
        if is_test_path(name) and (not is_test_module(name) or any(same_file(name, file) for file in traced)):
            yield from sources.code(name)[:_MOST_DATA]
