"""How many secrets of known kinds the rules of redaction find, and how often they take for one what is none.

Usage: python benchmarks/redaction_rules.py [--show] [FOLDER ...]

The kinds are those that public rule sets know (detect-secrets, gitleaks); every value is drawn here, so nothing of
theirs, and no secret of anybody's, is in this file. Each value is shown in several ways: bare in a sentence, as a
setting, in JSON, as JSON within JSON, in a header or an address, cut off, and coloured. Then a thousand look-alikes of
some forty kinds (digests, ids, versions, code, placeholders), and the texts in the folders (the sample sessions when
none is named) say how much is replaced that is no secret; with `--show` what is missed and replaced is named.
"""

from __future__ import annotations

import argparse
import base64
import random
import string
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from analyzer.redaction import Redactor

ROOT = Path(__file__).resolve().parent.parent
ALNUM, HEX, WORD = string.ascii_letters + string.digits, "0123456789abcdef", string.ascii_letters + string.digits + "_-"
LOWER = string.ascii_lowercase + string.digits
Draw = Callable[[random.Random], str]


def of(letters: str, count: int, prefix: str = "", end: str = "") -> Draw:
    """Draws a text of so many letters."""
    return lambda drawn: prefix + "".join(drawn.choices(letters, k=count)) + end


def joined(*parts: Draw, by: str = "") -> Draw:
    """Draws several texts, one behind the other."""
    return lambda drawn: by.join(part(drawn) for part in parts)


def jwt(drawn: random.Random) -> str:
    """A web token: header, content, signature."""
    content = base64.urlsafe_b64encode(f'{{"sub":"{drawn.randrange(10**9)}","iat":{drawn.randrange(10**9)}}}'.encode())
    return f"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.{content.decode().rstrip('=')}.{of(WORD, 43)(drawn)}"


FORMS: dict[str, Draw] = {
    "1Password": of(ALNUM, 250, "ops_eyJ"),
    "Adafruit": of(ALNUM, 28, "aio_"),
    "age": of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58, "AGE-SECRET-KEY-1"),
    "Airtable": joined(of(ALNUM, 14, "pat"), of(HEX, 64), by="."),
    "Alibaba": of(ALNUM, 20, "LTAI5t"),
    "Anthropic": of(WORD, 93, "sk-ant-api03-", "AA"),
    "Anthropic, administration": of(WORD, 93, "sk-ant-admin01-", "AA"),
    "Artifactory": of(ALNUM, 69, "AKCp8"),
    "Atlassian": of(WORD, 180, "ATATT3xFfGF0", "=1A2B3C4D"),
    "AWS id": of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16, "AKIA"),
    "AWS id, temporary": of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16, "ASIA"),
    "Azure": of(ALNUM, 86, "AccountKey=", "=="),
    "Clojars": of(LOWER, 60, "CLOJARS_"),
    "Databricks": of(HEX, 32, "dapi"),
    "DigitalOcean": of(HEX, 64, "dop_v1_"),
    "Discord": joined(of("123456789", 18, "https://discord.com/api/webhooks/"), of(WORD, 68), by="/"),
    "Docker Hub": of(WORD, 27, "dckr_pat_"),
    "Doppler": of(ALNUM, 43, "dp.pt."),
    "Duffel": of(WORD, 43, "duffel_live_"),
    "Dynatrace": joined(of(string.ascii_uppercase + "234567", 24, "dt0c01."), of(string.ascii_uppercase, 64), by="."),
    "EasyPost": of(ALNUM, 54, "EZAK"),
    "Figma": of(WORD, 40, "figd_"),
    "Flutterwave": of(HEX, 32, "FLWSECK-", "-X"),
    "Fly": of(WORD, 43, "fo1_"),
    "Frame.io": of(WORD, 64, "fio-u-"),
    "GitHub, personal": of(ALNUM, 36, "ghp_"),
    "GitHub, of an app": of(ALNUM, 36, "ghs_"),
    "GitHub, fine-grained": joined(of(ALNUM, 22, "github_pat_"), of(ALNUM, 59), by="_"),
    "GitLab": of(WORD, 20, "glpat-"),
    "GitLab, of a runner": of(WORD, 20, "glrt-"),
    "GoCardless": of(WORD, 40, "live_gc_"),
    "Google": of(WORD, 35, "AIza"),
    "Google, OAuth": of(WORD, 28, "GOCSPX-"),
    "Grafana": joined(of(ALNUM, 32, "glsa_"), of(HEX, 8), by="_"),
    "Groq": of(ALNUM, 52, "gsk_"),
    "Harness": joined(of(WORD, 22, "pat."), of(HEX, 24), of(ALNUM, 20), by="."),
    "HubSpot": joined(of(HEX, 8, "pat-na1-"), of(HEX, 4), of(HEX, 4), of(HEX, 4), of(HEX, 12), by="-"),
    "Hugging Face": of(string.ascii_letters, 34, "hf_"),
    "Infracost": of(ALNUM, 32, "ico-"),
    "JSON web token": jwt,
    "LangSmith": joined(of(HEX, 32, "lsv2_pt_"), of(HEX, 10), by="_"),
    "Linear": of(ALNUM, 40, "lin_api_"),
    "Mailchimp": of(HEX, 32, "", "-us12"),
    "Mailgun": of(HEX, 32, "key-"),
    "Mapbox": joined(of(ALNUM, 60, "sk.eyJ"), of(WORD, 22), by="."),
    "New Relic": of(string.ascii_uppercase + string.digits, 27, "NRAK-"),
    "Notion": of(ALNUM, 46, "ntn_"),
    "npm": of(ALNUM, 36, "npm_"),
    "NVIDIA": of(WORD, 64, "nvapi-"),
    "Octopus Deploy": of(string.ascii_uppercase + string.digits, 26, "API-"),
    "OpenAI": of(WORD, 120, "sk-proj-"),
    "OpenAI, older": joined(of(ALNUM, 20, "sk-"), of(ALNUM, 20), by="T3BlbkFJ"),
    "OpenShift": of(WORD, 43, "sha256~"),
    "Perplexity": of(ALNUM, 48, "pplx-"),
    "PlanetScale": of(WORD, 43, "pscale_tkn_"),
    "Postman": joined(of(HEX, 24, "PMAK-"), of(HEX, 34), by="-"),
    "Prefect": of(LOWER, 36, "pnu_"),
    "Pulumi": of(HEX, 40, "pul-"),
    "PyPI": of(WORD, 80, "pypi-AgEIcHlwaS5vcmc"),
    "ReadMe": of(LOWER, 70, "rdme_"),
    "Replicate": of(ALNUM, 37, "r8_"),
    "RubyGems": of(HEX, 48, "rubygems_"),
    "Scalingo": of(WORD, 48, "tk-us-"),
    "SendGrid": joined(of(WORD, 22, "SG."), of(WORD, 43), by="."),
    "Sendinblue": joined(of(HEX, 64, "xkeysib-"), of(ALNUM, 16), by="-"),
    "Sentry": of(ALNUM, 64, "sntryu_"),
    "Shippo": of(HEX, 40, "shippo_live_"),
    "Shopify": of(HEX, 32, "shpat_"),
    "Slack, of a bot": joined(of("123456789", 12, "xoxb-"), of("123456789", 12), of(ALNUM, 24), by="-"),
    "Slack, webhook": joined(
        of(string.ascii_uppercase, 9, "https://hooks.slack.com/services/T"),
        of(string.ascii_uppercase, 9, "B"),
        of(ALNUM, 24),
        by="/",
    ),
    "Sourcegraph": joined(of(HEX, 16, "sgp_"), of(HEX, 40), by="_"),
    "Square": of(WORD, 22, "sq0atp-"),
    "Stripe": of(ALNUM, 24, "sk_live_"),
    "Supabase": of(HEX, 40, "sbp_"),
    "Tailscale": joined(of(ALNUM, 17, "tskey-auth-"), of(ALNUM, 32), by="-"),
    "Telegram": joined(of("123456789", 10), of(WORD, 33, "AA"), by=":"),
    "Twilio": of(HEX, 32, "SK"),
    "Typeform": of(WORD, 59, "tfp_"),
    "Vault": of(WORD, 90, "hvs."),
    "xAI": of(ALNUM, 80, "xai-"),
}
"""Secrets that are known by themselves."""
WAYS: dict[str, str] = {
    "in a sentence": "I used {} for the call.",
    "as a setting": "export SOME_TOKEN={}",
    "as JSON": '{{"apiToken": "{}", "other": 1}}',
    "as JSON within JSON": '{{"arguments": "{{\\"value\\": \\"{}\\"}}"}}',
    "in a header": "curl -H 'X-Auth: {}' https://api.north-harbour.io/v1",
    "in an address": "https://api.north-harbour.io/v1?key={}&page=2",
    "after an escape": "line one\\n{}\\nline two",
    "coloured": "\x1b[32m{}\x1b[0m",
}
NAMED: dict[str, tuple[str, Draw]] = {
    "password": ("DB_PASSWORD={}", of(ALNUM + "!%*", 14)),
    "password in JSON": ('"password": "{}"', of(ALNUM, 14)),
    "password in YAML": ("  password: {}", of(ALNUM, 14)),
    "password in TOML": ('passwd = "{}"', of(ALNUM, 14)),
    "secret key of AWS": ("aws_secret_access_key = {}", of(ALNUM + "+/", 40)),
    "client secret": ('client_secret: "{}"', of(ALNUM, 32)),
    "API key": ("STRANGE_API_KEY={}", of(HEX, 32)),
    "API key in JSON": ('"api_key": "{}"', of(ALNUM, 32)),
    "access token": ('"access_token": "{}"', of(WORD, 40)),
    "signing key": ("SIGNING_SECRET={}", of(HEX, 64)),
    "bearer": ("Authorization: Bearer {}", of(WORD, 40)),
    "basic": (
        "Authorization: Basic {}",
        lambda drawn: base64.b64encode(f"al:{of(ALNUM, 12)(drawn)}".encode()).decode(),
    ),
    "cookie": ("Cookie: sessionid={}", of(LOWER, 32)),
    "address with a password": ("postgres://app:{}@db:5432/app", of(ALNUM, 16)),
    "address with a token": ("https://{}@git.north-harbour.io/a.git", of(ALNUM, 32)),
    "option": ("tool --password {} run", of(ALNUM, 14)),
    "option with an equals sign": ("tool --api-key={} run", of(ALNUM, 32)),
    "curl's user": ("curl -u robin:{} https://x.io", of(ALNUM, 14)),
    "mysql": ("mysql -u root -p{} shop", of(ALNUM, 14)),
    "sshpass": ("sshpass -p {} ssh host", of(ALNUM, 14)),
    "netrc": ("machine x.io login robin password {}", of(ALNUM, 14)),
    "npm": ("//registry.npmjs.org/:_authToken={}", of(HEX, 36)),
    "connection string": ("Server=db;User Id=sa;Password={};", of(ALNUM, 14)),
    "XML": ("<password>{}</password>", of(ALNUM, 14)),
    "shadow": ("robin:{}:19000:0:99999:7:::", joined(of(ALNUM, 8, "$6$"), of(ALNUM, 86), by="$")),
    "signature of an address": ("https://x.blob.core.windows.net/a?sv=2020&sig={}%3D", of(ALNUM, 43)),
    "Python": ("password = '{}'", of(ALNUM, 14)),
    "a dictionary": ("{{'secret_key': '{}'}}", of(ALNUM, 40)),
    "Heroku": ("HEROKU_API_KEY={}", joined(of(HEX, 8), of(HEX, 4), of(HEX, 4), of(HEX, 4), of(HEX, 12), by="-")),
    "Datadog": ("DD_API_KEY={}", of(HEX, 32)),
    "Cloudflare": ("CLOUDFLARE_API_TOKEN={}", of(WORD, 40)),
}
"""Secrets that their surroundings give away."""
ALIKE: dict[str, tuple[str, Draw]] = {
    "digest": ("sha256:{}", of(HEX, 64)),
    "commit": ("commit {}", of(HEX, 40)),
    "short commit": ("a1b2..{} fixed", of(HEX, 7)),
    "UUID": ("id {}", joined(of(HEX, 8), of(HEX, 4), of(HEX, 4), of(HEX, 4), of(HEX, 12), by="-")),
    "id of a message": ('"id": "{}"', of(ALNUM, 24, "msg_01")),
    "id of a call": ('"tool_call_id": "{}"', of(ALNUM, 24, "call_")),
    "id of a use": ('"tool_use_id": "{}"', of(ALNUM, 24, "toolu_01")),
    "id of a request": ("request_id={}", of(ALNUM, 24, "req_011C")),
    "id of an answer": ('"id": "{}"', of(HEX, 48, "resp_")),
    "id of a chat": ('"id": "{}"', of(ALNUM, 29, "chatcmpl-")),
    "integrity": ('"integrity": "{}"', of(ALNUM, 86, "sha512-", "==")),
    "object in memory": ("<Token object at 0x{}>", of(HEX, 12)),
    "count of tokens": ('"total_tokens": {}', of("123456789", 5)),
    "most tokens": ("max_tokens={}", of("123456789", 4)),
    "version": ("left-pad@{}", joined(of("123", 1), of("123", 1), of("123", 1), by=".")),
    "host": ("https://{}.example.com/path", of(string.ascii_lowercase, 12)),
    "package's file": ("numpy-1.{}-cp311-manylinux_x86_64.whl", of("123456789", 2)),
    "type of an argument": ("def login(user_{}: str, password: str) -> Token:", of(string.ascii_lowercase, 4)),
    "call": ("token = get_token({})", of(string.ascii_lowercase, 6)),
    "environment": ('password = os.environ["{}"]', of(string.ascii_uppercase, 8)),
    "reference": ("password: ${{{}}}", of(string.ascii_uppercase, 8)),
    "reference of a workflow": ("token: ${{{{ secrets.{} }}}}", of(string.ascii_uppercase, 8)),
    "placeholder": ("API_KEY=your-{}-key-here", of("abc", 1)),
    "stars": ("password: ****{}", of("*", 4)),
    "sentence": ("The password of the {} must be changed.", of(string.ascii_lowercase, 6)),
    "question": ("Which token did the {} use?", of(string.ascii_lowercase, 6)),
    "error": ("KeyError: 'api_key_{}'", of(string.ascii_lowercase, 4)),
    "test's name": ("test_password_is_{} PASSED", of(string.ascii_lowercase, 8)),
    "class": ("class {}TokenProvider(Base):", of(string.ascii_lowercase, 6)),
    "path": ("src/auth/{}/password_reset.py:12", of(string.ascii_lowercase, 6)),
    "CSS": (".password-{} {{ color: red }}", of(string.ascii_lowercase, 5)),
    "HTML": ('<input type="password" name="{}">', of(string.ascii_lowercase, 6)),
    "decorator": ("@{}.route('/login')", of(string.ascii_lowercase, 4)),
    "public key": ("ssh-ed25519 {}", of(ALNUM, 68, "AAAAC3NzaC1lZDI1NTE5")),
    "certificate": ("-----BEGIN CERTIFICATE-----\n{}", of(ALNUM, 64, "MII")),
    "picture in base64": ("data:image/png;base64,{}", of(ALNUM, 120, "iVBORw0KGgo")),
    "base64 of code": ("payload {}", of(ALNUM, 60, "", "==")),
    "remote of ssh": ("git@github.com:{}/app.git", of(string.ascii_lowercase, 6)),
    "time": ("2026-01-02T03:04:{}Z token refreshed", of("12345", 2)),
    "SQL": ("SELECT password_hash, {} FROM users", of(string.ascii_lowercase, 6)),
    "key of a cache": ("cache_key={}", of(string.ascii_lowercase, 9)),
    "primary key": ("primary_key: {}", of(string.ascii_lowercase, 9)),
    "keyboard": ("press key: {}", of(string.ascii_lowercase, 3)),
    "hyperparameter": ("--tokenizer {} --seed 7", of(string.ascii_lowercase, 9)),
}
"""What only looks like a secret."""
TIMES = 25


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--show", action="store_true", help="show what is missed, and what is replaced")
    options = parser.parse_args()
    drawn = random.Random(23)
    missed: Counter[str] = Counter()
    count = 0
    for name, text, secret in secrets(drawn):
        count += 1
        if holds(Redactor().redact(text), secret):
            missed[name] += 1
    print(f"secrets of {len(FORMS) + len(NAMED)} kinds: {count}, recall {1 - missed.total() / count:.3f}")
    if options.show:
        for name, times in missed.most_common():
            print(f"  missed {times:3d} times: {name}")
    replaced: Counter[str] = Counter()
    count = size = 0
    for name, text in alike(drawn):
        redactor = Redactor()
        redactor.redact(text)
        count += 1
        size += len(text)
        replaced[name] += bool(redactor.counts.total())
    print(f"look-alikes of {len(ALIKE)} kinds: {count} ({size:,} characters), replaced {replaced.total()}")
    if options.show:
        for name, times in replaced.most_common():
            print(f"  replaced {times} of {TIMES}: {name}" if times else "", end="\n" if times else "")
    over_texts(options.folders or [ROOT / "sample_sessions"], show=options.show)
    return 0


def secrets(drawn: random.Random) -> Iterator[tuple[str, str, str]]:
    """Each secret in each way: its kind, the text, and what mustn't be left of it."""
    for name, draw in FORMS.items():
        for way, around in WAYS.items():
            secret = draw(drawn)
            yield f"{name}, {way}", around.format(secret), secret
        secret = draw(drawn)
        yield f"{name}, cut off", f"got {secret[: len(secret) * 2 // 3]}\u2026", secret[: len(secret) * 2 // 3]
    for name, (around, draw) in NAMED.items():
        for _ in WAYS:
            secret = draw(drawn)
            yield name, around.format(secret), secret


def holds(text: str, secret: str) -> bool:
    """Whether half of a secret, or more, is left."""
    half = max(6, len(secret) // 2)
    return any(secret[start : start + half] in text for start in range(len(secret) - half + 1))


def alike(drawn: random.Random) -> Iterator[tuple[str, str]]:
    """Each look-alike with its kind."""
    for name, (around, draw) in ALIKE.items():
        for _ in range(TIMES):
            yield name, around.format(draw(drawn))


def over_texts(folders: list[Path], *, show: bool) -> None:
    """What is replaced in texts, per 100 kB; personal data (names, addresses) are counted apart."""
    size, personal = 0, Counter[str]()
    found: Counter[str] = Counter()
    for folder in folders:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            text = file.read_text(encoding="utf-8", errors="replace")
            redactor = Redactor()
            after = redactor.redact(text)
            size += len(text)
            for name, times in redactor.counts.items():
                (personal if name in ("e-mail", "home-directory", "person") else found)[name] += times
            if show and after != text:
                print(f"  {file.name}: {dict(redactor.counts)}")
    per = 100_000 / max(1, size)
    print(f"texts: {size:,} characters, {found.total() * per:.3f} replacements per 100 kB {dict(found)}")
    print(f"personal data: {personal.total() * per:.3f} per 100 kB")


if __name__ == "__main__":
    raise SystemExit(main())
