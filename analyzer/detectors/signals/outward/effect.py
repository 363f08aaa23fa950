"""An effect outside of the machine, as the rules find it, and the kinds that there are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OutwardKind:
    """One kind of effect: its name, what is said of it when it happened and when it was only tried, whether it can't
    be taken back, the words with which a user asks for it, and those that say after a "don't" that it's forbidden."""

    name: str
    done: str
    tried: str
    final: bool
    words: str
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
    r"push|pull[- ]?request|\bprs?\b|publish|releas|deploy|ship|sync",
    r"push",
)
PUBLISH = OutwardKind(
    "publish",
    "a package is published",
    "a publication is tried",
    True,
    r"publish|releas|upload|ship|push",
    r"publish|releas|upload",
)
DEPLOY = OutwardKind(
    "deploy",
    "something is deployed",
    "a deployment is tried",
    True,
    r"deploy|rollout|roll out|releas|ship|provision|apply|host|go live",
    r"deploy|roll(?:ing)? out|(?:terraform"
    r"|kubectl) apply",
)
DELETE = OutwardKind(
    "remote-delete",
    "something is deleted on a remote system",
    "a remote deletion is tried",
    True,
    r"delet|remov|destroy|drop|clean|tear down|clos|get rid",
)
MESSAGE = OutwardKind(
    "message",
    "a message is sent",
    "a message is tried",
    True,
    r"\bsend|\bsent\b|e-?mail|\bmail|notif|messag|invit|reply|repl(?:y|ies)|inform|contact|\bsms\b|slack|tweet"
    r"|\bpost",
    r"send|e-?mail|mail|post|notify|contact",
)
PAYMENT = OutwardKind(
    "payment",
    "a payment is made",
    "a payment is tried",
    True,
    r"\bpay|charg|refund|transfer|invoice|purchas|\bbuy|\bbook|order|exchange",
    r"pay|charg|refund|buy|purchas",
)
FORGE = OutwardKind(
    "forge",
    "something is written to the repository's server",
    "a write to the repository's server is tried",
    False,
    r"pull[- ]?request|\bprs?\b|issue|ticket|comment|merge|review|\bgh\b|releas|label|github|gitlab",
    r"(?:open|creat"
    r"|mak|submit)(?:e|ing)? (?:an? |any |the )?(?:pull[- ]?request|pr\b|issue)|merg",
)
REQUEST = OutwardKind(
    "request",
    "data is sent to a remote API",
    "a request that sends data is tried",
    False,
    r"\bpost|\bput\b|request|\bapi\b|upload|submit|\bsend|call|curl|webhook|http|register|login|log in|creat|exploit",
)
REMOTE_CODE = OutwardKind(
    "remote-code",
    "code from the network is run unpinned",
    "code from the network is to be run unpinned",
    False,
    r"install|\bnpx\b|\bcurl\b|set ?up|scaffold|bootstrap|creat|generat",
)
