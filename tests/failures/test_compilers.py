"""The diagnostics of compilers, type checkers, linters and formatters: the first error with its place, and how many
there are."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.failures.compilers import COMPILERS, LINTERS, diagnostics_in
from analyzer.failures.groups import group_failures
from analyzer.model.words import FailureKind as K
from tests.drawn import examples
from tests.failures.recorded import failure_of, outputs, shell
from tests.tables import table


@table("compiled", "linted")
def test_the_first_error_and_the_counts(
    command: str,
    name: str,
    kind: K,
    message: str,
    place: tuple[str, int | None],
    counts: dict[str, int],
    tool: str,
    language: str | None,
) -> None:
    text = outputs()[name].text if name in outputs() else name
    failure = failure_of(shell(command, text, 1))
    assert (failure.kind, failure.message, failure.counts) == (kind, message, counts)
    assert (failure.frames[-1].file, failure.frames[-1].line) == place
    assert (failure.runner, failure.language) == (tool, language)


DAMAGES = [
    pytest.param(lambda text: text.replace("\n", "\r\n"), id="crlf"),
    pytest.param(lambda text: "\x1b[1m" + text.replace("error", "\x1b[31merror\x1b[0m"), id="colour"),
    pytest.param(lambda text: "... [1200 chars elided] ...\n" + text, id="elided-before"),
    pytest.param(lambda text: text + "\n... [1200 chars elided] ...\n" + "x\n" * 5, id="elided-after"),
    pytest.param(
        lambda text: "make[1]: Entering directory '/home/dev/q'\n" + text + "\nmake: *** [Makefile:3: all] Error 2\n",
        id="inside-make",
    ),
]


@pytest.mark.parametrize("damage", DAMAGES)
@table("compiled", "linted")
def test_output_that_was_damaged_on_its_way(
    command: str,
    name: str,
    kind: K,
    message: str,
    place: tuple[str, int | None],
    counts: dict[str, int],
    tool: str,
    language: str | None,
    damage: Callable[[str], str],
) -> None:
    text = outputs()[name].text if name in outputs() else name
    failure = failure_of(shell(command, damage(text), 1))
    assert (failure.kind, failure.message, failure.language) == (kind, message, language)
    assert failure.frames[-1].file == place[0]
    assert failure.runner == tool
    assert failure.counts == counts


@table("fine")
def test_no_failure(command: str, name: str, exit_code: int) -> None:
    text = outputs()[name].text if name in outputs() else name
    assert shell(command, text, exit_code).failure is None


@pytest.mark.parametrize("command", ["npx tsc | head -20", "npm run typecheck; echo done"])
def test_a_pipe_or_a_list_does_not_hide_what_does_not_compile(command: str) -> None:
    assert failure_of(shell(command, outputs()["tsc/failing"].text, 0)).kind is K.COMPILE


def test_fewer_errors_are_another_failure_and_another_file_too() -> None:
    def compiled(file: str, times: int) -> str:
        return "".join(f"{file}({line},1): error TS2304: Cannot find name 'oar'.\n" for line in range(3, 3 + times))

    texts = [compiled("a.ts", 4), compiled("a.ts", 2), compiled("b.ts", 2), compiled("b.ts", 2)]
    failures = [failure_of(shell("npx tsc", text, 2)) for text in texts]
    groups = group_failures((step, "main", failure) for step, failure in enumerate(failures, 1))
    assert [group.steps for group in groups] == [[1], [2], [3, 4]]


@pytest.mark.parametrize(
    "text", ["", "no error: nothing", "a.py:1: note: see", "3 errors", "src/a.c:12: the error is elsewhere"]
)
def test_prose_is_no_diagnostic(text: str) -> None:
    assert diagnostics_in(text, linters=True) is None


LINES = [
    line
    for name, output in outputs().items()
    if name.split("/")[0] in ("gcc", "tsc", "eslint", "javac", "rustc", "mypy", "ruff", "kotlin", "mono")
    for line in output.text.splitlines()
]


@given(st.lists(st.sampled_from(LINES), max_size=40))
@examples(60)
def test_any_mix_of_lines_is_read(lines: list[str]) -> None:
    text = "\n".join(lines)
    for entry in (*COMPILERS, *LINTERS):
        found = entry.read(text)
        if found is not None:
            assert found.trace.message
            assert found.trace.end <= len(text)
