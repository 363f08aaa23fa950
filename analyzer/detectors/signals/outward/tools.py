"""Function calls that have an effect outside, by the verb and the thing in their names."""

from __future__ import annotations

import re
from functools import lru_cache

from analyzer.detectors.signals.outward.effect import DELETE, DEPLOY, MESSAGE, PAYMENT, PUBLISH, OutwardKind
from analyzer.text.late import late
from analyzer.text.names import name_set

_WORD = late(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PREFIX = late(r"^.*(?:__|[./:])")
_MESSAGES = name_set("email mail sms tweet slack whatsapp telegram newsletter invitation gmail")
_PAYMENTS = name_set("payment charge invoice refund payout subscription funds money")
_RECORDS = name_set(
    "order account customer user reservation booking ticket subscription event contact product post record repository "
    "repo release bucket database project email message page issue appointment"
)
_OWN = name_set("local temp tmp file memory note todo draft task agent session")
_MADE = name_set("create make send process issue initiate execute submit transfer")


@lru_cache(maxsize=512)
def tool_effect(name: str) -> OutwardKind | None:
    """What a call of a tool does outside, None where its name doesn't say."""
    words = [word.lower() for word in _WORD.findall(_PREFIX.sub("", name))]
    if not words or _OWN & set(words):
        return None
    verb, things = words[0], {_singular(word) for word in words[1:]}
    if verb in ("send", "post", "forward", "reply") and things & _MESSAGES:
        return MESSAGE
    if (verb in _MADE and things & _PAYMENTS) or verb in ("pay", "charge"):
        return PAYMENT
    if verb in ("delete", "destroy", "purge") and things & _RECORDS:
        return DELETE
    if verb == "publish" and things:
        return PUBLISH
    return DEPLOY if verb == "deploy" else None


def succeeded(result: str | None) -> bool:
    """Whether a result says that the call went through."""
    return (
        result is not None
        and re.search(r"\b(?:error|fail|denied|invalid|not found|cannot)", result[:2_000], re.IGNORECASE) is None
    )


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 3 and word not in _PAYMENTS else word
