"""Edits that never reach what fails: sessions in which they can't, and lookalikes in which they may."""

from __future__ import annotations

import pytest

from tests.build import Part, edit, findings, read, run, traceback

BROKEN = traceback("KeyError: 'ebb'", ("harbour/tides.py", 7, "next_tide", "return TIDES[kind]"))
CURL = "curl -s localhost:8100/tides/ebb"
SERVE = "python serve.py --port 8100 > serve.log 2>&1 &"
EDITS = [edit("harbour/tides.py", f"kind = {n}", f"kind = {n + 1}") for n in range(4)]
LACKS = traceback(
    "ModuleNotFoundError: No module named 'tzlocal'", ("harbour/clock.py", 2, "<module>", "import tzlocal")
)
UNSET = traceback("ValueError: HARBOUR_ZONE is not set", ("harbour/config.py", 9, "load", "raise ValueError(message)"))
MAKE = "python tools/gen.py tides.csv > harbour/_table.py\npytest -q\n"
DATA = traceback(
    "ValueError: tests/data/june.csv: row 4 is before row 3", ("harbour/table.py", 12, "load", "raise ValueError(text)")
)


def requests(*between: Part) -> list[Part]:
    """The same failing request four times, with an edit before all but the first."""
    asked = run(CURL, BROKEN, 1)
    return [asked, *(part for one in EDITS[:3] for part in (one, *between, asked))]


def checks(said: str, path: str, command: str = "pytest -q", *between: Part) -> list[Part]:
    edits = [edit(path, f"zone = {n}", f"zone = {n + 1}") for n in range(3)]
    return [run(command, said, 1), *(part for one in edits for part in (one, *between, run(command, said, 1)))]


@pytest.mark.parametrize(
    ("parts", "kind", "title"),
    [
        pytest.param(
            [run(SERVE, ""), requests()],
            "old-process",
            "What answers was started at step 1 and still runs the code from before the edits of steps 3, 5 and 7",
            id="a server from before the edits",
        ),
        pytest.param(
            checks(f"{MAKE}{BROKEN}", "harbour/_table.py", "make test"),
            "made-anew",
            "The check writes harbour/_table.py anew each time, so that edits of it are lost",
            id="a generated file",
        ),
        pytest.param(
            [
                run("make check", LACKS, 1),
                run("pip install tzlocal", "Successfully installed tzlocal-5.2"),
                run("make check", LACKS, 1),
                run("pip install --upgrade tzlocal", "Requirement already satisfied: tzlocal"),
                run("make check", LACKS, 1),
            ],
            "other-environment",
            "`tzlocal` was installed at step 2, and the check of step 5 still doesn't find it",
            id="a package in another environment",
        ),
        pytest.param(
            checks(f"settings: /etc/harbour/app.toml\n{UNSET}", "/w/harbour/app.toml"),
            "unloaded-file",
            "The run reads /etc/harbour/app.toml, but the edits went to /w/harbour/app.toml",
            id="another file of settings",
        ),
        pytest.param(
            checks(DATA, "harbour/table.py"),
            "named-file",
            "The error is about what tests/data/june.csv holds, but the edits went to harbour/table.py",
            id="the data that the message names",
        ),
    ],
)
def test_fires(parts: list[Part], kind: str, title: str) -> None:
    (found,) = findings(parts, detector="wrong-file")
    assert (found.kind, found.title) == (kind, title)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([run(SERVE.replace("8100 >", "8100 --reload >"), ""), requests()], id="a server that reloads"),
        pytest.param([run(SERVE, ""), requests(run(SERVE, ""))], id="a server that is started again"),
        pytest.param(requests(), id="a server of which nothing is known"),
        pytest.param(checks(f"pytest -q\n{BROKEN}", "harbour/_table.py", "make test"), id="a check that makes nothing"),
        pytest.param(
            [run("make check", LACKS, 1), read("a.py", "1"), run("make check", LACKS, 1), run("make check", LACKS, 1)],
            id="a package that nothing installs",
        ),
        pytest.param(
            checks(f"settings: /w/harbour/app.toml\n{UNSET}", "/w/harbour/app.toml"), id="the file of settings itself"
        ),
        pytest.param(checks(DATA, "tests/data/june.csv"), id="the data itself"),
        pytest.param(
            checks(DATA.replace("row 4 is before row 3", "no such file"), "harbour/table.py"),
            id="data that isn't there",
        ),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert [found.title for found in findings(parts, detector="wrong-file")] == []
