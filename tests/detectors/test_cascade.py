"""A failure that others follow from: when that's shown, and when failures only come one after another."""

from __future__ import annotations

import pytest

from analyzer.model.session import Event
from analyzer.model.words import Mark
from tests.build import Part, call, edit, findings, read, run, together, traceback, write

NO_MODULE = traceback("ModuleNotFoundError: No module named 'oarlock'", ("row.py", 1, "<module>", "import oarlock"))
NO_NAME = traceback("NameError: name 'feather' is not defined", ("row.py", 9, "main", "feather(oar)"))
NO_INSTALL = "ERROR: No matching distribution found for oarlock"


def cancelled() -> tuple[Event, ...]:
    return read("b.py", "Cancelled: parallel tool call errored", mark=Mark.CASCADE, is_error=True)


def cell(code: str, result: str, **more: bool) -> Part:
    return call("ipython", {"code": code}, result, **more)  # type: ignore[arg-type]


INSTALL = run("pip install oarlock", NO_INSTALL, 1)
NEEDS = [run("python row.py", NO_MODULE, 1), run("python -m row --fast", NO_MODULE, 1)]
REFUSED = edit(
    "row.py",
    "def main():",
    "def feather(oar):\n    ...\n\ndef main():",
    "String to replace not found in file.",
    is_error=True,
)


@pytest.mark.parametrize(
    ("parts", "kind", "steps", "detectable_at", "severity"),
    [
        pytest.param([INSTALL, read("a.py"), *NEEDS], "cascade", [1, 3, 4], 4, "medium", id="a package"),
        pytest.param(
            [INSTALL, *(run(f"python row.py {n}", NO_MODULE, 1) for n in range(5))],
            "cascade",
            [1, 2, 3, 4, 5, 6],
            3,
            "high",
            id="many",
        ),
        pytest.param(
            [
                write("gig.csv", "a,b", "Permission denied", is_error=True),
                *(
                    run(f"head -{n} gig.csv", "head: cannot open 'gig.csv' for reading: No such file or directory", 1)
                    for n in (1, 2)
                ),
            ],
            "cascade",
            [1, 2, 3],
            3,
            "medium",
            id="a file",
        ),
        pytest.param(
            [run("pip install -r requirements.txt", NO_INSTALL, 1), *NEEDS],
            "cascade",
            [1, 2, 3],
            3,
            "medium",
            id="all packages",
        ),
        pytest.param(
            [
                run("npm ci", "npm error code ENOTFOUND", 1),
                *(
                    run(f"node {name}.js", "Error: Cannot find module 'express'\nRequire stack:\n- /app/a.js", 1)
                    for name in "ab"
                ),
            ],
            "cascade",
            [1, 2, 3],
            3,
            "medium",
            id="all packages of another kind",
        ),
        pytest.param(
            [REFUSED, run("python row.py", NO_NAME, 1), run("python row.py --all", NO_NAME, 1)],
            "cascade",
            [1, 2, 3],
            3,
            "medium",
            id="a refused edit",
        ),
        pytest.param(
            [
                run("git clone https://example.org/oars.git", "fatal: unable to access", 128),
                run("cd oars && make", "bash: cd: oars: No such file or directory", 1),
                run("ls -R oars", "ls: cannot access 'oars': No such file or directory", 2),
            ],
            "cascade",
            [1, 2, 3],
            3,
            "medium",
            id="a repository",
        ),
        pytest.param(
            [
                run("python server.py --port 8123", traceback("RuntimeError: no", ("server.py", 1, "main", "go()")), 1),
                *(
                    run(
                        f"curl -s localhost:8123/{n}",
                        "curl: (7) Failed to connect to localhost port 8123: Connection refused",
                        7,
                    )
                    for n in (1, 2)
                ),
            ],
            "cascade",
            [1, 2, 3],
            3,
            "medium",
            id="a server",
        ),
        pytest.param(
            [
                run("sqlite3 a.db 'CREATE TABLE oars (a'", "Error: incomplete input", 1),
                *(run(f"sqlite3 a.db 'SELECT {n} FROM oars'", "Error: no such table: oars", 1) for n in (1, 2)),
            ],
            "cascade",
            [1, 2, 3],
            3,
            "medium",
            id="a table",
        ),
        pytest.param(
            [
                cell("rate = load()\nprint(rate)", traceback("OSError: no file", ("cell", 1, "<module>", "load()"))),
                *(
                    cell(
                        f"print(rate * {n})",
                        traceback("NameError: name 'rate' is not defined", ("cell", 1, "<module>", "rate")),
                    )
                    for n in (1, 2)
                ),
            ],
            "cascade",
            [1, 2, 3],
            3,
            "medium",
            id="a cell",
        ),
        pytest.param(
            [together("m", read("a.py", "File does not exist.", is_error=True), cancelled(), cancelled())],
            "cancelled-calls",
            [1, 2, 3],
            3,
            "low",
            id="cancelled calls",
        ),
        pytest.param(
            [together("m", cancelled(), cancelled(), read("a.py", "File does not exist.", is_error=True))],
            "cancelled-calls",
            [1, 2, 3],
            3,
            "low",
            id="cancelled before",
        ),
    ],
)
def test_fires(parts: list[Part], kind: str, steps: list[int], detectable_at: int, severity: str) -> None:
    (found,) = findings(*parts, detector="cascade")
    assert (found.kind, found.steps, found.detectable_at, found.severity) == (kind, steps, detectable_at, severity)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([INSTALL, NEEDS[0]], id="one later failure"),
        pytest.param([INSTALL, INSTALL, INSTALL], id="further tries"),
        pytest.param(
            [INSTALL, run("pip install oarlock", "Successfully installed oarlock"), *NEEDS],
            id="it was installed after all",
        ),
        pytest.param(
            [run("pip install knots", NO_INSTALL.replace("oarlock", "knots"), 1), *NEEDS], id="another package"
        ),
        pytest.param([*NEEDS, *NEEDS], id="no first failure"),
        pytest.param([*NEEDS, INSTALL], id="the install comes last"),
        pytest.param(
            [
                run("npm ci", "npm error code ENOTFOUND", 1),
                *(run(f"node {name}.js", "Error: Cannot find module './gig'", 1) for name in "ab"),
            ],
            id="a module of the project",
        ),
        pytest.param([run("npm ci", "npm error code ENOTFOUND", 1), *NEEDS], id="another language's packages"),
        pytest.param(
            [
                run("pip install -r requirements.txt", NO_INSTALL, 1),
                run("pip install -r requirements.txt", "Successfully installed knots"),
                *NEEDS,
            ],
            id="all installed after all",
        ),
        pytest.param(
            [
                REFUSED,
                edit("row.py", "def main():", "def feather(oar):\n    ..."),
                run("python row.py", NO_NAME, 1),
                run("python row.py 2", NO_NAME, 1),
            ],
            id="the edit went through",
        ),
        pytest.param(
            [run("pip install oarlock && pytest && make", "1 failed", 1), *NEEDS],
            id="something else of the line may have failed",
        ),
        pytest.param(
            [
                write("gig.csv", "a"),
                *(
                    run(f"head -{n} crew.csv", "head: cannot open 'crew.csv' for reading: No such file or directory", 1)
                    for n in (1, 2)
                ),
            ],
            id="another file",
        ),
        pytest.param(
            [
                run("python server.py --port 8123", "boom", 1),
                *(
                    run(
                        f"curl localhost:9000/{n}",
                        "curl: (7) Failed to connect to localhost port 9000: Connection refused",
                        7,
                    )
                    for n in (1, 2)
                ),
            ],
            id="another port",
        ),
        pytest.param(
            [
                write("crew/gig.csv", "a", "Permission denied", is_error=True),
                *(
                    run(
                        f"head -{n} oars/gig.csv",
                        "head: cannot open 'oars/gig.csv' for reading: No such file or directory",
                        1,
                    )
                    for n in (1, 2)
                ),
            ],
            id="a file of that name elsewhere",
        ),
        pytest.param(
            [
                write("gig.csv", "a", "Permission denied", is_error=True),
                *(
                    run(f"rm {flag} gig.csv", "rm: cannot remove 'gig.csv': No such file or directory", 1)
                    for flag in ("-v", "-i")
                ),
            ],
            id="tidying up",
        ),
        pytest.param(
            [together("m", read("a.py", "File does not exist.", is_error=True), cancelled())], id="one cancelled call"
        ),
        pytest.param([], id="nothing"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert findings(*parts, detector="cascade") == []
