"""Scripts of which the task shows that they can't even be loaded, by the trace that it quotes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.failures.roles import last_part, role_of, same_file
from analyzer.failures.trace import RawFrame, Trace
from analyzer.failures.traces.registry import parsers_for
from analyzer.model.action import Action
from analyzer.model.words import MAIN_LANE, FrameRole
from analyzer.text.late import late
from analyzer.timeline.calls.programs import script
from analyzer.timeline.timeline import Timeline

_ASKED = 30_000
_QUOTED = late(r"(?m)^[ \t]{0,8}>[ \t]?")
_HIDES = late(r"2>(?!&1)|&>|>&|&\s*$|\|\|")
"""What keeps an error of a command from its result, or lets it run on behind the next one."""
_NOT_LOADED = frozenset(
    {"SyntaxError", "IndentationError", "TabError", "ParseError", "ImportError", "ModuleNotFoundError", "LoadError"}
)
"""Errors that come before any statement of the script, whatever it's given."""
_TOP = frozenset({None, "", "<module>", "<main>", "<top (required)>", "Object.<anonymous>"})
"""What traces call the code of a file that is in no function."""
_RUNTIME = frozenset({FrameRole.STDLIB, FrameRole.LIBRARY, FrameRole.RUNNER})


@dataclass(frozen=True, slots=True)
class ShownFailure:
    """A script that doesn't get to its first statement, with the type of its error, as the task shows it."""

    script: str
    error: str


def shown_failures(timeline: Timeline) -> list[ShownFailure]:
    """The scripts that can't be loaded by the traces in what the user asked for last.

    Only such a failure is gone for certain once the script runs to its end, whatever it was given: what else a trace
    shows may hang on arguments, which no trace has.
    """
    turns = (
        event.text
        for event in reversed(timeline.messages)
        if event.role == "user" and event.lane == MAIN_LANE and event.text.strip()
    )
    text = _QUOTED.sub("", next(turns, timeline.session.task or "")[:_ASKED])
    found = (_not_loaded(trace) for parser in parsers_for(text) for trace in parser.traces(text))
    return list(dict.fromkeys(failure for failure in found if failure is not None))


def _not_loaded(trace: Trace) -> ShownFailure | None:
    error = (trace.type or "").rsplit(".", 1)[-1]
    own = [frame for frame in trace.frames if not _is_runtime(frame)]
    if error not in _NOT_LOADED or not own or any(frame.function not in _TOP for frame in own):
        return None
    return ShownFailure(own[0].file, error)


def _is_runtime(frame: RawFrame) -> bool:
    return role_of(frame.file) in _RUNTIME


def loaded_now(action: Action, shown: Sequence[ShownFailure]) -> ShownFailure | None:
    """Which of these scripts an action runs, so that what it prints would show the failure; None where it runs none."""
    if not shown or _HIDES.search(action.operation.command or "") is not None:
        return None
    names = [name for entry in action.operation.commands if (name := script(entry)) is not None]
    return next((failure for failure in shown if any(_is_same(failure.script, name) for name in names)), None)


def _is_same(shown: str, name: str) -> bool:
    return last_part(shown) == last_part(name) and same_file(shown, name)
