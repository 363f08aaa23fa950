"""What compilers, type checkers, linters and formatters complain of: the first error with its place, and how many there
are."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.failures.compilers.table import COMPILERS, LINTERS, diagnostics_in
from analyzer.failures.groups import group_failures
from analyzer.model.words import FailureKind as K
from tests.failures.recorded import failure_of, outputs, shell

KOTLIN_WARNING = (
    "w: file:///home/dev/q/Boat.kt:3:9 Variable 'oar' is never used.\ne: file:///home/dev/q/Boat.kt:4:5 Unresolved "
    "reference: sail\n"
)
ESLINT_UNIX = (
    "/home/dev/q/a.js:1:7: 'x' is never used [Error/no-unused-vars]\n/home/dev/q/b.js:2:1: Missing semicolon "
    "[Warning/semi]\n\n2 problems\n"
)
ESLINT_COMPACT = "/home/dev/q/a.js: line 1, col 7, Error - 'x' is never used (no-unused-vars)\n\n1 problem\n"
PYRIGHT = (
    '/home/dev/q/a.py\n  /home/dev/q/a.py:3:12 - error: "oar" is not defined (reportUndefinedVariable)\n  '
    '/home/dev/q/a.py:5:1 - warning: Import "tide" could not be resolved (reportMissingImports)\n1 error, 1 warning, '
    "0 informations\n"
)
FLAKE = "./q/a.py:1:1: F401 'os' imported but unused\n./q/a.py:9:80: E501 line too long (99 > 79 characters)\n"
PYLINT = (
    "************* Module q.a\nq/a.py:1:0: C0114: Missing module docstring (missing-module-docstring)\nq/a.py:4:4: "
    "E0602: Undefined variable 'oar' (undefined-variable)\n\n-----\nYour code has been rated at 2.50/10\n"
)
RUBOCOP = (
    "Inspecting 1 file\nW\n\nOffenses:\n\nq/a.rb:2:3: W: Lint/UselessAssignment: Useless assignment to variable - "
    "oar.\n  oar = 1\n  ^^^\n\n1 file inspected, 1 offense detected\n"
)
SHELLCHECK = (
    "\nIn moor.sh line 3:\nrm $rope\n   ^---^ SC2086 (info): Double quote to prevent globbing and word splitting.\n\n"
)
BIOME = (
    "q/a.ts:1:1 lint/style/useConst  FIXABLE  ━━━━━━━━━━\n\n  × This let declares a variable that is only assigned "
    "once.\n\nChecked 1 file in 2ms.\nFound 1 error.\n"
)
GOLANGCI = "keel/a.go:12:2: ineffectual assignment to oar (ineffassign)\n\toar = 2\n\t^\n1 issues:\n* ineffassign: 1\n"
TSC_FILES = (
    "src/a.ts:3:5 - error TS2304: Cannot find name 'oar'.\n\n3     oar();\n      ~~~\n\nFound 4 errors in 2 "
    "files.\n\nErrors  Files\n     3  src/a.ts:3\n     1  src/b.ts:1\n"
)
CARGO_SHORT = (
    "src/a.rs:3:5: error[E0425]: cannot find function `sail` in this scope: not found in this scope\nerror: could "
    "not compile `q` (lib) due to 1 previous error; 2 warnings emitted\n"
)

REFUSED = [
    pytest.param(
        "npx tsc",
        "tsc/failing",
        K.COMPILE,
        "TS2322: Type 'string' is not assignable to type 'number'.",
        ("crew.ts", 1),
        {"errors": 3},
        "tsc",
        "typescript",
        id="tsc",
    ),
    pytest.param(
        "npx tsc --pretty",
        TSC_FILES,
        K.COMPILE,
        "TS2304: Cannot find name 'oar'.",
        ("src/a.ts", 3),
        {"errors": 4},
        "tsc",
        "typescript",
        id="tsc-in-several-files",
    ),
    pytest.param(
        "npx tsc",
        (
            "src/app/(crew)/[id]/page.tsx(52,53): error TS2345: Argument of type 'A' is not "
            "assignable.\nsrc/b.ts(1,1): error TS2304: Cannot find name 'oar'.\n"
        ),
        K.COMPILE,
        "TS2345: Argument of type 'A' is not assignable.",
        ("src/app/(crew)/[id]/page.tsx", 52),
        {"errors": 2},
        "tsc",
        "typescript",
        id="tsc-path-with-brackets",
    ),
    pytest.param(
        "bun run lint:fix",
        " at " + BIOME,
        K.LINT,
        "lint/style/useConst: This let declares a variable that is only assigned once.",
        ("q/a.ts", 1),
        {"errors": 1},
        "biome",
        "javascript",
        id="biome-without-a-terminal",
    ),
    pytest.param(
        "npx svelte-check",
        (
            "====================================\nLoading svelte-check in workspace: "
            "/home/dev/q\n\n/home/dev/q/a.svelte:3:7\nError: Duplicate identifier 'oars'. "
            "(ts)\n\n/home/dev/q/b.ts:1:1\nWarn: Unused export (svelte)\n\nsvelte-check found 1 error and 1 warning "
            "in 2 files\n"
        ),
        K.COMPILE,
        "Duplicate identifier 'oars'. (ts)",
        ("/home/dev/q/a.svelte", 3),
        {"errors": 1, "warnings": 1},
        "svelte-check",
        "typescript",
        id="svelte-check",
    ),
    pytest.param(
        "flake8 q",
        "flake8/failing",
        K.LINT,
        "F401: 'os' imported but unused",
        ("q/boat.py", 1),
        {"errors": 9},
        "ruff",
        "python",
        id="flake8-recorded",
    ),
    pytest.param(
        "pylint q",
        "pylint/failing",
        K.LINT,
        "E0602: Undefined variable 'undefined_rope' (undefined-variable)",
        ("q/boat.py", 12),
        {"errors": 1, "warnings": 13},
        "pylint",
        "python",
        id="pylint-recorded",
    ),
    pytest.param(
        "pyright q",
        "pyright/failing",
        K.LINT,
        'Operator "+" not supported for types "int" and "Literal[\'two\']" (reportOperatorIssue)',
        ("/home/dev/gig/q/boat.py", 6),
        {"errors": 5, "warnings": 0},
        "pyright",
        "python",
        id="pyright-recorded",
    ),
    pytest.param(
        "mypy q",
        "mypy/several",
        K.LINT,
        'Unsupported operand types for + ("int" and "str") [operator]',
        ("q/boat.py", 6),
        {"errors": 2},
        "mypy",
        "python",
        id="mypy-recorded",
    ),
    pytest.param(
        "black --check q",
        "black/check",
        K.LINT,
        "/home/dev/gig/q/tide.py isn't formatted",
        ("/home/dev/gig/q/tide.py", None),
        {"errors": 2},
        "formatter",
        None,
        id="black-recorded",
    ),
    pytest.param(
        "isort --check q",
        "isort/check",
        K.LINT,
        "/home/dev/gig/q/tide.py isn't formatted",
        ("/home/dev/gig/q/tide.py", None),
        {"errors": 1},
        "formatter",
        None,
        id="isort-recorded",
    ),
    pytest.param(
        "npx prettier --check a.ts",
        "prettier/check",
        K.LINT,
        "a.ts isn't formatted",
        ("a.ts", None),
        {"errors": 1},
        "formatter",
        None,
        id="prettier-recorded",
    ),
    pytest.param(
        "ruff format --check q",
        "ruff/format",
        K.LINT,
        "unformatted: File would be reformatted",
        ("q/boat.py", 13),
        {"errors": 2},
        "ruff",
        "python",
        id="ruff-format-recorded",
    ),
    pytest.param(
        "npx biome check a.ts",
        "biome/failing",
        K.LINT,
        "lint/suspicious/noDoubleEquals: Using == may be unsafe if you are relying on type coercion.",
        ("a.ts", 2),
        {"errors": 3},
        "biome",
        "javascript",
        id="biome-recorded",
    ),
    pytest.param(
        "npx oxlint a.ts",
        "oxlint/failing",
        K.LINT,
        "eslint(no-debugger): `debugger` statement is not allowed",
        ("a.ts", 2),
        {"errors": 1, "warnings": 1},
        "oxlint",
        "javascript",
        id="oxlint-recorded",
    ),
    pytest.param(
        "npx eslint .",
        "eslint/failing",
        K.LINT,
        "no-unused-vars: 'x' is assigned a value but never used",
        ("/home/dev/reef/lint.js", 1),
        {"errors": 3, "warnings": 0},
        "eslint",
        "javascript",
        id="eslint",
    ),
    pytest.param(
        "npm run lint",
        ESLINT_UNIX,
        K.LINT,
        "no-unused-vars: 'x' is never used",
        ("/home/dev/q/a.js", 1),
        {"errors": 1, "warnings": 1},
        "eslint",
        "javascript",
        id="eslint-unix",
    ),
    pytest.param(
        "npm run lint",
        ESLINT_COMPACT,
        K.LINT,
        "no-unused-vars: 'x' is never used",
        ("/home/dev/q/a.js", 1),
        {"errors": 1},
        "eslint",
        "javascript",
        id="eslint-compact",
    ),
    pytest.param(
        "npx biome check",
        BIOME,
        K.LINT,
        "lint/style/useConst: This let declares a variable that is only assigned once.",
        ("q/a.ts", 1),
        {"errors": 1},
        "biome",
        "javascript",
        id="biome",
    ),
    pytest.param(
        "javac Bad.java",
        "javac/bad",
        K.COMPILE,
        "incompatible types: String cannot be converted to int",
        ("Bad.java", 3),
        {"errors": 2},
        "javac",
        "java",
        id="javac",
    ),
    pytest.param(
        "mvn -q compile",
        "maven/compile_quiet",
        K.COMPILE,
        "incompatible types: java.lang.String cannot be converted to int",
        ("/home/dev/ferry/mvn/src/main/java/ferry/Ferry.java", 13),
        {"errors": 1},
        "javac",
        "java",
        id="maven",
    ),
    pytest.param(
        "gradle compileJava",
        "gradle/compile",
        K.COMPILE,
        "incompatible types: String cannot be converted to int",
        ("/home/dev/ferry/gradle/src/main/java/ferry/Ferry.java", 13),
        {"errors": 1},
        "javac",
        "java",
        id="gradle",
    ),
    pytest.param(
        "kotlinc Bad.kt",
        "kotlin/bad",
        K.COMPILE,
        "initializer type mismatch: expected 'Int', actual 'String'.",
        ("Bad.kt", 2),
        {"errors": 2},
        "kotlinc",
        "kotlin",
        id="kotlinc",
    ),
    pytest.param(
        "./gradlew build",
        KOTLIN_WARNING,
        K.COMPILE,
        "Unresolved reference: sail",
        ("/home/dev/q/Boat.kt", 4),
        {"errors": 1, "warnings": 1},
        "kotlinc",
        "kotlin",
        id="kotlin-warns-first",
    ),
    pytest.param(
        "dotnet build",
        "dotnet/build",
        K.COMPILE,
        "error CS0029: Cannot implicitly convert type 'string' to 'int'",
        ("/home/dev/ferry/net/Ferry/Deck.cs", 7),
        {"errors": 1, "warnings": 1},
        "csc",
        "csharp",
        id="dotnet-build",
    ),
    pytest.param(
        "mcs Bad.cs",
        "mono/bad",
        K.COMPILE,
        "error CS0029: Cannot implicitly convert type `string' to `int'",
        ("Bad.cs", 3),
        {"errors": 2, "warnings": 0},
        "csc",
        "csharp",
        id="mcs",
    ),
    pytest.param(
        "go build ./...",
        "go/build_types",
        K.COMPILE,
        "x declared but not used",
        ("cmd/bad/main.go", 8),
        {"errors": 2},
        "go",
        "go",
        id="go-build",
    ),
    pytest.param(
        "golangci-lint run",
        GOLANGCI,
        K.LINT,
        "ineffectual assignment to oar (ineffassign)",
        ("keel/a.go", 12),
        {"errors": 1},
        "go",
        "go",
        id="golangci-lint",
    ),
    pytest.param(
        "cargo build",
        "cargo/build",
        K.COMPILE,
        "error[E0277]: cannot divide `i64` by `&str`: no implementation for `i64 / &str`",
        ("src/lib.rs", 5),
        {"errors": 1},
        "rustc",
        "rust",
        id="cargo-build",
    ),
    pytest.param(
        "cargo check --message-format short",
        CARGO_SHORT,
        K.COMPILE,
        "error[E0425]: cannot find function `sail` in this scope: not found in this scope",
        ("src/a.rs", 3),
        {"errors": 1, "warnings": 2},
        "rustc",
        "rust",
        id="cargo-short",
    ),
    pytest.param(
        "make",
        "gcc/bad",
        K.COMPILE,
        "expected ‘;’ before ‘return’",
        ("bad.c", 7),
        {"errors": 1, "warnings": 2},
        "c",
        "c",
        id="gcc",
    ),
    pytest.param(
        "mypy .",
        "mypy/failing",
        K.LINT,
        'Incompatible return value type (got "int", expected "str") [return-value]',
        ("depth.py", 5),
        {"errors": 1},
        "mypy",
        "python",
        id="mypy",
    ),
    pytest.param(
        "pyright",
        PYRIGHT,
        K.LINT,
        '"oar" is not defined (reportUndefinedVariable)',
        ("/home/dev/q/a.py", 3),
        {"errors": 1, "warnings": 1},
        "pyright",
        "python",
        id="pyright",
    ),
    pytest.param(
        "ruff check .",
        "ruff/failing",
        K.LINT,
        "F401: `os` imported but unused",
        ("depth.py", 1),
        {"errors": 1},
        "ruff",
        "python",
        id="ruff",
    ),
    pytest.param(
        "ruff check --output-format concise",
        "ruff/concise",
        K.LINT,
        "F401: `os` imported but unused",
        ("depth.py", 1),
        {"errors": 1},
        "ruff",
        "python",
        id="ruff-concise",
    ),
    pytest.param(
        "flake8 q",
        FLAKE,
        K.LINT,
        "F401: 'os' imported but unused",
        ("q/a.py", 1),
        {"errors": 2},
        "ruff",
        "python",
        id="flake8",
    ),
    pytest.param(
        "pylint q",
        PYLINT,
        K.LINT,
        "E0602: Undefined variable 'oar' (undefined-variable)",
        ("q/a.py", 4),
        {"errors": 1, "warnings": 1},
        "pylint",
        "python",
        id="pylint",
    ),
    pytest.param(
        "rubocop",
        RUBOCOP,
        K.LINT,
        "Lint/UselessAssignment: Useless assignment to variable - oar.",
        ("q/a.rb", 2),
        {"warnings": 1},
        "rubocop",
        "ruby",
        id="rubocop",
    ),
    pytest.param(
        "shellcheck moor.sh",
        SHELLCHECK,
        K.LINT,
        "SC2086: Double quote to prevent globbing and word splitting.",
        ("moor.sh", 3),
        {"warnings": 1},
        "shellcheck",
        "shell",
        id="shellcheck",
    ),
    pytest.param(
        "npx prettier --check .",
        (
            "Checking formatting...\n[warn] src/a.js\n[warn] src/b.js\n[warn] Code style issues found in 2 files. "
            "Run Prettier with --write to fix.\n"
        ),
        K.LINT,
        "src/a.js isn't formatted",
        ("src/a.js", None),
        {"errors": 2},
        "formatter",
        None,
        id="prettier",
    ),
    pytest.param(
        "black --check q",
        "would reformat q/a.py\n\nOh no!\n1 file would be reformatted, 3 files would be left unchanged.\n",
        K.LINT,
        "q/a.py isn't formatted",
        ("q/a.py", None),
        {"errors": 1},
        "formatter",
        None,
        id="black",
    ),
]


@pytest.mark.parametrize(("command", "name", "kind", "message", "place", "counts", "tool", "language"), REFUSED)
def test_the_first_error_and_the_counts(
    command: str,
    name: str,
    kind: K,
    message: str,
    place: tuple[str, int | None],
    counts: dict[str, int],
    tool: str,
    language: str,
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
@pytest.mark.parametrize(("command", "name", "kind", "message", "place", "counts", "tool", "language"), REFUSED)
def test_output_that_was_damaged_on_its_way(
    command: str,
    name: str,
    kind: K,
    message: str,
    place: tuple[str, int | None],
    counts: dict[str, int],
    tool: str,
    language: str,
    damage: Callable[[str], str],
) -> None:
    text = outputs()[name].text if name in outputs() else name
    failure = failure_of(shell(command, damage(text), 1))
    assert (failure.kind, failure.message, failure.language) == (kind, message, language)
    assert failure.frames[-1].file == place[0]
    assert failure.runner == tool
    assert failure.counts == counts


FINE = [
    pytest.param(
        "npx eslint .",
        "/home/dev/q/a.js\n  1:7  warning  'x' is never used  no-unused-vars\n\n✖ 1 problem (0 errors, 1 warning)\n",
        0,
        id="eslint-warns",
    ),
    pytest.param(
        "npx eslint . | tail -4",
        "/home/dev/q/a.js\n  1:7  warning  'x' is never used  no-unused-vars\n\n✖ 1 problem (0 errors, 1 warning)\n",
        0,
        id="eslint-warns-behind-a-pipe",
    ),
    pytest.param(
        "cargo build 2>&1 | tail -5",
        "warning: unused variable: `oar`\n --> src/a.rs:1:9\n  |\n1 | fn a(oar: u8) {}\n",
        0,
        id="cargo-warns",
    ),
    pytest.param("make 2>&1 | tail", "gcc/warn", 0, id="gcc-warns"),
    pytest.param("cat build.log", "tsc/failing", 0, id="a-log-is-shown"),
    pytest.param("npx tsc", "tsc/passing", 0, id="tsc-passes"),
    pytest.param("ruff check .", "ruff/passing", 0, id="ruff-passes"),
    pytest.param("grep -rn 'error' src", "src/a.c:12:3: error: here\n", 0, id="a-search-finds-such-a-line"),
]


@pytest.mark.parametrize(("command", "name", "exit_code"), FINE)
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
def test_prose_is_no_complaint(text: str) -> None:
    assert diagnostics_in(text, linters=True) is None


LINES = [
    line
    for name, output in outputs().items()
    if name.split("/")[0] in ("gcc", "tsc", "eslint", "javac", "rustc", "mypy", "ruff", "kotlin", "mono")
    for line in output.text.splitlines()
]


@given(st.lists(st.sampled_from(LINES), max_size=40))
@settings(max_examples=60, deadline=None)
def test_any_mix_of_lines_is_read(lines: list[str]) -> None:
    text = "\n".join(lines)
    for entry in (*COMPILERS, *LINTERS):
        found = entry.read(text)
        if found is not None:
            assert found.trace.message
            assert found.trace.end <= len(text)
