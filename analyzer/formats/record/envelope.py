"""What a gateway of chat channels puts around the words that a user sent through it: who wrote when and where, what was
said before, and events of its own, which nobody wrote."""

from __future__ import annotations

from dataclasses import dataclass, field

from analyzer.text.late import late

_DOTALL = 16
_INTERNAL = late(r"<<<BEGIN_(?P<name>[A-Z_]{0,40}INTERNAL_CONTEXT)>>>.*?(?:<<<END_(?P=name)>>>|\Z)", _DOTALL)
_ABOUT = late(
    r"\A\s*[A-Z][^\n()]{2,60} \(untrusted[^()\n]{0,80}\):[ \t]*\n"
    r"(?:(?P<fence>`{3,})\w*\n.*?\n(?P=fence)[ \t]*(?=\n|\Z)|(?:(?!\n[ \t]*\n).)+)",
    _DOTALL,
)
_EVENT = late(r"\A\s*System(?: \(untrusted\))?: \[\d{4}-\d\d-\d\d[^\]\n]{0,50}\] [^\n]*(?:\n[^\n]+)*")
_STAMP = late(
    r"\A\s*\[(?:[^\]\n]{1,80} )?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?"
    r"(?: ?[A-Z]{1,5}(?:[+-]\d{1,4})?)?\] ?"
)
_NOTICE = late(r"\A\s*\[[A-Z]\w+ (?:heartbeat poll|session reset)\]\s*\Z")


@dataclass(slots=True)
class Opened:
    """A message without its envelope: the user's own words, and what stood around them."""

    words: str
    around: list[str] = field(default_factory=list)


def opened(text: str) -> Opened:
    """Return the words of a message that came through a gateway and apart from them what the gateway wrote; the text as
    it is where there's no envelope."""
    if not _may_have_one(text):
        return Opened(text)
    around = [found[0] for found in _INTERNAL.finditer(text)]
    words = _INTERNAL.sub("", text) if around else text
    if _NOTICE.match(words) is not None:
        return Opened("", [*around, words.strip()])
    while found := next(filter(None, (pattern.match(words) for pattern in (_ABOUT, _EVENT))), None):
        around.append(found[0].strip())
        words = words[found.end() :]
    stamp = _STAMP.match(words)
    if stamp is None and not around:
        return Opened(text)
    words = words if stamp is None else words[stamp.end() :]
    return Opened(words.strip(), around)


def _may_have_one(text: str) -> bool:
    start = text.lstrip()[:100]
    return start.startswith(("[", "System")) or "(untrusted" in start or "<<<BEGIN_" in text
