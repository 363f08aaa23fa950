"""Steps lost on the environment, and failures that only look like it."""

from __future__ import annotations

import pytest

from analyzer.model.session import Event
from tests.build import Part, call, findings, read, run, together, traceback, write

Call = tuple[Event, ...]


def without(module: str, command: str = "python check.py") -> Call:
    return run(
        command,
        traceback(f"ModuleNotFoundError: No module named '{module}'", ("check.py", 1, "<module>", f"import {module}")),
        1,
    )


def offline(command: str = "pip install knots") -> Call:
    return run(command, "curl: (6) Could not resolve host: knots.example", 6)


def missing(command: str) -> Call:
    return run(command, f"bash: {command.split(maxsplit=1)[0]}: command not found", 127)


def refused(command: str, path: str = "/opt/knots") -> Call:
    return run(command, f"mkdir: cannot create directory '{path}': Permission denied", 1)


FULL = "cp: error writing '/tmp/knots': No space left on device"
ELSEWHERE = "python: can't open file '/srv/app/knots.py': [Errno 2] No such file or directory"
OWN = traceback("ModuleNotFoundError: No module named 'knots'", ("tests/check.py", 1, "<module>", "import knots"))


@pytest.mark.parametrize(
    ("parts", "kind", "steps", "detectable_at"),
    [
        pytest.param(
            [without("numpy"), read("a.py"), without("numpy"), without("numpy")],
            "missing-package",
            [1, 3, 4],
            4,
            id="a package that nobody installs",
        ),
        pytest.param(
            [without(name) for name in ("numpy", "scipy", "yaml", "attr")],
            "missing-package",
            [1, 2, 3, 4],
            3,
            id="one package after the other",
        ),
        pytest.param(
            [
                run("node app.js", "Error: Cannot find module 'express'\nRequire stack:\n- /app/app.js", 1)
                for _ in range(3)
            ],
            "missing-package",
            [1, 2, 3],
            3,
            id="a package of another language",
        ),
        pytest.param(
            [offline(), offline("curl https://knots.example"), offline("wget https://knots.example")],
            "no-network",
            [1, 2, 3],
            3,
            id="no network",
        ),
        pytest.param(
            [refused("mkdir /opt/knots") for _ in range(3)], "no-permission", [1, 2, 3], 3, id="no permission"
        ),
        pytest.param(
            [
                write("/etc/knots", "x", "Error: EACCES: permission denied, open '/etc/knots'", is_error=True)
                for _ in range(3)
            ],
            "no-permission",
            [1, 2, 3],
            3,
            id="a tool that isn't allowed to write",
        ),
        pytest.param(
            [run("python -m pytest", "/usr/bin/python: No module named pytest", 1) for _ in range(3)],
            "missing-package",
            [1, 2, 3],
            3,
            id="no test runner",
        ),
        pytest.param(
            [run("cp big /tmp/knots", FULL, 1) for _ in range(3)], "disk-full", [1, 2, 3], 3, id="a full disk"
        ),
        pytest.param(
            [missing("mvn -q test"), missing("gradle test"), missing("javac A.java")],
            "missing-program",
            [1, 2, 3],
            3,
            id="no tools for the language",
        ),
    ],
)
def test_fires(parts: list[Part], kind: str, steps: list[int], detectable_at: int) -> None:
    (found,) = findings(*parts, detector="environment-trouble")
    assert (found.kind, found.steps, found.detectable_at) == (kind, steps, detectable_at)


def test_names_what_was_missing() -> None:
    (found,) = findings(without("numpy"), without("scipy.linalg"), without("numpy"), detector="environment-trouble")
    assert found.title == "3 steps fail because packages are missing: numpy, scipy"
    assert found.advice[0].startswith("Install `numpy`, `scipy` before")


@pytest.mark.parametrize(
    ("installing", "advice"),
    [
        pytest.param(
            run("pip install numpy", "ERROR: No matching distribution found for numpy", 1),
            "Report what is missing (`numpy`, `scipy`), and go on without it: installing something failed at step 2.",
            id="it can't be installed",
        ),
        pytest.param(
            [
                run("pip install numpy", "ERROR: No matching distribution found for numpy", 1),
                run("pip install numpy", "Successfully installed numpy-1.0", 0),
            ],
            "Install `numpy`, `scipy` before anything else is run, or use the environment that has it.",
            id="it was installed in the end",
        ),
        pytest.param(
            run("pip list", "pip 24.0", 0),
            "Install `numpy`, `scipy` before anything else is run, or use the environment that has it.",
            id="nobody tried",
        ),
    ],
)
def test_does_not_advise_an_installation_that_failed(installing: Part, advice: str) -> None:
    (found,) = findings(
        without("numpy"), installing, without("scipy.linalg"), without("numpy"), detector="environment-trouble"
    )
    assert found.advice == [advice]


PTH = (
    'Error processing line 1 of knots.pth:\n\n  Traceback (most recent call last):\n    File "<string>", line 1, '
    "in <module>\n  ModuleNotFoundError: No module named 'knots_hack'\n\nRemainder of file ignored"
)


@pytest.mark.parametrize(
    ("parts", "task"),
    [
        pytest.param(
            [without("numpy"), run("pip install numpy", "Successfully installed numpy"), run("python check.py", "ok")],
            "",
            id="installed at once",
        ),
        pytest.param([without("numpy"), without("numpy"), read("a.py")], "", id="twice"),
        pytest.param(
            [without("knots") for _ in range(4)],
            "Write knots.py so that check.py passes.",
            id="a module that the task asks for",
        ),
        pytest.param(
            [write("check.py", "settings.configure(APPS=['knots_app'])"), *(without("knots_app") for _ in range(3))],
            "",
            id="a module that the agent made up",
        ),
        pytest.param(
            [
                run("node app.js", "Error: Cannot find module './shape'\nRequire stack:\n- /app/app.js", 1)
                for _ in range(3)
            ],
            "",
            id="a file of the project that isn't written yet",
        ),
        pytest.param(
            [run("cat notes.md", "cat: notes.md: No such file or directory", 1) for _ in range(4)],
            "",
            id="a file that isn't there",
        ),
        pytest.param(
            [
                write("/srv/app/src/knots.py", "x"),
                *(run("ls knots.py", "ls: cannot access 'knots.py': No such file or directory", 2) for _ in range(4)),
            ],
            "",
            id="a file that is looked for",
        ),
        pytest.param(
            [write("knots.py", "x"), *(run("python knots.py", ELSEWHERE, 2) for _ in range(4))],
            "",
            id="a file that is gone",
        ),
        pytest.param(
            [
                run("docker exec knots ls", "Error response from daemon: container knots is not running", 1)
                for _ in range(3)
            ],
            "",
            id="a container of the project",
        ),
        pytest.param(
            [run("python app.py", "RuntimeError: Session is closed", 1) for _ in range(3)],
            "",
            id="a session of a program",
        ),
        pytest.param(
            [run("find / -name knots", "find: '/srv/private': Permission denied\n/opt/knots", 1) for _ in range(4)],
            "",
            id="a search that isn't allowed everywhere",
        ),
        pytest.param(
            [
                run(
                    "curl http://localhost:8000",
                    "curl: (7) Failed to connect to localhost port 8000: Connection refused",
                    7,
                )
                for _ in range(4)
            ],
            "",
            id="a server of one's own that isn't up",
        ),
        pytest.param(
            [run("curl https://a.example", "<html>"), *(offline("curl https://knots.example") for _ in range(3))],
            "",
            id="one host while others answer",
        ),
        pytest.param(
            [
                run("apt-get update", "Hit:1 http://knots.example jammy InRelease"),
                *(offline("curl https://knots.example") for _ in range(3)),
            ],
            "",
            id="one host while packages come",
        ),
        pytest.param(
            [
                run(
                    "apt-get update",
                    "E: The repository 'http://knots.example buster Release' does not have a Release file.",
                    100,
                )
                for _ in range(3)
            ],
            "",
            id="a source that the agent got wrong",
        ),
        pytest.param(
            [
                missing(text)
                for text in (
                    "Great! Is there anything else?",
                    "the output seems to be correct now",
                    "not available as the solution can't be tested within this system.",
                    "It seems that we are done here",
                )
            ],
            "",
            id="prose in a shell",
        ),
        pytest.param([together("m1", *(without("numpy") for _ in range(4)))], "", id="calls of one message"),
        pytest.param(
            [run(f"python -c 'print({n})'", PTH, 0) for n in range(4)], "", id="a harmless message at every start"
        ),
        pytest.param(
            [read("log.txt", "ModuleNotFoundError: No module named 'numpy'") for _ in range(4)],
            "",
            id="a log that is read",
        ),
        pytest.param(
            [
                call("deploy", {"to": "knots"}, "Error: you need permission of the owner", is_error=True)
                for _ in range(4)
            ],
            "",
            id="a refusal of the domain",
        ),
        pytest.param(
            [
                *(read(f"{n}.py") for n in range(30)),
                without("numpy"),
                offline(),
                refused("mkdir /opt/knots"),
                without("scipy"),
            ],
            "",
            id="a few in a long session",
        ),
    ],
)
def test_does_not_fire(parts: list[Part], task: str) -> None:
    assert findings(*parts, detector="environment-trouble", task=task) == []
