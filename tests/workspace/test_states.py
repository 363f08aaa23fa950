"""The id of the state on which each step ran."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.workspace.difference import difference
from analyzer.workspace.shown import numbered
from tests.build import Part, call, edit, read, run, write
from tests.sessions import Written, parts_of
from tests.tables import table
from tests.workspace.states import history, ids, text_of

AREA = "def area(w, h):\n    return w * w\n"
FIXED = "def area(w, h):\n    return w * h\n"


def test_a_session_begins_in_the_state_s0() -> None:
    assert ids(run("ls", "area.py")) == ["S0", "S0"]
    assert ids() == ["S0"]


@pytest.mark.parametrize(
    "line",
    [
        """node -e "require('fs').writeFileSync('area.py', 'x')\"""",
        """ruby -e "File.write('area.py', 'x')\"""",
        "ruby -i -pe 'gsub(/w/, \"h\")' area.py",
        "'x' | Out-File -FilePath area.py",
    ],
)
def test_a_file_that_another_language_writes_is_another_one(line: str) -> None:
    assert len(set(ids(read("area.py", AREA), run(line, ""), run("pytest", "")))) == 2


@pytest.mark.parametrize("sign", ["\t", "→", " | ", "|", ": ", ". "])
def test_line_numbers_are_no_part_of_a_file(sign: str) -> None:
    lines = [*AREA.splitlines(), "print(area(2, 3))"]
    made = history(read("area.py", "\n".join(f"{number}{sign}{line}" for number, line in enumerate(lines, 1))))
    assert (text_of(made, "area.py") or "").splitlines() == lines


@table("every_form_of_an_edit_leads_to_the_same_state")
def test_every_form_of_an_edit_leads_to_the_same_state(change: Written) -> None:
    made = history(read("area.py", AREA), parts_of(change), write("area.py", FIXED), edit("area.py", "w * h", "w * w"))
    assert (text_of(made, "area.py") or "").rstrip() == AREA.rstrip()
    assert [step.after for step in made.steps] == ["S0", "S1", "S1", "S0"]


@pytest.mark.parametrize(
    "back",
    [
        edit("area.py", "w * h", "w * w"),
        run("git checkout area.py", "Updated 1 path from the index"),
        run("git checkout -- area.py"),
        run("git checkout HEAD -- area.py"),
        run("git checkout ."),
        run("git restore area.py"),
        run("git restore --source=HEAD ."),
        run("git stash", "Saved working directory"),
        run("git reset --hard", "HEAD is now at 1"),
        run("sed -i 's/w \\* h/w * w/' area.py"),
        run("git diff > fix.patch && git apply -R fix.patch && rm fix.patch"),
    ],
)
@pytest.mark.parametrize("shown", [True, False])
def test_a_change_that_is_taken_back_restores_the_id(back: Part, shown: bool) -> None:
    first = read("area.py", AREA) if shown else run("ls", "area.py")
    assert ids(first, edit("area.py", "w * w", "w * h"), back) == ["S0", "S0", "S1", "S0"]


def test_a_stash_that_is_popped_brings_the_change_back() -> None:
    made = ids(edit("a.py", "1", "2"), run("git stash"), run("pytest", "1 passed"), run("git stash pop"))
    assert made == ["S0", "S1", "S0", "S0", "S1"]


def test_a_saved_diff_can_be_applied_again() -> None:
    made = ids(
        edit("a.py", "one", "two"),
        run("git diff > x.patch"),
        run("git checkout ."),
        run("pytest"),
        run("git apply x.patch"),
    )
    assert made == ["S0", "S1", "S1", "S0", "S0", "S1"]


def test_a_commit_changes_no_file_but_what_a_checkout_restores() -> None:
    made = ids(
        edit("a.py", "one", "two"),
        run("git add -A && git commit -m two"),
        edit("a.py", "two", "three"),
        run("git checkout ."),
    )
    assert made == ["S0", "S1", "S1", "S2", "S1"]


def test_a_reset_leaves_files_that_version_control_does_not_know() -> None:
    made = history(write("new.py", "x = 1\n"), edit("a.py", "one", "two"), run("git reset --hard"))
    assert [step.after for step in made.steps] == ["S1", "S2", "S1"]
    assert text_of(made, "new.py") == "x = 1\n"


def test_git_clean_takes_new_files_away() -> None:
    made = ids(write("new.py", "x = 1\n"), run("git mv -n new.py b.py"), run("git clean -n"), run("git clean -fd"))
    assert made == ["S0", "S1", "S1", "S1", "S0"]


def test_a_file_that_is_made_and_removed_leaves_nothing() -> None:
    made = ids(write("repro.py", "print(1)\n"), run("python repro.py", "1"), run("rm repro.py"))
    assert made == ["S0", "S1", "S1", "S0"]


def test_a_backup_that_is_moved_back() -> None:
    made = ids(
        run("cp a.py a.py.bak"), edit("a.py", "one", "two"), run("pytest", "1 failed", 1), run("mv a.py.bak a.py")
    )
    assert made[0] == made[-1] == "S0"
    assert made[3] == made[2] != made[1]


def test_two_edits_have_the_same_state_in_either_order() -> None:
    one, two = edit("a.py", "alpha", "beta"), edit("a.py", "gamma", "delta")
    back = [edit("a.py", "beta", "alpha"), edit("a.py", "delta", "gamma")]
    assert ids(one, two, back[0], back[1], two, one)[2] == ids(one, two, back[0], back[1], two, one)[6]
    assert ids(one, two, *back)[-1] == ids(one, two, *reversed(back))[-1] == "S0"


def test_what_a_later_read_shows_counts_for_the_steps_before() -> None:
    made = ids(
        run("ls", "a.py"),
        edit("a.py", "one", "two"),
        edit("a.py", "three", "four"),
        read("a.py", "two\nfour\n"),
        write("a.py", "one\nfour\n"),
        write("a.py", "two\nthree\n"),
        write("a.py", "one\nthree\n"),
    )
    assert made == ["S0", "S0", "S1", "S2", "S2", "S3", "S1", "S0"]


@table("what_changes_nothing")
def test_what_changes_nothing(nothing: Written) -> None:
    assert set(ids(read("area.py", AREA), parts_of(nothing), run("ls", "area.py"))) == {"S0"}


@pytest.mark.parametrize(
    "command",
    ["./build.sh", "npm install", "pip install x", "make generate", "python tools/gen.py", "git pull", "node gen.js",
     "ls *.py | xargs sed -i 's/a/b/'", "sed -i s/a/b/ $FILE", "python -m tool.codegen", "git merge main", "black .",
     "bun run lint:fix", "npm run build:fix", "find . -name 'a*' -exec cp {} old \\;", "ls | xargs sh -c 'mv $0 old'",
     'powershell -c "./build.ps1"', "powershell -File build.ps1"],
)  # fmt: skip
def test_what_has_unknown_effects_leads_to_a_marked_state(command: str) -> None:
    made = history(run(command, "done"), run("pytest", "1 passed"))
    assert [step.after for step in made.steps] == ["S1?", "S1?"]
    assert made.steps[0].unknown


def test_the_same_unknown_command_with_the_same_answer_changes_nothing_more() -> None:
    again = run("./poll.sh", "pending")
    assert ids(again, again, again, run("./poll.sh", "ready")) == ["S0", "S1?", "S1?", "S1?", "S2?"]


def test_the_line_of_another_shell_is_followed() -> None:
    made = history(write("conf/low.ini", "one\n"), run('cmd /c "echo two>> conf\\low.ini"'))
    assert (text_of(made, "conf/low.ini"), made.steps[-1].after) == ("one\ntwo\n", "S2")


def test_a_script_whose_text_was_shown_is_followed() -> None:
    script = write("fix.sh", "set -e\nsed -i 's/one/two/' a.txt\n")
    made = history(write("a.txt", "one\n"), script, run("bash fix.sh"))
    assert text_of(made, "a.txt") == "two\n"
    assert made.steps[-1].after == "S3"


def test_a_python_script_that_only_prints_changes_nothing() -> None:
    made = ids(write("repro.py", "import area\nprint(area.area(1, 2))\n"), run("python repro.py", "1"))
    assert made[1] == made[2]


def test_a_loop_over_words_runs_once_for_each() -> None:
    made = history(write("a.txt", "x\n"), write("b.txt", "x\n"), run("for f in a b; do sed -i 's/x/y/' $f.txt; done"))
    assert (text_of(made, "a.txt"), text_of(made, "b.txt")) == ("y\n", "y\n")


def test_what_follows_a_failed_command_did_not_run() -> None:
    made = history(
        write("a.txt", "x\n"),
        run("pytest -q && rm a.txt", "1 failed", 1),
        run("false || rm b.txt"),
        run("true || rm a.txt"),
    )
    assert made.files.get("a.txt").exists


def test_what_comes_before_a_failed_check_did_run() -> None:
    made = history(write("a.txt", "x\n"), run("sed -i s/x/y/ a.txt && pytest -q", "1 failed", 1))
    assert text_of(made, "a.txt") == "y\n"


def test_a_file_changed_by_something_else_is_noticed() -> None:
    made = history(read("a.py", "one\n"), edit("a.py", "one", "two"), read("a.py", "three\n"))
    assert made.steps[2].outside == ("a.py",)
    assert made.steps[-1].after == "S2"


def test_an_editor_that_takes_its_last_edit_back() -> None:
    made = ids(
        edit("a.py", "one", "two"), call("str_replace_editor", {"command": "undo_edit", "path": "a.py"}, "Undone.")
    )
    assert made == ["S0", "S1", "S0"]


def test_a_line_that_is_put_in_and_taken_out() -> None:
    shown = call("read", {"path": "a.py", "offset": 40, "limit": 3}, "    40\tx = 1\n    41\ty = 2\n    42\tz = 3")
    made = ids(shown, run("sed -i '41i\\print(x)' a.py"), run("sed -i '41d' a.py"))
    assert made == ["S0", "S0", "S1", "S0"]


def test_states_of_lanes_are_those_of_one_workspace() -> None:
    made = history(edit("a.py", "one", "two"), edit("b.py", "one", "two", lane="helper"), run("pytest", "ok"))
    assert [(step.lane, step.before) for step in made.steps] == [("main", "S0"), ("helper", "S1"), ("main", "S2")]


def test_untouched_is_code_that_nobody_changed() -> None:
    made = history(
        write("repro.py", "x = 1\n"),
        run("python repro.py", "1"),
        edit("a.py", "one", "two"),
        run("git checkout ."),
        run("ls"),
    )
    assert [step.untouched for step in made.steps] == [True, True, True, False, True]


def test_text_that_is_put_at_the_end_of_a_file_that_was_never_shown() -> None:
    add = run("cat >> a.py <<'EOF'\ndef more():\n    return 1\nEOF")
    made = ids(run("ls", "a.py"), add, run("pytest", "1 passed"), edit("a.py", "def more():\n    return 1\n", ""))
    assert made == ["S0", "S0", "S1", "S1", "S0"]
    assert ids(add, add)[1] != ids(add, add)[2]


@pytest.mark.parametrize("pattern", ["\\(a*\\)*b", "\\(a+\\)\\+$", "a*a*a*a*a*b", "\\(a\\|a\\)*b", ".*.*=.*"])
def test_an_expression_that_may_take_very_long_is_not_searched_for(pattern: str) -> None:
    made = history(write("a.txt", f"{'a' * 3_000}c\n" * 50), run(f"sed -i 's/{pattern}/x/' a.txt"))
    assert text_of(made, "a.txt") is None
    assert made.steps[-1].after == "S2"


IN_REPO: dict[str, Any] = {"environment": {"working directory": "/repo"}}


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ('dir=$(mktemp -d) && cd "$dir" && echo 2 > area.py', []),
        ("cd $ELSEWHERE && echo 2 > area.py", []),
        ("cd - && echo 2 > area.py", []),
        ("cd $(git rev-parse --show-toplevel) && echo 2 > area.py", ["/repo/area.py"]),
        ("cd $PWD && echo 2 > area.py", ["/repo/area.py"]),
        ("at=/repo/src; cd $at && echo 2 > area.py", ["/repo/src/area.py"]),
        ('at=/repo/src; cd "${at}" && echo 2 > area.py', ["/repo/src/area.py"]),
        ("cd src && echo 2 > area.py", ["/repo/src/area.py"]),
    ],
)
def test_a_file_is_written_where_the_shell_is(line: str, written: list[str]) -> None:
    made = history(run(line), run("pwd"), **IN_REPO)
    assert [path for path in made.files.documents if path.startswith("/repo")] == written
    assert written or made.steps[1].directory == "/repo"


@pytest.mark.parametrize(
    ("part", "state"),
    [
        (run("pip install tides", "bash: pip: command not found", 127), "S0"),
        (run("pip install tides", "ERROR: no matching distribution", 1), "S1?"),
        (run("make; pip install tides", "bash: pip: command not found", 127), "S1?"),
        (run("rmdir /repo/empty"), "S0"),
        (run("rm /repo/a.py"), "S1"),
        (run("netstat -ano | findstr :8765", "TCP 8765"), "S0"),
        (run("taskkill /PID 3 /F", "SUCCESS"), "S0"),
    ],
)
def test_what_changes_no_file_leaves_the_state(part: Part, state: str) -> None:
    assert history(part, **IN_REPO).steps[-1].after == state


def test_what_is_written_into_an_unknown_folder_is_not_delivered() -> None:
    made = history(run('cd "$(mktemp -d)" && echo 2 > area.py'), run("cat area.py", "1"))
    assert difference(made).files == [] or all(change.scratch for change in difference(made).files)


@table("a_file_that_a_program_writes_in_its_place_is_another_one")
def test_a_file_that_a_program_writes_in_its_place_is_another_one(line: str) -> None:
    made = history(read("area.py", AREA), run(line))
    assert "area.py" in made.taken[1].touched
    assert not made.taken[1].unknown


def test_a_blank_behind_a_colon_is_the_lines_own_where_the_depth_is_even() -> None:
    deep = numbered("7:    public void end()\n8:    {\n9:        close();\n10:    }")
    assert deep is not None
    assert deep.lines[0] == "    public void end()"
    apart = numbered("7: def end():\n8:     close()\n9: end()")
    assert apart is not None
    assert apart.lines == ("def end():", "    close()", "end()")
