"""Acts with a lasting effect: edits, what the table of programs says of commands, and calls of tools whose name begins
with a verb of doing; each with what became of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from analyzer.commands.table import Does, knows
from analyzer.detectors.signals.commits.printed import git_call, made, refused
from analyzer.detectors.signals.outward.shown import command_effects
from analyzer.failures.envelope import printed
from analyzer.model.action import Action
from analyzer.model.struct import Struct
from analyzer.model.words import Kind, Status
from analyzer.speech.acts import Act, is_english, verb_of, words_for
from analyzer.speech.heard import heard
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.timeline.closing.user_answers import not_run

_WORD = late(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PREFIX = late(r"^.*(?:__|[./:])")
_NOTHING_DONE = late(r"\bEverything up-to-date\b|\bnothing to commit\b|\(dry run\)|--dry-run")
_HERE = frozenset({"edit", "commit", "push"})
"""Kinds of acts for which there's no other way."""
_SHORTEST, _LONGEST = 3, 60
"""Characters of a value by which something can be named."""
_TELLING, _IN_COMMON = 5, 1
"""Letters of a word of a message that tells something, and how many of them show that a sentence speaks of it."""
_QUIET = frozenset({Kind.READ, Kind.SEARCH, Kind.THINK, Kind.PLAN, Kind.FINISH})


class State(StrEnum):
    """What became of an act."""

    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"
    UNKNOWN = "unknown"


_NOT_DONE = (State.FAILED, State.REFUSED)


class Effect(Struct, frozen=True):
    """One act: its kind (`edit`, `commit`, `push`, ... or the verb of a tool), what it's done to or by, its step, and
    what became of it."""

    kind: str
    what: str
    action: Action
    state: State


def effects_of(action: Action) -> Iterator[Effect]:
    """The lasting acts of one call."""
    if action.harness:
        return
    state = state_of(action)
    for edit in action.operation.edits:
        if edit.path:
            yield Effect("edit", edit.path, action, State.DONE if edit in action.accepted_edits else state)
    for command in action.operation.commands:
        call = git_call(command)
        if call is not None and call.verb in ("commit", "push") and "--dry-run" not in command.args:
            yield Effect(call.verb, clip(command.text, 100), action, _state_after(call.verb, action, state))
    for kind, text in command_effects(action.operation.command or "", action.operation.commands):
        if kind.name != "push":
            yield Effect(kind.name, clip(text, 100), action, _state_after(kind.name, action, state))
    if not action.operation.command and not action.operation.edits and action.kind not in _QUIET:
        verb = tool_verb(action.tool)
        if verb in words_for("clauses", "lasting"):
            yield Effect(verb or "", action.tool, action, state)


def things_of(tool: str) -> list[str]:
    """The words of a tool's name behind its verb: what it's done to."""
    return [word.lower() for word in _WORD.findall(_PREFIX.sub("", tool))][1:]


def tool_verb(tool: str) -> str | None:
    """The basic form of the verb that a tool's name begins with, of doing or looking; None for other names."""
    verb = next((word.lower() for word in _WORD.findall(_PREFIX.sub("", tool))), "")
    if not things_of(tool):
        return None
    return verb if verb in words_for("clauses", "looks") else verb_of(verb)


def state_of(action: Action) -> State:
    """What became of a call."""
    if not_run(action) is not None:
        return State.REFUSED
    if action.failure is not None or action.status is Status.ERROR:
        return State.FAILED
    return State.DONE if action.status is Status.OK else State.UNKNOWN


def _state_after(kind: str, action: Action, state: State) -> State:
    """What became of one command of a line, by what it printed."""
    result = printed(action.result or "")
    if kind == "commit" and any(made(result)):
        return State.DONE
    if kind != "commit" and refused(result):
        return State.FAILED
    return State.UNKNOWN if _NOTHING_DONE.search(result) is not None else state


def undone(actions: Sequence[Action]) -> Iterable[Effect]:
    """The lasting acts that failed or were refused, and that no later call made good, in order: the last of each kind
    of command, and each call of a tool."""
    if not any(state_of(action) in _NOT_DONE for action in actions):
        return []
    effects = [effect for action in actions for effect in effects_of(action)]
    found = []
    for place, effect in enumerate(effects):
        later = [other for other in effects[place + 1 :] if other.action is not effect.action]
        if effect.state not in _NOT_DONE or effect.kind == "edit" or any(_makes_good(one, effect) for one in later):
            continue
        programs = {command.program for command in effect.action.operation.commands}
        # A later call to another machine, or of the same program, may be another way to the same end.
        elsewhere = any(
            one.program in programs or knows(one.program, Does.TRANSFERS)
            for action in actions
            if action.step > effect.action.step and state_of(action) is not State.FAILED
            for one in action.operation.commands
        )
        if effect.kind in _HERE or not programs or not elsewhere:
            found.append(effect)
    return found


def _makes_good(later: Effect, effect: Effect) -> bool:
    """Whether a later act takes the place of one that failed: another try of the same command, whatever came of it,
    another way out that went through, or a call of the same tool, or that names the same thing, that did."""
    if effect.action.operation.command is not None:
        other_way = later.state is State.DONE and later.kind not in _HERE and effect.kind not in _HERE
        return later.kind == effect.kind or other_way
    if later.state is not State.DONE or later.action.operation.command is not None:
        return False
    return later.what == effect.what or bool(_identifiers(effect.action) & _identifiers(later.action))


def _identifiers(action: Action) -> frozenset[str]:
    """What the arguments of a call name: values without blanks."""
    if not isinstance(action.arguments, Mapping):
        return frozenset()
    values = (str(value) for value in action.arguments.values() if isinstance(value, str | int))
    return frozenset(value for value in values if _SHORTEST <= len(value) <= _LONGEST and " " not in value)


def is_reported(effect: Effect, closing: str) -> bool:
    """Whether an answer says that an act didn't go through, or leaves it open."""
    words = words_for("operations", effect.kind) or (effect.kind,)
    failure = effect.action.failure
    why = {word for word in (failure.message if failure is not None else "").lower().split() if len(word) >= _TELLING}
    if not is_english(closing):
        return True
    for said in heard(closing):
        if said.does(Act.NOT_DONE, Act.BLAMES_EARLIER):
            return True
        if said.does(Act.HEDGES, Act.DEFERS, Act.ASKS) and any(word in said.quote.lower() for word in words):
            return True
        if len(why & set(said.quote.lower().replace(".", " ").split())) >= _IN_COMMON:
            return True
    return False
