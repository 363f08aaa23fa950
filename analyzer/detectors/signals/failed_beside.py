"""Failures of a check that say nothing about what was delivered: the machine lacks something that other code needs."""

from __future__ import annotations

from analyzer.failures.roles import same_file
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, OriginRole
from analyzer.text.late import late
from analyzer.timeline.delivery import Delivery

_LACKS = late(
    r"\b(?:ModuleNotFoundError|ImportError: (?:No module|lib)|No module named|Cannot find (?:module|package) ['\"]"
    r"|ECONNREFUSED|Connection refused|Could not resolve host|Temporary failure in name resolution"
    r"|Network is unreachable)\b"
)
_FILE = late(
    r"\bFile \"(?P<python>[^\"\n]{1,300})\"|\bat (?:\S{1,200} \()?(?P<node>[^\s():]{1,300}):\d{1,7}:\d{1,7}\)?"
)
_KINDS = frozenset({FailureKind.TEST, FailureKind.MISSING_DEPENDENCY, FailureKind.NETWORK})
_MOST = 20_000


def failed_beside(failure: Failure, result: str, delivery: Delivery) -> bool:
    """Whether no test failed, and what ended in an error lacks a module, a network or a service at a place where
    nothing that was delivered takes part."""
    passed, failed = failure.counts.get("passed", 0), failure.counts.get("failed", 0)
    if failure.kind not in _KINDS or not passed or failed or not failure.counts.get("errors"):
        return False
    text = result[-_MOST:]
    from_machine = failure.origin is not None and failure.origin.role is OriginRole.ENVIRONMENT
    if not from_machine and _LACKS.search(text) is None:
        return False
    named = [found["python"] or found["node"] for found in _FILE.finditer(text)]
    files = [*named, *(frame.file for frame in failure.frames)]
    left = [change.file for change in delivery.files]
    return bool(files) and not any(same_file(file, path) for file in files for path in left)
