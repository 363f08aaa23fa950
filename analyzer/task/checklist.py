"""The checks that a user lists by their commands: `1. bun run test`, or "run `make lint` and `make test`"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.task.prose import prose
from analyzer.text.late import late
from analyzer.text.names import name_set

_ITEM = late(r"^\s{0,8}(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]?\]\s*)?(?P<text>\S.*)$")
_LEAD = late(
    r"\b(?:verif(?:y|ication|ying)|validat(?:e|ion|ing)|test(?:ing)? plan|acceptance|how to (?:test|check|verify)"
    r"|definition of done|quality (?:gates?|checks?)|checks?(?:list)?|testing)\b",
    re.IGNORECASE,
)
"""The line above a list that says that its items are checks."""
_ASKS = late(
    r"^(?:\W{0,3}(?:please|then|finally|also|and)\W{1,3}){0,2}\W{0,3}"
    r"(?:run|verify|check|execute|confirm|ensure|make sure|test)\b",
    re.IGNORECASE,
)
_ELSE = late(
    r"\b(?:reproduc\w*|currently|actual|observed|background|context|example|e\.g\.|for instance|available|commands?)\b",
    re.IGNORECASE,
)
"""What a list is of that only describes."""
_FREE = late(
    r"\b(?:optional(?:ly)?|manual(?:ly)?|if (?:needed|possible|necessary|applicable|available|there)"
    r"|if you (?:can|want|like|have)|where (?:possible|applicable)|nice to have|ideally|or|instead|alternatively"
    r"|either|for me|I(?:'ll| will)|later|(?:wenn|falls) (?:m(?:ö|oe)glich|n(?:ö|oe)tig)|facultati(?:f|ve)|optionnel\w*"
    r"|si (?:possible|n(?:é|e)cessaire)|opcional\w*)\b|可选|如有(?:需要|必要)|如果可能",
    re.IGNORECASE,
)
"""An item that need not be done, or by somebody else, or in another way."""
_NOT = late(r"\b(?:don['’]t|do not|never|not|without|no need|skip|instead of|avoid)\b", re.IGNORECASE)
_SPAN = late(r"`(?P<text>[^`\n]{3,160})`")
_CHAIN = late(r"\s*(?:&&|;)\s*")
_PROGRAMS = name_set(
    "npm pnpm yarn bun bunx npx deno node tsc vitest jest eslint biome prettier playwright cypress make just task mise "
    "turbo nx cargo go python python3 pytest tox nox ruff mypy pyright uv poetry hatch docker mvn gradle dotnet bundle "
    "rake rspec rails composer php phpunit mix sbt swift flutter dart cmake ctest bazel terraform helm"
)
_ALONE = name_set("pytest tox nox tsc vitest jest rspec phpunit ctest make")
_SCRIPTS = ("./", "bin/", "scripts/")
_INSTALLS = name_set("install add ci i sync init create up restore")
_MOST = 30


@dataclass(frozen=True, slots=True)
class ListedCheck:
    """A check that the user lists: the command, as words, and the item's text."""

    words: tuple[str, ...]
    text: str

    @property
    def command(self) -> str:
        """The command as a line."""
        return " ".join(self.words)


def checks_listed(text: str) -> list[ListedCheck]:
    """The checks that one turn of the user lists, in order, each once."""
    found: dict[tuple[str, ...], ListedCheck] = {}
    for item in _items(prose(text)):
        for words in _commands(item):
            found.setdefault(words, ListedCheck(words, item))
    return list(found.values())[:_MOST]


def _items(text: str) -> Iterator[str]:
    """The items of lists of checks, and the sentences that ask for several of them."""
    lead, heading = "", ""
    for line in text.splitlines():
        item = _ITEM.match(line)
        if item is None:
            if line.strip():
                lead = line
                heading = line if line.lstrip().startswith(("#", "**")) else heading
                if _ASKS.match(line) is not None and len(_SPAN.findall(line)) > 1 and not _unwanted(line):
                    yield line.strip()
            continue
        words = item["text"].strip()
        above = f"{heading}\n{lead}"
        if _unwanted(words) or (_ELSE.search(lead) is not None and _LEAD.search(lead) is None):
            continue
        if _LEAD.search(above) is not None or _ASKS.match(words) is not None:
            yield words


def _unwanted(words: str) -> bool:
    """Whether an item need not be done, or must not be."""
    plain = _SPAN.sub(" ", words)
    return _FREE.search(plain) is not None or _NOT.search(plain) is not None


def _commands(item: str) -> Iterator[tuple[str, ...]]:
    """The commands of an item; of a chain the last one, which the others prepare."""
    for span in _SPAN.finditer(item):
        words = tuple(_CHAIN.split(span["text"].strip().removeprefix("$ "))[-1].split())
        if words and _is_command(words):
            yield words


def _is_command(words: tuple[str, ...]) -> bool:
    first = words[0]
    if any(mark in word for word in words for mark in "(){}=<>|…") or "..." in words:
        return False
    if first.startswith(_SCRIPTS):
        return True
    if first not in _PROGRAMS or len(words) < 2:
        return first in _ALONE and len(words) == 1
    return words[1] not in _INSTALLS
