"""Read what a user forbids out of what they wrote: files, directories, kinds of files, and commands.

A prohibition counts only where it's addressed to the agent, has no condition, and names a specific
target.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from analyzer.model.action import Action
from analyzer.task.act_kinds import COMMITTING, INSTALLING, PUSHING, TESTING
from analyzer.task.acts import Spoken, sentence_speaks
from analyzer.task.prose import prose
from analyzer.text.late import late

_NOT = (
    r"\b(?:do not|don['’]?t|never|must not|mustn['’]?t|should not|shouldn['’]?t|may not|can ?not|(?:are|is) not "
    r"(?:allowed|permitted) to|without|avoid|refrain from|not to)\s+(?:(?:ever|please|try to|attempt to|manually)\s+)"
    r"{0,2}"
)
_OBJECT = r"(?P<object>(?:[^.;!?\n]|\.(?=\w)){1,200})"
_FORBIDS = late(
    _NOT
    + (
        r"(?:(?:modify(?:ing)?|edit(?:ing)?|chang(?:e|ing)|touch(?:ing)?|alter(?:ing)?|delet(?:e|ing)|remov(?:e|ing)"
        r"|overwrit(?:e|ing)|updat(?:e|ing))(?:/|,? or |,? and |, ){0,1}){1,3}\s*:?\s+"
    )
    + _OBJECT,
    re.IGNORECASE,
)
_LEAVES = late(
    (
        r"\b(?:leave|keep)\s+(?P<object>(?:[^.;!?\n]|\.(?=\w)){1,120}?)\s+(?:unchanged|untouched|unmodified|intact"
        r"|alone|as(?: (?:it|they))?(?: is| are|-is))\b"
    ),
    re.IGNORECASE,
)
_PASSIVE = late(
    r"(?:^|[,:(]\s*)(?P<object>(?:[^.,;:!?\n(]|\.(?=\w)){1,120}?)\s+(?:must|should|may|shall|can)(?: ?not|n['’]t)"
    r" be (?:modified|edited|changed|touched|altered|deleted|removed|overwritten|updated)\b"
    r"|(?:^|[,:(]\s*)(?P<other>(?:[^.,;:!?\n(]|\.(?=\w)){1,120}?)\s+(?:is|are) read-only\b",
    re.IGNORECASE,
)
_ONLY = late(
    r"(?:^|\byou (?:may|can|should|must) |\bplease )only (?:edit|modify|change|touch|alter)\s+" + _OBJECT, re.IGNORECASE
)
_COMMANDS = late(
    _NOT
    + (
        r"(?:(?P<commit>(?:git )?commit(?:ting)?)|(?P<push>(?:git )?push(?:ing)?)|(?P<install>install(?:ing)?)"
        r"|(?P<tests>(?:run|execut)(?:e|ning|ing)?\s+(?:the |any |unit |existing |my ){0,3}tests?(?: suites?)?\b))"
        r"(?P<rest>[^.;!?\n]{0,120})"
    ),
    re.IGNORECASE,
)
_WHOLE = late(
    (
        r"^\s*(?:$|[,)]|(?:it|this|that|them|these|any(?:thing)?(?: changes)?|(?:the |your |any |my ){0,2}(?:changes?"
        r"|code|work|results?))?\s*(?:yet|for now|at all|to git|to (?:the )?remote|anything)?\s*(?:$|[,)]|(?:or|and)"
        r"\s+(?:git )?push|or\s+commit|-|—))"
    ),
    re.IGNORECASE,
)
_PACKAGES = late(
    (
        r"^\s+(?:any |new |additional |other |further |more |extra |third-party |python |npm |external )"
        r"{0,3}(?:packages?|dependenc\w+|librar\w+|anything|software|modules?)\b"
    ),
    re.IGNORECASE,
)
CONDITION = late(
    (
        r"\b(?:unless|except\w*|if|until|till|when|while|other than|besides|apart from|without (?:asking|permission"
        r"|my|prior|confirm\w*)|more than|beyond|unnecessar\w+|necessary|needed|required|just|merely|only to|in "
        r"order to|too|directly)\b"
    ),
    re.IGNORECASE,
)
_DETERMINERS = late(
    (
        r"^(?:(?:any|the|all|of|existing|provided|given|these|those|this|that|my|our|your|its|original|current|either"
        r"|both|content|contents|code|anything|everything|files?|file named|file called|director(?:y|ies)|folders?|in"
        r"|inside|under|within|from)\s+){0,6}"
    ),
    re.IGNORECASE,
)
_TESTS = late(
    (
        r"^(?:(?:unit|integration|failing|hidden|e2e|regression|end-to-end)\s+){0,2}(?:tests?|specs?)(?:\s+(?:files?"
        r"|cases?|case files?|suites?|code|scripts?|director\w+|folders?))?\b(?!\s+(?:command|runner|config|data"
        r"|output|result|coverage|framework|name|environment|user|database|server|plan|account))"
    ),
    re.IGNORECASE,
)
_CONFIGURATION = late(r"^(?:(?:project|build)\s+)?config(?:uration)?s?(?:\s+files?)\b", re.IGNORECASE)
_LOCKS = late(r"^lock ?files?\b", re.IGNORECASE)
_EXTENSIONS = (
    "py|pyi|ipynb|js|jsx|mjs|cjs|ts|tsx|java|kt|go|rs|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|sh|sql|html|css|scss|vue|svelte"
    "|md|rst|txt|json|ya?ml|toml|cfg|ini|lock|xml|csv|tsv|proto|gradle|env|tf"
)
_FILE = late(
    rf"^[`'\"]?(?P<name>(?:[\w@.*~-]{{0,80}}/){{0,12}}(?:[\w@*-][\w@.*-]{{0,80}}\.(?:{_EXTENSIONS})|Makefile"
    rf"|Dockerfile|Justfile|Gemfile|\.gitignore|\.env)|/?(?:[\w@.*-]{{1,80}}/){{1,12}})(?![\w/])[`'\"]?"
)
NEVER = late(_NOT, re.IGNORECASE)
_SENTENCE = late(r"(?<=[.!?;])\s+|\n+")
_IMPERATIVE = late(
    r"(?:please,? |now |then |can you |could you |you (?:should|must|need to|can) |i(?:'d| would)? (?:want|like"
    r"|need) you to |your (?:task|job|goal) is to |make sure (?:to|you) |and |just ){0,2}"
    r"(?:fix|make|implement|add|refactor|solve|do|change|update|write|get|improve|resolve|try|ensure|rename|move"
    r"|create|build|let|complete|finish|find|port|convert|optimi[sz]e|clean|work)\b",
    re.IGNORECASE,
)
_CHANGES = late(r"\b(?:modif|edit|chang|touch|alter|delet|remov|overwrit|updat|fix|rewrit|add|allow)\w*", re.IGNORECASE)
RUNS = {"git commit": COMMITTING, "git push": PUSHING, "install": INSTALLING, "tests-run": TESTING}
"""The rules about commands, and the act by which a user says later that they may be run."""


@dataclass(slots=True)
class Rule:
    """One prohibition: what it forbids (`file`, `only`, `tests`, `configuration`, `locks` or a command), and the user's
    words."""

    what: str
    names: tuple[str, ...]
    quote: str
    broken: list[tuple[Action, str]] = field(default_factory=list)
    count: int = 0
    only_added: bool = True


def _allows(rule: Rule, sentence: str) -> bool:
    """Whether a sentence without a "not" allows what a rule forbids."""
    if rule.what in RUNS:
        return sentence_speaks(sentence, RUNS[rule.what]) >= Spoken.MEANT
    if rule.what in ("file", "only"):
        bases = [name.rstrip("/").rsplit("/", 1)[-1] for name in rule.names]
        named = rule.what == "only" or any(base in sentence for base in bases)
        return named and _CHANGES.search(sentence) is not None
    word = {"tests": "test", "configuration": "config", "locks": "lock"}[rule.what]
    return re.search(rf"{_CHANGES.pattern}\s+(?:[\w'-]+\s+){{0,3}}{word}", sentence, re.IGNORECASE) is not None


def rules_of(text: str) -> Iterator[Rule]:
    """The prohibitions in what the user wrote; pasted code and quoted mail forbid nothing."""
    for part in _SENTENCE.split(prose(text)):
        sentence = part.strip(" \t-*#>")
        if sentence and len(sentence) <= 600:
            yield from _of_sentence(sentence)


def _of_sentence(sentence: str) -> Iterator[Rule]:
    for pattern in (_FORBIDS, _LEAVES, _PASSIVE, _ONLY):
        for found in pattern.finditer(sentence):
            artifact = found["object"] or (found["other"] if pattern is _PASSIVE else "")
            if pattern in (_FORBIDS, _LEAVES) and not _addressed(sentence[: found.start()], found[0]):
                continue
            if pattern is _PASSIVE and re.match(r"\s+by\b", sentence[found.end() :]):
                continue
            if CONDITION.search(sentence[found.start() :]) or (pattern is _ONLY and "not" in sentence):
                continue
            targets = list(_targets(artifact))
            for what in sorted({what for what, _ in targets}, key=lambda what: (what != "file", what)):
                names = tuple(sorted({name for kind, name in targets if kind == what and name}))
                if pattern is not _ONLY:
                    yield Rule(what, names, sentence)
                elif what == "file":
                    yield Rule("only", names, sentence)
    for found in _COMMANDS.finditer(sentence):
        if CONDITION.search(sentence[found.start() :]) or not _addressed(sentence[: found.start()], found[0]):
            continue
        if (found["commit"] or found["push"]) and _WHOLE.match(found["rest"]):
            yield Rule("git commit" if found["commit"] else "git push", (), sentence)
            if found["commit"] and re.search(r"\b(?:or|and) (?:git )?push", found["rest"]):
                yield Rule("git push", (), sentence)
        elif found["install"] and _PACKAGES.match(found["rest"]):
            yield Rule("install", (), sentence)
        elif found["tests"] and re.match(r"\s*(?:$|[,)]|yet\b|yourself\b)", found["rest"]):
            yield Rule("tests-run", (), sentence)


def _addressed(ahead: str, words: str) -> bool:
    """Whether a prohibition is meant for the agent, rather than a sentence about what a program does or should not
    do."""
    ahead, words = ahead.rstrip(), words.lower()
    if re.match(r"(?:must|should|may|can|are|is)", words):
        return re.search(r"\byou(?: also| really)?$", ahead, re.IGNORECASE) is not None
    if words.startswith("without"):
        return _IMPERATIVE.match(ahead) is not None
    if words.startswith("not to"):
        return re.search(r"\b(?:careful|sure|try|remember|please|you)$", ahead, re.IGNORECASE) is not None
    return (
        not ahead
        or re.search(
            r"(?:[,:;(*\"'!—–-]|\b(?:and|but|please|so|then|just|also|or|you|always|however))$", ahead, re.IGNORECASE
        )
        is not None
    )


def _targets(artifact: str) -> Iterator[tuple[str, str]]:
    """What a list names; nothing where its first item isn't a specific target."""
    for number, item in enumerate(re.split(r"\s*[,(]\s*|\s+(?:and|or|nor)\s+|\s*/\s+", artifact.strip())[:20]):
        found = _target(item)
        if found is None and number == 0:
            return
        if found is not None:
            yield found


def _target(item: str) -> tuple[str, str] | None:
    item = _DETERMINERS.sub("", item.strip()).strip()
    if (found := _FILE.match(item)) is not None:
        return "file", found["name"].removeprefix("./")
    if _TESTS.match(item):
        return "tests", ""
    if _CONFIGURATION.match(item):
        return "configuration", ""
    return ("locks", "") if _LOCKS.match(item) else None


def lifted(rules: Sequence[Rule], text: str) -> list[Rule]:
    """Those of some rules of which a later message of the user allows what they forbid."""
    allowing = [sentence for sentence in _SENTENCE.split(text) if NEVER.search(sentence) is None] if rules else []
    return [rule for rule in rules if any(_allows(rule, sentence) for sentence in allowing)]
