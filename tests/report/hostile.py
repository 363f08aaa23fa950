"""Sessions in every part of which somebody has put a text of theirs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from analyzer.model.postmortem import Report
from analyzer.model.session import ReadWarning, Session, Tokens
from analyzer.model.words import Ending
from tests.build import (
    Part,
    call,
    edit,
    pytest_report,
    read,
    report,
    run,
    says,
    session,
    submit,
    think,
    traceback,
    user,
)

PAYLOADS = {
    "script": "<script>alert(1)</script>",
    "image": "<img src=x onerror=alert(1)>",
    "broken tag": "<img src=x onerror=alert(1) ",
    "link": "[click](https://evil.test)",
    "image link": "![x](https://evil.test/x.png)",
    "javascript": "[x](javascript:alert(1))",
    "autolink": "<https://evil.test>",
    "mail": "<mailto:a@evil.test>",
    "reference": "[x]: https://evil.test\n\n[x]",
    "details": "</details></details><details open>",
    "summary": "</summary>",
    "comment": "<!-- gone",
    "CDATA": "<![CDATA[ gone",
    "instruction": "<?php gone",
    "declaration": "<!DOCTYPE html>",
    "fence": "```",
    "fence with text": "```\n</details>\n```",
    "long fence": "`````````` x",
    "tildes": "~~~~~",
    "backtick": "a ` b",
    "two backticks": "a `` b",
    "odd backticks": "`a`` b``` c",
    "backslash and backtick": "C:\\`<script>alert(1)</script>`",
    "backslashes": "\\\\\\`<img src=x>`\\",
    "backslash at the end": "C:\\temp\\",
    "tag in a code span that ends early": "``<img src=x>` `",
    "bars": "| a | b |\n| - | - |\n| 1 | 2 |",
    "escaped bar": "a \\| b \\\\| c",
    "bar in code": "`a | b` | `",
    "heading": "# Title\n## Root cause\n",
    "underlined heading": "Title\n=====\nOther\n-----",
    "rule": "\n\n---\n\n***\n",
    "quotation": "> quoted\n> more",
    "list": "1. one\n- two\n* three\n+ four",
    "block": "\n\n<div>\n\n<pre>\n",
    "entity": "&lt;script&gt;&#60;script&#62;&#x3c;script&#x3e;",
    "emphasis": "**bold *both _one __two ~~gone",
    "hyperlink escape": "\x1b]8;;https://evil.test\x07click\x1b]8;;\x07",
    "unterminated escape": "\x1b]0;title",
    "colours": "\x1b[2J\x1b[31mred\x1b",
    "direction": "\u202eabc\u2066def",
    "lone surrogate": "a\ud83db\ude00",
    "NUL": "a\x00b",
    "carriage returns": "a\rb\r\nc",
    "line separators": "a\u2028b\u2029c\x85d\x0be\x0cf",
    "tabs": "\t\tindented\n\t\tmore",
    "template": "{{ 7 * 7 }}{% for x in y %}{# gone #}",
    "nothing": "",
    "white space": " \n \t",
}
_TROUBLES = 8
LENGTH = 60_000
LONG = {
    "letters": "x" * LENGTH,
    "backticks": "`" * LENGTH,
    "brackets": "<" * LENGTH,
    "bars": "|`" * (LENGTH // 2),
    "lines": "a\n" * (LENGTH // 2),
}
"""Texts that would make any page too long where they stood in it uncut. What a megabyte of them takes is for
benchmarks/long_texts.py to tell."""


def header(text: str) -> dict[str, object]:
    """A session's header full of `text`."""
    return {
        "id": f"s {text}",
        "agent": f"agent {text}",
        "agent_version": f"1 {text}",
        "model": f"model {text}",
        "task": f"Task {text}",
        "title": f"Title {text}",
        "environment": {f"label {text}": f"value {text}", "language": f"Python {text}"},
        "recorded_status": f"status {text}",
        "ending": Ending.LIMIT,
        "ending_detail": f"detail {text}",
        "tokens": Tokens(10, 5, 2),
        "cost_usd": 0.5,
        "warnings": [ReadWarning(f"line 3 {text}", f"broken {text}")],
    }


def rounds(text: str, output: str) -> list[Part]:
    return [
        [
            edit(f"shapes{text}.py", f"a {n} {text}", f"b {n} {text}", said=f"I'll try {text}."),
            run(f"pytest {text}", output, 1),
        ]
        for n in range(4)
    ]


def sessions(text: str) -> list[Session]:
    """One session for each sort of trouble, and a calm one, with `text` in the words, calls, names, codes and
    results."""
    return [_one(text, place) for place in range(_TROUBLES)]


def _one(text: str, place: int) -> Session:
    """One of them."""
    return session(*_troubles(text)[place], **header(text))


def _troubles(text: str) -> list[list[Part]]:
    test = pytest_report(
        f"ValueError: Need at least 4 corners {text}",
        test=f"tests/test_shapes{text}.py",
        function=f"test_area{text}",
        test_code=f"shape = Quad(corners=[0, 1, 2]) # {text}",
        raised=(f"shapes{text}.py", 49, f"raise ValueError('{text}')"),
    )
    trace = traceback(f"KeyError: 'x' {text}", (f"a{text}.py", 3, f"load{text}", f"d['x'] {text}"))
    return [
        [user(f"Do {text}"), says(f"I will {text}"), rounds(text, test)],
        rounds(
            text,
            pytest_report(
                "ValueError: Need at least 4 corners",
                test_code="Quad(corners=[0, 1, 2])",
                raised=("shapes.py", 49, f"raise ValueError('{text}')"),
            ),
        ),
        [[run(f"python a.py {text}", trace, 1), read(f"a {text}.py", text), think(text)] for _ in range(3)],
        [
            edit(f"a{text}.py", f"x{n}{text}", "y", f"String to replace not found in file.\n{text}", is_error=True)
            for n in "abcd"
        ],
        [
            run("ls", f"src/{text}/area.py"),
            [run(f"cat area.py {text}", f"cat: area.py{text}: No such file or directory", 1)] * 3,
        ],
        [[call(f"tool {text}", {"x": text, f"key {text}": [text]}, text)] * 4],
        [edit(f"a{text}.py", "x", text), submit(f"All done. {text}")],
        [run(f"ls {text}", text), call(text, text, text, lane=f"helper {text}"), says(f"{text} is done")],
    ]


@dataclass(frozen=True)
class Mixed:
    """One session for each sort of trouble, each with another text in it."""

    texts: tuple[str, ...]

    @cached_property
    def sessions(self) -> list[Session]:
        """The sessions."""
        return [_one(text, place) for place, text in enumerate(self.texts)]

    @cached_property
    def report(self) -> Report:
        """The report on all of them."""
        return report(*self.sessions)

    @cached_property
    def reports(self) -> list[Report]:
        """A report on each of them."""
        return [self.report.model_copy(update={"sessions": [one]}) for one in self.report.sessions]


def mixed(texts: dict[str, str], turns: int = 2) -> dict[str, Mixed]:
    """Groups of sessions by the names of their texts, in which each text stands in at least as many sorts of trouble
    as there are turns. What keeps a text in its place doesn't depend on the text, so that not every pair of the two is
    tried: places are tried with every sort of text, and texts where they are escaped (`analyzer.report.safe`)."""
    names = list(texts)
    groups = {}
    for turn in range(turns):
        for start in range(0, len(names), _TROUBLES):
            taken = [names[(start + place + 3 * turn) % len(names)] for place in range(_TROUBLES)]
            groups[f"{taken[0]} to {taken[-1]}"] = Mixed(tuple(texts[name] for name in taken))
    return groups


MIXED = mixed(PAYLOADS)
"""The groups of all of them, judged once by each process, which nobody may change."""
