"""Work that was taken back as a whole, and work that only looks so."""

from __future__ import annotations

import pytest

from tests.build import Part, edit, findings, read, run, write

TEXT = "def low(at):\n    return LOW[at]\n\n\ndef high(at):\n    return HIGH[at]\n"
SHOWN = read("/w/tide.py", TEXT)
ONE = edit("/w/tide.py", "return LOW[at]", "return LOW.get(at)")
TWO = edit("/w/tide.py", "return HIGH[at]", "return HIGH.get(at)")
ONE_BACK = edit("/w/tide.py", "return LOW.get(at)", "return LOW[at]")
CHECK = run("pytest -q", "1 failed", 1)
LOOKS: list[Part] = [run("grep -n low tide.py", "1:def low(at):"), CHECK, run("git log -1", "abc"), CHECK]
RESTORED = run("git checkout /w/tide.py", "Updated 1 path from the index")


def steps(*parts: Part) -> list[list[int]]:
    found = findings(SHOWN, *parts, detector="taken-back", task="Fix it.", environment={"working directory": "/w"})
    return [entry.steps for entry in found]


def test_a_stretch_of_changes_that_was_taken_back() -> None:
    assert steps(ONE, *LOOKS, TWO, CHECK, RESTORED, CHECK) == [[2, 7, 9]]
    (found,) = findings(
        SHOWN, ONE, *LOOKS, TWO, CHECK, RESTORED, detector="taken-back", environment={"working directory": "/w"}
    )
    assert found.title == (
        "From step 2 to step 9 `tide.py` was changed 3 times, and the code is again what it was before"
    )
    assert (found.severity, found.evidence[0].quote) == ("info", "git checkout /w/tide.py")


FINE = [
    pytest.param([ONE, *LOOKS, TWO, CHECK], id="nothing-taken-back"),
    pytest.param([ONE, *LOOKS, CHECK, CHECK, ONE_BACK], id="one-change-tried"),
    pytest.param([ONE, *LOOKS, TWO, CHECK, ONE_BACK], id="a-part-of-it-stays"),
    pytest.param([ONE, *LOOKS, TWO, CHECK, RESTORED, CHECK, ONE], id="a-part-of-it-made-again"),
    pytest.param([ONE, TWO, RESTORED], id="a-short-stretch"),
    pytest.param([ONE, *LOOKS, TWO, CHECK, run("git reset --hard origin/main", "")], id="reset-to-what-nobody-knows"),
    pytest.param(
        [ONE, *LOOKS, TWO, CHECK, run("git stash", "Saved"), CHECK, run("git stash pop", "ok")], id="put-aside"
    ),
    pytest.param(
        [write("/w/try.py", "1\n"), *LOOKS, write("/w/try.py", "2\n"), CHECK, run("rm /w/try.py")],
        id="a-file-of-its-own",
    ),
    pytest.param(
        [ONE, *LOOKS, TWO, CHECK, run(f"python - <<'EOF'\nopen('/w/tide.py', 'w').write({TEXT!r})\nEOF")], id="a-script"
    ),
]


@pytest.mark.parametrize("parts", FINE)
def test_what_only_looks_so(parts: list[Part]) -> None:
    assert steps(*parts) == []


def test_all_files_that_were_changed_are_named() -> None:
    other = edit("/w/pier.py", "post = 1", "post = 2")
    back = run("git checkout /w/tide.py /w/pier.py", "Updated 2 paths from the index")
    parts: list[Part] = [SHOWN, read("/w/pier.py", "post = 1\n"), other, ONE, *LOOKS, TWO, CHECK, back]
    (found,) = findings(*parts, detector="taken-back", environment={"working directory": "/w"})
    assert "`tide.py` and `pier.py` were changed" in found.title


PART = run("nl -ba tide.py | sed -n '4,7p'", "     4\t\n     5\tdef high(at):\n     6\t    return HIGH[at]\n     7\t")


@pytest.mark.parametrize("shown", [pytest.param(SHOWN, id="all-known"), pytest.param(PART, id="a-part-known")])
def test_one_command_that_makes_all_of_it_again(shown: Part) -> None:
    one = "sed -i '1i import csv  # to split the fields' tide.py"
    two = "sed -i '7c\\    return next(csv.reader([at], strict=True))' tide.py"
    away = run("git checkout tide.py", "Updated 1 path from the index")
    tried = [shown, run(one, ""), *LOOKS, run(two, ""), CHECK, away, CHECK]

    def found(*parts: Part) -> int:
        made = findings(*parts, detector="taken-back", task="Fix it.", environment={"working directory": "/w"})
        return len(made)

    assert found(*tried) == 1
    assert found(*tried, run(f"{one} && {two}", ""), CHECK) == 0
    assert found(*tried, run("sed -i '1i import os' tide.py", ""), CHECK) == 1
