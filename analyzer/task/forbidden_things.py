"""One prohibition, and the files, packages and things that a sentence says are to stay as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.model.action import Action
from analyzer.model.struct import Struct, field
from analyzer.text.late import late
from analyzer.text.names import name_set

_ABSTRACT = name_set(
    """
    behavior behaviour logic api functionality structure style design text wording names name format
    output content version meaning way rest everything anything thing things signature semantics interface interfaces
    value values result results order type types line lines word words layout user users data branch main app project
    """
)
"""What has no place of its own among the files."""

_BESIDES = name_set(
    "old existing current other legacy generated public original previous whole entire code file files folder directory"
)
"""Words that go with what has a name."""

ALL_FILES = name_set(
    "a any all of the in my our this at thing file files code anything everything source project repo repository"
)

EVERY = name_set("any all files anything everything thing")
"""What is forbidden to be changed where nothing is to be."""

_BESIDE = name_set("though please either too again yet anymore however")  # behind what is named
PRONOUNS = name_set("it them these those there")

_MOST_WORDS = 3

PATH = late(r"`?(?P<name>[\w.@-]+(?:/[\w.@*-]*)+)`?")

PACKAGES = late(
    r"\s+(?:the |any |new |additional |other |further |more |extra |third-party |python |npm |external |runtime ){0,4}"
    r"(?:packages?(?![\w./])|dependenc\w+|librar\w+|anything\b|software\b|modules?\b)",
    re.IGNORECASE,
)

_DETERMINERS = late(
    r"^(?:(?:any|the|all|of|existing|provided|given|these|those|this|that|my|our|your|its|original|current|either"
    r"|both|content|contents|code|anything|everything|files?|file named|file called|director(?:y|ies)|folders?|in"
    r"|inside|under|below|beneath|within|from|\w+ (?=(?:in|inside|under|below|of) [`'\"]?[\w.@-]+/))\s+){0,6}",
    re.IGNORECASE,
)

_TESTS = late(
    r"^(?:(?:unit|integration|failing|hidden|e2e|regression|end-to-end)\s+){0,2}(?:tests?|specs?)(?:\s+(?:files?"
    r"|cases?|case files?|suites?|code|scripts?|director\w+|folders?))?\b(?!\s+(?:command|runner|config|data"
    r"|output|result|coverage|framework|name|environment|user|database|server|plan|account))",
    re.IGNORECASE,
)

_EXTENSIONS = (
    "py|pyi|ipynb|js|jsx|mjs|cjs|ts|tsx|java|kt|go|rs|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|sh|sql|html|css|scss|vue|svelte"
    "|md|rst|txt|json|ya?ml|toml|cfg|ini|lock|xml|csv|tsv|proto|gradle|env|tf"
)

FILE = late(
    rf"^[`'\"]?(?P<name>(?:[\w@.*~-]{{0,80}}/){{0,12}}(?:[\w@*-][\w@.*-]{{0,80}}\.(?:{_EXTENSIONS})|Makefile"
    rf"|Dockerfile|Justfile|Gemfile|\.gitignore|\.env)|/?(?:[\w@.*-]{{1,80}}/){{1,12}})(?![\w/])[`'\"]?"
)

_NEXT = late(r"\s*[,(]\s*|\s+(?:and|or|nor)\s+|\s+/\s+")

_SMALL = name_set(
    "the any all for with from and into this that our your her his their its unit unless until without before please "
    "under circumstances ever"
)


class Rule(Struct):
    """One prohibition: what it forbids (to change a `file` or `read` it, `tests`, a `text` in code, that files are
    `removed`, a command, or an `act` outside of the files, of which `names` are the verbs and `about` the words of what
    it isn't to be done with; `limit`: the most that may be paid; `thing`: something outside of the files that is to
    stay as it is), the words, and who says them. With `asking` the user's leave lifts it."""

    what: str
    names: tuple[str, ...]
    quote: str
    source: str = "the user said"
    broken: list[tuple[Action, str]] = field(default_factory=list)
    count: int = 0
    only_added: bool = True
    about: tuple[str, ...] = ()
    asking: bool = False


def rules_of_object(artifact: str, before: str, found: re.Match[str]) -> Iterator[Rule]:
    """The files, the packages or the thing that a sentence says is to stay as it is."""
    sentence = found.string
    bare = set(artifact.partition(",")[0].lower().split())
    if bare <= ALL_FILES and bare & EVERY:
        yield Rule("only", (), sentence)
        return
    first, _, rest = artifact.partition(", ")
    # What follows a comma and ends with a pronoun says why.
    artifact = first if rest.rpartition(" ")[2].strip("`'\"") in PRONOUNS else artifact
    words = artifact.strip(" `'\"").removesuffix(" by hand").split(" ")
    words = words[1:] if len(words) > 1 and words[0].endswith("ing") else words
    words = words[:-1] if len(words) > 1 and words[-1] in _BESIDE else words
    artifact = " ".join(words)
    if "anything" not in words and PACKAGES.match(f" {artifact}") is not None:
        yield Rule("install", (), sentence)
        return
    place = artifact
    if not PRONOUNS.isdisjoint({words[0].lower(), words[-1].lower()}):
        # What it stands for is named before it: of a sentence before it the subject, which comes first.
        named = [*reversed([*PATH.finditer(before)]), *PATH.finditer(sentence[: found.start()] + artifact)]
        folder = bool(named) and "." not in named[-1]["name"].rstrip("/").rsplit("/", 1)[-1]
        artifact, place = "", f"{named[-1]['name'].rstrip('/')}/" if folder else ""
    files = sorted(set(_targets(place)))
    if names := tuple(filter(None, files)):
        yield Rule("file", names, sentence)
    if "" in files:
        yield Rule("tests", (), sentence)
    thing = tuple(word for word in words_of(artifact) if word not in _BESIDES)
    if not files and thing and len(thing) <= _MOST_WORDS and "/" not in artifact and _ABSTRACT.isdisjoint(thing):
        yield Rule("thing", (), sentence, about=thing)


def words_of(text: str) -> list[str]:
    """The words of a text that tell what it's about, in small letters."""
    return [word for word in re.findall(r"[a-z][\w-]{2,}", text.lower()) if word not in _SMALL]


def _targets(artifact: str) -> Iterator[str]:
    """The files that a list names, an empty text for the tests; nothing where its first item isn't a specific
    target."""
    for number, item in enumerate(_NEXT.split(artifact.strip())[:20]):
        bare = _DETERMINERS.sub("", item.strip()).strip()
        if (found := FILE.match(bare)) is not None:
            yield found["name"].removeprefix("./")
        elif _TESTS.match(bare):
            yield ""
        elif (path := PATH.fullmatch(bare)) is not None and "." not in path["name"].rpartition("/")[2]:
            yield path["name"].removeprefix("./").rstrip("/") + "/"
        elif number == 0:
            return
