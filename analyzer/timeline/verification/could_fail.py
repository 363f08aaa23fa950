"""Whether a script that an agent ran could have failed if the work were wrong."""

from __future__ import annotations

import re

from analyzer.text.late import late

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
_TELLS_SUCCESS = late(
    r"\b(?:success\w*|pass(?:ed|es)?|ok|correct(?:ly)?|works|fixed|match(?:es)?|consistent(?:ly)?|as expected)\b"
    r"|[✓✅✔]",
    re.IGNORECASE,
)


def could_fail(code: str, result: str) -> bool:
    """Whether a script asserts something, or compares and says of each result whether it's right, of this one that it
    is."""
    if _ASSERTS.search(code):
        return True
    compares = _COMPARES.search(code) is not None
    return _TELLS_FAILURE.search(code) is not None and compares and _TELLS_SUCCESS.search(result) is not None
