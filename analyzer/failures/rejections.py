"""What a harness or a validator says of a call's arguments: which are missing, unknown or wrong, and what it takes.

Every harness words it in its own way, and most pass on what a validator printed: JSON Schema and its implementations,
pydantic, msgspec, zod, serde, Jackson and Bean Validation, .NET's serializer, Go's decoder and validator, protobuf.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from analyzer.text.late import joined, late, table_beside

_LINES = re.IGNORECASE | re.MULTILINE
_ROWS = table_beside(__file__)
_MISSING, _UNEXPECTED, _OWN_WORDS, _WRONG = (
    tuple(late(line, _LINES) for line in joined(_ROWS["rows"][name], _ROWS["parts"]))
    for name in ("missing", "unexpected", "own_words", "wrong")
)
_GENERAL = late(
    r"\bInputValidationError\b|\b\d{1,3} validation errors? (?:for|parsing) \w|\b(?:called with|were given) "
    r"invalid arguments\b|^(?:error: ?)?invalid (?:arguments?|parameters?)\b|\binvalid (?:arguments?|parameters?"
    r"|input) (?:for|to) (?:the )?(?:tool|function)\b|\binvalid tool (?:arguments?|parameters?|input)\b"
    r"|\b(?:arguments?|parameters?|input) (?:do(?:es)? not|don't|doesn't|did not) match (?:the )?(?:\w+ )"
    r"?schema\b|\bschema validation (?:failed|error)|\bMCP error -32602\b"
    r"|\bfailed to parse (?:the )?(?:tool |function )?(?:call )?arguments\b|\bmust NOT have additional "
    r"properties\b|\binput to the tool was invalid\b|\barguments? (?:is|are) not valid JSON\b",
    re.IGNORECASE,
)
_SPEAKS = late(
    r"requir|missing|unexpected|unknown|unrecogni|unsupported|extra|additional|invalid|validation|expected|must "
    r"|not one of|not allowed|mapped|unmarshal|converted|deserialize|no field|failed to parse|InputValidation|not valid"
    r"|-32602|schema|received undefined|cannot |should be|rejected value|does not |doesn't |can't |no such|is not|isn't"
    r"|\bno (?:parameter|argument|field|option|key|input|property)",
    re.IGNORECASE,
)
"""What a text must hold to be worth the tables."""
_MORE = late(r"(?:,? (?:or|and) |, ?| ?[|/] ?)[`'\"‘“](?P<name>[A-Za-z_][\w.-]{0,60})[`'\"’”]")
"""What may follow a quoted name: another one that would do, or that is missing as well."""
_ALLOWED = late(
    r"(?:\bexpected one of:? ?(?=[\"'`\w])|\bExpected (?='[^'\n]{1,80}' ?\|)|\bmust be (?:equal to )?one of:? "
    r"|\bis not one of |\bshould be one of:? |\b(?:allowed|accepted|valid|supported|permitted) "
    r"(?:values|options|choices)(?: are)?:? |\bvalues accepted for Enum class: |\bInput should be (?=')"
    r"|\"(?:options|values|allowedValues)\": ?)"
    r"(?P<list>[^\n]{1,300}(?:\n[^\n\]]{1,80}){0,12})",
    re.IGNORECASE,
)
_TAKES = late(
    r"(?:\b(?:it|the (?:tool|function)|which) (?:takes|accepts|expects|knows|wants|has(?= [`'\"]?\w+[`'\"]?,))"
    r"(?: only)?:? |\bavailable fields[^\n:]{0,40}: "
    r"|\bknown properties: |\b(?:accepted|allowed|valid|expected|known|supported|available) (?:arguments?|parameters?"
    r"|fields?|keys?|properties|names)(?: are)?:? |^[ \t]*expected: |\bunknown field `\w{1,60}`, expected (?:one of )?)"
    r"(?P<list>[^\n]{1,300})",
    _LINES,
)
_ENTRY = late(r"[`'\"](?P<quoted>[^`'\"\n]{1,80})[`'\"]|(?P<bare>[\w$][\w.$/-]{0,60})")
_JOINT = late(r"\s{0,8}(?:,|\||/|;|\bor\b|\band\b)?\s{0,8}(?:\bor\b|\band\b)?\s{0,8}")
_ABSENT = late(
    r"\b(?:path|file|director(?:y|ies)|folder)s?\b[^\n]{0,600}\b(?:does(?: not|n't) exist|do not exist"
    r"|(?:was |is )?not (?:found|there))\b|\bno such (?:file|directory|folder|path)\b|\bENOENT\b",
    re.IGNORECASE,
)
"""What a message says of a value that is well-formed and names a file that isn't there."""
_FILLERS = frozenset({"for", "is", "in", "the", "a", "of", "function", "tool", "error", "value", "type", "enum"})
_MOST = 12
_REMEMBERED = 20_000


@dataclass(frozen=True)
class ArgumentError:
    """What a message says about the arguments: the names that are missing, unknown and wrong. All empty where it names
    none."""

    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    alternatives: bool = False
    """Whether one of the missing names would do."""
    allowed: tuple[str, ...] = field(default=(), compare=False)
    """The values that it says would do for a wrong one."""
    takes: tuple[str, ...] = field(default=(), compare=False)
    """The names that it says the tool takes."""
    loose: bool = field(default=False, compare=False)
    """Whether only its words say so, which may speak of something else: then a call must have given the name."""

    @property
    def specific(self) -> bool:
        """Whether it names an argument."""
        return bool(self.missing or self.unexpected or self.wrong)


def rejection_in(answer: str) -> ArgumentError | None:
    """What a text says about arguments; None where it's no rejection of any."""
    return _rejection_in(answer) if len(answer) <= _REMEMBERED else _rejection_in.__wrapped__(answer)


@lru_cache(maxsize=128)
def _rejection_in(answer: str) -> ArgumentError | None:
    """The same, remembered of texts that are looked at several times: by whoever judges a result, and by detectors."""
    if _SPEAKS.search(answer) is None:
        return None
    text = answer.replace('\\"', '"').replace("\\n", "\n") if "\\" in answer else answer
    missing, unexpected, wrong = (tuple(_names_in(rows, text)) for rows in (_MISSING, _UNEXPECTED, _WRONG))
    wrong = tuple(name for name in wrong if name not in (*missing, *unexpected))
    loose = not (missing or unexpected or wrong)
    if loose:
        unexpected = tuple(_names_in(_OWN_WORDS, text))
    allowed = _listed(_ALLOWED, text) if not unexpected else ()
    takes = _listed(_TAKES, text)
    if wrong and not (missing or unexpected or allowed) and _ABSENT.search(text) is not None:
        return None
    if not (missing or unexpected or wrong):
        return ArgumentError(allowed=allowed, takes=takes) if _GENERAL.search(text) else None
    alternatives = len(missing) > 1 and any(" or " in joint[0] or "|" in joint[0] for joint in _MORE.finditer(text))
    return ArgumentError(missing, unexpected, wrong, alternatives, allowed, takes, loose)


def _names_in(rows: Iterable[re.Pattern[str]], answer: str) -> list[str]:
    groups: dict[str, list[str]] = {}
    for row in rows:
        for found in row.finditer(answer):
            names, end = [found["name"]], found.end()
            while rows is _MISSING and (more := _MORE.match(answer, end)):
                names.append(more["name"])
                end = more.end()
            names = [name.rsplit(".", 1)[-1].strip("[]") for name in names]
            if len(names) > len(groups.get(names[0], ())):
                groups[names[0]] = names
    ordered = dict.fromkeys(name for first in sorted(groups) for name in groups[first])
    return [name for name in list(ordered)[:10] if name and name.lower() not in _FILLERS]


def _listed(row: re.Pattern[str], text: str) -> tuple[str, ...]:
    """The entries of the first list that follows what `row` finds."""
    for found in row.finditer(text):
        entries = [entry for entry in _entries(found["list"]) if entry.lower() not in _FILLERS]
        if entries:
            return tuple(dict.fromkeys(entries))[:_MOST]
    return ()


def _entries(text: str) -> Iterator[str]:
    place = len(text) - len(text.lstrip(" \t\n[({\"'")) if text[:1] in '[({"' and text[1:2] in "'\"[\n " else 0
    place = place - 1 if place and text[place - 1] in "'\"" else place
    place = place or (1 if text[:1] in "[({" else 0)
    while (entry := _ENTRY.match(text, place)) is not None:
        yield entry["quoted"] if entry["quoted"] is not None else entry["bare"].rstrip(".")
        joint = _JOINT.match(text, entry.end())
        if joint is None or not joint.group().strip() or joint.end() == entry.end():
            return
        place = joint.end()
