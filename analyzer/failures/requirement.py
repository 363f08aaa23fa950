"""What an error message demands, compared with what the code in the trace gives.

"Need at least 8 knots" next to `knots=[0, 0, 0, 1, 1, 1]` says everything: six were given. Only literals that the code
shows are counted, and only where the message's noun and the argument's name agree or the message itself says how many
it got.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator

from analyzer.failures.literals import Literal, lone_collection, named_literals
from analyzer.model.failure import Failure
from analyzer.model.struct import Struct
from analyzer.model.words import FailureKind
from analyzer.text.late import late
from analyzer.text.markdown import code

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DEMANDS = tuple(
    (
        relation,
        late(rf"(?:{words}) (?P<number>\d{{1,9}}|{'|'.join(_WORDS)}) (?P<noun>[A-Za-z_]\w*{more})", re.IGNORECASE),
    )
    for relation, words, more in (
        (">=", "at least|minimum(?: of)?|no fewer than|not fewer than|>=", r"(?: [a-z]\w*)?"),
        ("<=", "at most|maximum(?: of)?|no more than|<=", ""),
        ("==", "exactly|expected|requires?|must (?:have|contain|be)|needs?", ""),
    )
)
_GOT = late(
    r"\b(?:got|given|found|received|has|have|was|were|not|but)(?: only)? (?P<number>-?\d{1,9})\b", re.IGNORECASE
)
RELATIONS = {">=": "at least", "<=": "at most", "==": "exactly"}
_MEETS = {">=": operator.ge, "<=": operator.le, "==": operator.eq}


class Requirement(Struct, frozen=True):
    """A demand that a literal in the code doesn't meet. `code` is that literal with its name, as shown."""

    relation: str
    number: float
    noun: str
    code: str
    given: float

    @property
    def text(self) -> str:
        """The comparison as a sentence without a full stop."""
        return (
            f"the message asks for {RELATIONS[self.relation]} {self.number:g} {self.noun}, and {code(self.code)} has "
            f"{self.given:g}"
        )


def demands(message: str) -> bool:
    """Whether a message states a demand that a literal may be compared with."""
    return any(pattern.search(message) for _, pattern in _DEMANDS)


def unmet_requirement(
    message: str, shown: Iterable[str], *, bounds_only: bool = False, named: bool = False
) -> Requirement | None:
    """The demand in `message` that a literal in one of the `shown` lines of code fails to meet, or None. With
    `bounds_only` a demand for an exact number counts for nothing: that's how an assertion speaks of a result. With
    `named` only literals count whose name agrees: in code around the call any other collection may have as many entries
    by chance."""
    lines = list(shown)
    for relation, number, phrase in _counted_demands(message):
        if bounds_only and relation == "==":
            continue
        for line in lines:
            for literal, noun in _candidates(line, phrase, "" if named else message):
                if literal.length is not None and not _MEETS[relation](literal.length, number):
                    return Requirement(relation, number, noun, literal.text, literal.length)
    return None


def _counted_demands(message: str) -> Iterator[tuple[str, int, str]]:
    for relation, pattern in _DEMANDS:
        found = pattern.search(message)
        if found is not None:
            word = found["number"].lower()
            yield relation, _WORDS.index(word) + 1 if word in _WORDS else int(word), found["noun"]


def _candidates(line: str, phrase: str, message: str) -> Iterator[tuple[Literal, str]]:
    """Literals whose name agrees with the demand's noun; else the only collection of the line, where the message itself
    says that it got as many entries as that has."""
    agreed = False
    for literal in named_literals(line):
        noun = _agreeing(phrase, literal.name or "")
        if noun is not None:
            agreed = True
            yield literal, noun
    if not agreed:
        got = _GOT.search(message)
        lone = lone_collection(line)
        if got is not None and lone is not None and lone.length == int(got["number"]):
            yield lone, phrase


def _agreeing(phrase: str, name: str) -> str | None:
    """The word of the phrase that names the same thing as an argument, singular and plural alike."""
    parts = (name.lower(), *name.lower().split("_"), *(part.lower() for part in re.findall(r"[A-Za-z][a-z]+", name)))
    words = {part.rstrip("s") for part in parts}
    return next((word for word in phrase.split() if word.lower().rstrip("s") in words), None)


_MODULE = late(r"(?:No module named|Cannot find module|Cannot resolve module) ['\"`]?(?P<name>[\w./@:-]{1,120})")


def missing_module(failure: Failure) -> str | None:
    """The module that a message says can't be found; None where it says something else."""
    found = _MODULE.search(failure.message) if failure.kind is FailureKind.MISSING_DEPENDENCY else None
    return found["name"].rstrip(".") if found else None
