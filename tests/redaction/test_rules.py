"""What is taken for a secret, and what isn't."""

from __future__ import annotations

import posixpath

import pytest

from analyzer.redaction import RULES, Redactor
from tests.conftest import ROOT
from tests.redaction.made_up import digits, letters, private_key
from tests.together import check_each

SECRETS = [
    ("openai-key", "sk-" + "proj-" + letters(60)),
    ("openai-key", "sk-" + letters(48)),
    ("openai-key", "sk-" + "svcacct-" + letters(40)),
    ("openai-key", "sk-" + "or-v1-" + digits(64)),
    ("anthropic-key", "sk-" + "ant-api03-" + letters(60) + "_-" + letters(30)),
    ("anthropic-key", "sk-" + "ant-oat01-" + letters(60)),
    ("github-token", "gh" + "p_" + letters(36)),
    ("github-token", "gh" + "o_" + letters(36)),
    ("github-token", "gh" + "s_" + letters(36)),
    ("github-token", "gh" + "u_" + letters(36)),
    ("github-token", "github" + "_pat_" + letters(22) + "_" + letters(59)),
    ("gitlab-token", "gl" + "pat-" + letters(20)),
    ("gitlab-token", "gl" + "dt-" + letters(20)),
    ("aws-key-id", "AK" + "IAQ3EGRZ7WTN5KDLPX"),
    ("aws-key-id", "AS" + "IAQ3EGRZ7WTN5KDLPX"),
    ("google-key", "AI" + "za" + letters(35)),
    ("google-key", "GOC" + "SPX-" + letters(28)),
    ("slack-token", "xox" + "b-2048293847-" + letters(24)),
    ("slack-token", "xa" + "pp-1-A0" + letters(30)),
    ("slack-token", "hooks.slack" + ".com/services/T0" + letters(8) + "/B0" + letters(8) + "/" + letters(24)),
    ("telegram-token", "712345" + "6789:AA" + letters(33)),
    ("stripe-key", "sk" + "_live_" + letters(24)),
    ("stripe-key", "rk" + "_live_" + letters(24)),
    ("npm-token", "np" + "m_" + letters(36)),
    ("pypi-token", "py" + "pi-AgEIcHlwaS5vcmc" + letters(60)),
    ("hugging-face-token", "h" + "f_" + letters(34)),
    ("groq-key", "gs" + "k_" + letters(52)),
    ("xai-key", "xa" + "i-" + letters(80)),
    ("model-provider-key", "pp" + "lx-" + letters(48)),
    ("sendgrid-key", "S" + "G." + letters(22) + "." + letters(43)),
    ("twilio-key", "S" + "K" + digits(32)),
    ("mailgun-key", "ke" + "y-" + digits(32)),
    ("digitalocean-token", "do" + "p_v1_" + digits(64)),
    ("databricks-token", "da" + "pi" + digits(32)),
    ("service-token", "sh" + "pat_" + digits(32)),
    ("service-token", "hv" + "s." + letters(40)),
    ("service-token", "dckr" + "_pat_" + letters(27)),
    ("prefixed-key", "dt0" + "c01." + letters(24).upper() + "." + letters(64)),
    ("prefixed-key", "p" + "nu_" + letters(36).lower()),
    ("prefixed-key", "pu" + "l-" + digits(40)),
    ("prefixed-key", "li" + "ve_" + letters(40)),
    ("prefixed-key", "xkey" + "sib-" + digits(64) + "-" + letters(16)),
    ("prefixed-key", "pa" + "t" + letters(14) + "." + digits(64)),
    ("prefixed-key", "sg" + "p_" + digits(16) + "_" + digits(40)),
    ("mailchimp-key", digits(32) + "-us" + "12"),
    ("age-key", "AGE-SECRET-" + "KEY-1QQPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KH"),
    ("jwt", "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + letters(40) + "." + letters(43)),
    ("private-key", private_key()),
    ("private-key", private_key("")),
    ("private-key", private_key("OPENSSH ")),
    ("private-key", private_key("EC ", "\\n")),
    ("private-key", private_key("RSA ", "\\\\n")),
    ("private-key", private_key("RSA ", "\r\n")),
]
"""What its form alone gives away: the rule, and a key."""

IN_CONTEXT = [
    ("azure-key", "DefaultEndpointsProtocol=https;AccountKey={};EndpointSuffix=core.windows.net", letters(86) + "=="),
    ("discord-webhook", "POST https://discord.com/api/webhooks/{}", "1029384756102938475/" + letters(68)),
    ("telegram-token", "https://api.telegram.org/bot{}/getMe", "712345" + "6789:AA" + letters(33)),
    ("password-hash", "root:{}:19722:0:99999:7:::", "$6$" + letters(8) + "$" + letters(86)),
    ("password-hash", "robin:{}", "$2y$10$" + letters(53)),
    ("password-hash", "robin:{}", "$apr1$" + letters(8) + "$" + letters(22)),
    ("password-hash", "('robin', '{}')", "$argon2id$v=19$m=65536,t=3,p=4$" + letters(22) + "$" + letters(43)),
    ("login", '{"auths": {"registry.test": {"auth": "{}"}}}', "cm9iaW46dzR0ZXJtZWxvbg=="),
    ("login", "//packages.test/:_auth={}", "cm9iaW46dzR0ZXJtZWxvbg=="),
    ("netrc-password", "machine h.test login robin password {}", "w4termelon"),
    ("netrc-password", "machine h.test\n  login robin\n  password {}\n", "w4termelon"),
    ("short-option", "mysql -h db -u root -p{} app", "w4termelon"),
    ("short-option", "mysqldump -u root -p'{}' app", "w4termelon"),
    ("short-option", "redis-cli -h db -a {} ping", "w4termelon"),
    ("short-option", "docker login -u robin -p {} r.test", "w4termelon"),
    ("short-option", "openssl rsa -in k.pem -passin pass:{}", "w4termelon"),
    ("session-cookie", "curl -b 'sessionid={}' https://h.test", digits(32)),
    ("session-cookie", "document.cookie = 'theme=dark; PHPSESSID={}'", digits(26)),
    ("session-cookie", "connect.sid={};", "s%3A" + letters(32) + "." + letters(40)),
    ("secret", "client-key-data: {}", letters(80)),
    ("secret", 'add the header "x-consumer-api-key: {}".', "kz_TwQrnKLd7hmuzoeRbpsD"),
    ("password", "DB_PASSWORD={}", "pa$$w0rd9"),
    ("password", "password: '{}'", "m$ney4ME"),
    ("password", "\x1b[1mpassword\x1b[0m: \x1b[32m{}\x1b[0m", "w4termelon"),
    ("authorization", "Authorization: Bearer {}", letters(30)),
    ("authorization", "'authorization': 'Basic {}'", "dXNlcjpw" + letters(12)),
    ("authorization", 'curl -H "Authorization: token {}" https://api.github.com', digits(40)),
    ("cookie", "Cookie: {}", "session=" + digits(24) + "; theme=dark7"),
    ("cookie", "set-cookie: {}", "sid=" + letters(24)),
    ("url-password", "postgres://app:{}@db.internal:5432/app", "tr0ub4dor"),
    ("url-password", "git clone https://deploy:{}@git.corp.com/x.git", "Sup9rNova"),
    ("url-token", "https://{}@git.corp.com/x.git", digits(40)),
    ("password", "password={}", "hunter2x9"),
    ("password", "DB_PASSWORD={}", "letmeinplease"),
    ("password", "export PGPASSWORD='{}'", "w4ter-melon"),
    ("password", "  password: {}", "w4termelon"),
    ("password", '"password": "{}"', "open9sesame!"),
    ("password", r"{\"password\": \"{}\"}", "open9sesame!"),
    ("password", r"{\\\"password\\\": \\\"{}\\\"}", "open9sesame!"),
    ("password", "connect(host, passwd='{}')", "open9sesame!"),
    ("password", "password: str = '{}'", "open9sesame!"),
    ("password", "Server=db;Uid=sa;Pwd={};", "Tr0ub4dor"),
    ("password", "config['password'] = '{}'", "open9sesame!"),
    ("secret", "AWS_SECRET_ACCESS_KEY={}", letters(40)),
    ("secret", "aws_secret_access_key = {}", letters(20) + "/" + letters(18) + "+"),
    ("secret", "FOO_API_KEY={}", digits(32)),
    ("secret", "apiKey: '{}',", letters(24)),
    ("secret", '"client_secret": "{}"', letters(32)),
    ("secret", '"access_token":"{}"', letters(64)),
    ("secret", "x-api-key: {}", digits(32)),
    ("secret", "add the header `x-reader-api-key: {}`", "tk_" + "WPbrVQhGu" + "4dqlm-zD"),
    ("secret", "SECRET_KEY = '{}'", "django-insecure-" + letters(30)),
    ("secret", "//packages.test/:_authToken={}", digits(32)),
    ("option", "mysqldump --password {} app", "w4termelon"),
    ("option", '["--db-password", "{}"]', "w4termelon"),
    ("option", "sshpass -p {} ssh box", "w4termelon"),
    ("option", "curl -s -u robin:{} https://ci.corp.com", "w4termelon"),
    ("option-token", "gh auth login --with-token {}", digits(40)),
    ("option-token", "deploy --api-key {}", letters(24)),
    ("element", "<password>{}</password>", "open9sesame"),
    ("e-mail", "From: {}", "robin.okafor@north-harbour.io"),
    ("e-mail", "From: Robin <{}>", "r.okafor+git@mail.north-harbour.co.uk"),
    ("e-mail", r"line\n{}\n", "robin@north-harbour.io"),
    ("e-mail", "mailto:{}", "robin@north-harbour.io"),
    ("e-mail", "Write to {}.", "robin@north-harbour.io"),
    ("home-directory", 'File "/home/{}/app/main.py", line 3', "robin"),
    ("home-directory", "/Users/{}/app/main.py:3", "robin.okafor"),
    ("home-directory", r"C:\Users\{}\app\main.py(3)", "robin"),
    ("home-directory", r"C:\\Users\\{}\\app\\main.py", "robin"),
    ("home-directory", r"C:\Users\{}\app", "Robin Okafor"),
    ("home-directory", "cd /home/{}", "robin"),
    ("home-directory", r"\n/home/{}/app", "robin"),
    ("home-directory", "file:///home/{}/app", "robin"),
    ("home-directory", "一/home/{}/app", "robin"),
    ("home-directory", "docker run -v/home/{}:/w box", "robin"),
    ("home-directory", "gcc -I/home/{}/include", "robin"),
    ("home-directory", "/tmp/-Users-{}-app/x", "robin"),
    ("home-directory", "/private/tmp/claude-501/-Users-{}-app", "robin"),
    ("home-directory", "-rw-r--r--  1 {} staff  220 Jan  1 10:00 a.py", "robin"),
    ("home-directory", "drwxr-xr-x@ 12 {}  admin  384 Jan  1 10:00 src", "robin.okafor"),
    ("person", "Author: {} <dev@example.com>", "Robin Okafor"),
    ("person", "Signed-off-by: {} <dev@example.com>", "Robin Okafor"),
    ("home-directory", "~/.claude/projects/-Users-{}-app/log.jsonl", "robin"),
]
"""What stands beside it gives it away: the rule, a text with a place, and what stands there."""

NO_SECRETS = [
    "API_KEY=your-key-here",
    "API_KEY=<your key>",
    "api_key=YOUR_API_KEY",
    "OPENAI_API_KEY=sk-...",
    "OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "ANTHROPIC_API_KEY=sk-ant-api03-...",
    "export TOKEN=$GITHUB_TOKEN",
    "TOKEN=${TOKEN:-none}",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "aws_access_key_id = AKIAIOSFODNN7EXAMPLE",
    "secret_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "password=None",
    "password=password",
    "password: str",
    "password: string;",
    "password: Optional[str] = None",
    "password = request.form['password']",
    "password = getpass.getpass()",
    "password=self.password,",
    "passwordHash: user.passwordHash,",
    "if password == other_password:",
    '"password": "********"',
    '"password": "password123"',
    '"password": "test-password"',
    '"password": "changeme"',
    '"password": {"type": "string"}',
    '"password": "This field is required."',
    "Enter password: ",
    "password authentication failed for user robin",
    "<input type='password' name='password'>",
    "POSTGRES_PASSWORD=postgres",
    "PWD=/home/user/project",
    "OLDPWD=/srv/app",
    "pwd: /workspace/app",
    "token: str",
    "token = next(tokens)",
    "token=token",
    'os.environ["TOKEN"]',
    "process.env.API_KEY",
    'token = os.environ["TOKEN"]',
    "token = os.getenv('TOKEN2', 'none1')",
    "token: oauth2ClientSecretOfQuay",
    "api_key: Harbour2TideServiceName",
    "apiKey=base64EncodedValueOfHarbour",
    "apiKey: process.env.API_KEY2",
    "max_tokens=4096",
    "tokens: 1234567890123",
    '"total_tokens": 18234',
    "token_count=12, token_type=bearer",
    "Unexpected token: 'export'",
    "SyntaxError: Unexpected token < in JSON at position 0",
    '{"type": "token", "value": "identifier"}',
    "tokenizer=AutoTokenizer.from_pretrained('gpt2')",
    "key=lambda item: item[1]",
    "cache_key=3f9a0c7e51b8d264",
    "primary_key=True",
    "secret: my-secret-name",
    "secretKeyRef: {name: db, key: url}",
    "session_key = f'{user}:{room}'",
    "--token-count 12",
    "use a non-password protocol",
    "----------------password----------------",
    "Authorization: Bearer <token>",
    "Authorization: Bearer ${TOKEN}",
    "Authorization: Bearer YOUR_TOKEN",
    "bearer of news",
    'WWW-Authenticate: Basic realm="Restricted area"',
    "cookie: HttpOnly",
    "Cookie: session=<id>",
    "https://user:password@example.org/path",
    "https://user:pass@host",
    "https://$USER:$PASS@host",
    "https://robin@host.example/path",
    "http://localhost:8080/a@b",
    "git@github.com:team/repo.git",
    "ssh://git@gitlab.com/team/repo.git",
    "scp a.txt deploy@build.corp.com:/srv/app",
    "rsync -a ./ deploy@build.corp.com:~/app",
    "@pytest.mark.parametrize",
    "@app.route('/x')",
    "react@18.2.0",
    "typescript@5.4.0-beta.rc",
    "github.com/gin-gonic/gin@v1.9.1",
    "left-pad@latest",
    "icon@2x.png",
    "getty@tty1.service",
    "q@k.transpose(-2, -1)",
    "noreply@github.com",
    "41898282+github-actions[bot]@users.noreply.github.com",
    "user@example.com",
    "you@your-domain.com",
    "Co-Authored-By: Bot <noreply@corp.com>",
    posixpath.join("/", "root", "app", "main.py"),
    "/home/user/app/main.py",
    "/home/ubuntu/app/main.py",
    "/home/runner/build/app",
    "/home/node/app",
    "/Users/runner/build/app",
    r"C:\Users\runneradmin\app",
    r"C:\Users\Public\app",
    "/home/$USER/app",
    "/home/<user>/app",
    "src/home/page.tsx",
    "https://corp.com/home/index.html",
    "GET /home/index.html",
    "/usr/home.txt",
    "sk-learn is sklearn",
    "class='sk-toggleable__control sk-hidden--visually'",
    "task-list-item-checkbox-with-a-very-long-name-indeed",
    "npm_config_registry, npm_lifecycle_event",
    "hf_hub_download, hf_transfer",
    "xai-sdk",
    "SKIPPED tests/test_a.py",
    "ghp_ is the prefix of a token",
    'if "-----BEGIN PRIV' + 'ATE KEY-----" in text:',
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG\n-----END CERTIFICATE-----",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIN4bq9Xv7Bt1Rc5Yd3Hf6Jg0PsUaEiTo",
    "sha256:3f9a0c7e51b8d2643f9a0c7e51b8d2643f9a0c7e51b8d2643f9a0c7e51b8d264",
    "commit 3f9a0c7e51b8d2643f9a0c7e51b8d2643f9a0c7e",
    "eyJ is how a JSON object begins in base64",
    "author: string",
    "Author: <name>",
    "Co-Authored-By: Claude Opus 4.5 <noreply@example.com>",
    "Author: Your Name <you@example.com>",
    "Author: dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>",
    "-rw-r--r-- 1 root root 220 Jan  1 10:00 a.py",
    "drwxr-xr-x 2 node node 4096 Jan  1 10:00 src",
    "-rw-rw-r-- 1 1000 1000 220 Jan  1 10:00 a.py",
    "mysql -p app",
    "mysql -u root -p",
    "mysql -u root -p$MYSQL_PASSWORD app",
    "docker run -p 8080:80 box",
    "docker login -u robin --password-stdin",
    "redis-cli -a $REDIS_PASSWORD ping",
    "grep -a text file",
    "ps -p 1234",
    '"auth": "required"',
    '"auth": "middleware/authenticate"',
    "auth=enabled",
    "the login password is asked for",
    "login robin password",
    "session=None",
    "session = Session()",
    "sessionid=<id>",
    "sid=12",
    "csrftoken=token",
    "price: $2.50$",
    "echo $1$2",
    "$5$ is the prefix of a hash",
    "DB_PASSWORD=$DB_PASSWORD",
    "DB_PASSWORD=$(cat secret.txt)",
    "id: 7f3c9a52-1d4e-4b8a-9c6f-2e5d8b7a1c3f",
]
"""What looks a little like a secret and must stay."""


@pytest.mark.parametrize(
    ("rule", "secret"), SECRETS, ids=[f"{rule}-{number}" for number, (rule, _) in enumerate(SECRETS)]
)
def test_what_its_form_gives_away(rule: str, secret: str) -> None:
    def check(around: str) -> None:
        before, _, after = around.partition("{}")
        redactor = Redactor()
        assert redactor.redact(f"{before}{secret}{after}") == f"{before}[{rule}-1]{after}"
        assert redactor.counts == {rule: 1}

    check_each(("{}", "a {} b", "'{}'", "x={};", r"\n{}\n", "\x1b[31m{}\x1b[0m", "{}\0more"), check)


@pytest.mark.parametrize(
    ("rule", "text", "secret"), IN_CONTEXT, ids=[f"{rule}-{number}" for number, (rule, _, _) in enumerate(IN_CONTEXT)]
)
def test_what_its_context_gives_away(rule: str, text: str, secret: str) -> None:
    redactor = Redactor()
    placeholder = "user-1" if rule == "home-directory" else f"[{rule}-1]"
    before, _, after = text.partition("{}")
    assert redactor.redact(f"{before}{secret}{after}") == f"{before}{placeholder}{after}"
    assert redactor.counts == {rule: 1}


@pytest.mark.parametrize("text", NO_SECRETS)
def test_what_stays(text: str) -> None:
    assert Redactor().redact(text) == text


def test_every_rule_has_an_example_and_those_that_stay_are_more() -> None:
    assert {rule for rule, *_ in (*SECRETS, *IN_CONTEXT)} == {rule.name for rule in RULES}
    assert len(NO_SECRETS) >= len(SECRETS) + len(IN_CONTEXT)


@pytest.mark.parametrize(
    ("rule", "secret"), SECRETS, ids=[f"{rule}-{number}" for number, (rule, _) in enumerate(SECRETS)]
)
def test_what_was_redacted_stays_as_it_is(rule: str, secret: str) -> None:
    once = Redactor().redact(f"TOKEN={secret} and password: '{secret}'")
    again = Redactor()
    assert again.redact(once) == once
    assert not again.counts


def test_the_document_has_the_table() -> None:
    document = (ROOT / "docs/redaction.md").read_text(encoding="utf-8")
    rows = [f"| `{rule.name}` | {rule.what} | {rule.fact} |" for rule in RULES]
    assert document.partition("| --- | --- | --- |\n")[2].partition("\n\n")[0].splitlines() == rows
