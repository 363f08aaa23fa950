"""What the user asked to use was refused or is missing, something else was used, and the agent doesn't say so.

What it flags
    A tool or program that the user asked for by name and whose calls all were refused or found it missing, where a
    later call of something else worked, and the agent afterwards neither names the tool nor mentions a refusal.

Why it matters
    The user assumes that the answer comes from the requested source.

What it does not flag
    A tool that worked once, one that the user mentions without asking for it, a failure of what it was used for (tests
    that fail), sessions in which the user wrote something afterwards, and answers that name the tool or say that
    something was refused or missing. Severity is lower where a person refused the calls, and so knows about it.

Options
    None.

Example:
    "Use Soundings": the only call of `soundings_search` is refused at step 1, step 2 fetches a page, and the answer
    gives its number without mentioning this.

"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector
from analyzer.detectors.signals.quoted import quoted
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.session import Message
from analyzer.model.words import MAIN_LANE, Category, FailureKind, Kind, Severity, Status
from analyzer.task.prose import sentences
from analyzer.text.clip import clip, clip_words
from analyzer.text.english import listed, one_or_many
from analyzer.text.expressions import compiled
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.timeline.closing.decisions import is_decision
from analyzer.timeline.closing.ending import final_text

_NAME = r"[`\"'“]?[A-Za-z][\w.@/-]*\w[`\"'”]?"
_ASKS = late(
    r"(?:^|[.;,:!?()–—-]\s*|\b(?:please|and|then|must|should|always|only)\s+)(?:use|utilise|benutze|nutze|usa)\s+"
    rf"(?:only\s+|the\s+)*(?P<names>{_NAME}"
    rf"(?:(?:\s*,\s*|\s+(?:and|und|et|y)\s+){_NAME}){{0,3}})(?![\w@/-]|\.\w|\s+(?:or|oder|ou|o)\b)",
    re.IGNORECASE,
)
_FREE = late(
    r"n['’]t\b|\b(?:not|never|without|instead|if|when|unless|may|can|could|how|why|who|users?|feel free|try|able"
    r"|want)\b",
    re.IGNORECASE,
)
"""Sentences that leave it open, forbid it, or speak of others."""
_JOINED = compiled(r"\s*,\s*|\s+(?:and|und|et|y)\s+", re.IGNORECASE)
_PART = compiled(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_TOLD = late(
    r"\b(?:refused|denied|rejected|declined|blocked|permission|not (?:allowed|permitted|available"
    r"|installed)|unavailable|missing|instead|could(?:n['’]t| not)|can(?:['’]t|not)|unable|failed"
    r"|did(?:n['’]t| not) work|without)\b",
    re.IGNORECASE,
)
_NOT_TO_BE_HAD = frozenset(
    {FailureKind.DENIED, FailureKind.COMMAND_NOT_FOUND, FailureKind.MISSING_DEPENDENCY, FailureKind.PERMISSION}
)
_ASIDE = frozenset({Kind.THINK, Kind.PLAN, Kind.FINISH, Kind.WAIT})
_GUIDANCE = {
    "": Guidance(
        questions=("Where does the answer come from, now that the call of step {first} didn't work?",),
        approaches=(("Say so", "Name in the answer what was asked for, that it didn't work, and what was used."),),
        improvement="Tell the user when another way was taken",
        change="{advice}",
        lesson="An answer says where it comes from when that isn't where it was asked to come from.",
    )
}


class AskedMeans(Detector):
    """At most one finding for the same calls."""

    name = "asked-means"
    category = Category.CONTEXT
    taxonomy = Taxonomy.of(mast=["FM-1.1"], trail=["Instruction Non-compliance"])
    guidance = _GUIDANCE
    cause_name = "another means than the one asked for"

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The means that the user asked for, and that nothing says were not used."""
        actions = [action for action in facts.lane(MAIN_LANE) if not action.harness]
        if not actions:
            return
        means: dict[tuple[int, ...], list[tuple[str, str]]] = defaultdict(list)
        for name, sentence in _asked(facts):
            tried = tuple(action.step for action in actions if _is_call_of(action, name))
            if tried:
                means[tried].append((name, sentence))
        for tried, asked in means.items():
            found = _finding(facts, actions, [actions[step - 1] for step in tried], asked)
            if found is not None:
                yield found


DETECTOR = AskedMeans()


def _asked(facts: Facts) -> Iterator[tuple[str, str]]:
    """The names that the user asked to use before the first call, each once, with the sentence."""
    texts = [facts.timeline.session.task or ""]
    for event in facts.events(MAIN_LANE):
        if isinstance(event, Action):
            break
        if event.role == "user":
            texts.append(event.text)
    seen: set[str] = set()
    for text in texts:
        for sentence in sentences(text):
            if _FREE.search(sentence) is not None:
                continue
            for found in _ASKS.finditer(sentence):
                for name in _JOINED.split(found["names"]):
                    plain = name.strip("`\"'“”")
                    if plain.lower() not in seen:
                        seen.add(plain.lower())
                        yield plain, sentence


def _finding(
    facts: Facts, actions: Sequence[Action], tried: Sequence[Action], asked: Sequence[tuple[str, str]]
) -> Finding | None:
    """The finding about the names that some calls stand for; None where one of these worked, or the agent says so."""
    if any(action.failure is None or action.failure.kind not in _NOT_TO_BE_HAD for action in tried):
        return None
    last = tried[-1]
    others = [
        action
        for action in actions
        if action.step > last.step and action.status is Status.OK and action.kind not in _ASIDE
    ]
    words = _words_after(facts, last, actions[-1])
    if not others or words is None or not words.strip():
        return None
    if any(name.lower() in words.lower() for name, _ in asked) or _TOLD.search(words) is not None:
        return None
    kinds = {action.failure.kind for action in tried if action.failure is not None}
    how = "was refused" if kinds <= {FailureKind.DENIED, FailureKind.PERMISSION} else "didn't work"
    where = listed([str(action.step) for action in tried[:4]])
    whose = one_or_many(len(asked), "its", "their")
    calls = (
        f"{whose} only call {how} (step {where})" if len(tried) == 1 else f"each of {whose} {len(tried)} calls {how}"
    )
    # Who refused the calls knows already that they weren't made.
    known = all(is_decision(action) for action in tried)
    instead = others[0]
    names = listed([code(clip(name, 40)) for name, _ in asked[:3]])
    return AskedMeans.finding(
        severity=Severity.LOW if known else Severity.MEDIUM,
        confidence=0.8,
        title=(
            f"The user asked to use {names}: {calls}, step {instead.step} used "
            f"{code(clip(_used(instead), 40))}, and nothing that the agent says after that tells the user"
        ),
        lane=MAIN_LANE,
        steps=[*(action.step for action in tried), instead.step],
        detectable_at=actions[-1].step,
        evidence=[
            Evidence(step=tried[0].step, quote=clip_words(asked[0][1], 200)),
            Evidence(step=last.step, quote=quoted(last)),
        ],
        advice=[
            f"Say in the answer that the call of step {last.step} {how}, and that it comes from step {instead.step}."
        ],
        cost=facts.cost(MAIN_LANE, tried[0].step, instead.step),
    )


def _is_call_of(action: Action, name: str) -> bool:
    """Whether a call is one of a tool or a program of this name: the whole name, or a part of a tool's."""
    own = name.lower()
    parts = {part.lower() for part in _PART.findall(action.tool)}
    return (
        action.tool.lower() == own or own in parts or any(entry.program == own for entry in action.operation.commands)
    )


def _used(action: Action) -> str:
    return next((entry.program for entry in action.operation.commands), "") or action.tool


def _words_after(facts: Facts, last: Action, end: Action) -> str | None:
    """All that the agent says aloud after a call; None where the user spoke after it."""
    words: list[str] = []
    passed = False
    for event in facts.events(MAIN_LANE):
        if isinstance(event, Message):
            if passed and event.role == "user":
                return None
            if passed and event.role == "assistant" and not event.thought:
                words.append(event.text)
        elif event is last:
            passed = True
    return "\n".join([*words, final_text(end)])
