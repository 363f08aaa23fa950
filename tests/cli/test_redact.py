"""Reports without secrets, and transcripts that are safe to share."""

from __future__ import annotations

import gzip
import json
import re
import zipfile
from pathlib import Path

import pytest

from analyzer import analyze
from tests.cli.conftest import Program, process
from tests.redaction.made_up import letters, private_key

pytestmark = pytest.mark.slow

TOKEN = "gh" + "p_" + letters(36)
PASSWORD = "w4term3lon-9"
MAIL = "robin@north-harbour.io"
SECRETS = (TOKEN, PASSWORD, MAIL, "/home/robin", private_key().splitlines()[3])
FAILED = (
    'Traceback (most recent call last):\n  File "/home/robin/app/sync.py", line 12, in push\n    raise '
    f"Denied(token)\nDenied: {TOKEN} of {MAIL} was refused\n"
)


def record(number: int, command: str, result: str, code: int) -> dict[str, object]:
    return {
        "action": {
            "id": f"call-{number}",
            "tool": "bash",
            "arguments": {"command": command, "password": PASSWORD},
            "result": result,
            "exit_code": code,
        }
    }


RECORDS = [
    {"session": {"id": "push-17", "task": f"Push with {TOKEN} as {MAIL}.", "agent": "agent", "model": "m-1"}},
    record(1, "cat /home/robin/.ssh/id_rsa", private_key(), 0),
    *(
        record(number, f"cd /home/robin/app && GITHUB_TOKEN={TOKEN} python sync.py --try {number}", FAILED, 1)
        for number in range(2, 8)
    ),
    record(
        8,
        f"grep {private_key().splitlines()[3]} /home/robin/.ssh/id_rsa",
        json.dumps({"password": PASSWORD, "who": f"\n{MAIL}"}),
        0,
    ),
]


@pytest.fixture
def log(elsewhere: Path) -> Path:
    """A session with secrets in its task, its calls and its results."""
    file = elsewhere / "push.jsonl"
    file.write_text("".join(json.dumps(entry) + "\n" for entry in RECORDS), encoding="utf-8")
    return file


def leaks(text: str) -> list[str]:
    return [secret for secret in SECRETS if secret in text or secret in text.replace("\\", "")]


@pytest.mark.parametrize("form", ["markdown", "html", "json", "terminal", "sarif", "junit", "github"])
def test_no_format_shows_a_secret(program: Program, log: Path, form: str) -> None:
    ran = program(log, "-f", form)
    assert ran.code == 0
    assert not leaks(ran.out)
    assert leaks(program(log, "-f", form, "--no-redact").out)


def test_the_setting_and_the_environment(
    program: Program, log: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (elsewhere / "pyproject.toml").write_text("[tool.analyze-session]\nredact = false\n")
    assert TOKEN in program(log).out
    assert TOKEN not in program(log, "--redact").out
    monkeypatch.setenv("ANALYZE_SESSION_REDACT", "1")
    assert TOKEN not in program(log).out


def test_a_setting_that_is_no_switch(program: Program, log: Path, elsewhere: Path) -> None:
    (elsewhere / "pyproject.toml").write_text('[tool.analyze-session]\nredact = "no"\n')
    ran = program(log)
    assert ran.code == 2
    assert "redact: 'no' is neither true nor false" in ran.err


def test_nothing_in_the_folder_of_an_audit_holds_a_secret(program: Program, log: Path, elsewhere: Path) -> None:
    assert program("audit", log, "-o", elsewhere / "audit", "--export", "jsonl", "-q").code == 0
    import sqlite3
    import zlib

    with sqlite3.connect(elsewhere / "audit/audit.db") as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        cells = [cell for table in tables for row in database.execute(f'SELECT * FROM "{table}"') for cell in row]
    texts = [
        zlib.decompress(cell).decode() if isinstance(cell, bytes) and cell[:1] == b"x" else str(cell) for cell in cells
    ]
    texts += [
        file.read_text(encoding="utf-8")
        for file in (elsewhere / "audit").rglob("*")
        if file.suffix in (".md", ".json", ".jsonl", ".html")
    ]
    assert len(texts) > 50
    assert not leaks("\n".join(texts))
    assert any("[github-token-1]" in text for text in texts)


def test_an_audit_without_redaction_is_regenerated(program: Program, log: Path, elsewhere: Path) -> None:
    program("audit", log, "-o", elsewhere / "audit", "-q")
    assert TOKEN not in program("audit", log, "-o", elsewhere / "audit", "-q", "-f", "json").out
    assert TOKEN in program("audit", log, "-o", elsewhere / "audit", "-q", "-f", "sarif", "--no-redact").out


def test_a_watch_shows_no_secret(program: Program, log: Path) -> None:
    ran = program("watch", log, "--until-idle", "0", "--least", "info")
    assert "user-1" in ran.out or "[github-token-1]" in ran.out
    assert not leaks(ran.out)
    assert leaks(program("watch", log, "--until-idle", "0", "--least", "info", "--no-redact").out)


def test_the_table_of_actions_shows_no_secret(program: Program, log: Path) -> None:
    ran = program("timeline", log, "--full")
    assert "[github-token-1]" in ran.out
    assert not leaks(ran.out)
    assert leaks(program("timeline", log, "--full", "--no-redact").out)


def shape(path: Path) -> list[object]:
    """What the analysis says of a transcript, its texts left out."""
    found: list[object] = []
    for entry in analyze(path).sessions:
        rows = [(row.step, row.kind, row.status, row.failure_group) for row in entry.timeline]
        groups = [(group.group, group.count, group.steps) for group in entry.failure_groups]
        findings = [
            (finding.detector, finding.kind, finding.severity, finding.steps, finding.detectable_at)
            for finding in entry.findings
        ]
        found.append(
            (
                entry.session.id,
                entry.outcome.status,
                rows,
                groups,
                findings,
                [failure.origin.role for failure in entry.failures],
            )
        )
    return found


def test_the_copy_is_the_same_session(program: Program, log: Path, elsewhere: Path) -> None:
    copy = elsewhere / "copy.jsonl"
    ran = program("redact", log, "-o", copy)
    assert (ran.code, ran.out) == (0, "")
    assert not leaks(copy.read_text(encoding="utf-8"))
    assert shape(copy) == shape(log)
    of_copy, of_log = analyze(copy).sessions[0], analyze(log, redact=True).sessions[0]
    assert re.sub(r"-\d+\]", "]", of_copy.diagnosis.headline) == re.sub(r"-\d+\]", "]", of_log.diagnosis.headline)
    assert "  github-token: 13 times, 1 different\n" in ran.err
    assert "check the copy before you share it" in ran.err


@pytest.mark.parametrize(
    "sample", ["bspline_clamping.json", "moving_numbers.json", "polling_a_build.json", "bspline_solved.json"]
)
def test_a_copy_of_a_sample_is_the_same_session(program: Program, samples: Path, elsewhere: Path, sample: str) -> None:
    text = (
        (samples / sample)
        .read_text(encoding="utf-8")
        .replace("/workspace", "/home/robin")
        .replace("/home/agent", "/home/robin")
        .replace('"task": "', '"task": "For robin@tides.net: ')
    )
    before, after = elsewhere / "before.json", elsewhere / "after.json"
    before.write_text(text, encoding="utf-8")
    ran = program("redact", before, "-o", after)
    assert ran.code == 0
    assert "  e-mail: " in ran.err
    assert "robin" in before.read_text(encoding="utf-8")
    assert "robin" not in after.read_text(encoding="utf-8")
    assert shape(after) == shape(before)


def test_all_but_the_secrets_stays_byte_for_byte(program: Program, elsewhere: Path) -> None:
    log, copy = elsewhere / "odd.json", elsewhere / "copy.json"
    odd = (
        '{\r\n  "a" : [1.0, 1e5,\tNaN, 12345678901234567890], "u": "\\u00e9\\/", "a": "\\ud83d",\n "who": "%s", '
        '"nested": "{\\"who\\": \\"x\\\\n%s\\"}"}\n\n'
    )
    log.write_bytes((odd % (MAIL, MAIL)).encode())
    program("redact", log, "-o", copy)
    assert copy.read_bytes() == (odd % ("[e-mail-1]", "[e-mail-1]")).encode()


def test_damaged_lines_are_redacted_as_text(program: Program, elsewhere: Path) -> None:
    log, copy = elsewhere / "damaged.jsonl", elsewhere / "copy.jsonl"
    lines = ['{"a": "%s"}', "not JSON: %s", '{"cut": "it says \\n%s and']
    log.write_bytes(
        "\n".join(line % MAIL for line in lines).encode() + b"\xff\xfe\xfa\n" + b'{"b": "\xff %s"}' % MAIL.encode()
    )
    program("redact", log, "-o", copy)
    assert (
        copy.read_bytes()
        == "\n".join(line % "[e-mail-1]" for line in lines).encode() + b"\xff\xfe\xfa\n" + b'{"b": "\xff [e-mail-1]"}'
    )


def test_what_is_known_later_is_replaced_before(program: Program, elsewhere: Path) -> None:
    log, copy = elsewhere / "log.jsonl", elsewhere / "copy.jsonl"
    log.write_text(f'{{"text": "try {PASSWORD} now"}}\n{{"text": "DB_PASSWORD={PASSWORD}"}}\n')
    program("redact", log, "-o", copy)
    assert copy.read_text() == '{"text": "try [password-1] now"}\n{"text": "DB_PASSWORD=[password-1]"}\n'


def test_a_field_with_a_telling_name_and_the_option_of_a_command(program: Program, elsewhere: Path) -> None:
    log, copy = elsewhere / "log.json", elsewhere / "copy.json"
    log.write_text(json.dumps({"password": PASSWORD, "argv": ["psql", "--password", "m4ngo-tree", "m"]}, indent=1))
    program("redact", log, "-o", copy)
    assert json.loads(copy.read_text()) == {
        "password": "[password-1]",
        "argv": ["psql", "--password", "[password-2]", "m"],
    }


def test_a_text_over_several_lines(program: Program, elsewhere: Path) -> None:
    log, copy = elsewhere / "chat.md", elsewhere / "copy.md"
    log.write_text(f"# Chat\n\n> cat key\n{private_key()}\nDone, {MAIL}.\n")
    program("redact", log, "-o", copy)
    assert copy.read_text() == "# Chat\n\n> cat key\n[private-key-1]\nDone, [e-mail-1].\n"


def test_packed_files_stay_packed(program: Program, log: Path, elsewhere: Path) -> None:
    packed, copy = elsewhere / "push.jsonl.gz", elsewhere / "copy.jsonl.gz"
    packed.write_bytes(gzip.compress(log.read_bytes()))
    program("redact", packed, "-o", copy)
    text = gzip.decompress(copy.read_bytes()).decode()
    assert not leaks(text)
    assert shape(copy) == shape(log)
    first = copy.read_bytes()
    program("redact", packed, "-o", copy)
    assert copy.read_bytes() == first


def test_members_of_an_archive(program: Program, log: Path, elsewhere: Path) -> None:
    box, copy = elsewhere / "runs.zip", elsewhere / "copy.zip"
    with zipfile.ZipFile(box, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(40):
            archive.writestr(f"b/{number}.txt", f"{MAIL} {number} " * 200)
        archive.writestr("a/push.jsonl", log.read_bytes())
        archive.writestr("a/shot.png", b"\x89PNG\0\0")
    ran = program("redact", box, "-o", copy)
    assert ran.code == 0
    with zipfile.ZipFile(copy) as archive:
        assert archive.namelist()[-2:] == ["a/push.jsonl", "a/shot.png"]
        assert archive.read("b/39.txt").decode() == "[e-mail-1] 39 " * 200
        assert not leaks(archive.read("a/push.jsonl").decode())
        assert archive.read("a/shot.png") == b"\x89PNG\0\0"
    assert "pictures hold no text: 1 file (runs.zip!a/shot.png)" in ran.err


def test_a_folder(program: Program, log: Path, elsewhere: Path) -> None:
    place = elsewhere / "session"
    (place / "sub").mkdir(parents=True)
    (place / "a.jsonl").write_bytes(log.read_bytes())
    (place / "sub/b.txt").write_text(f"by {MAIL}")
    assert program("redact", place, "-o", elsewhere / "copy").code == 0
    assert not leaks((elsewhere / "copy/a.jsonl").read_text())
    assert (elsewhere / "copy/sub/b.txt").read_text() == "by [e-mail-1]"
    assert program("redact", place, "-o", elsewhere / "copy").code == 2
    assert program("redact", place, "-o", place / "copy").code == 2
    assert program("redact", place).code == 2


def test_check(program: Program, log: Path, elsewhere: Path) -> None:
    before = log.read_bytes()
    ran = program("redact", "--check", log)
    assert (ran.code, ran.out) == (1, "")
    assert "would be replaced:" in ran.err
    assert log.read_bytes() == before
    program("redact", log, "-o", elsewhere / "copy.jsonl", "-q")
    assert program("redact", "--check", elsewhere / "copy.jsonl").code == 0


def test_the_list(program: Program) -> None:
    ran = program("redact", "--list")
    assert ran.code == 0
    assert "\ngithub-token\n" in ran.out


def test_it_never_overwrites_its_input(program: Program, log: Path) -> None:
    before = log.read_bytes()
    assert program("redact", log, "-o", log).code == 2
    assert log.read_bytes() == before


def test_standard_input_and_output(log: Path) -> None:
    ran = process("redact", "-", stdin=log.read_bytes())
    assert ran.code == 0
    assert not leaks(ran.out)
    assert len(ran.out.splitlines()) == len(RECORDS)


@pytest.mark.parametrize("arguments", [(), ("missing.json",)])
def test_nothing_to_read(program: Program, arguments: tuple[str, ...]) -> None:
    assert program("redact", *arguments).code == 2


def test_a_binary_file(program: Program, elsewhere: Path) -> None:
    (elsewhere / "x.bin").write_bytes(b"\0\1\2")
    ran = program("redact", elsewhere / "x.bin", "-o", elsewhere / "copy")
    assert ran.code == 2
    assert "is a binary file" in ran.err
    assert not (elsewhere / "copy").exists()
