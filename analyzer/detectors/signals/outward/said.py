"""Whether somebody wanted an effect: the user, the instructions, or nobody; or whether the user forbade it.

An effect outside of the machine, as the rules find it, and the kinds that there are.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from functools import cache

from analyzer.model.struct import Struct
from analyzer.task.acts import (
    PAYING,
    PUBLISHING,
    PUSHING,
    RELEASING,
    REMOVING_REMOTELY,
    REQUESTING,
    RUNNING_REMOTE_CODE,
    SENDING,
    WRITING_TO_FORGE,
    AskedAct,
    Spoken,
    offered,
    sentence_speaks,
    spoken_of,
    told_to_run,
)
from analyzer.task.prohibitions import CONDITION, NEVER
from analyzer.task.prose import sentences
from analyzer.task.turns import read_turn
from analyzer.text.expressions import compiled


class OutwardKind(Struct, frozen=True):
    """One kind of effect: its name, what is said of it when it happened and when it was only tried, whether it can't
    be taken back, the act that a user asks for, and the words that say after a "don't" that it's forbidden."""

    name: str
    done: str
    tried: str
    final: bool
    act: AskedAct
    forbids: str = ""


class OutwardEffect(Struct, frozen=True):
    """What one step shows: the kind, the words that show it, and whether it worked, None where nothing says so."""

    kind: OutwardKind
    quote: str
    worked: bool | None


PUSH = OutwardKind("push", "commits are pushed", "a push is tried", False, PUSHING, r"push")
PUBLISH = OutwardKind(
    "publish", "a package is published", "a publication is tried", True, PUBLISHING, r"publish|releas|upload"
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
    "remote-delete", "something is deleted on a remote system", "a remote deletion is tried", True, REMOVING_REMOTELY
)
MESSAGE = OutwardKind(
    "message", "a message is sent", "a message is tried", True, SENDING, r"send|e-?mail|mail|post|notify|contact"
)
PAYMENT = OutwardKind(
    "payment", "a payment is made", "a payment is tried", True, PAYING, r"pay|charg|refund|buy|purchas"
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
    "request", "data is sent to a remote API", "a request that sends data is tried", False, REQUESTING
)
REMOTE_CODE = OutwardKind(
    "remote-code",
    "code from the network is run unpinned",
    "code from the network is to be run unpinned",
    False,
    RUNNING_REMOTE_CODE,
)


_MOST = 50
_LONGEST = 60_000


class Permission:
    """What was said about effects outside, as far as it was recorded."""

    def __init__(self, task: str) -> None:
        self._user: deque[str] = deque(maxlen=_MOST)
        self._others: deque[str] = deque(maxlen=_MOST)
        self._offers: deque[str] = deque(maxlen=_MOST)
        if task:
            self.user(task)

    @property
    def known(self) -> bool:
        """Whether any words of a user are recorded."""
        return bool(self._user)

    @property
    def only_asked(self) -> bool:
        """Whether all that the user said wants to know something, and nothing done."""
        return self.known and all(read_turn(text).only_asks for text in self._user)

    def user(self, text: str) -> None:
        """Take a turn of the user."""
        self._user.append(text[:_LONGEST])

    def other(self, text: str) -> None:
        """Take what the system prompt or the harness says."""
        self._others.append(text[:_LONGEST])

    def approved(self, text: str) -> None:
        """Take a proposal of the agent that the user approved."""
        self._offers.append(text[:_LONGEST])

    def spoken(self, kind: OutwardKind, heads: Iterable[str] = ()) -> Spoken:
        """How far somebody spoke of such an effect, or of a command by its first words."""
        texts = (*(text for text in self._user if not read_turn(text).only_asks), *self._others)
        of_act = (spoken_of(text, kind.act) for text in texts)
        of_offers = (offered(text, kind.act) for text in self._offers)
        of_commands = (told_to_run(text, head) for head in heads for text in (*texts, *self._offers))
        found = Spoken.NOTHING
        for said in (*of_act, *of_offers, *of_commands):
            found = max(found, said)
        return found

    def mentions(self, name: str) -> bool:
        """Whether somebody named a thing (a host, a tool)."""
        return bool(name) and any(name in text for text in (*self._user, *self._others))

    def forbidden(self, kind: OutwardKind) -> str | None:
        """The user's sentence that forbids such an effect and that no later one takes back; None where there's none."""
        if not kind.forbids:
            return None
        verb = _compiled(kind.forbids)
        quote: str | None = None
        for sentence in self._sentences():
            never = NEVER.search(sentence)
            if never is not None and verb.match(sentence[never.end() :].lstrip()):
                quote = sentence if CONDITION.search(sentence[never.start() :]) is None else quote
            elif quote is not None and sentence_speaks(sentence, kind.act) >= Spoken.MEANT:
                quote = None
        return quote

    def _sentences(self) -> Iterator[str]:
        for text in self._user:
            yield from sentences(text)


@cache
def _compiled(words: str) -> re.Pattern[str]:
    return compiled(words, re.IGNORECASE)
