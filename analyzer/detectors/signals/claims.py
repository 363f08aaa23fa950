"""What an answer claims: the sentence by which it claims that the work is done, the operations that it says were done,
each bound to the record, and how many tests it says pass."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import repeat, takewhile

from analyzer.commands.table import Does, knows, row_of
from analyzer.detectors.signals.effects import QUIET, Effect, State, effects_of, tool_verb, words_of
from analyzer.detectors.signals.quoted import says_something
from analyzer.model.action import Action
from analyzer.model.finding import Evidence
from analyzer.model.struct import Struct
from analyzer.model.words import Kind, Status
from analyzer.speech.acts import Act, acts_of, verb_of, verbs_done, words_for
from analyzer.speech.heard import heard
from analyzer.text.clip import clip, clip_words
from analyzer.text.late import late
from analyzer.text.plain import holds_any
from analyzer.text.sentences import sentences as plain_sentences
from analyzer.timeline import Timeline
from analyzer.timeline.calls.arguments import tool_words
from analyzer.timeline.closing.ending import Claim, final_text, is_command_line

_PROMISES = late(
    r"^(?!\W*(?:if|once|before|let|next)\b)[^?]*(?<!\bI )\b(?:should|will|would)(?: now| also| fully)? (?:resolve|fix"
    r"|address|solve|prevent|allow|enable|let|make|ensure|work|handle|support)\b",
    re.IGNORECASE,
)
"""What a claim about the work says that is a promise."""
_OF_TOOL = late(
    r"\b(?:edits?|changes?|modifications?|lines?|files?|scripts?|imports?|director(?:y|ies)|packages?|patch|duplicat\w+|dependenc\w+)\b"
    r"[^.\n]{0,60}\b(?:applied|removed|deleted|saved|created|inserted|installed|restored|cleaned)\b",
    re.IGNORECASE,
)
"""What a sentence says that reports what a tool did to a file."""
_CLAIMS = frozenset({Act.DONE, Act.CHECKED})
_LONGEST = 240


def claim_quote(timeline: Timeline, actions: Sequence[Action], claim: Claim, since: int) -> Evidence:
    """The last sentence after a step that claims something of the work, with the step at which it's said; where none
    does, the words with which the session ends."""
    for tool_too in (False, True):
        for step, text in _said(timeline, actions, since):
            for part in reversed(_sentences(text)):
                claims = acts_of(part, among=_CLAIMS) or _PROMISES.search(part)
                if claims and (tool_too or not _OF_TOOL.search(part)):
                    return Evidence(step=step, quote=clip_words(part, _LONGEST))
    last = actions[-1]
    if last.kind is Kind.FINISH and last.operation.command is not None and not (last.said or timeline.closing()):
        called = last.operation.command or final_text(last)
        return Evidence(step=last.step, label="called", quote=clip(called, _LONGEST))
    said = [] if says_something(claim.words) else [*filter(says_something, _sentences(last.said))]
    return Evidence(step=claim.step, quote=clip_words(said[-1], _LONGEST) if said else claim.words)


def _sentences(text: str) -> list[str]:
    return [entry.text for entry in plain_sentences(text[-8_000:])]


def _said(timeline: Timeline, actions: Sequence[Action], since: int) -> Iterator[tuple[int, str]]:
    """What the agent said after a step, the last first."""
    last = actions[-1]
    yield last.step, timeline.closing()
    if not is_command_line(timeline, last):
        yield last.step, final_text(last)
    yield from ((one.step, one.said) for one in takewhile(lambda one: one.step > since, reversed(actions)))


_LONGEST_CALL = 60_000
MARKS = "`'\"*_.,:;()[]"
"""What stands around a name in a sentence."""
_SELF = late(r"(?:^|[.,:;\n] ?|\band )(?:I|[Ww]e)\b")
"""Who did it is said: of what is only said to have happened, a tool may have seen to."""
_CLAUSES = late(r"[,;:] |\bso\b")
_ONE_WORD = 30
"""Characters of an argument that may name what a call does."""


class Verdict(StrEnum):
    """How the record stands to a claim."""

    BORNE_OUT = "borne out"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    OPEN = "open"


_ORDERED = late(
    r"(?:^|[.,;\n] ?|\b(?:and|then|please|you|to) )(?:e-?)?"
    r"(mail|message|notify|text|tell(?! (?:me|us))|let(?! (?:me|us|you)))\b"
)
"""What a user orders in a clause of its own."""
_BY_SERVICES = frozenset({"send", "email"})
_CHANNELS = ("text message", "sms")
"""What a service may do by itself when it carries out something else."""


class BoundClaim(Struct, frozen=True):
    """One claim of an answer: the sentence, the verb of the operation that it says was done (`check` for what it says
    checks have shown), how the record stands to it, the call that shows that, and what became of that."""

    quote: str
    verb: str
    verdict: Verdict
    action: Action | None = None
    state: State = State.UNKNOWN


def claims_in(text: str, actions: Sequence[Action], *, whole: bool, asked: str = "") -> Iterator[BoundClaim]:
    """The claims of an answer that something was done outside of the files, about the actions before it. `whole` says
    that nothing else can have done what these calls didn't: no sub-agent, and no earlier session. `asked` is what the
    user wanted, in small letters: what a service may send by itself it's only asked for where that speaks of it."""
    effects: list[Effect] | None = None
    for said in heard(text):
        for verb in verbs_done(said.quote):
            if effects is None:
                effects = [effect for action in actions for effect in effects_of(action)]
            yield _of_operation(said.quote, verb, actions, effects, whole=whole, asked=asked)


def _of_operation(
    quote: str, verb: str, actions: Sequence[Action], effects: Sequence[Effect], *, whole: bool, asked: str
) -> BoundClaim:
    words, small, unknown = words_for("operations", verb), quote.lower(), BoundClaim(quote, verb, Verdict.OPEN)
    if not words and effects:
        return unknown
    tried = [
        one
        for one in effects
        if holds_any(f"{one.kind} {one.what}".lower(), words)
        and (one.action.operation.command is not None or holds_any(small, tool_words(one.what)[1:]))
    ]
    last = next((effect for effect in reversed(tried) if effect.state is State.DONE), None)
    if last is not None:
        return BoundClaim(quote, verb, Verdict.BORNE_OUT, last.action, last.state)
    undone = [effect.action for effect in tried if effect.state in (State.FAILED, State.REFUSED)]
    named = [action for action in actions if action not in undone and holds_any(_called(action), words)]
    ran = (one for one in actions if one.kind is Kind.RUN and one.failure is None)
    if any(action.failure is None for action in named) or any(verb in (one.result or "").lower() for one in ran):
        return unknown
    if tried and len(undone) == len(tried):
        return BoundClaim(quote, verb, Verdict.CONTRADICTED, tried[-1].action, tried[-1].state)
    places = [word for word in map(str.strip, quote.split(), repeat(MARKS)) if "/" in word]
    there = [action for action in actions if holds_any(action.operation.command or "", places)]
    if there:
        failed = all(action.failure is not None for action in there)
        return BoundClaim(quote, verb, Verdict.CONTRADICTED, there[-1], State.FAILED) if failed else unknown
    ordered = any(word in words for word in _ORDERED.findall(asked))
    ordered = ordered or any(channel in small and channel in asked for channel in _CHANNELS)
    served = verb in _BY_SERVICES and any(
        one.state is State.DONE and one.action.operation.command is None and one.kind != "edit" for one in effects
    )
    if served and (_SELF.search(quote) is None or not ordered):
        return unknown
    # "It's merged, so I removed it" doesn't say by whom it was merged.
    clauses = [part for part in _CLAUSES.split(quote) if any(verb_of(word) == verb for word in words_of(part))]
    by_agent = any(map(_SELF.search, clauses or [quote])) or (
        verb not in words_for("clauses", "stative") and all(action.kind is not Kind.OTHER for action in actions)
    )
    about = [word for word in words_for("operation_objects", verb) if word in small.split()]
    spoken = ((one, f"{one.tool} {one.arguments} {one.result}".lower()) for one in actions)
    can = (one for one, text in spoken if not about or one.operation.command is not None or holds_any(text, about))
    if named or not whole or not by_agent or any(map(may_have_done, can)):
        return unknown
    return BoundClaim(quote, verb, Verdict.UNSUPPORTED)


def _called(action: Action) -> str:
    """What a call does by its own words, in small letters: its tool, its command line, and arguments of one word."""
    if action.kind in QUIET or "draft" in tool_words(action.tool):
        return ""
    if isinstance(action.arguments, str):
        return f"{action.tool} {action.arguments[:_LONGEST_CALL]}".lower()
    values = (value for value in action.arguments.values() if isinstance(value, str))
    single = " ".join(value for value in values if len(value) <= _ONE_WORD and value.isidentifier())
    return f"{action.tool} {(action.operation.command or '')[:_LONGEST_CALL]} {single}".lower()


def may_have_done(action: Action) -> bool:
    """Whether a call may have done anything for all that is known: a tool that is no shell, editor or viewer, or one
    whose result isn't known."""
    operation = action.operation
    unnamed = action.kind is Kind.OTHER and not operation.commands and not action.task_done
    scripts = action.kind not in QUIET and any(
        one.text.startswith(("./", "bin/", "scripts/"))
        or one.text.endswith(".sh")
        or knows(one.program, Does.RECIPE)
        or row_of(one.program) is None
        for one in (operation.commands if operation.runner is None else ())
    )
    open_end = action.kind is Kind.RUN and action.status is Status.UNKNOWN and action.failure is None
    return scripts or open_end or (unnamed and tool_verb(action.tool) is None)
