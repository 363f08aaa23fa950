"""Loops of questions: the same one again with nothing but looks in between, or in other words with the same answer."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.finding import Finding
from tests.build import Part, call, edit, findings, read, run, together, user, write

ROWS = "harbour/east.log\nharbour/north.log\nharbour/west.log"
TABLE = "east   12 m\nnorth   9 m\nwest   14 m"
FAILS = "bash: line 1: tidy: command not found"


def loops(*parts: Part, **header: Any) -> list[Finding]:
    return findings(*parts, detector="loops", **header)


def ask(line: str, answer: str = ROWS, **more: Any) -> Part:
    return run(line, answer, **more)


FIND = "find harbour -name '*.log'"
PIPES = [
    FIND,
    f"{FIND} | sort",
    f"{FIND} | sort -u",
    f"{FIND} | sort | awk '{{print}}'",
    f"{FIND} | sort | xargs -n1 echo",
]


@pytest.mark.parametrize(
    ("parts", "steps", "detectable_at"),
    [
        pytest.param([ask(line) for line in PIPES], [1, 2, 3, 4, 5], 4, id="a list that's arranged in other ways"),
        pytest.param(
            [ask(f"{FIND} | grep -v {name}") for name in ("pier", "south", "dock", "quay")],
            [1, 2, 3, 4],
            4,
            id="filters that take out what isn't shown",
        ),
        pytest.param(
            [ask(f"cd /srv && {line}") for line in PIPES], [1, 2, 3, 4, 5], 4, id="after a change of directory"
        ),
        pytest.param(
            [
                ask(f"grep -c dry tides.txt{tail}", "7\n")
                for tail in ("", " | tr -d ' '", " | tr -d '\\n'", " | xargs echo", " | awk '{$1=$1};1'")
            ],
            [1, 2, 3, 4, 5],
            4,
            id="a number that's trimmed in other ways",
        ),
        pytest.param(
            [
                ask(f"{FIND} | grep {words}")
                for words in ("-E 'east|west|north'", "harbour", "'log$'", "-v pdf", "-v txt")
            ],
            [1, 2, 3, 4, 5],
            4,
            id="filters that let everything through",
        ),
        pytest.param(
            [ask(f"ls -{letters} harbour", TABLE) for letters in ("l", "lh", "lk", "ln")],
            [1, 2, 3, 4],
            4,
            id="options that change nothing",
        ),
        pytest.param(
            [
                *(ask(line) for line in PIPES),
                ask(f"{FIND} | tac", "harbour/west.log\nharbour/east.log"),
                ask(f"{FIND} | sort -V"),
            ],
            [1, 2, 3, 4, 5, 7],
            4,
            id="another answer once, and back",
        ),
        pytest.param(
            [
                run("./depths --all", TABLE),
                *(run(f"./depths --all | {tail}", TABLE) for tail in ("column -t", "cat", "head -50")),
            ],
            [1, 2, 3, 4],
            4,
            id="a program of one's own",
        ),
        pytest.param(
            [edit("a.py", "1", "2"), *(ask(line) for line in PIPES[:4]), edit("a.py", "2", "3")],
            [2, 3, 4, 5],
            5,
            id="between edits",
        ),
        pytest.param(
            [*(ask(line) for line in PIPES[:2]), ask(PIPES[1]), ask(PIPES[2])],
            [1, 2, 3, 4],
            4,
            id="one of the wordings twice",
        ),
    ],
)
def test_a_question_in_other_words_fires(parts: list[Part], steps: list[int], detectable_at: int) -> None:
    (found,) = loops(*parts)
    assert (found.kind, found.steps, found.detectable_at) == ("repeated-call", steps, detectable_at)
    assert found.pattern == "reworded question"
    assert found.title.startswith(f"{len(steps)} calls in different words with the same answer")


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [ask(f"cat tides.txt | grep {word} | wc -l", "0\n") for word in ("dry", "wet", "spring", "neap", "storm")],
            id="another pattern each time, none found",
        ),
        pytest.param(
            [ask(f"{FIND} | grep -v harbour/{name}") for name in ("east", "north", "west", "east.log")],
            id="filters that must take out what is shown",
        ),
        pytest.param(
            [ask(f"grep -c {word} tides.txt", "0\n") for word in ("dry", "wet", "spring", "neap", "storm")],
            id="another word each time",
        ),
        pytest.param(
            [ask(f"grep -c dry {name}.txt", "1\n") for name in ("east", "west", "north", "south")],
            id="another file each time",
        ),
        pytest.param(
            [ask(f"wc -l < {name}.txt", "12\n") for name in ("east", "west", "north", "south")],
            id="another file at the input",
        ),
        pytest.param(
            [
                ask(f"cat {name}.cfg", "mode = calm\ndepth = 3\nbuoys = 9")
                for name in ("east", "west", "north", "south")
            ],
            id="equal files",
        ),
        pytest.param(
            [
                ask(f"cd /srv/{name} && git log --oneline", "1a2 start\n3b4 grow\n5c6 end")
                for name in ("east", "west", "north", "south")
            ],
            id="another directory each time",
        ),
        pytest.param(
            [
                ask(
                    f"pilot list 2>&1 | grep {name}",
                    "warning: the catalogue is old,\nwarning: fetch a new one before the next tide comes in",
                )
                for name in ("buoy", "crane", "rope", "chain", "lamp")
            ],
            id="filters that let nothing through but a warning",
        ),
        pytest.param(
            [
                ask(
                    f"pilot list | sed -n '/{name}/p'",
                    "warning: the catalogue is old,\nwarning: fetch a new one before the next tide comes in",
                )
                for name in ("buoy", "crane", "rope", "chain", "lamp")
            ],
            id="patterns that let nothing through but a warning",
        ),
        pytest.param(
            [ask(f"PORT={port} ./pilot check | tail -2", TABLE) for port in (1, 2, 3, 4, 5)],
            id="another setting each time",
        ),
        pytest.param(
            [ask(f"./pilot check --berth {berth}", TABLE) for berth in (1, 2, 3, 4, 5)], id="another argument each time"
        ),
        pytest.param(
            [ask(f"./pilot check --{mode}", TABLE) for mode in ("fast", "slow", "calm", "storm")],
            id="a program's options mean something",
        ),
        pytest.param(
            [ask(f"python - <<'EOF'\nprint({n})\nEOF", TABLE) for n in range(5)], id="another piece of code each time"
        ),
        pytest.param([ask(f"python -c 'print({n})'", TABLE) for n in range(5)], id="another expression each time"),
        pytest.param(
            [
                ask(f"for h in {names}; do ping -c1 $h; done", "all answer\nnone is lost\nno delay")
                for names in ("a b", "c d", "e f", "g h")
            ],
            id="a loop over other names each time",
        ),
        pytest.param(
            [
                ask(f"curl -s localhost:80/{name} | head -5", '{\n"ok": true\n}')
                for name in ("east", "west", "north", "south")
            ],
            id="another page each time",
        ),
        pytest.param([ask(line) for line in PIPES[:3]], id="three wordings only"),
        pytest.param(
            [[edit("a.py", f"{n}", f"{n + 1}"), ask(line)] for n, line in enumerate(PIPES)],
            id="asked again after an edit",
        ),
        pytest.param([[user(f"Now try it this way, please: {line}"), ask(line)] for line in PIPES], id="the user asks"),
        pytest.param([ask(line, ROWS + f"\nharbour/{n}.log") for n, line in enumerate(PIPES)], id="the answer grows"),
        pytest.param(
            [
                ask(f"{FIND} | {tail}", answer)
                for tail, answer in (
                    ("wc -l", "3"),
                    ("head -1", "harbour/east.log"),
                    ("tail -1", "harbour/west.log"),
                    ("cat", ROWS),
                    ("sort -r", "harbour/west.log"),
                )
            ],
            id="another part of the answer each time",
        ),
        pytest.param(
            [ask(f"{FIND} | {tail}", "") for tail in ("sort", "cat", "sort -u", "tac", "uniq")], id="no answer"
        ),
        pytest.param(
            [ask(line, FAILS, exit_code=127) if n == 2 else ask(line) for n, line in enumerate(PIPES)],
            id="a failure in between",
        ),
        pytest.param([together("m1", *(run(line, ROWS) for line in PIPES))], id="asked in one message"),
        pytest.param(
            [run(f"sleep 5; tail -3 pilot.log | {tail}", TABLE) for tail in ("cat", "head -3", "sort", "column -t")],
            id="waiting in other words",
        ),
        pytest.param(
            [run(f"{line} > out.txt; cat out.txt", ROWS) for line in PIPES], id="output that's written into a file"
        ),
        pytest.param(
            [run(f"git push origin main 2>&1 | {tail}", TABLE) for tail in ("cat", "head -3", "sort", "column -t")],
            id="deeds",
        ),
    ],
)
def test_other_questions_do_not_fire(parts: list[Part]) -> None:
    assert [found.title for found in loops(*parts)] == []


ASK = run("git branch --show-current", "harbour")
WEB = call("web_search", {"query": "tide tables of the northern harbours"}, "1. Tide tables\n2. Harbours")


@pytest.mark.parametrize(
    ("parts", "steps", "detectable_at"),
    [
        pytest.param(
            [ASK, read("a.md", "a"), ASK, read("b.md", "b"), read("c.md", "c"), ASK],
            [1, 3, 6],
            6,
            id="a question between reads",
        ),
        pytest.param(
            [WEB, read("a.md", "a"), WEB, run("grep -n x b.md", "3: x"), WEB, read("c.md", "c"), WEB],
            [1, 3, 5, 7],
            5,
            id="a search between reads",
        ),
        pytest.param(
            [ASK, run("tidy --all", FAILS, 127), ASK, run("grep x y", "grep: y: No such file or directory", 2), ASK],
            [1, 3, 5],
            5,
            id="calls that come to nothing in between",
        ),
        pytest.param(
            [
                run("wc -l *.md", "9 a.md"),
                run("wc -c *.md", "99 a.md"),
                run("wc -l *.md", "9 a.md"),
                run("wc -c *.md", "99 a.md"),
                run("wc -l *.md", "9 a.md"),
            ],
            [1, 3, 5],
            5,
            id="two questions by turns",
        ),
        pytest.param(
            [ASK, run("ls", "a.md"), call("TodoWrite", {"todos": ["look"]}, "Saved."), ASK, run("pwd", "/w"), ASK],
            [1, 4, 6],
            6,
            id="a list of tasks in between",
        ),
        pytest.param(
            [
                ASK,
                run("ls /a", "a"),
                run("ls /b", "b"),
                run("ls /c", "c"),
                ASK,
                run("ls /d", "d"),
                run("ls /e", "e"),
                ASK,
            ],
            [1, 5, 8],
            8,
            id="looks at other places in between",
        ),
    ],
)
def test_the_same_question_fires(parts: list[Part], steps: list[int], detectable_at: int) -> None:
    (found,) = loops(*parts)
    assert (found.kind, found.steps, found.detectable_at) == ("repeated-call", steps, detectable_at)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([[ASK, edit("a.py", f"a{n}", f"b{n}")] for n in range(5)], id="after an edit"),
        pytest.param([[ASK, write(f"{n}.py", f"b{n}")] for n in range(5)], id="after a file was written"),
        pytest.param([[ASK, run(f"python {name}.py", name)] for name in "abcd"], id="after something ran"),
        pytest.param([[ASK, run(f"git switch {name}", "")] for name in "abcd"], id="after another command"),
        pytest.param([[ASK, run(f"cd {name}", "")] for name in "abcd"], id="after a change of directory"),
        pytest.param(
            [[run("wc -l out.txt", "9 out.txt"), run(f"grep {name} in.txt > out.txt", "")] for name in "abcd"],
            id="after a file was filled",
        ),
        pytest.param(
            [[run("wc -l in.txt", "9 in.txt"), run(f"find . -name '{name}*' -exec rm {{}} +", "")] for name in "abcd"],
            id="after files were removed",
        ),
        pytest.param(
            [[run("wc -l in.txt", "9 in.txt"), run(f"find . -name '{name}*' -delete", "")] for name in "abcd"],
            id="after files were deleted",
        ),
        pytest.param(
            [
                [
                    run("grep -n area a.py", "3: area"),
                    edit("a.py", "area", f"area{n}", "String to replace not found in file.", is_error=True),
                    edit("a.py", "x", f"y{n}"),
                ]
                for n in range(4)
            ],
            id="to get an edit right",
        ),
        pytest.param(
            [[ASK, user(f"And {name}?"), read(f"{name}.md", name)] for name in "abcd"], id="the user speaks in between"
        ),
        pytest.param([[ASK, run("sleep 9", "")] for _ in range(2)], id="twice only"),
        pytest.param([ASK, read("a.md", "a"), ASK, read("b.md", "b")], id="twice, with reads"),
        pytest.param(
            [[ASK, [read(f"{name}{n}.md", name) for n in range(7)]] for name in "abcd"], id="from time to time"
        ),
        pytest.param(
            [[run("git status", f"{n} files changed"), read(f"{n}.md", f"{n}")] for n in range(5)],
            id="the answer moves",
        ),
        pytest.param(
            [[run("git status", "clean" if n % 2 else "1 file changed"), read(f"{n}.md", f"{n}")] for n in range(6)],
            id="the answer goes to and fro",
        ),
        pytest.param(
            [[run("grep -rn load .", ""), read(f"{name}.md", name)] for name in "abcd"], id="a search without a hit"
        ),
        pytest.param(
            [[read("a.md", "alpha\nbeta"), read(f"{name}.md", name)] for name in "bcd"], id="a file between others"
        ),
        pytest.param(
            [
                [ASK, [run(f"{m}tidy", FAILS.replace("tidy", f"{m}tidy"), 127) for m in names]]
                for names in ("abc", "def")
            ]
            + [ASK],
            id="a row of failures in between",
        ),
        pytest.param(
            [[call("scroll_down", {}, f"def area_{name}(): ..."), run("pwd", f"/w/{name}")] for name in "abcdef"],
            id="paging",
        ),
        pytest.param(
            [[run("ls", f"entry_{name}"), run(f"ls {name}", name)] for name in "abcdef"],
            id="a walk through directories",
        ),
        pytest.param(
            [[run("sleep 30", ""), run("tail -1 pilot.log", f"{done}/9 done")] for done in range(9)], id="polling"
        ),
        pytest.param([[run("sleep 30", ""), run("git ls-remote", "1a2")] for _ in range(2)], id="waiting for a change"),
        pytest.param([together("m1", *(run("ls", "a") for _ in range(3))), read("a", "a")], id="in one message"),
    ],
)
def test_a_question_that_may_be_asked_again_does_not_fire(parts: list[Part]) -> None:
    assert [found.title for found in loops(*parts)] == []


def test_a_question_that_the_task_wants_asked_again_is_no_loop() -> None:
    parts = [ASK, read("a.md", "a"), ASK, read("b.md", "b"), ASK]
    assert len(loops(*parts)) == 1
    assert loops(*parts, task="Call git branch --show-current three times while you read the files.") == []
