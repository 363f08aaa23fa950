"""What a sentence of the user is about, and whether two sentences want the same.

Lines for the file of instructions that an agent reads, from what a user had to say again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.speech.acts import Act, acts_of
from analyzer.task.corrections import Correction, CorrectionKind
from analyzer.task.names import names_of
from analyzer.task.prose import sentences
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.names import name_set

_LONGEST = 200
_WORD = late(r"[\w@][\w@./+-]*\w|\w")
_EMPTY = name_set(
    "a an the this that these those it its is are was were be been am do does did done doing has have had i you he she "
    "we they me my your our their us of to in on at by for from with into onto as and or but not no nope yes "
    "if so then than there here what which who when where why how can could should would will shall may must please "
    "just now again still already said told asked asking meant mean like also too very really use using used instead "
    "want wanted need only same one ones thing things get gets got make makes let lets don't doesn't didn't isn't "
    "won't can't always never all any some other rather ok okay hey hi um hmm well sorry broken fails failing fail "
    "failed works work working error errors problem issue wrong"
)
_TELLS = frozenset({Act.REQUESTS, Act.FORBIDS})


def topic(sentence: str) -> frozenset[str]:
    """The words that say what a sentence is about."""
    words = (word.lower().replace("’", "'") for word in _WORD.findall(sentence[: 2 * _LONGEST]))
    telling = [word for word in words if word not in _EMPTY and len(word) > 1 and not word.isdigit()]
    plurals = {word for word in telling if len(word) > 3 and word.endswith("s") and not word.endswith("ss")}
    return frozenset(word[:-1] if word in plurals else word for word in telling)


def instructions(text: str) -> Iterator[str]:
    """The sentences of a turn that tell the agent what to do; longer ones hold more than one thing."""
    for sentence in sentences(text):
        if len(sentence) <= _LONGEST and not sentence.endswith("?") and acts_of(sentence, "user", _TELLS):
            yield sentence


def about_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sentences are about the same: at least half of the words of both together are in both."""
    return bool(one) and 2 * len(one & other) >= len(one | other)


_RULE = 240
"""Characters of a line that is the user's own sentence; a longer one isn't made."""


def rule_line(wish: str, corrections: Sequence[Correction]) -> str:
    """The line for the instructions file that would have prevented some corrections of one thing, or kept the wish that
    they repeat; empty where it would name nothing, or a sentence would have to be cut."""
    named = next((entry for entry in corrections if entry.unwanted is not None), None)
    wanted = next((entry.wanted for entry in corrections if entry.wanted is not None), None)
    if named is not None:
        return f"Use {code(named.wanted or '')}, not {code(named.unwanted or '')}."
    if wish:
        return " ".join(wish.split()) if len(wish) <= _RULE else ""
    if wanted is not None:
        return f"Use {code(wanted)}."
    named_by = [names_of(correction.quote) for correction in corrections]
    names = [name for found in named_by for name in (*found.files, *found.symbols)]
    match corrections[0].kind:
        case CorrectionKind.STILL_WRONG if names:
            return (
                f"Before reporting a repair of {code(names[0])}, reproduce what was reported and show that it's gone."
            )
        case CorrectionKind.WRONG if names:
            return (
                f"Before a change of {code(names[0])}, say what exactly is meant; after it, compare with the request."
            )
        case _:
            return ""
