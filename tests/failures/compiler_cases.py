"""What compilers and type checkers print, and the first error that is read of it."""

from __future__ import annotations

import pytest

from analyzer.model.words import FailureKind as K

KOTLIN_WARNING = (
    "w: file:///home/dev/q/Boat.kt:3:9 Variable 'oar' is never used.\ne: file:///home/dev/q/Boat.kt:4:5 Unresolved "
    "reference: sail\n"
)
TSC_FILES = (
    "src/a.ts:3:5 - error TS2304: Cannot find name 'oar'.\n\n3     oar();\n      ~~~\n\nFound 4 errors in 2 "
    "files.\n\nErrors  Files\n     3  src/a.ts:3\n     1  src/b.ts:1\n"
)
CARGO_SHORT = (
    "src/a.rs:3:5: error[E0425]: cannot find function `sail` in this scope: not found in this scope\nerror: could "
    "not compile `q` (lib) due to 1 previous error; 2 warnings emitted\n"
)

COMPILED = [
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
]
