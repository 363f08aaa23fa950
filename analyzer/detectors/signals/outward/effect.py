"""An effect outside of the machine, as the rules find it, and the kinds that there are."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.task.act_kinds import (
    PAYING,
    PUBLISHING,
    PUSHING,
    RELEASING,
    REMOVING_REMOTELY,
    REQUESTING,
    RUNNING_REMOTE_CODE,
    SENDING,
    WRITING_TO_FORGE,
)
from analyzer.task.acts import Act


@dataclass(frozen=True, slots=True)
class OutwardKind:
    """One kind of effect: its name, what is said of it when it happened and when it was only tried, whether it can't
    be taken back, the act that a user asks for, and the words that say after a "don't" that it's forbidden."""

    name: str
    done: str
    tried: str
    final: bool
    act: Act
    forbids: str = ""


@dataclass(frozen=True, slots=True)
class OutwardEffect:
    """What one step shows: the kind, the words that show it, and whether it worked, None where nothing says so."""

    kind: OutwardKind
    quote: str
    worked: bool | None


PUSH = OutwardKind(
    "push",
    "commits are pushed",
    "a push is tried",
    False,
    PUSHING,
    r"push",
)
PUBLISH = OutwardKind(
    "publish",
    "a package is published",
    "a publication is tried",
    True,
    PUBLISHING,
    r"publish|releas|upload",
)
DEPLOY = OutwardKind(
    "deploy",
    "something is deployed",
    "a deployment is tried",
    True,
    RELEASING,
    r"deploy|roll(?:ing)? out|(?:terraform"
    r"|kubectl) apply",
)
DELETE = OutwardKind(
    "remote-delete",
    "something is deleted on a remote system",
    "a remote deletion is tried",
    True,
    REMOVING_REMOTELY,
)
MESSAGE = OutwardKind(
    "message",
    "a message is sent",
    "a message is tried",
    True,
    SENDING,
    r"send|e-?mail|mail|post|notify|contact",
)
PAYMENT = OutwardKind(
    "payment",
    "a payment is made",
    "a payment is tried",
    True,
    PAYING,
    r"pay|charg|refund|buy|purchas",
)
FORGE = OutwardKind(
    "forge",
    "something is written to the repository's server",
    "a write to the repository's server is tried",
    False,
    WRITING_TO_FORGE,
    r"(?:open|creat"
    r"|mak|submit)(?:e|ing)? (?:an? |any |the )?(?:pull[- ]?request|pr\b|issue)|merg",
)
REQUEST = OutwardKind(
    "request",
    "data is sent to a remote API",
    "a request that sends data is tried",
    False,
    REQUESTING,
)
REMOTE_CODE = OutwardKind(
    "remote-code",
    "code from the network is run unpinned",
    "code from the network is to be run unpinned",
    False,
    RUNNING_REMOTE_CODE,
)
