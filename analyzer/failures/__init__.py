"""Text -> Failure: did a step fail, is it the same failure as before, and where does it come from."""

from analyzer.failures.evidence import Reading, Surroundings, Verdict
from analyzer.failures.groups import Groups, fingerprint, group_failures
from analyzer.failures.origin import origin_of, with_roles
from analyzer.failures.pipeline import read
from analyzer.text.masks import STANDARD, MaskTable

__all__ = [
    "STANDARD",
    "Groups",
    "MaskTable",
    "Reading",
    "Surroundings",
    "Verdict",
    "fingerprint",
    "group_failures",
    "origin_of",
    "read",
    "with_roles",
]
