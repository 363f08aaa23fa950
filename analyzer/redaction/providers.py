"""Keys that their issuers mark by a prefix or another form of their own."""

from __future__ import annotations

import re
from collections.abc import Callable

from analyzer.model.struct import Struct
from analyzer.redaction.private_keys import PRIVATE_KEY, has_body
from analyzer.redaction.rule import END, START, START_OF_WORD, Rule, at_hint, before, token
from analyzer.redaction.values import is_example, turns

_ALNUM, _HEX, _WORD, _LOWER, _UPPER = "[A-Za-z0-9]", "[a-f0-9]", "[A-Za-z0-9_-]", "[a-z0-9]", "[A-Z0-9]"
_NO_MORE = "(?![A-Za-z0-9])"
_LEAST_TURNS = 4
_SPOKEN = ("live_", "API-", "tk-us-", "fo1_", "fm1_", "fm2_")
"""Prefixes that may as well begin a name: what comes after them has to look drawn at random."""


class _Form(Struct, frozen=True):
    """How a key looks: one of the prefixes, parted by blanks, and behind it letters of which there are at least so
    many, or without `least` a pattern. `start` is what may stand before it, `kind` a pattern of what the prefix may go
    on with."""

    prefixes: str
    behind: str
    least: int = 0
    start: str = START
    kind: str = ""

    @property
    def pattern(self) -> str:
        """The pattern of such keys."""
        prefix = f"(?:{'|'.join(map(re.escape, self.prefixes.split()))}){self.kind}"
        if self.least:
            return f"(?:{token(prefix, self.behind, self.least, self.start)})"
        return f"(?:{self.start}{prefix}{self.behind})"


def _is_none(found: re.Match[str]) -> bool:
    key = found.group()
    return is_example(key) or (key.startswith(_SPOKEN) and turns(key) < _LEAST_TURNS)


def _key(name: str, what: str, fact: str, *forms: _Form, begin: Callable[[str, int], int] = at_hint) -> Rule:
    hints = tuple(prefix for form in forms for prefix in form.prefixes.split())
    return Rule(name, "|".join(form.pattern for form in forms), what, fact, hints, keeps=_is_none, begin=begin)


PROVIDERS: tuple[Rule, ...] = (
    Rule(
        "private-key",
        PRIVATE_KEY,
        "private keys in PEM, OpenSSH and PGP armour, whole or cut",
        "`-----BEGIN ... PRIVATE KEY-----`, then lines of base64",
        ("-----BEGIN ",),
        keeps=lambda found: not has_body(found.group()),
    ),
    _key(
        "age-key",
        "secret keys of age",
        "`AGE-SECRET-KEY-1` and 58 characters of Bech32",
        _Form("AGE-SECRET-KEY-1", "[0-9A-Z]{20,}"),
    ),
    _key(
        "anthropic-key",
        "Anthropic API and OAuth keys",
        "`sk-ant-`, a kind such as `api03-`, about 95 characters",
        _Form("sk-ant-", _WORD, 20, kind="(?:[a-z]{2,8}[0-9]{2}-)?"),
    ),
    _key(
        "openai-key",
        "keys of OpenAI and of services that took over its form",
        "`sk-`, since 2024 with a kind such as `proj-`; 48 characters or more",
        _Form("sk-", _WORD, 20, kind="(?:proj|svcacct|admin|None|or-v1|lf|cp)-"),
        _Form("sk-", _ALNUM, 32, START_OF_WORD),
    ),
    _key(
        "github-token",
        "GitHub tokens",
        "`ghp_`, `gho_`, `ghu_`, `ghs_`, `ghr_` and 36 or more letters and digits; `github_pat_` and 82",
        _Form("gho_ ghp_ ghs_ ghu_ ghr_", _ALNUM, 30),
        _Form("github_pat_", "[A-Za-z0-9_]", 30),
    ),
    _key(
        "gitlab-token",
        "GitLab tokens",
        "`glpat-` and its siblings for runners, deployment, jobs; 20 characters or more",
        _Form(
            "glpat- glptt- gldt- glrt- glrtr- glcbt- glft- glimt- glsoat- glagent- gloas- glffct-", "[A-Za-z0-9_.-]", 20
        ),
    ),
    _key(
        "aws-key-id",
        "AWS access key ids",
        "`AKIA` (lasting) or `ASIA` (temporary) and 16 characters",
        _Form("AKIA ASIA ABIA ACCA", f"[A-Z2-7]{{16}}{_NO_MORE}"),
    ),
    _key(
        "google-key",
        "Google API keys, OAuth client secrets and access tokens",
        "`AIza` and 35 characters; `GOCSPX-` and 28; `ya29.`",
        _Form("AIza", _WORD, 35),
        _Form("GOCSPX-", _WORD, 24),
        _Form("ya29.", _WORD, 20),
    ),
    _key(
        "slack-token",
        "Slack tokens and webhooks",
        "`xoxb-`, `xoxp-` and others, `xapp-`; `hooks.slack.com/services/...`",
        _Form("xox", "[A-Za-z0-9-]", 10, kind="[abcdeoprs]-(?:[0-9]-)?"),
        _Form("xapp-", "[A-Za-z0-9-]", 20),
        _Form("hooks.slack.com/", "(?:services|workflows)/[A-Za-z0-9_/]{20,}", start=""),
    ),
    _key(
        "discord-webhook",
        "Discord webhooks",
        "the number and the token after `/api/webhooks/`",
        _Form("/api/webhooks/", "(?P<secret>[0-9]{15,22}/[A-Za-z0-9_-]{40,120}+)", start=""),
    ),
    _key(
        "telegram-token",
        "Telegram bot tokens",
        "the bot's number, `:AA` and 33 characters",
        _Form(":AA", f"{_WORD}{{32,34}}(?![A-Za-z0-9_-])", start=rf"(?:{START}|(?<=/bot))[0-9]{{8,10}}"),
        begin=before("0123456789".__contains__, 10),
    ),
    _key(
        "stripe-key",
        "Stripe secret and restricted keys",
        "`sk_live_`, `rk_live_`, `sk_test_`, `whsec_`",
        _Form("sk_live_ rk_live_ sk_test_ rk_test_", _ALNUM, 10),
        _Form("whsec_", "[A-Za-z0-9+/=]", 24),
    ),
    _key("npm-token", "npm access tokens", "`npm_` and 36 letters and digits", _Form("npm_", _ALNUM, 36)),
    _key(
        "pypi-token", "PyPI API tokens", "`pypi-AgE` and a macaroon in base64", _Form("pypi-AgE", _WORD, 30, kind="N?")
    ),
    _key("hugging-face-token", "Hugging Face tokens", "`hf_` and 34 letters", _Form("hf_ api_org_", _ALNUM, 30)),
    _key("groq-key", "Groq API keys", "`gsk_` and 52 letters and digits", _Form("gsk_", _ALNUM, 40)),
    _key("xai-key", "xAI API keys", "`xai-` and 80 letters and digits", _Form("xai-", _ALNUM, 40)),
    _key(
        "model-provider-key",
        "keys of Perplexity, Replicate, Tavily, Fireworks, NVIDIA and LangSmith",
        "`pplx-`, `r8_`, `tvly-`, `fw_`, `nvapi-`, `lsv2_pt_`",
        _Form("pplx-", _ALNUM, 40),
        _Form("r8_", _ALNUM, 36),
        _Form("tvly-", _ALNUM, 28, kind="(?:dev-|prod-)?"),
        _Form("fw_", _ALNUM, 22),
        _Form("nvapi-", _WORD, 50),
        _Form("lsv2_", "[a-f0-9_]", 32, kind="(?:pt|sk)_"),
    ),
    _key(
        "azure-key",
        "keys in connection strings and signatures of Azure",
        "`AccountKey=` and 88 characters of base64; `SharedAccessKey=`; `&sig=`",
        _Form(
            "AccountKey= SharedAccessKey= ?sig= &sig=",
            "(?P<secret>[A-Za-z0-9%+/=]{20,200}+)",
            start="",
            kind="(?:(?<!sig=)|(?=[A-Za-z0-9%+/=]{30}))",
        ),
    ),
    _key(
        "sendgrid-key", "SendGrid API keys", "`SG.`, 22 characters, a dot, 43 more", _Form("SG.", "[A-Za-z0-9_.-]", 40)
    ),
    _key("twilio-key", "Twilio API keys", "`SK` and 32 hexadecimal digits", _Form("SK", f"{_HEX}{{32}}{_NO_MORE}")),
    _key(
        "mailgun-key",
        "Mailgun API keys",
        "`key-` and 32 hexadecimal digits",
        _Form("key-", f"{_HEX}{{32}}{_NO_MORE}", start=START_OF_WORD),
    ),
    _key(
        "digitalocean-token",
        "DigitalOcean tokens",
        "`dop_v1_`, `doo_v1_`, `dor_v1_` and 64 hexadecimal digits",
        _Form("dop_v1_ doo_v1_ dor_v1_", _HEX, 40),
    ),
    _key("databricks-token", "Databricks tokens", "`dapi` and 32 hexadecimal digits", _Form("dapi", "[a-f0-9-]", 32)),
    _key(
        "service-token",
        "tokens of Shopify, Vault, Docker Hub, Linear, Notion, Sentry, Grafana, Atlassian, Supabase, "
        "PlanetScale, Postman, New Relic, Doppler, Figma, Facebook, Square, 1Password and Tailscale",
        "each by its prefix, such as `shpat_`, `hvs.`, `dckr_pat_`, `lin_api_`, `glsa_`, `ATATT3`",
        _Form("shpat_ shpca_ shppa_ shpss_", "[A-Fa-f0-9]", 32),
        _Form("hvs. hvb. hvr.", _WORD, 24),
        _Form("dckr_pat_ dckr_oat_", _WORD, 24),
        _Form("lin_api_", _ALNUM, 32),
        _Form("ntn_", _ALNUM, 40),
        _Form("sntrys_ sntryu_", "[A-Za-z0-9_+/=-]", 40),
        _Form("glsa_ glc_", "[A-Za-z0-9_+/=]", 32),
        _Form("ATATT3", "[A-Za-z0-9_=-]", 40),
        _Form("sbp_", _HEX, 40),
        _Form("pscale_", "[A-Za-z0-9_.=-]", 32, kind="(?:tkn|pw|oauth)_"),
        _Form("PMAK-", _WORD, 40),
        _Form("NRAK-", _ALNUM, 27),
        _Form("dp.pt.", _ALNUM, 40),
        _Form("figd_", _WORD, 30),
        _Form("EAACEdEose0cBA", _ALNUM, 20),
        _Form("sq0atp- sq0csp-", _WORD, 22),
        _Form("ops_eyJ", "[A-Za-z0-9+/=]", 60),
        _Form("tskey-", "[A-Za-z0-9-]", 20),
    ),
    _key(
        "jwt",
        "JSON web tokens",
        "three parts of base64url between dots, the first begins with `eyJ`",
        _Form(
            "eyJ",
            rf"(?:{_WORD}{{10,}}\.{_WORD}{{10,}}\.(?:{_WORD}{{4,}}(?:\.{_WORD}+)*)?(?:…[A-Za-z0-9_.-]*)?"
            rf"|(?:hbGci|0eXAi|raWQi|jdHki|lbmMi|6aXAi){_WORD}{{4,}}(?:\.{_WORD}*)?(?:…[A-Za-z0-9_.-]*|{END}))",
            start=START_OF_WORD,
        ),
    ),
)
"""Rules that need no context: the form alone identifies it."""


def _service(prefixes: str, letters: str, least: int = 0) -> _Form:
    return _Form(prefixes, letters, least, START_OF_WORD)


_SERVICES = {
    "Adafruit": _service("aio_", _ALNUM, 28),
    "Airtable": _service("pat", rf"{_ALNUM}{{14}}[.]{_HEX}{{64}}"),
    "Alibaba": _service("LTAI", _ALNUM, 17),
    "Artifactory": _service("AKCp", _ALNUM, 60),
    "Clojars": _service("CLOJARS_", _LOWER, 60),
    "Duffel": _service("duffel_test_ duffel_live_", "[A-Za-z0-9_=-]", 40),
    "Dynatrace": _service("dt0c01.", rf"{_ALNUM}{{24}}[.]{_ALNUM}{{6,64}}"),
    "EasyPost": _service("EZAK EZTK", _ALNUM, 54),
    "Flutterwave": _service("FLWSECK- FLWSECK_TEST-", _ALNUM, 32),
    "Fly": _service("fo1_ fm1_ fm2_ fm1a_ fm1r_", "[A-Za-z0-9_+/=-]", 40),
    "Frame.io": _service("fio-u-", "[A-Za-z0-9_=-]", 60),
    "GoCardless": _service("live_", "[A-Za-z0-9_=-]", 40),
    "Harness": _service("pat. sat.", rf"{_WORD}{{22}}[.]{_HEX}{{24}}[.]{_ALNUM}{{6,20}}"),
    "HubSpot": _service("pat-na1- pat-eu1- pat-na2-", rf"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}[a-f0-9-]{{0,17}}"),
    "Infracost": _service("ico-", _ALNUM, 32),
    "Mapbox": _service("sk.eyJ", rf"{_ALNUM}{{30,400}}(?:[.]{_WORD}{{6,64}})?"),
    "Octopus Deploy": _service("API-", _UPPER, 25),
    "OpenShift": _service("sha256~", _WORD, 40),
    "Prefect": _service("pnu_", _LOWER, 36),
    "Pulumi": _service("pul-", _HEX, 40),
    "ReadMe": _service("rdme_", _LOWER, 60),
    "RubyGems": _service("rubygems_", _HEX, 48),
    "Scalingo": _service("tk-us-", _WORD, 40),
    "Brevo": _service("xkeysib-", rf"{_HEX}{{30,64}}(?:-{_ALNUM}{{0,16}})?"),
    "Shippo": _service("shippo_live_ shippo_test_", "[A-Fa-f0-9]", 40),
    "Sourcegraph": _service("sgp_", rf"(?:{_HEX}{{16}}_|local_)?{_HEX}{{8,40}}"),
    "Typeform": _service("tfp_", "[A-Za-z0-9_.=-]", 50),
}

SERVICES: tuple[Rule, ...] = (
    _key(
        "prefixed-key",
        f"keys of {', '.join([*_SERVICES][:-1])} and {[*_SERVICES][-1]}",
        "each by its prefix, such as `aio_`, `dt0c01.`, `pnu_`, `sgp_`, and its length",
        *_SERVICES.values(),
    ),
    _key(
        "mailchimp-key",
        "Mailchimp API keys",
        "32 hexadecimal digits, `-us` and the number of a data centre",
        _Form("-us", "[0-9]{1,2}(?![A-Za-z0-9-])", start=rf"{START}{_HEX}{{32}}"),
        begin=before("0123456789abcdef".__contains__, 32),
    ),
)
"""Rules for keys that were made known by their issuers or by public rule sets."""
