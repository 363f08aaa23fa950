"""Replace secrets in the texts of one document by placeholders that stay the same throughout it."""

from __future__ import annotations

import json
import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import quote, quote_plus

from analyzer.redaction.contexts import KeyLines, body_lines, rule_of_setting
from analyzer.redaction.rule import BOUNDARY, Rule
from analyzer.redaction.rules import RULES
from analyzer.redaction.values import turns
from analyzer.text.late import Literals, late

_PRIVATE_KEY = RULES[0]
_HINTS = Literals(hint for rule in RULES if not rule.any_case for hint in rule.hints)
_SMALL_HINTS = Literals(hint for rule in RULES if rule.any_case for hint in rule.hints)
_MOST_COMPARED = 500
"""A secret that was cut is looked for among at most so many others."""
_MOST_LEARNED = 2_000
_MOST_FRESH = 50
_PARTED, _FEW = 6, 3
_HOME = next(rule for rule in RULES if rule.name == "home-directory")
_PERSON = next(rule for rule in RULES if rule.name == "person")
_LEAST_CUT = 10
_ISSUED, _LEAST_SHOWN = late(r"\A(?:[a-z]{2,6}\d{0,2}[-_])+"), 8
"""What secrets of one issuer begin with, and the characters behind it that tell one of them from the others."""
_LEAST_NAME = 3
_LEAST_END, _MOST_CUTS = 4, 50
"""A secret of which the beginning and the end were shown, each of so many characters or more, is known when it's whole;
so many of them are remembered."""
_BEFORE_NAME = late(
    r"(?:~|://|-(?:home|Users)-|/(?:users|media|scratch|tmp)/|\b(?:home|[Uu]sers)(?:[/\\]|%2[Ff])|\.(?:com|org)[/:]"
    r"|uid=|[0-9]\(|[0-9]/ {1,8}|\b[Uu]ser[ =:]|(?:USER|LOGNAME|USERNAME)="
    r"|\buser-[0-9]{1,4}[ \t]{0,4}[ \t:/]|\bchown (?:-R )?)\Z"
)
"""What stands before the name of an account where it's no word or part of any other path."""
_AFTER_NAME = late(r"[/\\\s\"'`:;,)\]}>|@-]|\Z|\x00")
_AFTER_ACCOUNT = late(r":[x*]:\d|[ ]{1,12}\d{1,8}[ ]{1,6}\d")
_MAIL = late(r"@[A-Za-z0-9]")
_NO_START = late(r"[\w.@/-]\Z")
_MACHINE = late(r"s?-(?:MBP|MacBook|iMac|Mac|PC|Laptop|Desktop|Air|Pro|Mini|Studio)\b", re.IGNORECASE)
_SMALL = {ord(letter): letter.lower() for letter in string.ascii_uppercase}


class Redactor:
    """Knows the secrets of one document: the same secret gets the same placeholder, another one another, numbered as
    they appear.

    `counts` has by the names of the rules how often something was replaced.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._numbers: dict[str, dict[str, int]] = {}
        self._last: Counter[str] = Counter()
        self._lines = KeyLines()
        self._learned: dict[str, tuple[Rule, str]] = {}
        self._known: re.Pattern[str] | None = None
        self._fresh: list[str] = []
        self._cuts: dict[str, tuple[Rule, str]] = {}
        self._names: dict[str, str] = {}
        self._last_lowered = ("", "")

    @property
    def distinct(self) -> dict[str, int]:
        """How many different secrets were found, by the names of the rules."""
        return dict(self._last)

    @property
    def learned(self) -> int:
        """How many secrets are known that only their surroundings gave away."""
        return len(self._learned) + len(self._cuts) + len(self._names)

    def redact(self, text: str) -> str:
        """The text with placeholders."""
        return self.redact_all((text,))[0]

    def redact_all(self, texts: Sequence[str]) -> list[str]:
        """The texts with placeholders, looked at together: many short ones cost hardly more than one long one."""
        joined = BOUNDARY.join(texts)
        if len(texts) == 1 or joined.count(BOUNDARY) > len(texts) - 1:
            return [self._redacted(text) for text in texts]
        return self._redacted(joined).split(BOUNDARY) if texts else []

    def redact_learned(self, texts: Sequence[str]) -> list[str]:
        """Texts that were redacted before, without the secrets that were learned since."""
        return [self._apply_known(text) for text in texts]

    def learn(self, texts: Iterable[str]) -> None:
        """Remember the private keys in texts that aren't shown themselves, so that lines of them are known
        elsewhere."""
        for text in texts:
            if "PRIVATE KEY-----" in text:
                for found in _PRIVATE_KEY.find(text, text):
                    self._lines.learn(found.group())

    def hides(self, name: str, value: str) -> str | None:
        """The placeholder for a value that its name gives away; None for any other."""
        rule = rule_of_setting(name, value)
        return self._replace(rule, value) if rule is not None else None

    def _redacted(self, text: str) -> str:
        looked_at, hints = "", frozenset[str]()
        for rule in RULES:
            if looked_at is not text:
                looked_at, hints = text, frozenset({*_HINTS.within(text), *_SMALL_HINTS.within(self._lowered(text))})
            if not hints.isdisjoint(rule.hints):
                text = self._apply(rule, text, [hint for hint in rule.hints if hint in hints])
        if self._lines:
            lines = self._lines.pieces(text)
            text = spliced(text, ((start, end, self._replace(_PRIVATE_KEY, block)) for start, end, block in lines))
        return self._apply_known(text)

    def _apply_known(self, text: str) -> str:
        if self._names:
            text = self._apply_names(text)
        for whole, (rule, placeholder) in self._cuts.items():
            text, count = re.subn(whole, placeholder, text)
            self.counts[rule.name] += count
        return self._apply_learned(text) if self._learned else text

    def _apply(self, rule: Rule, text: str, hints: Iterable[str]) -> str:
        found = map(rule.span, rule.find(text, self._lowered(text) if rule.any_case else text, hints))
        return spliced(text, ((start, end, self._replace(rule, text[start:end])) for start, end in found))

    def _lowered(self, text: str) -> str:
        """The text in small letters, as many as it has characters; kept, since most rules leave a text as it is."""
        if self._last_lowered[0] is not text:
            lowered = text.lower()
            self._last_lowered = text, lowered if len(lowered) == len(text) else text.translate(_SMALL)
        return self._last_lowered[1]

    def _replace(self, rule: Rule, secret: str) -> str:
        self.counts[rule.name] += 1
        if secret in self._learned:
            return self._learned[secret][1]
        cut, _, end = secret.partition("…")
        identity = cut
        if rule is _PRIVATE_KEY:
            self._lines.learn(secret)
            identity = "".join(body_lines(secret)) or secret
        placeholder = rule.placeholder.format(name=rule.name, number=self._number(rule.name, identity))
        if (
            rule.learned
            and cut == secret
            and len(secret) >= 8
            and (" " in secret if rule is _PERSON else turns(secret) >= 2)
            and len(self._learned) < _MOST_LEARNED
        ):
            for form in {secret, quote(secret, safe=""), quote_plus(secret), json.dumps(secret)[1:-1]}:
                self._learned[form] = rule, placeholder
                self._fresh.append(form)
        elif rule.learned and min(len(cut), len(end)) >= _LEAST_END and len(self._cuts) < _MOST_CUTS:
            whole = rf"(?<![A-Za-z0-9]){re.escape(cut)}[A-Za-z0-9._~+/=-]{{4,400}}?{re.escape(end)}(?![A-Za-z0-9])"
            self._cuts.setdefault(whole, (rule, placeholder))
        elif rule is _HOME and cut == secret and len(secret) >= _LEAST_NAME:
            self._names[secret] = placeholder
        return placeholder

    def _number(self, name: str, identity: str) -> int:
        known = self._numbers.setdefault(name, {})
        if identity in known:
            return known[identity]
        if len(identity) >= _LEAST_CUT and len(known) < _MOST_COMPARED and name not in ("e-mail", "home-directory"):
            for other, number in known.items():
                if _may_be_cut(identity, other) and all(
                    _may_be_cut(identity, same) for same, others in known.items() if others == number
                ):
                    known[identity] = number
                    return number
        self._last[name] += 1
        known[identity] = self._last[name]
        return known[identity]

    def _apply_names(self, text: str) -> str:
        """The text with the names that home directories gave away replaced where a name of an account stands, and in
        the names of machines that are called after their owner."""
        for name, placeholder in self._names.items():
            for word in dict.fromkeys((name, name.capitalize())):
                text = spliced(text, ((start, end, placeholder) for start, end in self._accounts(text, word)))
        return text

    def _accounts(self, text: str, word: str) -> Iterator[tuple[int, int]]:
        place = text.find(word)
        while place >= 0:
            end = place + len(word)
            # The second is the beginning of a machine's name, such as `Alexs-MBP`.
            if _is_account(text, place, end) or (
                _MACHINE.match(text, end) is not None and not text[max(0, place - 1) : place].isalnum()
            ):
                self.counts[_HOME.name] += 1
                yield place, end
            place = text.find(word, end)

    def _apply_learned(self, text: str) -> str:
        # To compile them all takes long: what is new waits until a text holds it, or until there's enough of it.
        many = len(self._fresh) > max(_MOST_FRESH, len(self._learned) // 4)
        if self._known is None or many or any(name in text for name in self._fresh):
            self._known = re.compile(rf"(?<![A-Za-z0-9]){_one_of(list(self._learned))}(?![A-Za-z0-9])")
            self._fresh.clear()

        def placeholder(found: re.Match[str]) -> str:
            rule, shown = self._learned[found.group()]
            self.counts[rule.name] += 1
            return shown

        return self._known.sub(placeholder, text)


def spliced(text: str, pieces: Iterable[tuple[int, int, str]]) -> str:
    """The text with others in the place of some pieces of it, each from one place to another and in order."""
    parts: list[str] = []
    done = 0
    for start, end, instead in pieces:
        parts += (text[done:start], instead)
        done = end
    return "".join([*parts, text[done:]]) if parts else text


def _may_be_cut(one: str, other: str) -> bool:
    """Whether one of two secrets is the beginning of the other, and shows enough of it to be known by: what an issuer
    begins all its secrets with doesn't count."""
    if not (one.startswith(other) or other.startswith(one)):
        return False
    shorter = min(one, other, key=len)
    return len(shorter) >= _LEAST_CUT and len(_ISSUED.sub("", shorter, count=1)) >= _LEAST_SHOWN


def _one_of(names: list[str], depth: int = 0) -> str:
    """An expression for one of the names, the longest that fits; parted by their first letters, so that few of many are
    tried."""
    if depth == _PARTED or len(names) <= _FEW:
        return f"(?:{'|'.join(re.escape(name[depth:]) for name in sorted(names, key=len, reverse=True))})"
    by_letter: dict[str, list[str]] = {}
    for name in names:
        by_letter.setdefault(name[depth], []).append(name)
    return f"(?:{'|'.join(f'{re.escape(letter)}{_one_of(same, depth + 1)}' for letter, same in by_letter.items())})"


def _is_account(text: str, start: int, end: int) -> bool:
    """Whether the name between two places is there as the name of an account."""
    if _AFTER_NAME.match(text, end) is None:
        return False
    name, before = text[start:end], text[max(0, start - 24) : start]
    if before.endswith("(") and text.startswith(f") {text[start:end]}@", end):
        return True  # an environment of that name, before the account of a prompt
    if before.endswith((f"{name}:", f"{name} ", f"{name}/")):
        return True  # the group that is called as its owner
    if before[-1:] in ("", "\n", "\0") and _AFTER_ACCOUNT.match(text, end) is not None:
        return True  # a system's table of accounts or of processes
    return _BEFORE_NAME.search(before) is not None or (
        _MAIL.match(text, end) is not None and _NO_START.search(before) is None
    )
