"""Whether a script that an agent ran could have failed if the work were wrong."""

from __future__ import annotations

import re

from analyzer.text.late import late
from analyzer.timeline.verification.swallowed import swallows

_ASSERTS = late(
    r"^\s*assert\b|\bassert\w*\s*[!(]|\braise\b|\bthrow\b|\bsys\.exit\(|\bprocess\.exit\(|\bexit\(?\s*1\b|\bpanic!?\("
    r"|\bexpect\w*\(|\brequire\.\w+\(|\bt\.(?:Error|Fatal)f?\(|\bset -e\b|\bos\._exit\(",
    re.MULTILINE,
)
_TELLS_FAILURE = late(
    r"(?:print\w*|echo|puts|log|write\w*|say)\b[^\n]{0,80}?(?:\b(?:fail(?:ed|ure|s)?|incorrect|mismatch\w*|inconsistent\w*"
    r"|wrong|broken|not ok|bug)\b|[✗❌✘])",
    re.IGNORECASE,
)
_COMPARES = late(
    r"[=!]=|\bif not\b|\bif \[|\bassert|\bnot in\b|\.equals\(|allclose\(|array_equal\(|isequal\(", re.IGNORECASE
)
_VALIDATES = late(
    r"^[ \t]*try[ \t]*:[ \t]*\n(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(?:\w+\.){0,4}(?P<name>(?:validat|verif|check)\w*)\(",
    re.IGNORECASE | re.MULTILINE,
)
_TELLS_WRONG = late(r"[✗❌✘]|\b(?:error|fail(?:ed|ure)|invalid)\b", re.IGNORECASE)
_TELLS_SUCCESS = late(
    r"\b(?:success\w*|pass(?:ed|es)?|ok|correct(?:ly)?|works|fixed|match(?:es)?|consistent(?:ly)?|as expected)\b"
    r"|[✓✅✔]",
    re.IGNORECASE,
)


def could_fail(code: str, result: str) -> bool:
    """Whether a script asserts something, or compares and says of each result whether it's right, of this one that it
    is. An assertion that is caught with everything else only counts by what is said of it, and so does a call that
    validates by raising."""
    if _ASSERTS.search(code) and not swallows(code):
        return True
    compares = _COMPARES.search(code) is not None or (_by_raising(code) and _TELLS_WRONG.search(result) is None)
    return _TELLS_FAILURE.search(code) is not None and compares and _TELLS_SUCCESS.search(result) is not None


def _by_raising(code: str) -> bool:
    """Whether the first thing that is tried is a call whose name says that it validates, of which nothing but an
    exception is taken, and which the script doesn't define itself."""
    found = _VALIDATES.search(code)
    return found is not None and re.search(rf"\bdef {re.escape(found['name'])}\b", code) is None
