"""What an error message demands, compared with what the code in the trace gives.

"Need at least 8 knots" next to `knots=[0, 0, 0, 1, 1, 1]` says everything: six were given. Only literals that the code
shows are counted, and only where the message's noun and the argument's name agree or the message itself says how many
it got.

Literals are found in a line of any language by the name under which they're given:

stations=[0, 2]    stations: [0, 2]    let stations = vec![0, 2];    stations := []float64{0, 2}    "stations": [0, 2]
List<Integer> stations = List.of(0, 2);    std::vector<int> stations{0, 2};    $stations = [0, 2];    depth=-2
"""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Iterable, Iterator

from analyzer.model.failure import Failure
from analyzer.model.struct import Struct
from analyzer.model.words import FailureKind
from analyzer.text.late import late
from analyzer.text.markdown import code

_TYPED = (
    r"(?:&?vec!|&|new\s{1,4}[\w<>.,]{1,40}\s{0,4}(?:\[\d{0,9}\])?\s{0,4}|new\s{0,4}\[\]\s{0,4}|\[\d{0,9}\][\w.*]"
    r"{1,40}|(?:\w{1,30}\.){1,3}(?:of|asList|from|newArrayList)"
    r"|(?:std::)?\w{1,30}<[\w:,<> ]{1,40}>|(?:array|tuple|list|set|listOf|arrayOf|setOf|mutableListOf"
    r"|\w{1,20}ArrayOf)(?=[(]))?"
)
_COLLECTION = r"\[[^\[\]]{0,2000}\]|\([^()]{0,2000}\)|\{[^{}]{0,2000}\}"
_STRING = r"\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'"
_NAMED = late(
    rf"(?<![\w.])\$?[\"']?(?P<name>[A-Za-z_]\w{{0,80}})[\"']?(?:\s{{0,4}}(?:=>|:=|=(?!=)|:(?!:))\s{{0,4}}{_TYPED}"
    rf"|(?=\{{))(?P<value>{_COLLECTION}|{_STRING}|-?\d{{1,15}}(?:\.\d{{1,15}})?)"
    r"(?=\s{0,4}(?:\.to_\w{1,9}|\.to\w{1,9}\(\))?\s{0,4}(?:[,)\]}#;]|//|$))"
)
_LONE = late(
    r"(?P<value>(?<![\w#@\])])\[[^\[\]]{1,2000}\]|(?:(?<=\w)|(?<=[>\]])|(?<=[>\]] ))\{[^{}:=]{1,2000}\}"
    r"|(?:(?<=\.of)|(?<=asList)|(?<=listOf))\([^()]{1,2000}\))(?=\s{0,4}(?:[,);\]}.]|$))"
)
_ENTRY = late(r"""^\s*(?:-?[\w.]+|"[^"]*"|'[^']*')\s*$""")


class Literal(Struct, frozen=True):
    """A literal with the name under which it's given (None for one without), as written, and how many entries or
    characters it has; None for what the text doesn't show."""

    name: str | None
    text: str
    length: int | None


def named_literals(line: str) -> Iterator[Literal]:
    """The literals of a line that are given by name."""
    for found in _NAMED.finditer(line):
        value = found["value"]
        shown = " ".join(found.group().split())
        yield Literal(found["name"], shown, length_of(value) if value[0] in "[({\"'" else None)


def lone_collection(line: str) -> Literal | None:
    """The only collection literal of a line, whatever it's called; None where there are several. One that is the whole
    line or stands before a declaration is an attribute (`[Fact]`)."""
    found = [match["value"] for match in _LONE.finditer(line)]
    if len(found) == 1 and line.strip() == found[0]:
        return None
    return Literal(None, " ".join(found[0].split()), length_of(found[0])) if len(found) == 1 else None


def length_of(literal: str) -> int | None:
    """How many entries a literal has; None for one whose length its text doesn't show (`[*a]`, a comprehension)."""
    repeated = re.fullmatch(r"\[[^;\[\]]{1,200};\s*(\d{1,9})\]", literal)
    if repeated:
        return int(repeated[1])
    try:
        with warnings.catch_warnings(action="ignore"):
            node = ast.parse(literal, mode="eval").body
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return _counted(literal)
    if isinstance(node, ast.Constant):
        return len(node.value) if isinstance(node.value, str) else None
    if isinstance(node, ast.Dict):
        return len(node.keys) if None not in node.keys else None
    if not isinstance(node, ast.List | ast.Tuple | ast.Set) or any(isinstance(each, ast.Starred) for each in node.elts):
        return None
    return len(node.elts)


def _counted(literal: str) -> int | None:
    """The entries of a literal that is none in Python (`{1.0f, 2.0f}`), where all of them are plain words, numbers or
    strings."""
    inside = literal[1:-1].strip().removesuffix(",")
    if not inside:
        return 0
    entries = inside.split(",")
    return len(entries) if all(_ENTRY.match(entry) for entry in entries) else None


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
    for relation, pattern in _DEMANDS:
        demand = pattern.search(message) if relation != "==" or not bounds_only else None
        if demand is None:
            continue
        word, phrase = demand["number"].lower(), demand["noun"]
        number = _WORDS.index(word) + 1 if word in _WORDS else int(word)
        for line in lines:
            for literal, noun in _candidates(line, phrase, "" if named else message):
                if literal.length is not None and not _MEETS[relation](literal.length, number):
                    return Requirement(relation, number, noun, literal.text, literal.length)
    return None


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
