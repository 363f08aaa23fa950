"""Whatever a tool prints, reading it takes time in proportion to its length: no expression goes back over a text again
and again.

A text of 20 kB that is read at once needs no look at larger ones. One that isn't is measured at 20 and 150 kB.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from functools import partial

import pytest

import analyzer.detectors.wrong_place
import analyzer.failures
from analyzer.failures.compilers import COMPILERS, LINTERS
from analyzer.failures.groups import fingerprint, group_failures
from analyzer.failures.messages import search as messages
from analyzer.failures.messages.tables import CAUSES, PROGRAMS, SHELL, WRAPPERS
from analyzer.failures.readers.programs import is_prose
from analyzer.failures.readers.self_report import caught_error, self_report
from analyzer.failures.requirement import lone_collection, named_literals, unmet_requirement
from analyzer.failures.roles import is_test_path, role_of
from analyzer.failures.runners import pytest as pytest_report
from analyzer.failures.runners.javascript_section import section_trace as section_of_javascript
from analyzer.failures.runners.pytest_trace import section_trace
from analyzer.failures.runners.registry import parse_summary
from analyzer.failures.runners.table import RUNNERS, Runner
from analyzer.failures.traces import javascript, python
from analyzer.failures.traces.table import LANGUAGES
from analyzer.model.failure import Failure
from analyzer.model.struct import Struct
from analyzer.model.words import FailureKind
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.masks import STANDARD, mask
from analyzer.text.plain import plain
from analyzer.text.similarity import identifiers, near
from tests.drawn import depth
from tests.failures.recorded import shell, tool
from tests.growth import AT_ONCE, assert_in_proportion, seconds
from tests.together import check_each

LATE = type(late(""))
BY_NAME = {runner.NAME: runner for runner in RUNNERS}
SMALL, LARGE = 20_000, 150_000

UNITS = [
    " ",
    "a",
    "A",
    "/",
    "_",
    "=",
    "1",
    '"',
    "'",
    "`",
    "\n",
    "-",
    ".",
    ":",
    "[",
    "]",
    "(",
    ")",
    "|",
    "#",
    "\\",
    "\t",
    "\r",
    "~",
    "<",
    ">",
    "é",
    "\x1b[",
    "\x1b]",
    "[1",
    "\n ",
    " \n",
    "\n=",
    "\n- ",
    "\n1) ",
    "a\n",
    "a b ",
    "a.",
    "a/",
    "a_",
    "a=",
    "a=[",
    "a:1:",
    "aB",
    "A1",
    "1.",
    "1:",
    "1,",
    "00:",
    "Error: ",
    "ERROR: ",
    "FAIL ",
    "FAILED ",
    "FAILED a[",
    "Traceback (most recent call last):\n",
    'Traceback (most recent call last):\n  File "a.py", line 1, in a\n    a\n',
    " Traceback (most recent call last):\n",
    'File "',
    '  File "a", line 1\n',
    "SyntaxError: a\n",
    "E   ",
    "E   a\n",
    "> a(\n",
    ">   raise a\n",
    "___ a ",
    " ___ ",
    "=== ",
    "a.py:1: ",
    "1 failed, ",
    " in 1",
    "  1) a\n     Failure/Error: a\n",
    "  1) Error:\nA#a:\n",
    "1) A::a\n",
    "a.rb:1:in `a': a (A)\n",
    "\tfrom a.rb:1:in `a'\n",
    "Stack trace:\n",
    "#0 a(1): a(\n",
    "PHP Fatal error: a in ",
    "✖ a\n",
    " FAIL  a > a\n",
    " ❯ a a:1:1\n",
    "> 1 | a\n",
    "Cause:\n",
    "A::",
    "1 passed in 1s\n",
    "Ran 1 test in 1s\n",
    "OK\n",
    "Test",
    "IT",
    "test",
    "● a\n\n",
    "  1) a\n",
    "not ok 1 ",
    "    at a (b:1:1)\n",
    " at ",
    "bash: ",
    "a.c:1",
    "panic: ",
    "x timed out after 1 ",
    "No such file or directory",
    "cannot open ",
    "error ",
    "0x",
    "/tmp/",
    "2020-01-01 ",
    "deadbeef1",
    "at least 8 a ",
    "'a' ",
]
PREFIXES = [
    "FAILED ",
    "E   ",
    "Tests: ",
    "[ERROR] ",
    "  1) ",
    "- ",
    "test ",
    "bash: ",
    "/bin/sh: ",
    "curl: (6) ",
    "=== ",
    "___ ",
    "a=",
    "Error: ",
    "● ",
    "    at ",
    "a.py:1: ",
    "thread '",
    "FAIL ",
    "×",
    "make: ",
    "x: ",
    "1 failed in 1",
    "error: ",
    "\x1b]",
    "# fail ",
    "npm ERR! ",
    "A.java:1",
    "at least ",
    "Hunk #",
]
ALL_INPUTS = [("", unit) for unit in UNITS] + [
    (prefix, unit) for prefix in PREFIXES for unit in (" ", "a", "1", "a.", "a ", "[", "IT")
]
STRIDE = depth(25, 5)
"""Every expression against every input takes ten minutes; each is tried with a dozen of them, or with sixty."""


def inputs_for(name: str) -> list[tuple[str, str]]:
    return ALL_INPUTS[len(name) % STRIDE :: STRIDE]


def long_text(prefix: str, unit: str, size: int) -> str:
    return prefix + unit * (size // len(unit)) + "\x00"


def assert_linear(work: Callable[[str], object], prefix: str, unit: str) -> None:
    small = seconds(work, long_text(prefix, unit, SMALL))
    if small < AT_ONCE:
        return
    assert small < 2, f"{small:.1f} s for 20 kB of {prefix!r} and {unit!r}"
    assert_in_proportion(work, partial(long_text, prefix, unit), SMALL, LARGE, f"{prefix!r} and {unit!r}")


def expressions() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every compiled expression of the package and of the rules about wrong places, with a name that tells where."""
    seen: set[tuple[str, int]] = set()
    inside = pkgutil.walk_packages(analyzer.failures.__path__, "analyzer.failures.")
    beside = pkgutil.walk_packages(analyzer.detectors.wrong_place.__path__, "analyzer.detectors.wrong_place.")
    for info in (*inside, *beside):
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            if name.startswith("__"):
                continue
            for place, expression in within(
                f"{info.name.removeprefix('analyzer.failures.').removeprefix('analyzer.')}.{name}", value
            ):
                if (expression.pattern, expression.flags) not in seen:
                    seen.add((expression.pattern, expression.flags))
                    yield place, expression


def within(place: str, value: object) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(value, re.Pattern):
        yield place, value
    elif isinstance(value, LATE):
        # Compiled here, so that it's tried on texts without its literals as well.
        yield place, re.compile(value.pattern, value.flags)
    elif isinstance(value, tuple | list):
        for position, entry in enumerate(value):
            yield from within(f"{place}[{position}]", entry)
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from within(f"{place}[{key}]", entry)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from within(f"{place}.{field.name}", getattr(value, field.name))
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from within(f"{place}.{name}", getattr(value, name))


EXPRESSIONS = dict(expressions())


def test_the_expressions_are_found() -> None:
    assert len(EXPRESSIONS) > 100


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("folder", sorted({place.split(".")[0] for place in EXPRESSIONS}))
def test_expressions(folder: str) -> None:
    def check(place: str) -> None:
        expression = EXPRESSIONS[place]
        for prefix, unit in inputs_for(place):
            assert_linear(lambda text: sum(1 for _ in expression.finditer(text)), prefix, unit)

    check_each((place for place in EXPRESSIONS if place.split(".")[0] == folder), check)


def _failures_of(text: str) -> object:
    return group_failures((step, "main", Failure(FailureKind.OTHER, "Error", text + str(step))) for step in range(3))


def _report_of(runner: Runner, text: str) -> object:
    return runner.recognises(text), runner.parse(text)


WORK: dict[str, Callable[[str], object]] = {
    "plain": plain,
    "clip": partial(clip, limit=100),
    "code": code,
    "mask": mask,
    "varied": lambda text: STANDARD.varied([text, text + "1"]),
    "identifiers": identifiers,
    "near": lambda text: near(text, text + "x"),
    "groups": _failures_of,
    "fingerprint": lambda text: fingerprint(Failure(FailureKind.OTHER, "Error", "broken", subject=text)),
    "requirement-in-the-message": lambda text: unmet_requirement(text, ["stations=[1]"]),
    "requirement-in-the-code": lambda text: unmet_requirement("at least 4 stations", [text, f"stations=[{text}]"]),
    "role": lambda text: (role_of(text), is_test_path(text)),
    "self-report": self_report,
    "caught-error": caught_error,
    "prose": lambda text: (is_prose(text, "not found"), is_prose("The tide is in", text)),
    "at-start": messages.at_start,
    "sharpest-line": messages.sharpest_line,
    "programs": lambda text: [row.pattern.search(text) for row in (*PROGRAMS, *SHELL, *CAUSES, *WRAPPERS)],
    "candidates": PROGRAMS.candidates,
    "read-wrapped": lambda text: shell("make all", json.dumps({"output": text, "metadata": {"exit_code": 1}})),
    "read-announced": lambda text: tool("view", {"path": "a.py"}, f"The tool failed:\n<error>\n{text}"),
    "read-numbered": lambda text: tool("view", {"path": "a.py"}, f"     1\t{text}"),
    "python": python.traces,
    "javascript": javascript.traces,
    **{f"trace-{language.LANGUAGE}": language.traces for language in LANGUAGES},
    **{f"runner-{runner.NAME}": partial(_report_of, runner) for runner in RUNNERS},
    "maven-failed": lambda text: BY_NAME["maven"].parse(f"BUILD FAILURE\n{text}"),
    "rspec-failed": lambda text: BY_NAME["rspec"].parse(f"{text}\n1 example, 1 failure\n"),
    "jest-failed": lambda text: BY_NAME["jest"].parse(f"Tests: 1 failed, 1 total\n{text}"),
    "bun-failed": lambda text: BY_NAME["bun test"].parse(f"bun test v1\n{text}\n(fail) a\n"),
    "pytest": pytest_report.parse,
    "pytest-failed": lambda text: pytest_report.parse(f"=== FAILURES ===\n{text}\n=== 1 failed in 1s ==="),
    "pytest-section": section_trace,
    "javascript-section": section_of_javascript,
    "summaries": parse_summary,
    **{f"compiler-{tool.name}": tool.read for tool in (*COMPILERS, *LINTERS)},
    "linters": lambda text: shell("npm run lint", text, 1),
    "literals": lambda text: (list(named_literals(text)), lone_collection(text)),
    "read-test": lambda text: shell("python -m pytest", text),
    "read-failed-run": lambda text: shell("python pilot.py; make all", text, 1),
    "read-piped-run": lambda text: shell("ruby pilot.rb", text, 0),
    "read-shown-file": lambda text: shell("cat pilot.log", text),
    "read-function": lambda text: tool("harbour.book_berth", {"boat": "heron"}, text),
    "read-page": lambda text: tool("web_fetch", {"url": "https://h.test/7"}, text),
    "read-unseen-run": lambda text: tool("run_checks", {}, text),
    "read-edit": lambda text: tool("edit", {"path": "a.py", "old": "a", "new": "b"}, text),
}


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("name", WORK)
def test_reading(name: str) -> None:
    for prefix, unit in inputs_for(name):
        assert_linear(WORK[name], prefix, unit)
