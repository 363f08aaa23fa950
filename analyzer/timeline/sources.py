"""What the transcript has shown of files up to a step: what was read, written and searched, line by line.

It lets a report quote the line at fault where the trace itself shows no code, and finds what is around a failure: the
frames' lines, the failing tests, their helpers and data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.failures.passed_value import speaks_of
from analyzer.failures.roles import is_test_module, is_test_path, last_part, same_file
from analyzer.model.action import Action, Edit
from analyzer.model.failure import CodeLine, Failure, Frame
from analyzer.model.struct import replace
from analyzer.model.words import FrameRole, Kind
from analyzer.text.late import late
from analyzer.text.plain import plain
from analyzer.workspace.shown import shown_part

_FOUND = late(r"^(?P<file>[\w./@+~-]{1,300}\.\w{1,8})[:-](?P<number>\d{1,7})[:-](?P<code>.*)$")
_MOST = 200_000
"""Characters of one result that are looked at."""
_LONGEST_BODY = 60
_DEFINES = late(
    r"^\s*(?:(?:pub(?:\(\w+\))?|async|public|private|protected|internal|static|final|override|export|void|Task"
    r"|unsafe|inline|auto|int|bool)\s+)*"
    r"(?:def|fn|func|fun|function|class|module|mod|describe|context|it|test|specify|feature|scenario|TEST|TEST_F"
    r"|TEST_P|TEST_CASE|SECTION)\b|^\s*(?:public|private|protected|internal|static|void|async)\b[^;=]"
    r"{0,200}\([^;]{0,200}$"
)
_TEST_MODULE = late(r"^\s*(?:pub\s+)?mod\s+tests?\b")
_DATA_FILE = late(r"""['"`]([\w./-]{1,200}\.(?:json|ya?ml|toml|csv|tsv|txt|xml|ini|geojson))['"`]""")
_MOST_ABOVE, _MOST_BELOW = 15, 6
"""Lines of a test around a frame in which the value that it passes may stand."""
_MOST_TESTS = 5
_MOST_DATA = 400


class Sources:
    """The files as far as they're known, by the names under which they were shown."""

    def __init__(self) -> None:
        self._files: dict[str, dict[int, str]] = {}
        self._shown: dict[str, int] = {}
        self._called: dict[str, list[str]] = {}
        """The names of the files by their last part, which two spellings of one file share."""
        self._beginnings: dict[str, list[int]] = {}
        """The lines of a file at which something that has a name may begin, found when they're first asked for."""

    def take(self, action: Action) -> None:
        """Learn what one action shows of files."""
        expected = action.failure is not None and action.failure.expected
        for edit in action.operation.edits if expected else action.accepted_edits:
            self._edited(edit, action.step)
        if action.failure is not None and not action.failure.expected:
            return
        if action.kind is Kind.READ:
            found = shown_part(action)
            if found is not None:
                self._known(found[0]).update(enumerate(found[1].lines, found[1].start))
                self._shown[found[0]] = action.step
        elif action.kind is Kind.SEARCH and action.result:
            for line in plain(action.result[:_MOST]).splitlines():
                if hit := _FOUND.match(line):
                    self._known(hit["file"])[int(hit["number"])] = hit["code"]
                    self._shown[hit["file"]] = action.step

    def line(self, path: str, number: int | None) -> CodeLine | None:
        """One line of a file with the step that last showed something of the file, or None where nothing has shown the
        line."""
        name = self.name_of(path)
        text = self._files[name].get(number or 0, "").strip() if name is not None else ""
        return CodeLine(path, number, text, self._shown[name]) if text and name is not None else None

    def code(self, path: str) -> list[CodeLine]:
        """All known lines of a file, in their order."""
        name = self.name_of(path)
        if name is None:
            return []
        return [
            CodeLine(name, number, text.strip(), self._shown[name])
            for number, text in sorted(self._files[name].items())
        ]

    def lines(self, path: str) -> dict[int, str]:
        """The known lines of a file, by number from 1; empty for an unknown file."""
        name = self.name_of(path)
        return self._files[name] if name is not None else {}

    def names(self) -> list[str]:
        """The names of all files of which a line is known."""
        return list(self._files)

    def name_of(self, path: str) -> str | None:
        """The name under which a file was shown, or None for an unknown one."""
        if path in self._files:
            return path
        return next((name for name in self._called.get(last_part(path), ()) if same_file(name, path)), None)

    def body_of(self, test: str) -> list[CodeLine]:
        """The lines of a test by the id that a runner prints for it; empty where nothing has shown them."""
        for path, lines in self._files.items():
            if path not in self._beginnings:
                self._beginnings[path] = [number for number in sorted(lines) if _DEFINES.match(lines[number])]
            start = next((number for number in self._beginnings[path] if _begins(lines[number], test)), None)
            if start is not None:
                return list(_body(path, lines, start, self._shown[path]))
        return []

    def _edited(self, edit: Edit, step: int) -> None:
        name = self.name_of(edit.path) or edit.path
        known = self._known(name) if name in self._files or (edit.created and edit.after is not None) else {}
        self._shown[name] = step
        lines: list[str] = []
        if edit.created and edit.after is not None:
            lines = edit.after.splitlines()
        elif edit.before and edit.after is not None and known:
            text = "\n".join(known[number] for number in sorted(known))
            if text.count(edit.before) == 1 and sorted(known) == list(range(1, len(known) + 1)):
                lines = text.replace(edit.before, edit.after).split("\n")
        known.clear()
        known.update(enumerate(lines, 1))

    def _known(self, name: str) -> dict[int, str]:
        """The lines of a file, to be changed."""
        self._beginnings.pop(name, None)
        if name not in self._files:
            self._files[name] = {}
            self._called.setdefault(last_part(name), []).append(name)
        return self._files[name]


def _begins(line: str, test: str) -> bool:
    """Whether a line that defines something begins the test that a runner calls `test`."""
    words = re.split(r"::|[.#/›>\[\]() ]+", test.split("[", 1)[0].strip())
    name = next((word for word in reversed(words) if word), "")
    if name and re.search(rf"\b{re.escape(name)}\b\s*(?:\(|\)|<|$)", line):
        return True
    titled = re.search(r"""['"`](?P<title>[^'"`]{2,200})['"`]""", line)
    return (
        titled is not None
        and test.rstrip().endswith(titled["title"])
        and not re.match(r"^\s*(?:describe|context)\b", line)
    )


def _body(path: str, lines: dict[int, str], start: int, step: int) -> Iterator[CodeLine]:
    indent = _indent(lines[start])
    for number in range(start, start + _LONGEST_BODY):
        line = lines.get(number)
        if line is None or (number > start and _indent(line) <= indent and _DEFINES.match(line)):
            return
        yield CodeLine(path, number, line.strip(), step)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


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
