"""What an agent tells of its sub-agents against what they answered: tests that pass, figures, names of files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analyzer.detectors.signals.report_claims import report_claims
from analyzer.detectors.signals.speech import Sentence, sentences
from analyzer.model.action import Action
from analyzer.model.words import Kind
from analyzer.text.clip import clip, clip_words
from analyzer.text.late import late
from analyzer.text.markdown import code

_FAILING = late(
    r"\b[1-9]\d{0,5} (?:of (?:the )?(?:\d+ )?)?(?:\w+ )?(?:tests?|specs?|cases?|suites?) "
    r"(?:still |now |are |is ){0,2}fail\w*"
    r"|\b[1-9]\d{0,5} (?:failed|failures?|failing)\b"
    r"|\b(?:tests?|specs?|suite) (?:still |are still |is still |are |is )?fail(?:s|ing)?\b"
    r"|\b(?:could(?:n't| not)|was(?:n't| not) able to|unable to|did(?:n't| not)) (?:run|execute) "
    r"(?:the |any |all )?tests?\b"
    r"|\btests? (?:were|was|have) (?:not|n't) (?:been )?(?:run|executed)\b",
    re.IGNORECASE,
)
_OVERCOME = late(
    r"\b(?:fixed|now pass\w*|before|initially|previously|used to|was failing|were failing|until|unrelated|pre-?existing"
    r"|on main|if|would|expected|should|no longer|not)\b|n't\b",
    re.IGNORECASE,
)
_ABOUT_TESTS = late(r"\b(?:tests?|specs?|suite)\b[^.\n]{0,60}\b(?:pass|fail|green|run|ran)\w*", re.IGNORECASE)
_PASS = late(r"\b(?:tests?|specs?|suite) (?:all |now |are )?(?:pass(?:es|ed|ing)?|green)\b", re.IGNORECASE)
_NOT_RUN = late(r"\b(?:not|unable|n't)\b|n't\b", re.IGNORECASE)
_TOLD = late(
    r"\b(?:(?:sub-?)?agents?|delegates?|reviewers?|explorers?|workers?)\b[^.\n]{0,60}"
    r"\b(?:found|reported|identified|confirmed|listed|counted|returned|says?|said|fixed|changed|created|updated)\b",
    re.IGNORECASE,
)
_FIGURE = late(r"(?<![\w.,#$%/:-])(?P<number>[1-9]\d{0,5}) (?:\w+ ){0,2}?(?P<noun>[a-z]{4,20}s)\b(?!-)", re.IGNORECASE)
_MADE = late(
    r"\b(?:created|added|wrote|written|generated|produced|updated|changed|modified|implemented|saved)\b", re.IGNORECASE
)
_NOT_MADE = late(
    r"\b(?:not|no|never|will|would|could|should|can|may|might|if|to be|need\w*|want|later|next|todo|e\.g|such as|like"
    r"|example|consider|suggest\w*|recommend\w*)\b|n't\b|\?",
    re.IGNORECASE,
)
_FILE = late(r"`(?P<path>(?:[\w@.-]+/)*[\w@-][\w@.-]*\.[A-Za-z]{1,5})`")
_VARIES = frozenset(
    {"seconds", "minutes", "hours", "steps", "tokens", "lines", "times", "rounds", "agents", "subagents", "percents"}
)
_LONGEST = 60_000


@dataclass(frozen=True, slots=True)
class Retold:
    """A sentence of the report that isn't what a sub-agent answered: the step of its answer, what it says, and how
    the report differs, as a clause. `fails` says that the answer speaks of failing tests."""

    step: int
    quote: str
    answer: str
    what: str
    fails: bool = False


def delegations(actions: Sequence[Action]) -> list[Action]:
    """The calls that sent a sub-agent off, as far as an answer of it is recorded."""
    return [
        action
        for action in actions
        if action.result is not None and not action.operation.commands and action.asks_agent
    ]


def retold(closing: str, actions: Sequence[Action], everything: Sequence[Action], known: str) -> Iterator[Retold]:
    """Where the report at the end isn't what the sub-agents of a lane's actions answered. `everything` are the actions
    of all lanes in file order, `known` what the user said."""
    answered = [action for action in delegations(actions) if (action.result or "").strip()]
    if not answered:
        return
    tests = _tests(closing, answered, everything)
    if tests is not None:
        yield tests
    for sentence in sentences(closing):
        figure = _figure(sentence, answered, everything, known)
        if figure is not None:
            yield figure
        name = _name(sentence, answered, everything, known)
        if name is not None:
            yield name


def _tests(closing: str, answered: Sequence[Action], everything: Sequence[Action]) -> Retold | None:
    """All tests are said to pass; the last answer that speaks of tests says that some fail or that none ran."""
    claims = [claim.quote for claim in report_claims(closing) if claim.all_tests]
    last = next((action for action in reversed(answered) if _speaks_of_tests(action.result or "")), None)
    if not claims or last is None:
        return None
    failing = _failing_sentence(last.result or "")
    place = next(number for number, action in enumerate(everything) if action is last)
    if failing is None or any(
        action.failure is None and action.kind is Kind.TEST for action in everything[place + 1 :]
    ):
        return None
    what = f'says that all tests pass; the sub-agent of step {last.step} answered "{clip_words(failing, 120)}"'
    return Retold(last.step, claims[0], failing, what, fails=True)


def _speaks_of_tests(text: str) -> bool:
    return _ABOUT_TESTS.search(text[:_LONGEST]) is not None or _FAILING.search(text[:_LONGEST]) is not None


def _failing_sentence(text: str) -> str | None:
    """The last sentence about failing tests, where none after it says that they pass."""
    found: str | None = None
    for sentence in sentences(text[:_LONGEST]):
        match = _FAILING.search(sentence.words)
        if match is not None:
            rest = sentence.words[: match.start()] + sentence.words[match.end() :]
            if _OVERCOME.search(rest) is None:
                found = sentence.quote
        elif _PASS.search(sentence.words) is not None and _NOT_RUN.search(sentence.words) is None:
            found = None
    return found


def _figure(sentence: Sentence, answered: Sequence[Action], everything: Sequence[Action], known: str) -> Retold | None:
    """A number that a sentence about a sub-agent gives, where its answer counts the same things otherwise."""
    if _TOLD.search(sentence.words) is None:
        return None
    for figure in _FIGURE.finditer(sentence.words):
        number, noun = figure["number"], figure["noun"].lower()
        if noun in _VARIES or _holds(number, [*(action.result or "" for action in everything), known]):
            continue
        others = [
            (action, found)
            for action in answered
            for found in _FIGURE.finditer((action.result or "")[:_LONGEST])
            if found["noun"].lower() == noun
        ]
        counts = {int(found["number"]) for _, found in others}
        if not others or int(number) in (sum(counts), sum(int(found["number"]) for _, found in others)):
            continue
        action, found = others[-1]
        told = " ".join(found[0].split())
        what = f'says "{clip(figure[0], 60)}"; the sub-agent of step {action.step} answered "{clip(told, 60)}"'
        return Retold(action.step, sentence.quote, told, what)
    return None


def _name(sentence: Sentence, answered: Sequence[Action], everything: Sequence[Action], known: str) -> Retold | None:
    """A file that the report says was made, and that neither an answer nor any step names."""
    if _MADE.search(sentence.words) is None or _NOT_MADE.search(sentence.words) is not None:
        return None
    for found in _FILE.finditer(sentence.quote):
        name = found["path"].rsplit("/", 1)[-1]
        if _holds(name, [known, *(action.result or "" for action in everything), *map(_called, everything)]):
            continue
        last = answered[-1]
        what = f"names {code(clip(found['path'], 80))}, which neither an answer of a sub-agent nor any step names"
        return Retold(last.step, sentence.quote, " ".join((last.result or "").split())[:200], what)
    return None


def _holds(part: str, texts: Sequence[str]) -> bool:
    word = re.compile(rf"(?<![\w.]){re.escape(part)}(?!\w)")
    return any(word.search(text) is not None for text in texts)


def _called(action: Action) -> str:
    if isinstance(action.arguments, str):
        return action.arguments
    return json.dumps(action.arguments, default=str, ensure_ascii=False)
