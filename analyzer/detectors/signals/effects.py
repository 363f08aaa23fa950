"""Acts with a lasting effect: edits, what the table of programs says of commands, and calls of tools whose name begins
with a verb of doing; each with what became of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from enum import Enum, StrEnum, auto
from functools import lru_cache

from analyzer.commands.git import git_call
from analyzer.commands.table import Does, knows, programs_that
from analyzer.detectors.signals.git_output import made, refused
from analyzer.detectors.signals.outward.shown import command_effects
from analyzer.failures.envelope import printed
from analyzer.failures.roles import last_part
from analyzer.model.action import Action
from analyzer.model.struct import Struct, replace
from analyzer.model.words import FailureKind, Kind, Status
from analyzer.speech.acts import Act, is_english, operations_in, verb_of, words_for
from analyzer.speech.heard import HIDDEN, heard
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.timeline.calls.arguments import tool_words
from analyzer.timeline.closing.user_answers import not_run
from analyzer.timeline.verification.checks import HANDLES_FILES, changes_code, could_not_run

NOTHING_DONE = late(r"\bEverything up-to-date\b|\bnothing to commit\b|\bAlready up to date\b|\(dry run\)|--dry-run")
WRITES_ROWS = late(r"(?:^| )(?:-f|--file|<)|\b(?:insert|update|delete|create|alter|drop|truncate)\b", re.IGNORECASE)
"""How a program that speaks to a database is ordered to change something."""
_OWN = frozenset({"skill", "skills", "mode", "subagent"})
"""What an agent switches for itself."""
_HERE = frozenset({"query", "edit", "commit", "push"})
"""Kinds of acts for which there's no other way."""
_NO_PUSH = ("--dry-run", ":", "--delete")
"""How the words of a push begin that sends nothing."""
_DATABASES = programs_that(Does.QUERIES)
_MOST = 50
"""Acts that are kept: an answer that passes over so many has said enough."""
_SHORTEST, _LONGEST = 3, 60
"""Characters of a value by which something can be named."""
_TELLING = 5
"""Letters of a word of a failure's message, no name, by which a sentence is recognised that speaks of it."""
_PLAIN = frozenset({"about", "after", "again", "before", "could", "other", "there", "which", "while", "would"})
_WORD = late(r"[^\W\d_]{4,}")
QUIET = frozenset({Kind.READ, Kind.SEARCH, Kind.THINK, Kind.PLAN, Kind.FINISH})


class State(StrEnum):
    """What became of an act."""

    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"
    UNKNOWN = "unknown"


_VERDICTS = frozenset({FailureKind.TEST, FailureKind.LINT, FailureKind.COMPILE})
_NOT_DONE = (State.FAILED, State.REFUSED)


class Effect(Struct, frozen=True):
    """One act: its kind (`edit`, `commit`, `push`, ... or the verb of a tool), what it's done to or by, its step, and
    what became of it."""

    kind: str
    what: str
    action: Action
    state: State
    beside: bool = False
    """Whether a later call of the same tool went through for something else, as one had before."""


def effects_of(action: Action) -> Iterator[Effect]:
    """The lasting acts of one call."""
    if action.harness or (action.kind in QUIET and not action.operation.edits):
        return
    state = state_of(action)
    for edit in action.operation.edits:
        if edit.path:
            yield Effect("edit", edit.path, action, State.DONE if edit in action.accepted_edits else state)
    for command in action.operation.commands:
        call = git_call(command)
        if call is None or call.verb not in ("commit", "push") or any(one.startswith(_NO_PUSH) for one in command.args):
            continue
        # The number of a here-document is ours.
        text = "…".join(part.partition(")")[2] or part for part in command.text.split("$(cat \x01"))
        yield Effect(call.verb, clip(text, 100), action, _state_after(call.verb, action, state))
    for command in action.operation.commands:
        if command.program in _DATABASES and WRITES_ROWS.search(" ".join(command.args)) is not None:
            yield Effect("query", clip(command.text, 100), action, state)
    for kind, text in command_effects(action.operation.command or "", action.operation.commands):
        if kind.name != "push":
            yield Effect(kind.name, clip(text, 100), action, _state_after(kind.name, action, state))
    if not action.operation.command and not action.operation.edits:
        verb = tool_verb(action.tool)
        own = not _OWN.isdisjoint(tool_words(action.tool))
        if verb in words_for("clauses", "lasting") and not own:
            yield Effect(verb or "", action.tool, action, State.UNKNOWN if _is_so(verb, action) else state)


@lru_cache(maxsize=512)
def tool_verb(tool: str) -> str | None:
    """The basic form of the verb with which a tool's name begins, or that follows its first word, of doing or looking;
    None for other names."""
    words = tool_words(tool)
    if words and words[-1] in words_for("clauses", "news"):
        return "get"
    verbs = {*words_for("clauses", "looks"), *words_for("clauses", "lasting")}
    if len(words) == 1:
        return words[0] if words[0] in verbs else None
    known = (word if word in verbs else verb_of(word) for word in words[:2])
    return next((verb for verb in known if verb is not None), None)


def _is_so(verb: str | None, action: Action) -> bool:
    """Whether a call failed because what it was to do had been done before."""
    words = re.findall("[a-z]+", action.failure.message.lower()) if action.failure is not None else []
    return "already" in words and any(verb_of(word) == verb for word in words)


def state_of(action: Action) -> State:
    """What became of a call."""
    if not_run(action) is not None:
        return State.REFUSED
    if action.failure is not None or action.status is Status.ERROR:
        return State.FAILED
    return State.DONE if action.status is Status.OK else State.UNKNOWN


def _state_after(kind: str, action: Action, state: State) -> State:
    """What became of one command of a line, by what it printed."""
    result, line = printed(action.result or ""), action.operation.command or ""
    # What comes behind it on a line that ends with the first failure was reached.
    if kind == "commit" and (any(made(result)) or (refused(result) and "&& git push" in line)):
        return State.DONE
    if kind == "commit" and "failed" in result.lower() and "-q" not in line:
        return State.FAILED  # what its hook said
    if kind != "commit" and refused(result):
        return State.FAILED
    return State.UNKNOWN if NOTHING_DONE.search(result) is not None else state


def undone(actions: Sequence[Action]) -> list[Effect]:
    """The lasting acts that failed or were refused and that no later call made good, in order. A command is made good
    by another try of its kind, whatever came of that, and, where there's another way to the end, by a later act of its
    program or to another machine; an edit by another one of its file, or a later look at it, after which it was left;
    a call of a tool by a later one that went through, of the same tool or for the same thing with a tool of a name
    alike."""
    failed = [action for action in actions if action.status is Status.ERROR or action.failure is not None]
    told = (one.result or "" for one in actions if one.operation.commands)
    if not failed and not [result for result in told if "failed" in result or refused(result)]:
        return []
    found: list[Effect] = []
    tried, seen, programs = set[str](), set[str](), set[str]()
    through: list[tuple[set[str], frozenset[str]]] = []
    another_way = False
    before = Counter(effect.what for action in actions for effect in effects_of(action) if effect.state is State.DONE)
    for action in reversed(actions):
        effects, ids = list(effects_of(action)), identifiers(action)
        ran = {command.program for command in action.operation.commands}
        shell = action.operation.command is not None
        for effect in effects:
            own = set(tool_words(effect.what))
            before[effect.what] -= effect.state is State.DONE
            if effect.kind == "edit":
                good = shell or last_part(effect.what) in seen
            elif shell:
                good = effect.kind in tried or (effect.kind not in _HERE and (another_way or bool(ran & programs)))
            else:
                ways = words_for("operations", effect.kind)
                good = any(
                    own == words or (own & words and ids & named) or not words.isdisjoint(ways)
                    for words, named in through
                )
            same = [named for words, named in through if words == own] if good and before[effect.what] > 0 else []
            beside = bool(same) and not any(ids <= named for named in same) and not shell
            if effect.state in _NOT_DONE and (beside or not good) and len(found) < _MOST:
                found.append(replace(effect, beside=beside))
        for effect in effects:
            done = effect.state is State.DONE
            if effect.kind == "edit":
                seen.add(last_part(effect.what))
            elif shell:
                tried.add(effect.kind)
                another_way = another_way or (done and effect.kind not in _HERE)
            elif done:
                through.append((set(tool_words(effect.what)), ids))
        if shell:
            named = (word for one in action.operation.commands for word in one.args if action.kind in QUIET)
            seen.update(map(last_part, named))
        elif action.operation.path:
            seen.add(last_part(action.operation.path))
        if state_of(action) is not State.FAILED:
            programs |= {one for one in ran if action.kind not in QUIET and knows(one, Does.REMOTE | Does.TRANSFERS)}
            another_way = another_way or any(knows(one, Does.TRANSFERS) for one in ran if action.kind not in QUIET)
    return found[::-1]


def broken_runs(actions: Sequence[Action]) -> list[Effect]:
    """The last run of something else than a check that failed, where nothing ran well after it but what only handles
    files."""
    well = set[str]()
    for action in reversed([one for one in actions if one.kind in _RUNNING and one.operation.commands]):
        failure = action.failure
        programs = {command.program for command in action.operation.commands}
        if failure is not None and action.operation.commands[-1].program in well:
            break
        well |= programs if failure is None else set()
        if failure is None and programs <= HANDLES_FILES:
            continue
        # What timed out may still be running, as a server is to.
        if failure is None or failure.expected or failure.kind in (*_VERDICTS, FailureKind.TIMEOUT):
            break
        if not [one for one in effects_of(action) if one.kind != "edit"]:
            return [Effect("run", clip(action.operation.command or "", 100), action, state_of(action))]
    return []


def speaks_of_run(effect: Effect, text: str) -> str | None:
    """The first sentence that says that something was done in a word of the command line of a run, or that names what
    the run was to reach, as the line or its result does; None for none, and of other acts."""
    if effect.kind != "run":
        return None
    places = {word for one in effect.action.operation.commands for word in one.args if "/" in word}
    places.update(_PLACE.findall((effect.action.result or "")[:_LONGEST_RESULT]))
    named = [place for place in places if len(place) >= _LEAST_PLACE and place in text]
    if named:
        return next((said.quote for said in heard(text) if any(place in said.quote for place in named)), None)
    words = (word for one in effect.action.operation.commands for word in (one.program, *one.args))
    names = words_of(" ".join(word for word in words if not word.startswith("-") and "/" not in word))
    for said in heard(text):
        bound = any(word.startswith(name) for word in words_of(said.words) for name in names)
        if bound and said.does(Act.DONE) and not said.does(Act.NOT_DONE, Act.DEFERS, Act.ASKS):
            return said.quote
    return None


_RUNNING = frozenset({Kind.RUN, Kind.EDIT, Kind.WAIT})
_PLACE = late(r"(?<![\w/])[\w.-]+(?:/[\w.-]+)+")
_LEAST_PLACE, _LONGEST_RESULT = 6, 1_000


def failing_checks(actions: Sequence[Action]) -> list[Effect]:
    """The checks among some calls that failed the last time they ran, after the last change of code."""
    found: list[tuple[set[str], Effect]] = []
    for action in actions:
        operation, failure = action.operation, action.failure
        if changes_code(action):
            found = []
        if action.kind not in (Kind.RUN, Kind.TEST) or not operation.commands or could_not_run(action):
            continue
        names = {*operation.runners, *(one.program for one in operation.commands)}
        found = [(programs, check) for programs, check in found if programs.isdisjoint(names)]
        if failure is not None and not failure.expected and failure.kind in _VERDICTS:
            found.append((names, Effect("check", operation.target, action, State.FAILED)))
    return [check for _, check in found]


def identifiers(action: Action) -> frozenset[str]:
    """What the arguments of a call name: values without blanks."""
    if not isinstance(action.arguments, Mapping):
        return frozenset()
    values = (str(value) for value in action.arguments.values() if isinstance(value, str | int))
    return frozenset(value for value in values if _SHORTEST <= len(value) <= _LONGEST and " " not in value)


class Report(Enum):
    """What an answer says of an act: nothing, that it's still to be done or may be, or that it failed."""

    NOTHING, OPEN, FAILED = auto(), auto(), auto()


def reported(effect: Effect, closing: str, failed: Sequence[Action] = (), asked: Set[str] = frozenset()) -> Report:
    """What an answer says of an act that didn't go through. What it says of something else, of another act or one of
    the other calls that `failed`, says nothing of it, nor do the words in which it was `asked` for or announced."""
    words = words_for("operations", effect.kind) or (effect.kind,)
    failure = effect.action.failure
    message = failure.message if failure is not None else ""
    edit = effect.kind == "edit"
    own = {*words, *words_of(f"{effect.what} {'' if edit else effect.action.arguments} {message}")}
    rest = [
        f"{one.operation.target} {one.failure and one.failure.message}" for one in failed if one is not effect.action
    ]
    others = words_of(" ".join(rest)) - own
    parts = [word.strip("()[]'\".,:;") for word in message.split()]
    why = [word for word in parts if len(word) >= _TELLING and word.isalpha() and word.islower() and word not in _PLAIN]
    named = asked | words_of(f"{effect.what} {effect.action.arguments} {effect.action.said}")
    if not is_english(closing) or (len(message) >= _TELLING and message.lower() in closing.lower()):
        return Report.FAILED
    found = Report.NOTHING
    for said in heard(closing):
        small = said.quote.lower()
        here = [word for word in own if word in small]
        about_others = (edit and HIDDEN in said.words) or any(word in small for word in others)
        about_others = about_others or bool(operations_in(small) - set(words))
        if said.does(Act.NOT_DONE, Act.BLAMES_EARLIER) and (here or not about_others):
            return Report.FAILED
        spoken = words_of(small)
        # "It's renewed, so you can go" leaves nothing open.
        past = any(word.endswith(("ed", "sent", "paid")) and verb_of(word) == effect.kind for word in spoken)
        leaves_open = said.does(Act.HEDGES, Act.DEFERS, Act.ASKS) and not (past and said.does(Act.DONE))
        if leaves_open and any(word in small for word in words):
            found = Report.OPEN
        other = [word for word in why if word in spoken and word not in named and not word.startswith(effect.kind)]
        if other and not said.does(Act.DONE):
            return Report.FAILED
    return found


def words_of(text: str) -> set[str]:
    """The words of a text and of the names in it, in small letters, as far as they're long enough to tell anything."""
    return set(_WORD.findall(text.lower().replace("_", " ")))
