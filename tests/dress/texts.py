"""What harnesses and shells do to an output before it's recorded: wrappers, prefixes, colours, cuts."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from tests.dress.fact import Fact

_START = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
_KEPT = 20


@dataclass(frozen=True, slots=True)
class TextDress:
    """One way in which an output is written down. `put_on` gives None where it changes nothing; `tells_code` is True
    where the text says the exit code, `cuts` where it leaves something out."""

    name: str
    put_on: Callable[[Fact], str | None]
    tells_code: bool = False
    cuts: bool = False


def _lines(name: str, change: Callable[[int, str], str]) -> TextDress:
    def put_on(fact: Fact) -> str | None:
        if not fact.text.strip():
            return None
        return "\n".join(change(number, line) for number, line in enumerate(fact.text.splitlines(), 1))

    return TextDress(name, put_on)


def _around(name: str, form: str, *, tells_code: bool = True) -> TextDress:
    def put_on(fact: Fact) -> str | None:
        if tells_code and fact.exit_code is None:
            return None
        text = fact.text
        return form.replace("%code", str(fact.exit_code)).replace("%cmd", fact.command or "").replace("%text", text)

    return TextDress(name, put_on, tells_code)


def _json(name: str, make: Callable[[Fact], object], *, tells_code: bool) -> TextDress:
    def put_on(fact: Fact) -> str | None:
        return None if tells_code and fact.exit_code is None else json.dumps(make(fact), ensure_ascii=False)

    return TextDress(name, put_on, tells_code)


def _cut(name: str, cut: Callable[[list[str]], list[str]]) -> TextDress:
    def put_on(fact: Fact) -> str | None:
        lines = fact.text.splitlines()
        return "\n".join(cut(lines)) if len(lines) > _KEPT + 4 else None

    return TextDress(name, put_on, cuts=True)


def _stamp(number: int) -> str:
    return (_START + timedelta(milliseconds=137 * number)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _coloured(number: int, line: str) -> str:
    if "\x1b" in line or not line.strip():
        return line
    word, space, rest = line.partition(" ")
    return f"\x1b[3{number % 6 + 1}m{word}\x1b[0m{space}\x1b[2m{rest}\x1b[22m" if rest else f"\x1b[1m{word}\x1b[0m"


def _middle(lines: list[str], mark: str) -> list[str]:
    return [*lines[: _KEPT // 2], mark.replace("%n", str(len(lines) - _KEPT)), *lines[-_KEPT // 2 :]]


PLAIN = TextDress("as printed", lambda fact: fact.text)
TEXTS = (
    PLAIN,
    _json("output and metadata", lambda f: {"output": f.text, "metadata": {"exit_code": f.exit_code}}, tells_code=True),
    _json(
        "stdout and returncode", lambda f: {"stdout": f.text, "stderr": "", "returncode": f.exit_code}, tells_code=True
    ),
    _json("stderr and exitCode", lambda f: {"exitCode": f.exit_code, "stdout": "", "stderr": f.text}, tells_code=True),
    _json("result in JSON", lambda f: {"result": f.text}, tells_code=False),
    _json("output in JSON", lambda f: {"output": f.text}, tells_code=False),
    _json("MCP content", lambda f: [{"type": "text", "text": f.text}], tells_code=False),
    _json("JSON string", lambda f: f.text, tells_code=False),
    _around("returncode tags", "<returncode>%code</returncode>\n<output>\n%text\n</output>"),
    _around("output tags", "<output>\n%text\n</output>", tells_code=False),
    _around("code line before", "Exit code: %code\nWall time: 0.5 seconds\nOutput:\n%text"),
    _around("process exited", "Chunk ID: 3f\nWall time: 0.5 seconds\nProcess exited with code %code\nOutput:\n%text"),
    _around("code line after", "%text\n[Command finished with exit code %code]"),
    _around("completed with", "%text\n[The command completed with exit code %code.]\n[Current directory: /home/dev]"),
    _around("echoed code", "%text\nEXIT=%code"),
    _around("shell report", "Command: %cmd\nDirectory: (root)\nOutput: %text\nError: (none)\nExit Code: %code"),
    _around("executed", "Command executed.\nOutput:\n%text", tells_code=False),
    _around("prompt after", "%text\n(Open file: n/a)\n(Current directory: /home/dev)\nbash-$", tells_code=False),
    _around("fenced", "```\n%text\n```", tells_code=False),
    _lines("timestamps", lambda number, line: f"{_stamp(number)} {line}"),
    _lines("CI timestamps", lambda number, line: f"[{_stamp(number)[11:19]}] {line}"),
    _lines("service name", lambda number, line: f"app-1  | {line}"),
    _lines("line numbers", lambda number, line: f"{number:6d}\t{line}"),
    _lines("bar", lambda number, line: f"| {line}"),
    _lines("indented", lambda number, line: f"    {line}"),
    _lines("coloured", _coloured),
    _lines("carriage returns", lambda number, line: line + "\r"),
    _cut("cut at the head", lambda lines: lines[-_KEPT:]),
    _cut("cut at the head with a mark", lambda lines: ["... [output truncated] ...", *lines[-_KEPT:]]),
    _cut("cut at the tail", lambda lines: lines[:_KEPT]),
    _cut("cut at the tail with a mark", lambda lines: [*lines[:_KEPT], "<response clipped>"]),
    _cut("cut in the middle", lambda lines: _middle(lines, "... [%n lines truncated] ...")),
    _cut("cut in the middle, omitted", lambda lines: _middle(lines, "[... omitted %n of 812 lines ...]")),
)
