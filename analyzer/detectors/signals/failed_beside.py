"""Failures of a check that say nothing about what was delivered: the machine lacks something that other code needs."""

from __future__ import annotations

import re

from analyzer.failures.roles import same_file
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, OriginRole
from analyzer.text.late import late
from analyzer.timeline.delivery import Delivery

_LACKS = late(
    r"\b(?:ModuleNotFoundError|ImportError: (?:No module|lib)|No module named|Cannot find (?:module|package) ['\"]"
    r"|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|Connection refused|ConnectionRefusedError|socket\.gaierror|getaddrinfo"
    r"|Could not resolve host|Temporary failure in name resolution|Name or service not known|Network is unreachable)\b"
)
_SUMMED_UP = late(r"^(?:FAILED|ERROR) \S+ - (?P<why>[^\n]+)", re.MULTILINE)
"""One line for each test that failed, with why."""
_FILE = late(
    r"\bFile \"(?P<python>[^\"\n]{1,300})\"|\bat (?:\S{1,200} \()?(?P<node>[^\s():]{1,300}):\d{1,7}:\d{1,7}\)?"
)
_KINDS = frozenset({FailureKind.TEST, FailureKind.EXCEPTION, FailureKind.MISSING_DEPENDENCY, FailureKind.NETWORK})
_MOST = 20_000


def failed_beside(failure: Failure, result: str, delivery: Delivery) -> bool:
    """Whether all that failed lacks a module, a network or a service at a place where nothing that was delivered takes
    part."""
    counts = failure.counts
    broken = counts.get("failed", 0) + counts.get("errors", 0)
    if failure.kind not in _KINDS or not counts.get("passed") or not broken:
        return False
    text = result[-_MOST:]
    reasons = [found["why"] for found in _SUMMED_UP.finditer(text)]
    if counts.get("failed"):
        lacking = len(reasons) >= broken or broken == 1
        if not lacking or not all(_LACKS.search(why) for why in reasons or [failure.headline]):
            return False
    elif not _is_of_machine(failure) and _LACKS.search(text) is None:
        return False
    named = [found["python"] or found["node"] for found in _FILE.finditer(text)]
    files = [*named, *(frame.file for frame in failure.frames)]
    left = [change.file for change in delivery.files]
    return bool(files) and not any(same_file(file, path) for file in files for path in left)


def _is_of_machine(failure: Failure) -> bool:
    return failure.origin is not None and failure.origin.role is OriginRole.ENVIRONMENT
