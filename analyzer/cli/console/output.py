"""Where the product goes: to standard output, by a pager where it is long, or all at once into a file; what can be
shown there, and plain text for it: what others wrote made safe, since a file name or a log must not move the cursor,
set a title or hide words; tables and entries. Everything else goes to standard error."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import IO

import click

from analyzer.model.errors import AnalyzerError
from analyzer.model.struct import Struct
from analyzer.text.late import late

_ESCAPES = late(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor, erasing
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # OSC and the other strings
    r"|\x1b[ -/]*[0-~]"  # everything else that starts with ESC
)
_DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_CONTROLS = late(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_DIRECTION}]")


def without_escapes(text: str) -> str:
    """`text` without terminal escapes, control characters other than newline and tab, and marks that reorder words."""
    return _CONTROLS.sub("", _ESCAPES.sub("", text.replace("\r\n", "\n")))


def visible(text: str) -> str:
    r"""`text` for a message: what a terminal would act upon is spelled out (`\x1b`), so that nothing is hidden."""
    hidden = ("Cc", "Cf", "Cs")
    return "".join(
        sign.encode("unicode_escape").decode() if unicodedata.category(sign) in hidden and sign not in "\n\t" else sign
        for sign in text
    )


WIDTH = 80
_LEAST = 20
"""Columns that the last column has at least, however wide the others are."""


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, width: int | None = None) -> str:
    """The rows under their heads, columns aligned. With a `width` the last column is wrapped, else it's as long as it
    is."""
    cells = [list(heads), *([visible(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads) - 1)]
    before = sum(widths) + 2 * len(widths)
    lines: list[str] = []
    for row in cells:
        fixed = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=True)]
        last = [row[-1]] if width is None else _wrapped(row[-1], max(_LEAST, width - before)) or [""]
        lines.append("  ".join([*fixed, last[0]]).rstrip())
        lines += [" " * before + line for line in last[1:]]
    return "\n".join(lines) + "\n"


def entry(head: str, lines: Sequence[str], *, width: int = WIDTH) -> str:
    """A line with what belongs to it below, indented and wrapped. The head is never broken: it may be a path."""
    below = [f"  {line}" for text in lines for line in _wrapped(visible(text), width - 2, "  ")]
    return "\n".join([visible(head), *below]) + "\n"


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    return wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


STDIN = STDOUT = "-"


_QUIET = "analyzer.cli.quiet"


def be_quiet(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    """Leave all notes of the command out; the callback of `--quiet`."""
    context.meta[_QUIET] = value


def is_quiet() -> bool:
    """Whether the command that runs leaves its notes out."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


def note(text: str) -> None:
    """Write a line for the person at the terminal to standard error, unless no notes are wanted."""
    if not is_quiet():
        warn(text)


def warn(text: str) -> None:
    """Write an error, or why a gate failed, to standard error; what a terminal would act upon is spelled out."""
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError):
        encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
        sys.stderr.write(visible(text).encode(encoding, errors="replace").decode(encoding) + "\n")
        sys.stderr.flush()


def is_terminal(stream: IO[str] | None) -> bool:
    """Whether a person sees the stream directly."""
    return stream is not None and not stream.closed and stream.isatty()


def check_target(output: str | None, log: str | None = None) -> None:
    """Refuse, before any work is done, a file that can't be written or that is the recording itself."""
    if output is None or output == STDOUT:
        return
    target = Path(output)
    # The functions of `os.path` take a name that can't exist for one that doesn't; those of `Path` fail.
    if os.path.isdir(target):  # noqa: PTH112
        raise AnalyzerError("is a directory; -o names a file.", where=output)
    if not os.path.isdir(target.parent):  # noqa: PTH112
        raise AnalyzerError("the directory does not exist.", where=str(target.parent), hint="Create it first.")
    if log and log != STDIN and os.path.exists(target) and os.path.exists(log) and target.samefile(log):  # noqa: PTH110
        raise AnalyzerError("is the log itself, which would be overwritten.", where=output)


@contextlib.contextmanager
def sink(output: str | None) -> Iterator[IO[bytes]]:
    """Where the bytes of the product go: standard output, or a file, which appears whole or not at all. Nobody reading
    standard output any more (`| head`) is no error."""
    if output is None or output == STDOUT:
        if sys.stdout is None:
            raise AnalyzerError("standard output is closed.", hint="Write into a file with -o.")
        try:
            sys.stdout.flush()
            yield sys.stdout.buffer
            sys.stdout.flush()
        except BrokenPipeError:
            ignore_stdout()
        except OSError as error:
            ignore_stdout()
            raise AnalyzerError(f"can't be written: {error.strerror or error}.", where="standard output") from error
        return
    from analyzer.atomic import replacing

    try:
        with replacing(Path(output)) as stream:
            yield stream
    except OSError as error:
        raise AnalyzerError(f"can't be written: {error.strerror or error}.", where=output) from error


def write(text: str, output: str | None) -> bool:
    """Write the product, and return whether that was into a file."""
    named = output is not None and output != STDOUT
    encoding = "utf-8" if named or not is_terminal(sys.stdout) else sys.stdout.encoding or "utf-8"
    with sink(output) as stream:
        stream.write(text.encode(encoding, errors="replace"))
    return named


def make_folder(place: Path | str) -> None:
    """Make a folder, and those above it, unless it's there. Raises `AnalyzerError` where that can't be."""
    try:
        Path(place).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AnalyzerError(f"can't be made: {error.strerror or error}.", where=str(place)) from None


def ignore_stdout() -> None:
    """Let the interpreter's own last flush of standard output go nowhere."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, sys.stdout.fileno())
        os.close(devnull)


class Target(Struct, frozen=True):
    """A file, a pipe or a terminal: `output` is the value of `-o`, `color` that of `--color`; `unfold` shows the parts
    that a terminal leaves out otherwise."""

    output: str | None = None
    color: str = "auto"
    unfold: bool = False

    @property
    def terminal(self) -> bool:
        """Whether a person sees the result directly."""
        return self.output in (None, STDOUT) and is_terminal(sys.stdout)

    @property
    def colored(self) -> bool:
        """Whether to write colours."""
        return use_color(self.color, self.terminal)

    @property
    def unicode(self) -> bool:
        """Whether lines and arrows can be shown; a file or a pipe has UTF-8."""
        if not self.terminal:
            return True
        try:
            "┌─┬┐·…".encode(sys.stdout.encoding or "utf-8")
        except (UnicodeEncodeError, LookupError):
            return False
        return True

    @property
    def width(self) -> int | None:
        """The terminal's width; None where nothing limits a line."""
        columns = os.environ.get("COLUMNS", "")
        if self.terminal or columns.isdecimal():
            return max(20, shutil.get_terminal_size((80, 24)).columns)
        return None


def use_color(choice: str, terminal: bool, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to colour: what was asked for, else what the environment asks for, else whether a terminal can show
    it."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return terminal and environment.get("TERM") != "dumb"


_OPTIONS = "FRX"
"""The options of `less` where nothing else is configured: end where all fits on the screen, pass colours on, leave the
text on the screen."""


def shown_by_pager(text: str) -> bool:
    """Show a text that is longer than the screen by `$PAGER`, `less` where that isn't set; whether that was done.

    There's no pager where nobody could use its keys, on Windows, and where `PAGER` is `cat` or empty.
    """
    command = os.environ.get("PAGER", "less").split()
    if os.name == "nt" or not command or command[0] == "cat" or shutil.which(command[0]) is None:
        return False
    if not is_terminal(sys.stdin) or text.count("\n") < shutil.get_terminal_size((80, 24)).lines:
        return False
    import subprocess

    environment = {**os.environ, "LESS": os.environ.get("LESS", _OPTIONS)}
    sys.stdout.flush()
    try:
        subprocess.run(command, input=text.encode(errors="replace"), env=environment, check=False)
    except OSError:
        return False
    return True
