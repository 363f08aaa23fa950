"""Checks that the user listed, of which one never ran."""

from __future__ import annotations

import pytest

from tests.build import Part, call, diagnosed, edit, findings, run, says, user

TASK = "Mend the oars.\n\n## Verification\n1. `npm test`\n2. `npm run lint`\n3. `npm run dev` - look at the page\n"
FIX = edit("src/oars.ts", "a = 1", "a = 2")
TEST = run("npm test", "9 passing")
LINT = run("npm run lint", "ok")
NEVER = "`npm run dev` never ran, which is one of the 3 checks that the user listed"
DONE = says("All checks pass. All done: the oars are mended.")


def unticked(*parts: Part, task: str = TASK) -> list[tuple[str, str]]:
    found = findings(*parts, detector="unticked-check", task=task)
    return [(str(one.severity), one.title.partition("but ")[2]) for one in found]


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        pytest.param(
            [FIX, TEST, LINT, DONE],
            "`npm run dev` never ran, which is one of the 3 checks that the user listed",
            id="one",
        ),
        pytest.param(
            [FIX, TEST, DONE],
            "`npm run lint` and `npm run dev` never ran, which are 2 of the 3 checks that the user listed",
            id="two",
        ),
        pytest.param(
            [
                FIX,
                TEST,
                LINT,
                DONE,
                user("commit"),
                run("git commit -am Row", "[main 4f1c2aa] Row"),
                says("Committed."),
            ],
            "`npm run dev` never ran, which is one of the 3 checks that the user listed",
            id="with another turn behind",
        ),
        pytest.param(
            [FIX, TEST, LINT, run("ls /dev/null", "/dev/null"), DONE],
            "`npm run dev` never ran, which is one of the 3 checks that the user listed",
            id="a path with the same word",
        ),
        *(
            pytest.param([FIX, TEST, LINT, part, DONE], NEVER, id=f"no run of it: {name}")
            for name, part in (
                ("a build", run("npm run build", "> app@1.0.0 build\n> vite build\n\nbuilt in 2 s")),
                ("a search", run("grep -n dev package.json", '"dev": "vite"')),
                ("a file that names it", run("cat README.md", "$ npm run dev\n> app@1.0.0 dev\n")),
                ("a message", run("git commit -m 'Mend the dev server'", "[main 4f1c2aa] Mend the dev server")),
                ("a script of another name", run("python3 tools/tides.py", "npm run dev\n")),
                ("the list of tasks", run("npm run", "Scripts available:\n  dev\n    vite")),
                ("another line for a shell", run("bash -lc 'npm run lint'", "ok")),
                ("a page of another machine", call("web_fetch", {"url": "https://tide.example/"}, "text")),
                ("an edit", edit("package.json", '"dev": 1', '"dev": 2')),
            )
        ),
    ],
)
def test_a_check_that_never_ran(parts: list[Part], words: str) -> None:
    assert unticked(*parts) == [("medium", words)]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([FIX, TEST, LINT, run("npm run dev", "ready"), DONE], id="all of them ran"),
        pytest.param([FIX, TEST, LINT, run("cd web && pnpm dev &", "ready"), DONE], id="by another package manager"),
        pytest.param([FIX, TEST, LINT, run("npm run dev:web", "ready"), DONE], id="a variant of the task"),
        pytest.param([FIX, TEST, LINT, call("browser_navigate", {"url": "http://localhost:80"}), DONE], id="a browser"),
        pytest.param(
            [FIX, TEST, LINT, call("start_server", {"line": "npm run dev"}, "ready"), DONE], id="another tool"
        ),
        pytest.param(
            [FIX, TEST, LINT, call("bash", {"command": "npm run dev"}, "ready", lane="helper"), DONE], id="lane"
        ),
        pytest.param(
            [FIX, TEST, LINT, says("All done. I couldn't look at the page, since there is no browser.")],
            id="it says so",
        ),
        pytest.param([FIX, TEST, LINT, says("All done. Next, start npm run dev and have a look.")], id="handed on"),
        pytest.param([FIX, TEST, LINT, says("The tests and the linter are content.")], id="nothing claimed"),
        pytest.param([FIX, DONE], id="none of them ran, which is another matter"),
        pytest.param([FIX, TEST, LINT, DONE, user("Looks good, I checked the page.")], id="the user saw to it"),
        pytest.param([FIX, TEST, LINT, user("You can skip `npm run dev`."), DONE], id="taken back"),
        *(
            pytest.param([FIX, TEST, LINT, part, DONE], id=f"shown: {name}")
            for name, part in (
                ("a task of several", run("npm run gates", "> app@1.0.0 gates\n\n> app@1.0.0 dev\n> vite\n\nready")),
                ("a task of a workspace", run("npx nx affected", "> nx run app:dev\n\nready")),
                ("tasks side by side", run("npx turbo gates", "web:dev: ready\nweb:docs: ok")),
                ("commands that a shell repeats", run("./gates", "+ npm run dev\nready")),
                ("commands that make repeats", run("make gates", "npm run dev\nready")),
                ("within JSON", call("bash", {"command": "./gates"}, '{"output": "+ npm run dev\\nready"}')),
            )
        ),
        *(
            pytest.param([FIX, TEST, LINT, run(line, "ready"), DONE], id=line)
            for line in (
                "bash -lc 'npm run dev'",
                "timeout 30 sh -c 'cd web && npm run dev'",
                "cmd /c npm run dev",
                "docker compose exec app sh -c 'npm run dev'",
                "docker exec -w /app box npm run dev",
                "ssh box 'cd app && npm run dev'",
                "npx concurrently 'npm run dev' 'npm run docs'",
                "script -qc 'npm run dev' /dev/null",
                "Start-Process npm -ArgumentList 'run','dev'",
                "echo dev docs | xargs -n1 npm run",
                "python3 -c \"import subprocess; subprocess.run(['npm', 'run', 'dev'])\"",
                "npm start",
                "./start.sh",
                "bash ci.sh",
                "npm run verify",
                "make check",
                "pre-commit run --all-files",
                "curl -s http://localhost:5173/",
                "npm run lint; npm start",
                "npm test && echo dev | xargs -n1 npm run",
                "printf 'docs\\ndev\\n' | xargs -n1 npm run",
                "tox -e page",
            )
        ),
        *(
            pytest.param([FIX, TEST, LINT, call(tool, arguments, "ready"), DONE], id=f"by a tool: {arguments}")
            for tool, arguments in (
                ("start_it", {"argv": ["npm", "run", "dev"]}),
                ("start_it", {"program": "npm", "args": ["run", "dev"]}),
                ("run_script", {"script": "dev"}),
                ("run_task", {"task": "npm: dev"}),
                ("web_fetch", {"url": "http://localhost:5173/"}),
                ("computer", {"action": "screenshot"}),
            )
        ),
        *(
            pytest.param([FIX, TEST, LINT, user(text), DONE], id=f"the user's: {text}")
            for text in (
                "I'll look at the page myself.",
                "Leave the dev server to me.",
                "Den Dev-Server brauchst du nicht zu starten.",
                "Pas besoin de npm run dev.",
                "不用运行 npm run dev。",
            )
        ),
        *(
            pytest.param([FIX, TEST, LINT, says(f"All done. {text}")], id=f"said: {text}")
            for text in (
                "The page itself has to be looked at by you.",
                "Untested in the browser.",
                "There is no browser here, so the page wasn't looked at.",
                "Die Seite konnte ich mangels Browser nicht ansehen.",
                "Je n'ai pas pu regarder la page.",
                "没有浏览器。",
            )
        ),
    ],
)
def test_what_is_ticked_off(parts: list[Part]) -> None:
    assert unticked(*parts) == []


@pytest.mark.parametrize(
    "task",
    [
        pytest.param("Mend the oars and run `npm test`.", id="no list"),
        pytest.param(TASK.replace("3. `npm run dev` - look", "3. look"), id="an item without a command"),
        *(
            pytest.param(TASK.replace("3. ", f"3. {word} "), id=f"an optional item: {word}")
            for word in ("optional:", "nur wenn möglich:", "facultatif :", "（可选）", "I'll do this one:")
        ),
    ],
)
def test_lists_that_are_done(task: str) -> None:
    assert unticked(FIX, TEST, LINT, DONE, task=task) == []


@pytest.mark.parametrize(
    ("line", "missed"),
    [
        pytest.param("cd src && mypy .", False, id="the same program on other words"),
        pytest.param("nox -s types", False, id="a runner that may hold it"),
        pytest.param("ruff format .", True, id="another program"),
        pytest.param("python3 -m tides", True, id="a program of the project"),
    ],
)
def test_a_listed_program(line: str, *, missed: bool) -> None:
    task = "Mend the oars.\n\n## Verification\n1. `pytest -q`\n2. `mypy src`\n"
    found = unticked(FIX, run("pytest -q", "9 passed in 1s"), run(line, "ok"), DONE, task=task)
    assert bool(found) is missed


def test_what_the_output_of_one_command_shows_counts_as_run() -> None:
    made = diagnosed(
        user(TASK.replace("npm test", "npm run types")),
        FIX,
        run("npm run gates", "> app@1.0.0 types\nok\n> app@1.0.0 lint\nok\n> app@1.0.0 dev\nready"),
        DONE,
    )
    assert "unticked-check" not in [finding.detector for finding in made.findings]
