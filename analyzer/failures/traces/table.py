"""The one reader of stack traces that are a heading, or none, with a line or two per frame: what tells one language
from another is a row of patterns (`rows.toml`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from analyzer.failures.traces import RawFrame, StackTrace
from analyzer.model.struct import Struct, field
from analyzer.text.late import Hints, made_of, table_beside

_MOST_BETWEEN = 60
"""Lines of a message, or of something else, that may stand between a heading and its first frame."""
_MOST_MESSAGE = 8
_MOST_FRAMES = 400
_LONGEST_LINE = 1_500


class Language(Struct, frozen=True):
    """How a language prints its traces, and texts of which one occurs in every output that holds one.

    The groups of `heads`: `type` and `message`; `file`, `line` and `function` where the heading has the place; `alone`
    where it's an error even without frames; `cause` where it caused the error whose frames stand above; `aside` where
    it's only mentioned. The groups of `frames`: `file`, `line`, `function`; `package`, the dotted path in front of the
    file or the function; `more`, how many frames of the error above a cause leaves out.
    """

    LANGUAGE: str
    hints: Hints
    heads: tuple[re.Pattern[str], ...]
    frames: tuple[re.Pattern[str], ...]
    kind: str | None = None
    """What an error is called whose heading has no type."""
    names: Mapping[str, str] = field(default_factory=dict)
    """What a type is called that the language has no word for."""
    call: re.Pattern[str] | None = None
    """The line above a frame's that names its function."""
    between: re.Pattern[str] | None = None
    """Lines among the frames that are part of the trace."""
    stop: re.Pattern[str] | None = None
    """Lines that aren't part of a message."""
    says: str = ""
    """What precedes a message below its heading."""
    machinery: re.Pattern[str] | None = None
    """The function and the file of frames by which the language raises or asserts something."""
    lone: bool = False
    """Whether a single frame without a heading is a trace: it looks like nothing else."""
    source: str = ""
    """The suffix of the file of a class of which only the name is shown."""

    def traces(self, text: str) -> list[StackTrace]:
        """Every trace in the order printed, frames from the outermost call to where it was raised. Of a chain there's
        what caused the others; of several threads the one that failed."""
        found: list[StackTrace] = []
        head: re.Match[str] | None = None
        frames: list[RawFrame] = []
        shared = start = first = position = 0
        spare: list[RawFrame] = []
        joins = aside = False
        lines = text.split("\n")
        for number, whole in enumerate([*lines, ""]):
            line = whole if len(whole) < _LONGEST_LINE else ""
            if (frame := self._match(self.frames, line)) is not None:
                first = first if frames else number
                if "more" in frame.re.groupindex and frame["more"]:
                    shared = int(frame["more"])
                elif len(frames) < _MOST_FRAMES:
                    raw = self._frame(frame, lines[number - 1] if number else "")
                    if not joins or not frames or (raw.file, raw.function) != (frames[-1].file, frames[-1].function):
                        frames.append(raw)
                joins = False
            elif frames and (_matches(self.between, line) or _matches(self.call, line)):
                joins = True
            else:
                named = self._match(self.heads, line)
                if named is not None and not frames and number == start + 1 and not named.groupdict().get("file"):
                    head = None  # it's raised again, or the next line says what's inside
                over = named is not None or (not frames and number - start > _MOST_BETWEEN)
                if (frames or shared or over) and self._add(
                    found, head, frames, shared, lines[start + 1 : min(first, start + _MOST_BETWEEN)], position
                ):
                    head, spare = None, _spent(found, spare)
                elif head is not None:
                    spare = spare or frames[::-1]
                if named is not None and not (aside and line[:1].isspace() and named.groupdict().get("cause")):
                    head, start = named, number
                    aside = named.groupdict().get("aside") is not None
                elif over:
                    head = None
                frames, shared, joins, first = [], 0, False, number + 1
            position = min(position + len(whole) + 1, len(text))
        self._add(found, head, [], 0, lines[start + 1 : start + _MOST_BETWEEN], position)
        _spent(found, spare)
        return found

    def frame_of(self, line: str) -> RawFrame | None:
        """The frame that a line shows."""
        found = self._match(self.frames, line)
        return self._frame(found, "") if found is not None else None

    def _match(self, patterns: tuple[re.Pattern[str], ...], line: str) -> re.Match[str] | None:
        return next((found for pattern in patterns if (found := pattern.match(line)) is not None), None)

    def _add(
        self,
        found: list[StackTrace],
        head: re.Match[str] | None,
        frames: list[RawFrame],
        shared: int,
        below: list[str],
        end: int,
    ) -> bool:
        """Add what a heading and its frames, innermost first, say; False where the heading may still belong to another
        stack."""
        groups = head.groupdict() if head is not None else {}
        stack = frames[::-1]
        while stack and self.machinery is not None and self.machinery.search(f"{stack[-1].function} {stack[-1].file}"):
            stack.pop()
        if head is None:
            if (len(stack) > 1 or self.lone) and any(frame.function for frame in stack) and not found:
                found.append(StackTrace(stack, None, "", end))
            return True
        if groups.get("aside") is not None:
            return True
        if not stack and not shared and groups.get("alone") is None:
            return bool(frames) and not self.call
        if not stack and frames and self.call:
            return False  # another thread failed
        if groups.get("cause") is not None and found:
            above = found.pop()
            stack = [*above.frames[:shared], *stack]
        kind = groups.get("type")
        kind = self.names.get(kind, kind.lstrip("\\")) if kind else self.kind
        stack = _placed(stack, groups)
        if found and stack and (found[-1].type, found[-1].frames) == (kind, stack):
            return True  # it follows from the one before, or is logged once more
        found.append(StackTrace(stack, kind, self._message(groups.get("message") or "", below), end))
        return True

    def _message(self, first: str, below: list[str]) -> str:
        if first.strip():
            return first.strip()
        return " ".join(" ".join(self._said(below)).split()).removeprefix(self.says).lstrip()[:500]

    def _said(self, below: list[str]) -> Iterator[str]:
        """The lines of a message that begins below its heading, to the next blank one."""
        said = 0
        for line in below[:_MOST_BETWEEN]:
            if (said and not line.strip()) or said == _MOST_MESSAGE or _matches(self.stop, line):
                return
            if line.strip():
                said += 1
                yield line[:_LONGEST_LINE]

    def _frame(self, frame: re.Match[str], above: str) -> RawFrame:
        groups = frame.groupdict()
        function, package, file = groups.get("function"), groups.get("package") or "", groups.get("file")
        if function is None and self.call is not None and (called := self.call.match(above)) is not None:
            function = next((name for name in called.groups() if name), None)
        if self.source:
            name = (function or "").partition(".")[0]
            outermost = name.partition("$")[0] or name
            file = package.replace(".", "/") + (file or f"{outermost}{self.source}")
        elif file is None:
            file = package + (function or "").rpartition(".")[0] * (not package.startswith("/"))
        line = groups.get("line")
        return RawFrame(file.removeprefix("file://").removeprefix("./"), int(line) if line else None, function)


def _matches(pattern: re.Pattern[str] | None, line: str) -> bool:
    return pattern is not None and pattern.match(line) is not None


def _spent(found: list[StackTrace], spare: list[RawFrame]) -> list[RawFrame]:
    """Give the frames of the first thread to an error of which no thread shows more than machinery; what's left."""
    if found and not found[-1].frames:
        found[-1].frames = spare
    return []


def _placed(stack: list[RawFrame], groups: Mapping[str, str | None]) -> list[RawFrame]:
    """The frames down to the place that the heading names."""
    file, line = groups.get("file"), groups.get("line")
    if file is None or line is None:
        return stack
    file = file.removeprefix("./")
    for number in range(len(stack) - 1, -1, -1):
        frame = stack[number]
        if frame.line == int(line) and (frame.file.endswith(file) or file.endswith(frame.file)):
            return stack[: number + 1]
    return [*stack, RawFrame(file, int(line), groups.get("function"))]


_TABLE = table_beside(__file__)
LANGUAGES = made_of(Language, _TABLE["language"], _TABLE["parts"])
BY_NAME = {language.LANGUAGE: language for language in LANGUAGES}
