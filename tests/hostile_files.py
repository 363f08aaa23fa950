"""Transcripts, folders of them and scenarios as files, in every part of which somebody has put a text of theirs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.distribution import made_once
from tests.report.hostile import PAYLOADS

HIT = "window.__hit=1"
"""What the code in the texts does where it's run; pages that were attacked in vain have no `window.__hit`."""
ACTIVE = {
    "script": f"<script>{HIT}</script>",
    "script in a tag that ends": (
        f"\"'></textarea></title></template></noscript></code></pre></main><script>{HIT}</script>"
    ),
    "end of the script": f"</script><script>{HIT}</script>",
    "end of the style": f"</style><style>*{{display:none!important}}</style><script>{HIT}</script>",
    "end of an island": f'"}}]</script><script>{HIT}</script>',
    "comment": f"<!-- --!><script>{HIT}</script><!--",
    "comment in a script": f"<!--<script>{HIT}",
    "image": f"<img src=x onerror={HIT}>",
    "image in a quoted value": f'"><img src=x onerror={HIT}>',
    "image in a value in other quotes": f"'><img src=x onerror={HIT}>",
    "handler": f'" onmouseover="{HIT}" onfocus="{HIT}" autofocus tabindex="0" x="',
    "handler in other quotes": f"' onmouseover='{HIT}' onfocus='{HIT}' autofocus tabindex='0' x='",
    "handler without quotes": f"x onmouseover={HIT} onfocus={HIT} autofocus tabindex=0",
    "picture": f"<svg onload={HIT}><animate onbegin={HIT} attributeName=x dur=1s /></svg>",
    "picture that ends": f"</text></g></svg><script>{HIT}</script>",
    "foreign object": f"<svg><foreignObject><body onload={HIT}></foreignObject></svg>",
    "details": f"</summary></details><details open ontoggle={HIT}>",
    "javascript link": f"javascript:{HIT}",
    "javascript link in Markdown": f"[x](javascript:{HIT}) <javascript:{HIT}>",
    "javascript link in HTML": f"<a href='javascript:{HIT}'>x</a>",
    "data link": f"data:text/html,<script>{HIT}</script>",
    "data link in Markdown": f"![x](data:image/svg+xml,<svg/onload={HIT}>) [x](data:text/html,x)",
    "base": "<base href='https://evil.test/'>",
    "refresh": "<meta http-equiv=refresh content='0;url=https://evil.test/'>",
    "policy": "<meta http-equiv=Content-Security-Policy content='default-src *'>",
    "frame": (
        "<iframe src='https://evil.test/' srcdoc='<script>parent.__hit=1</script>'></iframe><object "
        f"data='data:text/html,x'></object><embed src='javascript:{HIT}'>"
    ),
    "form": f"<form action='https://evil.test/'><input autofocus onfocus={HIT}><button>Send</button></form>",
    "style": "<link rel=stylesheet href='https://evil.test/x.css'><style>@import url(https://evil.test/y.css);</style>",
    "style in a value": "x;background:url(https://evil.test/z.png);}*{display:none}",
    "plain text": "<plaintext>",
    "template of ours": f"{{{{ 7*7 }}}}{{% raw %}}{{{{ ''.__class__.__mro__ }}}}${{{HIT}}}#{{7*7}}<%= 7*7 %>",
    "template string": f"`${{{HIT}}}`",
    "names of objects": "__proto__",
    "constructor": "constructor",
    "quotes": "\"\"\"'''``“”‘’«»`\\\"\\'",
    "selector": '"] , * { } #step-1:not([id="',
    "step that isn't there": "step 4711 and steps 3-99999999999999999999, see #step-1",
    "entities": "&lt;script&gt;&#60;script&#x3e;&amp;amp;&quot;&NewLine;&notit;",
    "half of UTF-7": "+ADw-script+AD4-window.__hit=1+ADw-/script+AD4-",
    "fences": "```\n~~~~\n````` x\n```python\n</details>\n~~~",
    "links": (
        "[click](https://evil.test) ![x](https://evil.test/x.png) <https://evil.test> https://evil.test "
        "www.evil.test [y]: https://evil.test"
    ),
    "clipboard": "\x1b]52;c;ZXZpbA==\x07",
    "hyperlink": "\x1b]8;;https://evil.test\x1b\\click\x1b]8;;\x1b\\",
    "title": "\x1b]0;evil\x07\x1b]2;evil\x1b\\",
    "screen": "\x1b[2J\x1b[1;1H\x1b[31mred\x1b[?1049h\x9b2J\x1bc",
    "marks of direction": "a\u202eb\u2066c\u2069d\u200fe\u061cf",
    "zero width": "ad\u200bmin\u200c\u200d\u2060\ufeffuser\u00ad",
    "NULs and others": "a\x00b\x01c\x7fd\x85e\x0bf\x0cg",
    "half a character": "a\ud83db\udc00c",
    "line ends": "a\r\nb\rc\u2028d\u2029e",
}
"""Texts that would do something where they weren't taken for text."""
TEXTS = {**{f"words: {name}": text for name, text in PAYLOADS.items()}, **ACTIVE}


def file_name(text: str, suffix: str = ".json") -> str:
    """A file's name with as much of `text` in it as a file system takes."""
    kept = text.translate({0: None, ord("/"): "\u2215"}).encode("utf-8", "replace")[:120].decode("utf-8", "ignore")
    return f"log {kept}{suffix}"


def session(text: str, number: int = 1) -> dict[str, Any]:
    """A session in the project's own form that goes in circles, with a helper that does so too, and `text` in all of
    it."""
    error = f"ValueError: a tide needs two readings {text}"
    trace = "\n".join(
        (
            "=================================== FAILURES ===================================",
            "______________________________ test_first_reading ______________________________",
            f">       table = TideTable(readings=[]) # {text}",
            f"E       {error}",
            f"harbour/tide {text}.py:31: ValueError",
            "=========================== short test summary info ============================",
            f"FAILED tests/test_tide.py::test_first_reading[{text}] - {error}",
            "1 failed, 2 passed in 0.12s",
        )
    )
    rounds = [
        turn
        for step in range(4)
        for turn in (
            {
                "tool": "edit",
                "arguments": {"path": f"harbour/tide{text}.py", "old": f"{step}{text}", "new": f"{step + 1}{text}"},
                "result": "Edited.",
                "intent": f"Try {text}",
            },
            {
                "tool": "shell",
                "arguments": {"command": f"pytest -q {text}"},
                "result": trace,
                "exit_code": 1,
                "error_type": f"type {text}",
            },
        )
    ]
    helper = [
        {
            "tool": f"look {text}",
            "arguments": {"where": text, f"key {text}": [text, {text: text}]},
            "result": text,
            "lane": f"helper {text}",
        }
    ] * 4
    odd = [
        {
            "tool": text.strip() or "none",
            "arguments": {text: text},
            "result": text,
            "is_error": True,
            "thought": text,
            "batch": f"b {text}",
        },
        {"tool": "read", "arguments": {"path": f"{text}.py"}, "result": text},
        {
            "tool": "shell",
            "arguments": {"command": text},
            "result": f"bash: {text}: command not found",
            "exit_code": 127,
        },
        {
            "tool": "edit",
            "arguments": {"path": f"a{text}.py", "old": text, "new": ""},
            "result": f"String to replace not found in file: {text}",
            "is_error": True,
        },
        {"tool": "plan", "arguments": text, "result": text, "path": f"{text}/plan.md"},
        {"tool": "submit", "arguments": {"answer": text}, "result": None, "task_done": True, f"unknown {text}": text},
    ]
    said = [
        {"role": "system", "text": f"You are {text}", "before_action": 1},
        {"role": "user", "text": f"Do {text}", "before_action": 1},
        {"role": "assistant", "text": text, "before_action": 3, "thought": True},
        {"role": "user", "text": f"No: {text}", "before_action": 7},
        {"role": "harness", "text": f"Reminder: {text}", "before_action": 9},
        {"role": "assistant", "text": f"All tests pass. {text}"},
        {"role": text, "text": text},
    ]
    head = {
        "id": f"id {text} {number}",
        "agent": f"agent {text}",
        "agent_version": f"1 {text}",
        "model": f"model {text}",
        "task": f"Task {text}",
        "title": f"Title {text}",
        "started_at": "2026-02-03T04:05:06Z",
        "environment": {f"label {text}": f"value {text}"},
        "status": f"status {text}",
        "ending": "limit",
        "ending_detail": f"Detail {text}",
        "tokens": {"input": 10, "output": 5},
        "cost_usd": 0.5,
        f"colour {text}": text,
    }
    return {"format": "analyze-session/1", "session": head, "messages": said, "actions": [*rounds, *helper, *odd]}


def calm(text: str) -> dict[str, Any]:
    """A session in which all went well, with `text` in it."""
    made = session(text, 2)
    made["actions"] = [
        {
            "tool": "write",
            "arguments": {"path": "tide.txt", "content": text},
            "result": f"Written. {text}",
            "is_error": False,
        }
    ]
    return made


def log(folder: Path, text: str, *sessions: dict[str, Any]) -> Path:
    """Such a session as a file named likewise."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / file_name(text, ".jsonl" if len(sessions) > 1 else ".json")
    file.write_text("".join(json.dumps(entry) + "\n" for entry in sessions or (session(text),)), encoding="ascii")
    return file


def runs(folder: Path, text: str) -> Path:
    """A folder of three such sessions, and of files that can't be read, named likewise."""
    place = folder / file_name(text, "")
    log(place, text, session(text), session(text, 3))
    log(place / file_name(text, " deeper"), text, calm(text))
    (place / file_name(text, " broken.json")).write_text(
        '{"format": "analyze-session/1", "actions": [', encoding="ascii"
    )
    return place


def scenario(folder: Path, text: str, *, prose: str | None = None) -> Path:
    """A scenario with `text` in its own texts, and with two runs; `prose` in those of its texts that a Markdown
    document takes as Markdown, as their author wrote them."""
    shown = text.encode("utf-8", "replace").decode()
    words = shown if prose is None else prose
    contents = {
        "scenario": "1.0",
        "title": f"Title {shown}",
        "system": {"name": f"system {shown}", "version": f"1 {shown}"},
        "author": f"Author {shown}",
        "date": "2026-02-03",
        "prompt": f"Prompt {shown}",
        "overview": f"Overview {words}",
        "plan": [
            {"tool": "write", "arguments": {"path": "tide.txt", "content": shown}, "note": f"Note {shown}"},
            {"tool": f"look {shown}", "arguments": {f"key {shown}": shown}, "result": {"contains": [shown or "x"]}},
        ],
        "phases": {"planning": ["plan", f"plan {shown}"]},
        "success": {"files": [{"path": "tide.txt", "contains": [shown or "x"]}]},
        "fixes": [{"after_run": 1, "text": f"Fix {words}"}],
        "runs": [
            log(folder / "one", text).relative_to(folder).as_posix(),
            log(folder / "two", text, calm(text)).relative_to(folder).as_posix(),
        ],
    }
    file = folder / "scenario.yaml"
    file.write_text(json.dumps(contents), encoding="utf-8")
    return file


def audit_of_all(shared_folder: Path, program: Callable[..., tuple[int, str, str]]) -> Path:
    """The folder of an audit of every text, made once in a test run; `said.txt` in it is what was said meanwhile, after
    the exit code. `program` runs the command line."""

    def make(folder: Path) -> Path:
        for number, text in enumerate(TEXTS.values()):
            log(folder / "runs" / str(number) / file_name(text, ""), text, session(text), calm(text))
        runs(folder / "runs" / "all kinds", TEXTS["script"])
        out = folder / "out"
        code, *said = program("audit", folder / "runs", "-o", out, "-j", "2", "--no-redact", "--export", "csv")
        (out / "said.txt").write_text("\n".join((str(code), *said)), encoding="utf-8")
        return out

    return made_once(shared_folder / "audit of hostile texts", make)
