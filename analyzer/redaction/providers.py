"""Keys that their issuers mark by a prefix or another form of their own."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.redaction.private_keys import PRIVATE_KEY, has_body
from analyzer.redaction.rule import END, START, START_OF_WORD, Rule, token
from analyzer.redaction.values import is_example

_ALNUM, _HEX, _WORD = "[A-Za-z0-9]", "[a-f0-9]", "[A-Za-z0-9_-]"


def _at_hint(_text: str, hint: int) -> int:
    return hint


def _digits_before(text: str, hint: int) -> int:
    start = hint
    while start > 0 and hint - start < 10 and text[start - 1].isdigit():
        start -= 1
    return start


def _key(
    name: str, pattern: str, what: str, fact: str, *hints: str, begin: Callable[[str, int], int] = _at_hint
) -> Rule:
    return Rule(name, pattern, what, fact, hints, keeps=lambda found: is_example(found.group()), begin=begin)


def _either(*patterns: str) -> str:
    """One pattern of several that have each a group of their own for the secret."""
    return "|".join(f"(?:{pattern.replace('(?P<secret>', '(?:')})" for pattern in patterns)


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
        rf"{START}AGE-SECRET-KEY-1[0-9A-Z]{{20,}}",
        "secret keys of age",
        "`AGE-SECRET-KEY-1` and 58 characters of Bech32",
        "AGE-SECRET-KEY-1",
    ),
    _key(
        "anthropic-key",
        token("sk-ant-(?:[a-z]{2,8}[0-9]{2}-)?", _WORD, 20),
        "Anthropic API and OAuth keys",
        "`sk-ant-`, a kind such as `api03-`, about 95 characters",
        "sk-ant-",
    ),
    _key(
        "openai-key",
        _either(
            token("sk-(?:proj|svcacct|admin|None|or-v1|lf|cp)-", _WORD, 20), token("sk-", _ALNUM, 32, START_OF_WORD)
        ),
        "keys of OpenAI and of services that took over its form",
        "`sk-`, since 2024 with a kind such as `proj-`; 48 characters or more",
        "sk-",
    ),
    _key(
        "github-token",
        _either(token("gh[opsur]_", _ALNUM, 30), token("github_pat_", "[A-Za-z0-9_]", 30)),
        "GitHub tokens",
        "`ghp_`, `gho_`, `ghu_`, `ghs_`, `ghr_` and 36 or more letters and digits; `github_pat_` and 82",
        "gho_",
        "ghp_",
        "ghs_",
        "ghu_",
        "ghr_",
        "github_pat_",
    ),
    _key(
        "gitlab-token",
        token("gl(?:pat|ptt|dt|rt|rtr|cbt|ft|imt|soat|agent|oas|ffct)-", "[A-Za-z0-9_.-]", 20),
        "GitLab tokens",
        "`glpat-` and its siblings for runners, deployment, jobs; 20 characters or more",
        "glpat-",
        "glptt-",
        "gldt-",
        "glrt-",
        "glrtr-",
        "glcbt-",
        "glft-",
        "glimt-",
        "glsoat-",
        "glagent-",
        "gloas-",
        "glffct-",
    ),
    _key(
        "aws-key-id",
        rf"{START}(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{{16}}(?![A-Za-z0-9])",
        "AWS access key ids",
        "`AKIA` (lasting) or `ASIA` (temporary) and 16 characters",
        "AKIA",
        "ASIA",
        "ABIA",
        "ACCA",
    ),
    _key(
        "google-key",
        _either(token("AIza", _WORD, 35), token("GOCSPX-", _WORD, 24), token(r"ya29\.", _WORD, 20)),
        "Google API keys, OAuth client secrets and access tokens",
        "`AIza` and 35 characters; `GOCSPX-` and 28; `ya29.`",
        "AIza",
        "GOCSPX-",
        "ya29.",
    ),
    _key(
        "slack-token",
        _either(
            token("xox[abcdeoprs]-(?:[0-9]-)?", "[A-Za-z0-9-]", 10),
            token("xapp-", "[A-Za-z0-9-]", 20),
            r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9_/]{20,}",
        ),
        "Slack tokens and webhooks",
        "`xoxb-`, `xoxp-` and others, `xapp-`; `hooks.slack.com/services/...`",
        "xox",
        "xapp-",
        "hooks.slack.com/",
    ),
    _key(
        "discord-webhook",
        r"/api/webhooks/(?P<secret>[0-9]{15,22}/[A-Za-z0-9_-]{40,120}+)",
        "Discord webhooks",
        "the number and the token after `/api/webhooks/`",
        "/api/webhooks/",
    ),
    _key(
        "telegram-token",
        rf"(?:{START}|(?<=/bot))[0-9]{{8,10}}:AA[A-Za-z0-9_-]{{32,34}}(?![A-Za-z0-9_-])",
        "Telegram bot tokens",
        "the bot's number, `:AA` and 33 characters",
        ":AA",
        begin=_digits_before,
    ),
    _key(
        "stripe-key",
        _either(token("(?:sk|rk)_(?:live|test)_", _ALNUM, 10), token("whsec_", "[A-Za-z0-9+/=]", 24)),
        "Stripe secret and restricted keys",
        "`sk_live_`, `rk_live_`, `sk_test_`, `whsec_`",
        "sk_live_",
        "rk_live_",
        "sk_test_",
        "rk_test_",
        "whsec_",
    ),
    _key("npm-token", token("npm_", _ALNUM, 36), "npm access tokens", "`npm_` and 36 letters and digits", "npm_"),
    _key(
        "pypi-token",
        token("pypi-(?:AgE|AgEN)", _WORD, 30),
        "PyPI API tokens",
        "`pypi-AgE` and a macaroon in base64",
        "pypi-AgE",
    ),
    _key(
        "hugging-face-token",
        token("(?:hf|api_org)_", _ALNUM, 30),
        "Hugging Face tokens",
        "`hf_` and 34 letters",
        "hf_",
        "api_org_",
    ),
    _key("groq-key", token("gsk_", _ALNUM, 40), "Groq API keys", "`gsk_` and 52 letters and digits", "gsk_"),
    _key("xai-key", token("xai-", _ALNUM, 40), "xAI API keys", "`xai-` and 80 letters and digits", "xai-"),
    _key(
        "model-provider-key",
        _either(
            token("pplx-", _ALNUM, 40),
            token("r8_", _ALNUM, 36),
            token("tvly-(?:dev-|prod-)?", _ALNUM, 28),
            token("fw_", _ALNUM, 22),
            token("nvapi-", _WORD, 50),
            token("lsv2_(?:pt|sk)_", "[a-f0-9_]", 32),
        ),
        "keys of Perplexity, Replicate, Tavily, Fireworks, NVIDIA and LangSmith",
        "`pplx-`, `r8_`, `tvly-`, `fw_`, `nvapi-`, `lsv2_pt_`",
        "pplx-",
        "r8_",
        "tvly-",
        "fw_",
        "nvapi-",
        "lsv2_",
    ),
    _key(
        "azure-key",
        r"(?:AccountKey=|SharedAccessKey=|[?&]sig=(?=[A-Za-z0-9%+/=]{30}))(?P<secret>[A-Za-z0-9%+/=]{20,200}+)",
        "keys in connection strings and signatures of Azure",
        "`AccountKey=` and 88 characters of base64; `SharedAccessKey=`; `&sig=`",
        "AccountKey=",
        "SharedAccessKey=",
        "?sig=",
        "&sig=",
    ),
    _key(
        "sendgrid-key",
        token(r"SG\.", "[A-Za-z0-9_.-]", 40),
        "SendGrid API keys",
        "`SG.`, 22 characters, a dot, 43 more",
        "SG.",
    ),
    _key(
        "twilio-key",
        rf"{START}SK{_HEX}{{32}}(?![A-Za-z0-9])",
        "Twilio API keys",
        "`SK` and 32 hexadecimal digits",
        "SK",
    ),
    _key(
        "mailgun-key",
        rf"{START_OF_WORD}key-{_HEX}{{32}}(?![A-Za-z0-9])",
        "Mailgun API keys",
        "`key-` and 32 hexadecimal digits",
        "key-",
    ),
    _key(
        "digitalocean-token",
        token("do[opr]_v1_", _HEX, 40),
        "DigitalOcean tokens",
        "`dop_v1_`, `doo_v1_`, `dor_v1_` and 64 hexadecimal digits",
        "dop_v1_",
        "doo_v1_",
        "dor_v1_",
    ),
    _key(
        "databricks-token",
        token("dapi", "[a-f0-9-]", 32),
        "Databricks tokens",
        "`dapi` and 32 hexadecimal digits",
        "dapi",
    ),
    _key(
        "service-token",
        _either(
            token("shp(?:at|ca|pa|ss)_", "[A-Fa-f0-9]", 32),
            token("hv[sbr][.]", _WORD, 24),
            token("dckr_(?:pat|oat)_", _WORD, 24),
            token("lin_api_", _ALNUM, 32),
            token("ntn_", _ALNUM, 40),
            token("sntry[su]_", "[A-Za-z0-9_+/=-]", 40),
            token("gl(?:sa|c)_", "[A-Za-z0-9_+/=]", 32),
            token("ATATT3", "[A-Za-z0-9_=-]", 40),
            token("sbp_", _HEX, 40),
            token("pscale_(?:tkn|pw|oauth)_", "[A-Za-z0-9_.=-]", 32),
            token("PMAK-", _WORD, 40),
            token("NRAK-", _ALNUM, 27),
            token("dp[.]pt[.]", _ALNUM, 40),
            token("figd_", _WORD, 30),
            token("EAACEdEose0cBA", _ALNUM, 20),
            token("sq0(?:atp|csp)-", _WORD, 22),
            token("ops_eyJ", "[A-Za-z0-9+/=]", 60),
            token("tskey-", "[A-Za-z0-9-]", 20),
        ),
        (
            "tokens of Shopify, Vault, Docker Hub, Linear, Notion, Sentry, Grafana, Atlassian, Supabase, "
            "PlanetScale, Postman, New Relic, Doppler, Figma, Facebook, Square, 1Password and Tailscale"
        ),
        "each by its prefix, such as `shpat_`, `hvs.`, `dckr_pat_`, `lin_api_`, `glsa_`, `ATATT3`",
        "shpat_",
        "shpca_",
        "shppa_",
        "shpss_",
        "hvs.",
        "hvb.",
        "hvr.",
        "dckr_pat_",
        "dckr_oat_",
        "lin_api_",
        "ntn_",
        "sntrys_",
        "sntryu_",
        "glsa_",
        "glc_",
        "ATATT3",
        "sbp_",
        "pscale_",
        "PMAK-",
        "NRAK-",
        "dp.pt.",
        "figd_",
        "EAACEdEose0cBA",
        "sq0atp-",
        "sq0csp-",
        "ops_eyJ",
        "tskey-",
    ),
    _key(
        "jwt",
        (
            rf"{START_OF_WORD}(?:eyJ{_WORD}{{10,}}\.{_WORD}{{10,}}\.(?:{_WORD}{{4,}}(?:\.{_WORD}+)*)"
            rf"?(?:…[A-Za-z0-9_.-]*)?|eyJ(?:hbGci|0eXAi|raWQi|jdHki|lbmMi|6aXAi){_WORD}{{4,}}(?:\.{_WORD}*)"
            rf"?(?:…[A-Za-z0-9_.-]*|{END}))"
        ),
        "JSON web tokens",
        "three parts of base64url between dots, the first begins with `eyJ`",
        "eyJ",
    ),
)
"""Rules that need no context: the form alone identifies it."""
