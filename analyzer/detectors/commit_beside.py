"""The agent says that it commits only a part, but the commit contains more.

What it flags
    A statement before a commit that only one thing, or a number of files, is committed ("I'll commit only the parser
    fix", "staging just the two files"), where the commit's own result counts more files than that or than the agent's
    calls had staged by name, or names a file that no call staged, edited or made.

Why it matters
    Changes staged by somebody else, or left over from another task, are committed under the message of this one.

What it does not flag
    Commits without such a statement, those for which the agent staged whole folders, files that the statement names, a
    commit that is undone or amended later, and statements after which the user wrote again.

Options
    None.

Example:
    Before step 20 the agent says "I'll commit only the parser fix", `git add parser.py` stages it, and `git commit`
    answers "2 files changed", with "create mode 100644 logo.svg".

"""

from __future__ import annotations

import re
from collections.abc import Iterable

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector
from analyzer.detectors.engine.traits import Trait
from analyzer.detectors.signals.commits.scope import Commit, Staging, beside, staged, takes_back
from analyzer.detectors.signals.speech import own_words, sentences
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.session import Message
from analyzer.model.words import MAIN_LANE, Category, Severity
from analyzer.text.clip import clip, clip_path
from analyzer.text.english import plural
from analyzer.text.late import late
from analyzer.text.markdown import code

_WITHIN = 10
"""Calls between the words and the commit."""
_VERB = r"(?:commit(?:s|ting)?|stag(?:e|es|ing)|includ(?:e|es|ing)|add(?:ing|s)?(?= \S{0,40} to the commit))"
_ONLY = late(
    rf"\b(?:I(?:'ll| will|'m(?: going to)?| am(?: going to)?)?|let me|let's|now|will|to)\b[^.\n;]{{0,40}}\b{_VERB}"
    r"(?: and push)? (?:only|just|nothing but|solely)\b"
    rf"|\b(?:I'll|I will|let me|I'm|I am|let's|now)\b[^.\n;]{{0,20}}\b(?:only|just|solely) {_VERB}\b"
    rf"|^\W{{0,4}}{_VERB} (?:only|just|nothing but|solely)\b"
    rf"|^\W{{0,4}}(?:only|just) {_VERB}\b(?=[^.\n]{{0,60}}\b(?:files?|changes?|fix|feature)\b)"
    rf"|(?:^\W{{0,4}}|\b(?:I'll|I will|I'm|I am|let me|let's|now)\b[^.\n;]{{0,20}})"
    rf"{_VERB}\b[^.\n;]{{1,60}} only(?=\W*$|\W*[(,:])",
    re.IGNORECASE,
)
_OPEN = late(
    r"\?|\b(?:if you|should I|shall I|would you|want me|you can|you could|once you|when you|if I)\b", re.IGNORECASE
)
_NUMBERS = {"one": 1, "single": 1, "two": 2, "both": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_COUNT = late(
    r"\b(?:only|just)\b(?: \w+){0,2}? (?P<count>\d{1,3}|one|single|two|both|three|four|five|six|seven)"
    r"(?: [\w-]+){0,3}? files?\b",
    re.IGNORECASE,
)
_GUIDANCE = {
    "": Guidance(
        questions=("What else was staged when step {last} committed?",),
        approaches=(
            (
                "Look at what is staged",
                "Ask `git diff --cached --stat` before the commit, and unstage what isn't meant.",
            ),
            ("Commit by name", "Name the files to `git commit`, so that nothing else that is staged goes with them."),
        ),
        improvement="Commit by name where only a part is meant",
        change="Have the agent compare the files that are staged with those that it means before it commits.",
        lesson="A commit takes all that is staged, whoever staged it.",
    )
}


class CommitBeside(Detector):
    """One finding for each such commit."""

    name = "commit-beside"
    category = Category.EDIT
    taxonomy = Taxonomy.of(mast=["FM-2.6"], trail=["Goal Deviation"])
    traits = frozenset({Trait.RESULT_ONLY})
    guidance = _GUIDANCE
    cause_name = "commit beyond what was said"

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The commits of the main lane that take in more than was said before."""
        staging, said, since = Staging(), None, 0
        edited: list[str] = []
        found: list[tuple[Commit, Evidence, str]] = []
        for event in facts.events(MAIN_LANE):
            if isinstance(event, Message):
                if event.role == "user":
                    said = None
                elif event.role == "assistant" and (words := _announced(event.text)) is not None:
                    said, since = words, 0
                continue
            since += 1
            if event.harness:
                continue
            edited.extend(entry.path for entry in event.operation.edits)
            edited.extend(event.operation.writes)
            commit = staging.learn(event)
            if takes_back(event):
                found.clear()
            if commit is None:
                continue
            more = _more(commit, said, edited) if said is not None and since <= _WITHIN else None
            if said is not None and more is not None:
                found.append((commit, Evidence(step=event.step, quote=said), more))
            said = None
        for commit, quote, more in found:
            yield _finding(facts, commit, quote, more)


DETECTOR = CommitBeside()


def _announced(text: str) -> str | None:
    """The sentence by which the agent says that it commits only a part."""
    if (
        "only" not in (low := text.casefold())
        and "just" not in low
        and "solely" not in low
        and "nothing but" not in low
    ):
        return None
    for sentence in sentences(text):
        words = own_words(sentence.words[:600])
        if _ONLY.search(words) is not None and _OPEN.search(words) is None:
            return clip(sentence.quote, 300)
    return None


def _more(commit: Commit, words: str, edited: list[str]) -> str | None:
    """What a commit takes in beyond the words, as the end of a sentence; None where it keeps to them."""
    others = beside(commit, words, edited)
    if others:
        names = code(clip_path(others[0], 80)) + (f" and {len(others) - 1} more" if len(others) > 1 else "")
        return f"among them {names}, which no call staged or edited"
    counted = _COUNT.search(words)
    if counted is not None:
        number = counted["count"].casefold()
        meant = _NUMBERS.get(number) or int(number if number.isdigit() else 0)
        return f"more than the {meant} of which it speaks" if 0 < meant < commit.files else None
    named = sum(commit.staged is not None and not staged(commit, name) for name in commit.names)
    if commit.staged and commit.files - named > len(commit.staged):
        return f"and its calls had staged {len(commit.staged)} by name"
    return None


def _finding(facts: Facts, commit: Commit, said: Evidence, more: str) -> Finding:
    action: Action = commit.action
    title = (
        f"The agent says that it commits only a part, and the commit of step {action.step} holds "
        f"{plural(commit.files, 'file')}, {more}"
    )
    return CommitBeside.finding(
        severity=Severity.MEDIUM,
        confidence=0.8,
        title=title,
        steps=[action.step],
        detectable_at=action.step,
        evidence=[
            Evidence(step=action.step, quote=commit.counted),
            said.model_copy(update={"label": "the agent said"}),
        ],
        advice=[f"Look at what the commit of step {action.step} holds, and take out what isn't part of the change."],
        cost=facts.cost(MAIN_LANE, action.step, action.step),
    )
