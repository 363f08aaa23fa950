"""Keys of further services, each known by a prefix of its own and by how many characters come after it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyzer.redaction.rule import START, START_OF_WORD, Rule, token
from analyzer.redaction.values import is_example, turns

_ALNUM, _HEX, _WORD, _LOWER, _UPPER = "[A-Za-z0-9]", "[a-f0-9]", "[A-Za-z0-9_-]", "[a-z0-9]", "[A-Z0-9]"
_LEAST_TURNS = 4
_HASH = 32


@dataclass(frozen=True, slots=True)
class _Service:
    """Whose keys begin with the prefixes, and what comes after it: a pattern, or letters of which at least so many."""

    whose: str
    prefixes: tuple[str, ...]
    letters: str
    least: int = 0

    @property
    def patterns(self) -> tuple[str, ...]:
        """The pattern of a key for each prefix."""
        escaped = (prefix.replace(".", "[.]") for prefix in self.prefixes)
        if self.least:
            return tuple(token(prefix, self.letters, self.least, START_OF_WORD) for prefix in escaped)
        return tuple(rf"{START_OF_WORD}{prefix}{self.letters}" for prefix in escaped)


_SERVICES = (
    _Service("Adafruit", ("aio_",), _ALNUM, 28),
    _Service("Airtable", ("pat",), rf"{_ALNUM}{{14}}[.]{_HEX}{{64}}"),
    _Service("Alibaba", ("LTAI",), _ALNUM, 17),
    _Service("Artifactory", ("AKCp",), _ALNUM, 60),
    _Service("Clojars", ("CLOJARS_",), _LOWER, 60),
    _Service("Duffel", ("duffel_test_", "duffel_live_"), "[A-Za-z0-9_=-]", 40),
    _Service("Dynatrace", ("dt0c01.",), rf"{_ALNUM}{{24}}[.]{_ALNUM}{{6,64}}"),
    _Service("EasyPost", ("EZAK", "EZTK"), _ALNUM, 54),
    _Service("Flutterwave", ("FLWSECK-", "FLWSECK_TEST-"), _ALNUM, 32),
    _Service("Fly", ("fo1_", "fm1_", "fm2_", "fm1a_", "fm1r_"), "[A-Za-z0-9_+/=-]", 40),
    _Service("Frame.io", ("fio-u-",), "[A-Za-z0-9_=-]", 60),
    _Service("GoCardless", ("live_",), "[A-Za-z0-9_=-]", 40),
    _Service("Harness", ("pat.", "sat."), rf"{_WORD}{{22}}[.]{_HEX}{{24}}[.]{_ALNUM}{{6,20}}"),
    _Service("HubSpot", ("pat-na1-", "pat-eu1-", "pat-na2-"), rf"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}[a-f0-9-]{{0,17}}"),
    _Service("Infracost", ("ico-",), _ALNUM, 32),
    _Service("Mapbox", ("sk.eyJ",), rf"{_ALNUM}{{30,400}}(?:[.]{_WORD}{{6,64}})?"),
    _Service("Octopus Deploy", ("API-",), _UPPER, 25),
    _Service("OpenShift", ("sha256~",), _WORD, 40),
    _Service("Prefect", ("pnu_",), _LOWER, 36),
    _Service("Pulumi", ("pul-",), _HEX, 40),
    _Service("ReadMe", ("rdme_",), _LOWER, 60),
    _Service("RubyGems", ("rubygems_",), _HEX, 48),
    _Service("Scalingo", ("tk-us-",), _WORD, 40),
    _Service("Brevo", ("xkeysib-",), rf"{_HEX}{{30,64}}(?:-{_ALNUM}{{0,16}})?"),
    _Service("Shippo", ("shippo_live_", "shippo_test_"), "[A-Fa-f0-9]", 40),
    _Service("Sourcegraph", ("sgp_",), rf"(?:{_HEX}{{16}}_|local_)?{_HEX}{{8,40}}"),
    _Service("Typeform", ("tfp_",), "[A-Za-z0-9_.=-]", 50),
)
_SPOKEN = frozenset({"live_", "API-", "tk-us-", "fo1_", "fm1_", "fm2_"})
"""Prefixes that may as well begin a name: what comes after them has to look drawn at random."""


def _is_none(found: re.Match[str]) -> bool:
    key = found.group()
    return is_example(key) or (key.startswith(tuple(_SPOKEN)) and turns(key) < _LEAST_TURNS)


def _region_before(_text: str, hint: int) -> int:
    return max(0, hint - _HASH)


SERVICES: tuple[Rule, ...] = (
    Rule(
        "prefixed-key",
        "|".join(
            f"(?:{pattern.replace('(?P<secret>', '(?:')})" for service in _SERVICES for pattern in service.patterns
        ),
        f"keys of {', '.join(service.whose for service in _SERVICES[:-1])} and {_SERVICES[-1].whose}",
        "each by its prefix, such as `aio_`, `dt0c01.`, `pnu_`, `sgp_`, and its length",
        tuple(prefix for service in _SERVICES for prefix in service.prefixes),
        keeps=_is_none,
    ),
    Rule(
        "mailchimp-key",
        rf"{START}{_HEX}{{32}}-us[0-9]{{1,2}}(?![A-Za-z0-9-])",
        "Mailchimp API keys",
        "32 hexadecimal digits, `-us` and the number of a data centre",
        ("-us",),
        begin=_region_before,
        keeps=lambda found: is_example(found.group()),
    ),
)
"""Rules for keys that were made known by their issuers or by public rule sets."""
