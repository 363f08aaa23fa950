"""Which calls only bring the result of one before them: a command runs on behind its call, and what it printed and how
it ended come with a later call or message that names its shell, task, session or process, or that reads its output.

What came later belongs to the call that started the command; whoever asks for it only waits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from analyzer.failures.readers.harness import still_runs
from analyzer.model.action import Action
from analyzer.model.session import Event, Message, Session, ToolCall, ToolResult
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.text.plain import holds_any

_HINTS = ("unning", "ackground", "sync", "new output", "tarted", "oved to", "etached")
_EDGE, _LONGEST_LINE, _EDGES = 1_000, 400, 3
_RUNS_ON = late(
    r"\b(?:(?:still |now |keeps |is )?running|started|moved|sent|detached|continues?)\b[^\n]{0,80}?"
    r"\b(?:background|session|shell|task|process|async\w*|pid|terminal)\b|\bbackground (?:command|process|task|job)\b"
    r"|\bstill running\b",
    re.IGNORECASE,
)
_ID = late(
    r"\b(?:(?:session|shell|task|process|job|command|terminal|background)[ _-]?)?(?:id|pid|session|task)\b\W{1,3}"
    r"(?P<id>[\w./:-]{1,120}\w|\w)",
    re.IGNORECASE,
)
_OUTPUT = late(
    r"\b(?:output|log|stdout)\b[^\n]{0,40}?[\s:=](?P<path>(?:/|[A-Za-z]:\\|\./)[^\s'\"<>|]{2,200}\w)", re.IGNORECASE
)
_NAMES_HANDLE = late(r"(?:^|_|[a-z])(?:id|session|shell|task|pid|process|handle|terminal)s?$", re.IGNORECASE)
_STOPS = late(r"(?:kill|stop|terminate|cancel)", re.IGNORECASE)
_ENDED = late(r"\b(?:finished|completed|exited|failed|ended|killed|done)\b", re.IGNORECASE)
_CODE = late(r"\b(?:exit(?:ed)?(?: with)?[ _](?:code|status)|return ?code)[:=]? ?(?P<code>-?\d{1,5})\b", re.IGNORECASE)
_BACKGROUND = late(r"(?<![&>|])&(?![&>])\s*(?:disown\s*)?(?:;?\s*echo\b[^&|;]*)?$")
_NOWHERE = frozenset({"/dev/null", "nul"})
_ASKS = frozenset({Kind.WAIT, Kind.OTHER})
_SHOWS = frozenset({Kind.READ, Kind.SEARCH, Kind.WAIT})


@dataclass(slots=True)
class Late:
    """What came later of a call: its `first` result as it stands, the later texts, the exit code, whether any of it was
    `asked` for, whether the end is known, and whether it was `stopped` before that."""

    first: str = ""
    texts: list[str] = field(default_factory=list)
    exit_code: int | None = None
    asked: bool = False
    ended: bool = False
    stopped: bool = False

    @property
    def text(self) -> str:
        """All that is known of what the command printed, with what the harness says of it where its end isn't known."""
        texts = [_without_notes(self.first) if self.ended else self.first, *self.texts]
        return "\n".join(text.strip("\n") for text in texts if text.strip())

    @property
    def unended(self) -> str | None:
        """Why nothing is known of how it ended; None where it is."""
        if self.ended:
            return None
        if self.stopped:
            return "it ran in the background and was stopped before it ended"
        if self.asked or self.texts or _without_notes(self.first).strip():
            return "it ran in the background, and its end is not recorded"
        return "it was started in the background, and no result of it is recorded"


@dataclass(slots=True)
class _Open:
    action: Action
    ids: frozenset[str]
    paths: tuple[str, ...]
    late: Late
    followed: bool = False
    """Whether another call came since, which may be about something else."""

    def is_next(self, action: Action) -> bool:
        """Whether a call goes on with the terminal that is still busy: the next one, which runs nothing of its own."""
        return not (self.ids or self.paths or self.followed) and action.kind in _ASKS and not action.task_done

    def is_named(self, action: Action) -> bool:
        """Whether an argument of a call is named like a handle and has its value."""
        if action.kind not in _ASKS or not isinstance(action.arguments, Mapping):
            return False
        return any(
            str(value).strip() in self.ids and _NAMES_HANDLE.search(str(name)) is not None
            for name, value in action.arguments.items()
            if isinstance(value, str | int) and not isinstance(value, bool)
        )

    def is_read(self, action: Action) -> bool:
        """Whether a call shows a file into which the output goes, by a tool or by a command."""
        if action.kind not in _SHOWS or not self.paths:
            return False
        shown = {action.operation.path, *(word for command in action.operation.commands for word in command.args)}
        return not shown.isdisjoint(self.paths)


class Handles:
    """Follows the calls of a session in order and keeps what runs on behind them."""

    def __init__(self) -> None:
        self._open: dict[str, list[_Open]] = {}
        self.late: dict[int, Late] = {}
        """What came later of a call, by the identity of its action."""
        self.polls: dict[int, Action] = {}
        """The action to which the answer of another belongs, by the identity of that one."""

    def hear(self, message: Message) -> None:
        """Take a message of the harness, which may bring what a command printed in the end."""
        if message.role in ("user", "assistant") or _ENDED.search(message.text[:_EDGE]) is None:
            return
        for opened in self._open.get(message.lane, ()):
            name = next((name for name in opened.ids if len(name) > 2 and name in message.text), None)
            if name is not None and not opened.late.ended:
                text = message.text[message.text.index(name) + len(name) :]
                code = _CODE.search(text)
                opened.late.texts.append(_without_notes(text))
                opened.late.exit_code = int(code["code"]) if code is not None else None
                opened.late.ended = True

    def take(self, action: Action, result: ToolResult | None) -> None:
        """Take the next call with its result."""
        if result is None or result.unrecorded:
            return
        for opened in reversed(self._open.get(action.lane, ())):
            named = action.operation.command is None and (opened.is_named(action) or opened.is_next(action))
            if (named or opened.is_read(action)) and (result.exit_code is not None or not result.is_error):
                self._bring(opened, action, result, named=named)
                return
            opened.followed = True
        self._start(action, result)

    def _start(self, action: Action, result: ToolResult) -> None:
        command = action.operation.command
        if command is None or (result.exit_code is not None and "&" not in command):
            return
        ids, paths = set[str](), list[str]()
        notes = _notes(result.text)
        for line in notes:
            ids.update(found["id"] for found in _ID.finditer(line))
            paths += [found["path"] for found in _OUTPUT.finditer(line)]
        if result.handle is not None:
            ids.add(result.handle)
        elif _BACKGROUND.search(command.rstrip()) is not None and action.operation.writes:
            paths += [path for path in action.operation.writes if path.casefold() not in _NOWHERE]
        if result.exit_code is not None and not paths:
            return
        if ids or paths or (notes and _is_busy(result.text)):
            late = Late(result.text)
            self.late[id(action)] = late
            self._open.setdefault(action.lane, []).append(_Open(action, frozenset(ids), tuple(paths), late))

    def _bring(self, opened: _Open, action: Action, result: ToolResult, *, named: bool) -> None:
        late = opened.late
        self.polls[id(action)] = opened.action
        text = _without_notes(result.text)
        if text.strip() and text not in (late.first, *late.texts):
            late.texts.append(text)
        runs = result.handle is not None or bool(_notes(result.text))
        late.asked = True
        late.exit_code = result.exit_code if named else None
        late.stopped = named and _STOPS.search(action.tool) is not None
        late.ended = named and not late.stopped and (result.exit_code is not None or (not runs and bool(text.strip())))


def _edges(text: str) -> Iterator[str]:
    """The first and the last lines of a result that say something, in which a harness speaks, where they may say that a
    command runs on."""
    ends = text if len(text) <= 2 * _EDGE else text[:_EDGE] + text[-_EDGE:]
    if not holds_any(ends, _HINTS):
        return iter(())
    lines = [line.strip() for line in text[:_EDGE].splitlines() if line.strip()][:_EDGES]
    if len(text) > _EDGE or len(lines) == _EDGES:
        lines += [line.strip() for line in text[-_EDGE:].splitlines() if line.strip()][-_EDGES:]
    return (line for line in lines if len(line) <= _LONGEST_LINE)


def _notes(text: str) -> list[str]:
    """The lines in which a harness says that a command runs on."""
    return [line for line in dict.fromkeys(_edges(text)) if _RUNS_ON.search(line) is not None or still_runs(line)]


def _is_busy(text: str) -> bool:
    """Whether the last line of a result says that the command was still running when the call came back."""
    last = list(_edges(text[-_EDGE:]))[-1:]
    return bool(last) and still_runs(last[0])


def _without_notes(text: str) -> str:
    notes = set(_notes(text))
    return text if not notes else "\n".join(line for line in text.splitlines() if line.strip() not in notes)


def handles_of(session: Session, actions: Sequence[Action], results: Sequence[ToolResult | None]) -> Handles:
    """What ran on behind the calls of a session, and what came of it later."""
    handles = Handles()
    calls = iter(zip(actions, results, strict=True))
    event: Event
    for event in session.events:
        if isinstance(event, Message):
            handles.hear(event)
        elif isinstance(event, ToolCall):
            handles.take(*next(calls))
    return handles
