"""Requests that a function of an application carries out: to add, change, remove or send one thing, by the verb at the
head of the function's name, what it acts on, and a result that says that it was done."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rules.verdict import outcome
from analyzer.model.action import Action
from analyzer.model.postmortem import Outcome
from analyzer.model.words import Basis, Kind, OutcomeStatus, Status
from analyzer.task.asked import asked_in
from analyzer.task.prose import sentences
from analyzer.text.clip import clip_words
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.names import name_set
from analyzer.timeline.verification.proof import Proof

_REMOVES = name_set("delete remove cancel clear drop")
_ALIKE = (
    name_set("create add make insert save store register record open book schedule append"),
    name_set("update change edit modify set adjust"),
    name_set("rename"),
    _REMOVES,
    name_set("send email post message notify forward"),
    name_set("close resolve"),
    name_set("assign"),
    name_set("archive"),
    name_set("enable activate"),
    name_set("disable deactivate"),
)
"""Verbs by which a request and a function's name mean the same."""
_DONE = {"send": "sent", "make": "made", "cancel": "cancel+ed", "drop": "dropped", "set": "updated", "reset": "reset"}
_OPENS = late(
    r"(?:(?:please|now|ok(?:ay)?|great|thanks|can you|could you|would you|will you|i(?:['’]d| would)? (?:want|like) "
    r"you to|i need you to|go ahead and|just)\b[\s,:]{0,3}){0,4}(?P<verb>[a-z]+)\b(?P<rest>[^.?!]*)[.?!]*\s*\Z",
    re.IGNORECASE,
)
_SEVERAL = late(
    r",|;|\b(?:and|then|but|or|unless|if|when|not|without|only|after|before|each|every|all)\b", re.IGNORECASE
)
"""What asks for more than one thing, or for one on a condition."""
_WHERE = late(r"\b(?:to|into|onto|in|on|from|for|with|as)\b", re.IGNORECASE)
_WORD = late(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PREFIX = late(r"^.*(?:__|[./:])")
_SAYS_NOTHING = name_set("a an the this that it them these those my our your me us new one another please of to by")
_LONGEST, _READ = 300, 2_000
_SUCCESS = late(
    r"\"?(?:success|ok)\"?[ \t]{0,3}[:=][ \t]{0,3}true\b|\"?(?:status|result)\"?[ \t]{0,3}[:=][ \t]{0,3}\"?"
    r"(?:success(?:ful)?|succeeded|completed|done)\b\"?",
    re.IGNORECASE,
)
_NOT_DONE = late(
    r"\b(?:not|never|no|none|nothing|0|fail\w*|error\w*|pending|queued|would|will|to be|already|previously|draft"
    r"|dry[- ]?run|simulat\w+|preview|partial\w*|skipped|unless|cannot)\b|n['’]t\b",
    re.IGNORECASE,
)
_CLAUSE = late(r"[^.!?\n{}]{0,200}")


@dataclass(frozen=True, slots=True)
class _RequestedChange:
    """One thing that is asked for: the verbs that mean it, what it's done to, where, and what the call must hold."""

    verbs: frozenset[str]
    what: frozenset[str]
    where: frozenset[str]
    values: frozenset[str]


def applied(end: End) -> Outcome | None:
    """The user asked last for one thing that a function does, and its result says that it was done."""
    if end.edits or not end.reported_done or (end.best is not None and end.proof(end.best) >= Proof.TURNED):
        return None
    asked = asked_in(end.session)
    wish = _wish(asked[-1].turn.text) if asked else None
    if wish is None:
        return None
    within = [action for action in end.actions if asked[-1].first <= action.step < asked[-1].end]
    acting = [action for action in within if _is_function(action) and _verb(action.tool) is not None]
    last = {action.tool: action for action in acting}
    if any(action.status is not Status.OK or action.failure is not None for action in last.values()):
        return None
    for action in reversed(acting):
        if _verb(action.tool) in _REMOVES and not wish.verbs & _REMOVES:
            return None  # what was made may be gone again
        said = _says_done(action, wish.verbs) if _does(action, wish) else None
        if said is not None:
            answer = f"{code(action.tool)} at step {action.step} answers {code(said)}"
            reason = f"What the user asked for last was done: {answer}."
            return outcome(OutcomeStatus.SUCCEEDED, 0.75, Basis.DELIVERABLE, reason, action)
    return None


def _wish(text: str) -> _RequestedChange | None:
    """What a turn asks for where that is one thing; None where it's anything more, less or else."""
    found = list(sentences(text)) if len(text) <= _LONGEST else []
    match = _OPENS.match(found[0].strip()) if len(found) == 1 else None
    verbs = next((group for group in _ALIKE if match is not None and match["verb"].lower() in group), None)
    if match is None or verbs is None or _SEVERAL.search(match["rest"]) is not None:
        return None
    what, *where = _WHERE.split(match["rest"], maxsplit=1)
    quoted = " ".join(re.findall(r"[\"'`“‘]([^\"'`”’]+)[\"'`”’]", match["rest"]))
    values = {word for word in _words(match["rest"]) if word.isdecimal()} | _words(quoted)
    return _RequestedChange(verbs, _words(what), _words(" ".join(where)), frozenset(values))


def _is_function(action: Action) -> bool:
    """Whether an action called a function of which nothing more is known than its name."""
    return action.kind is Kind.OTHER and action.operation.command is None and not action.operation.edits


def _verb(tool: str) -> str | None:
    words = _WORD.findall(_PREFIX.sub("", tool))
    verb = words[0].lower() if len(words) > 1 else ""
    return verb if any(verb in group for group in _ALIKE) else None


def _does(action: Action, wish: _RequestedChange) -> bool:
    """Whether a call does what is asked for, to what is named and where."""
    name = " ".join(_WORD.findall(_PREFIX.sub("", action.tool)))
    acted, *into = _WHERE.split(name, maxsplit=1)
    given = _words(json.dumps(action.arguments, default=str, ensure_ascii=False))
    if _verb(action.tool) not in wish.verbs or not wish.values <= given:
        return False
    if wish.where and into and _words(into[0]) & wish.where:
        return True
    return bool(_words(acted) & wish.what) and (not wish.where or bool(wish.where & (given | _words(name))))


def _says_done(action: Action, verbs: frozenset[str]) -> str | None:
    """The words of a result by which it was done."""
    text = (action.result or "")[:_READ]
    done = re.compile(rf"\b(?:{'|'.join(sorted(map(_participle, verbs)))})\b(?!\"?\s*:)", re.IGNORECASE)
    for clause in _clauses(text):
        if done.search(clause) is not None and _NOT_DONE.search(clause) is None:
            return clip_words(clause, 120)
    found = _SUCCESS.search(text)
    return found[0] if found is not None and _NOT_DONE.search(text) is None else None


def _clauses(text: str) -> Iterator[str]:
    """The sentences of a result, and those within the texts of a JSON value."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield from (clause.strip() for clause in _CLAUSE.findall(one) if clause.strip())
        elif isinstance(one, dict):
            waiting.extend(reversed(one.values()))
        elif isinstance(one, list):
            waiting.extend(reversed(one))


def _participle(verb: str) -> str:
    regular = f"{verb[:-1]}ied" if verb.endswith("y") else f"{verb}d" if verb.endswith("e") else f"{verb}ed"
    return _DONE.get(verb, regular)


def _words(text: str) -> frozenset[str]:
    """The words of a text that name something, in the singular."""
    words = (word.lower() for word in _WORD.findall(text))
    return frozenset(word[:-1] if word.endswith("s") and len(word) > 3 else word for word in words) - _SAYS_NOTHING
