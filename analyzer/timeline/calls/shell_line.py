"""Say what a shell line does: its simple commands -> Operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from analyzer.commands.effects import code_of, foreign_code_writes, is_python, is_shell, written_by_calls, written_names
from analyzer.commands.parse import parse
from analyzer.commands.runners import compiler, kind_of, test_runner
from analyzer.commands.table import Does, does, file_act, from_subcommand, knows
from analyzer.failures.roles import last_part
from analyzer.model.action import Command, Edit, Operation
from analyzer.model.struct import Struct
from analyzer.model.words import Kind
from analyzer.text.clip import one_line
from analyzer.text.late import late
from analyzer.timeline import patch
from analyzer.workspace.command_effects.python_code import effect_of

_PATCHERS = ("apply_patch", "applypatch")
_HAND_IN = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
"""What an agent whose only tool is the shell prints to hand in its work."""
_WAITING = late(r"\b(?:status|watch|wait|poll|rollout|view|checks|list|ps|jobs|progress)\b")
_BLOCKS = frozenset({"watch", "wait", "rollout", "poll", "--watch", "--wait", "--follow"})
"""Words of a command that returns only when what it looks at has changed or ended."""
_KINDS: tuple[tuple[Kind, Callable[[_Line], bool]], ...] = (
    (Kind.FINISH, lambda line: _HAND_IN in line.text),
    (Kind.TEST, lambda line: line.has(Kind.TEST)),
    (Kind.WAIT, lambda line: line.waits),
    (Kind.RUN, lambda line: line.runs),
    (Kind.EDIT, lambda line: line.has(Kind.EDIT) or bool(line.edits)),
    (Kind.EDIT, lambda line: bool(line.writes) and not line.shows and not any(line.kinds)),
    (Kind.RUN, lambda line: bool(line.writes) and not line.shows),
    (Kind.READ, lambda line: line.reads),
    (Kind.SEARCH, lambda line: line.has(Kind.SEARCH)),
    (Kind.RUN, lambda line: bool(line.commands and line.writes)),
)
"""The kind of a line is the first whose condition holds."""


class _Line(Struct, frozen=True):
    """A shell line with the kind of each of its commands and the edits that it makes."""

    text: str
    commands: tuple[Command, ...]
    kinds: tuple[Kind | None, ...]
    edits: tuple[Edit, ...]
    writes: tuple[str, ...]
    shows: bool
    asked_before: bool

    def has(self, kind: Kind) -> bool:
        return kind in self.kinds

    @property
    def waits(self) -> bool:
        """Whether it only looks at what goes on elsewhere, also after a pause; a pause in a line that starts, stops or
        changes something is a part of that."""
        if self.has(Kind.WAIT):
            return all(
                kind not in (Kind.RUN, Kind.EDIT) or knows(each.program, Does.REMOTE)
                for each, kind in zip(self.commands, self.kinds, strict=True)
            )
        return self.asked_before and bool(self.commands) and all(_polls(each) for each in self.commands)

    @property
    def runs(self) -> bool:
        """Whether something runs; beside an edit, moving files about is a part of it."""
        running = [each for each, kind in zip(self.commands, self.kinds, strict=True) if kind is Kind.RUN]
        return bool(running) and not (self.edits and all(knows(each.program, Does.MOVES) for each in running))

    @property
    def reads(self) -> bool:
        """Whether a file is shown; of what is found by a search, the rest of the pipe shows a part."""
        found = self.kinds[0] is Kind.SEARCH if self.kinds else False
        return self.has(Kind.READ) and not found


def blocks(command: Command) -> bool:
    """Whether a command waits by itself: it pauses, or returns only when something has changed or ended."""
    return knows(command.program, Does.WAITS) or not _BLOCKS.isdisjoint(from_subcommand(command.program, command.args))


def asks_state(operation: Operation) -> bool:
    """Whether an operation only asks for the state of what goes on elsewhere, whether or not for the first time."""
    return bool(operation.commands) and all(map(_polls, operation.commands))


def with_scripts(operation: Operation, scripts: Mapping[str, str]) -> Operation:
    """What a shell line does, with what those `scripts` (by name) do to files that it runs."""
    ran = {last_part(code[1]) for one in operation.commands if (code := code_of(one.program, one.args)) is not None}
    return operation_of_line(operation.command or "", scripts=scripts) if ran & scripts.keys() else operation


def operation_of_line(text: str, *, asked_before: bool = True, scripts: Mapping[str, str] | None = None) -> Operation:
    """What a shell line does. A command that asks for the state of what goes on elsewhere waits for it, unless it
    wasn't `asked_before`; `scripts` are the texts of programs that the line may run, by name."""
    if text.startswith(tuple(f"{name} " for name in _PATCHERS)) and "*** Begin Patch" in text:
        return patch.operation_of(text, _PATCHERS[0])
    parsed = parse(text)
    commands = tuple(parsed.commands)
    programmed = [
        None if command.elsewhere else _programmed(command, given, scripts or {})
        for command, given in zip(commands, parsed.inputs, strict=True)
    ]
    kinds = tuple(
        Kind.EDIT if made and made.only else None if _only_enters(command, commands[place:]) else kind_of(command)
        for place, (command, made) in enumerate(zip(commands, programmed, strict=True), 1)
    )
    writes = [(to, body) for to, body in parsed.writes if not to.target.text.startswith(("/dev/", "&"))]
    written = [Edit(to.target.text, None, body, created=not to.append) for to, body in writes if body is not None]
    changed = [
        edit
        for command, kind, made in zip(commands, kinds, programmed, strict=True)
        for edit in (
            made.edits if made else _edits(command, text) if kind is Kind.EDIT and not command.elsewhere else ()
        )
    ]
    names = tuple(to.target.text for to, _ in writes)
    moved = {(one.args[-2], one.args[-1]) for one in commands if file_act(one.program) == "move" and len(one.args) > 1}
    remade = [Edit(target, None, None) for to, _ in writes for source, target in moved if source == to.target.text]
    called = [*remade, *([Edit(path, None, None) for path in written_by_calls(text)] if "::" in text else [])]
    line = _Line(text, commands, kinds, (*written, *changed, *called), names, parsed.shows, asked_before)
    kind = Kind.EDIT if called else next((kind for kind, holds in _KINDS if holds(line)), Kind.OTHER)
    path = _path(line, kind)
    started = [name for find in (test_runner, compiler) for command in commands if (name := find(command)) is not None]
    return Operation(
        kind,
        path if kind is Kind.EDIT and path else one_line(text),
        path=path,
        command=text,
        commands=commands,
        runner=next(iter(started), None),
        runners=tuple(started),
        edits=line.edits,
        writes=line.writes,
        directory=parsed.directory,
    )


def _only_enters(command: Command, behind: tuple[Command, ...]) -> bool:
    """Whether a command does nothing besides running the next ones elsewhere, of which the first that does something
    looks at something there."""
    if command.elsewhere or not behind or not behind[0].elsewhere:
        return False
    first = next((kind for one in behind if one.elsewhere and (kind := kind_of(one)) is not None), None)
    return first in (Kind.READ, Kind.SEARCH, Kind.TEST, Kind.WAIT)


def _polls(command: Command) -> bool:
    if any(word.startswith("--log") for word in command.args):
        return False  # it shows what has ended
    if not knows(command.program, Does.REMOTE):
        return False
    if not does(command.program, command.args) & Does.REMOTE:
        return "--watch" in command.args  # what is shown at once, unless it's asked to watch
    return _WAITING.search(" ".join(from_subcommand(command.program, command.args))) is not None


def _edits(command: Command, line: str) -> list[Edit]:
    if command.program in _PATCHERS:
        return list(patch.edits_of(line))
    names = written_names(command.program, command.args)
    return [Edit(name, None, None) for name in names if ("/" in name or "." in name) and " " not in name]


class _Programmed(Struct, frozen=True):
    """The edits that a program makes whose text is known; `only` where it does nothing else."""

    edits: tuple[Edit, ...]
    only: bool


def _programmed(command: Command, given: str | None, scripts: Mapping[str, str]) -> _Programmed | None:
    """What a Python program whose text is known replaces in files or makes of their content; None where it does
    neither."""
    what, code = code_of(command.program, command.args) or ("", "")
    text = (code or given) if what == "code" else scripts.get(last_part(code)) if what == "file" else None
    if not text:
        return None
    if not is_python(command.program):
        named = [] if is_shell(command.program) else foreign_code_writes(text) or []
        return _Programmed(tuple(Edit(path, None, None) for path in named), only="exec" not in text) if named else None
    effect = effect_of(text, lambda _: None)
    edits = [Edit(path, before, after) for path, pairs in effect.edits for before, after in pairs]
    remade = [Edit(path, None, text) for path, text in effect.writes if path in effect.read]
    only = not effect.more and not effect.removed and len(remade) == len(effect.writes)
    return _Programmed((*edits, *remade), only) if edits or remade else None


def _path(line: _Line, kind: Kind) -> str | None:
    if kind is Kind.EDIT and line.edits:
        return line.edits[0].path
    for command in line.commands if kind is Kind.READ else ():
        if knows(command.program, Does.SHOWS):
            words = [word for word in command.args if not word.startswith(("-", "+")) and not word.isdigit()]
            names = words[1:] if knows(command.program, Does.EXPRESSES) else words
            if names:
                return names[-1]
    return None
