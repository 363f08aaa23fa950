"""What the user asked for: a loss that somebody wants is none.

A loss, as the rules find it, before it's a finding.

What a push by force writes over."""

from __future__ import annotations

import re
from collections import deque

from analyzer.commands.git import git_call
from analyzer.detectors.signals.git_output import made, output_of, overwritten, same_hash
from analyzer.model.action import Action
from analyzer.model.struct import Struct, replace
from analyzer.model.words import Severity
from analyzer.speech.acts import words_for
from analyzer.task.acts import (
    DELETING,
    TIDYING,
    AskedAct,
    Spoken,
    clauses_of,
    sentence_speaks,
    spoken_of,
    told_to_run_any,
)
from analyzer.task.prose import sentences
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.names import name_set


class DestructiveEffect(Struct, frozen=True):
    """What a command destroys. `steps` are those that show what is lost."""

    kind: str
    severity: Severity
    what: str
    advice: str
    steps: tuple[int, ...] = ()


_LONGEST = 20_000
_MOST = 20
_PLACE = late(r"`|[\w@~.-]*[/\\][\w.-]|(?<!\w)[\w@-][\w@.-]*\.[A-Za-z]\w{0,7}(?!\w)|(?<!\w)@\w")
"""A path, the name of a file, or something set off as code."""
_OUTPUT = late(r"\b(?:build|compiled|generated|cache[ds]?|temp(?:orary)?|logs?|artifacts?|outputs?)\b", re.IGNORECASE)
_OF_OTHERS = name_set("all everything uncommitted local working reset clean discard head")
"""How a sentence speaks of more than what the agent made."""


class UserRequests:
    """The task and the last messages of the user, each held against a loss only when somebody asks."""

    def __init__(self, task: str) -> None:
        self._texts: deque[str] = deque(maxlen=_MOST)
        self.add(task)

    def add(self, text: str) -> None:
        """Take the next message of the user."""
        self._texts.append(text[:_LONGEST])

    def wants(self, act: AskedAct, *, to_others: bool = False) -> bool:
        """Whether the user said that such a thing is to be done, or may be; with `to_others` not only to what the agent
        made itself ("undo your change")."""
        for text in self._texts:
            parts = sentences(text) if to_others else ()
            wide = (part for part in parts if not _OF_OTHERS.isdisjoint(part.lower().replace(",", "").split()))
            theirs = "\n".join(wide) if to_others else text
            if _wants(theirs, act):
                return True
        return False

    def speak_of(self, path: str) -> bool:
        """Whether the user named a file."""
        return any(path.rsplit("/", 1)[-1] in text for text in self._texts)

    def means_all(self) -> bool:
        """Whether the user spoke of all of something."""
        whole = {*words_for("clauses", "whole"), "everything", "empty"}
        return any(not whole.isdisjoint(text.lower().split()) for text in self._texts)

    def mean_output(self) -> bool:
        """Whether all that the user asked to have removed is what programs make: builds, caches, logs."""
        asked = [
            clause
            for text in self._texts
            for sentence in sentences(text)
            for clause in clauses_of(sentence)
            if sentence_speaks(clause, DELETING) is Spoken.ASKED
        ]
        return bool(asked) and all(_OUTPUT.search(clause) is not None for clause in asked)

    def leave_open(self) -> bool:
        """Whether the user asked for a removal in words that name no file or folder, so that many may be meant."""
        return any(
            sentence_speaks(clause, DELETING) is Spoken.ASKED and _PLACE.search(clause) is None
            for text in self._texts
            for sentence in sentences(text)
            for clause in clauses_of(sentence)
        )

    def unless(self, act: AskedAct, effect: DestructiveEffect) -> DestructiveEffect | None:
        """The loss, unless the user said that it's to be."""
        return None if self.wants(act) else effect

    def name(self, path: str) -> bool:
        """Whether the user named the file or directory in a turn that asks for deleting or replacing, or asked for
        files to be deleted."""
        base = path.rsplit("/", 1)[-1]
        return any(base in text and _wants(text, DELETING) for text in self._texts) or self.wants(TIDYING)


def _wants(text: str, act: AskedAct) -> bool:
    return spoken_of(text, act) >= Spoken.MEANT or told_to_run_any(text, act)


class Commits:
    """The hashes of the commits that the agent made."""

    def __init__(self) -> None:
        self._own: list[str] = []

    def note(self, action: Action) -> None:
        """Take what a call made."""
        if any(map(git_call, action.operation.commands)):
            self._own.extend([found for _, found in made(output_of(action))][: _MOST - len(self._own)])

    def made_by_agent(self, name: str) -> bool:
        """Whether the agent made a commit, given as far as its hash is printed."""
        return any(same_hash(name, own) for own in self._own)


def forced_over(effect: DestructiveEffect, action: Action, commits: Commits) -> DestructiveEffect | None:
    """What a push by force destroys, with the last commit that it wrote over; None where the agent had made that one
    itself, as after an amendment."""
    old = overwritten(output_of(action)) if effect.kind == "force-push" else None
    if old is None:
        return effect
    if commits.made_by_agent(old):
        return None
    return replace(effect, what=f"{effect.what}; its last commit was {code(old[:10])}, which the agent hadn't made")
