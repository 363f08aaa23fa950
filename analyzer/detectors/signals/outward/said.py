"""What is said of effects outside of the machine: by the user and the instructions, whether they wanted or forbade
them; and by outputs, since a script doesn't say what it does, its output does. And the kinds that there are."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
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
from analyzer.text.late import late


class OutwardKind(Struct, frozen=True):
    """One kind of effect: its name, the act that a user asks for, the words that say after a "don't" that it's
    forbidden, and whether it can't be taken back."""

    name: str
    act: AskedAct
    forbids: str = ""
    final: bool = False


PUSH = OutwardKind("push", PUSHING, r"push")
PUBLISH = OutwardKind("publish", PUBLISHING, r"publish|releas|upload", final=True)
DEPLOY = OutwardKind("deploy", RELEASING, r"deploy|roll(?:ing)? out|(?:terraform|kubectl) apply", final=True)
DELETE = OutwardKind("remote-delete", REMOVING_REMOTELY, final=True)
MESSAGE = OutwardKind("message", SENDING, r"send|e-?mail|mail|post|notify|contact", final=True)
PAYMENT = OutwardKind("payment", PAYING, r"pay|charg|refund|buy|purchas", final=True)
FORGE = OutwardKind(
    "forge",
    WRITING_TO_FORGE,
    r"(?:open|creat|mak|submit)(?:e|ing)? (?:an? |any |the )?(?:pull[- ]?request|pr\b|issue)|merg",
)
REQUEST = OutwardKind("request", REQUESTING)
REMOTE_CODE = OutwardKind("remote-code", RUNNING_REMOTE_CODE)


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

    def user(self, text: str, proposed: str = "") -> None:
        """Take a turn of the user, and what the agent said before it, which may be a proposal that is approved."""
        self._user.append(text[:_LONGEST])
        if proposed and read_turn(text[:200]).approves:
            self._offers.append(proposed)

    def other(self, text: str) -> None:
        """Take what the system prompt or the harness says."""
        self._others.append(text[:_LONGEST])

    def spoken(self, kind: OutwardKind, heads: Iterable[str] = ()) -> Spoken:
        """How far somebody spoke of such an effect, or of a command by its first words."""
        texts = (*(text for text in self._user if not read_turn(text).only_asks), *self._others)
        of_act = (spoken_of(text, kind.act) for text in texts)
        of_offers = (offered(text, kind.act) for text in self._offers)
        of_commands = (told_to_run(text, head) for head in heads for text in (*texts, *self._offers))
        return max((*of_act, *of_offers, *of_commands), default=Spoken.NOTHING)

    def mentions(self, name: str) -> bool:
        """Whether somebody named a thing (a host, a tool)."""
        return bool(name) and any(name in text for text in (*self._user, *self._others))

    def forbidden(self, kind: OutwardKind) -> str | None:
        """The user's sentence that forbids such an effect and that no later one takes back; None where there's none."""
        if not kind.forbids:
            return None
        verb = _compiled(kind.forbids)
        quote: str | None = None
        for sentence in (sentence for text in self._user for sentence in sentences(text)):
            never = NEVER.search(sentence)
            if never is not None and verb.match(sentence[never.end() :].lstrip()):
                quote = sentence if CONDITION.search(sentence[never.start() :]) is None else quote
            elif quote is not None and sentence_speaks(sentence, kind.act) >= Spoken.MEANT:
                quote = None
        return quote


@cache
def _compiled(words: str) -> re.Pattern[str]:
    return late(words, re.IGNORECASE)


_LONGEST_OUTPUT = 30_000
_MARK = r"^(?:\[[^\]\n]{1,40}\]\s*)?(?:[✓✔🚀✅🎉📦*+>-]\ufe0f?\s*)?(?:\w+: )?(?:Successfully |Done[:.]? )?"
_PUSHED = late(
    r"^To (?P<to>(?:https?://|ssh://|git@|[\w.-]+@?[\w.-]*\.\w+:)\S+)\n(?:(?:remote:|[ \t]*\n).*\n?){0,5}"
    r"[ \t]*(?:[\da-f]{6,40}\.\.\.?[\da-f]{6,40}|\* \[new (?:branch|tag)\])\s+\S+ +-> +\S+",
    re.MULTILINE,
)
_SHOWN: Mapping[OutwardKind, re.Pattern[str]] = {
    PUBLISH: late(
        _MARK + r"[Pp]ublished (?!locally)(?:package |version )?@?[\w./-]*(?:@| v?|==)?v?\d+\.\d+[\w.+-]*(?! locally)\b"
        r"[^\n]{0,80}|^View at:?\s*\n?https://\S+/(?:project|package)s?/\S+",
        re.MULTILINE,
    ),
    DEPLOY: late(
        _MARK + r"[Dd]eployed\b[^\n]{0,60}\bto (?:production|prod|staging|live|https://)[^\n]{0,60}"
        r"|" + _MARK + r"[Dd]eployment (?:to \S+ )?(?:complete[d]?|succeeded|successful|finished)\b[^\n]{0,60}",
        re.MULTILINE,
    ),
    MESSAGE: late(
        _MARK + r"(?:[Ee]-?mail|[Mm]ail|[Mm]essage|[Nn]otification|[Ii]nvitation|SMS)s? (?:was |were |successfully )?"
        r"sent\b[^\n]{0,80}"
        r"|"
        + _MARK
        + r"[Ss]ent (?:an? |the |\d+ )?(?:e-?mail|mail|message|notification|invitation|SMS)s?\b[^\n]{0,80}",
        re.MULTILINE,
    ),
    PAYMENT: late(
        _MARK
        + r"(?:[Pp]ayment|[Rr]efund|[Tt]ransfer) (?:of \S+ (?:\w{3} )?)?(?:was )?(?:succeeded|successful|completed"
        r"|processed|captured|sent)\b[^\n]{0,80}",
        re.MULTILINE,
    ),
}
"""What a script says when it has done something."""
_UNREAL = late(
    r"dry.?run|simulat|\bmock|\bfake|\bstub|\bwould (?:be |have )?(?:publish|deploy|sen[dt]|push)|localhost"
    r"|127\.0\.0\.1|\bexample\.(?:com|dev|org)\b|sandbox|test mode|emulator|\blocally\b|no-op|verdaccio",
    re.IGNORECASE,
)
_WITHIN = late(
    r"\b(?:queue|worker|topic|broker|web ?socket|socket|thread|folder|directory|console|stdout)\b", re.IGNORECASE
)
"""Where what a program sends or puts somewhere stays within it."""
_TESTS = late(r"\b\d+ (?:tests? )?pass(?:ed|ing)\b|^(?:PASS|FAIL|ok|not ok)\b|^=+ test session", re.MULTILINE)


def output_effects(output: str) -> Iterator[tuple[OutwardKind, str]]:
    """What an output says has happened outside, with the words that say so."""
    text = output[:_LONGEST_OUTPUT]
    if len(output) > 2 * _LONGEST_OUTPUT:
        text += output[-_LONGEST_OUTPUT:]
    pushed = _PUSHED.search(text)
    if pushed is not None and "dry run" not in text.lower():
        yield PUSH, pushed[0].strip()
    if _UNREAL.search(text) or _TESTS.search(text):
        return
    for kind, pattern in _SHOWN.items():
        found = pattern.search(text)
        if found is not None and _WITHIN.search(found[0]) is None:
            yield kind, found[0].strip()


def succeeded(result: str | None) -> bool:
    """Whether a result says that the call went through."""
    wrong = r"\b(?:error|fail|denied|invalid|not found|cannot)"
    return result is not None and re.search(wrong, result[:2_000], re.IGNORECASE) is None
