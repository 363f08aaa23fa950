"""What linters and formatters print, and the first diagnostic that is read of it."""

from __future__ import annotations

import pytest

from analyzer.model.words import FailureKind as K

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

LINTED = [
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
