"""What edits leave behind: definitions that are gone while code uses them, and lines that are there twice."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from tests.build import Part, call, edit, findings, read, run, says, write

SHAPES = "def area(w):\n    return w * w\n\n\ndef edge(w):\n    return 4 * w\n"
REPORT = "from shapes import area\n\nprint(area(3))\n"
READ = [read("shapes.py", SHAPES), read("report.py", REPORT)]
CUT = edit("shapes.py", "def area(w):\n    return w * w\n\n\n", "")
LOG = "    trace(w)\n    check(w, 'edge')\n"
PUT = edit("shapes.py", "def edge(w):\n", "def edge(w):\n" + LOG)


def damage(*parts: Part, task: str | None = None) -> list[Finding]:
    return findings(*parts, detector="edit-damage", task=task)


REMOVED = [
    pytest.param([*READ, CUT], "`report.py:1`", [2, 3], id="imported-elsewhere"),
    pytest.param(
        [read("shapes.py", SHAPES + "\n\ndef both(w):\n    return area(w) + edge(w)\n"), CUT],
        "`shapes.py:6`",
        [1, 2],
        id="called-in-the-same-file",
    ),
    pytest.param(
        [
            read("shapes.py", SHAPES),
            read("report.py", "import shapes\n\nprint(shapes.area(3))\n"),
            CUT,
            run("pytest tests/test_edge.py", "1 failed", 1),
        ],
        "`report.py:3`",
        [2, 3],
        id="by-the-module",
    ),
]


@pytest.mark.parametrize(("parts", "where", "steps"), REMOVED)
def test_a_definition_that_is_still_used(parts: list[Part], where: str, steps: list[int]) -> None:
    (found,) = damage(*parts)
    assert (found.kind, found.severity, found.steps) == ("removed-in-use", "medium", steps)
    assert f"took `area` out of `shapes.py`, and {where} still uses it at the end" in found.title
    assert found.evidence[0].quote == "def area(w):"


def test_what_one_step_took_out_is_one_finding() -> None:
    used = read("report.py", "from shapes import area, edge\n\nprint(area(3), edge(3))\n")
    (found,) = damage(READ[0], used, edit("shapes.py", SHAPES, "def hull(w):\n    return w\n"))
    assert found.title == (
        "Step 3 took `area` and `edge` out of `shapes.py`, and `report.py:1` still uses `area` at the end"
    )


FINE = [
    pytest.param(
        [read("report.py", REPORT), edit("shapes.py", "def area(w):\n    return w", "def area(w):\n    return 1 * w")],
        id="a-line-around-the-change",
    ),
    pytest.param(
        [
            read("report.py", REPORT),
            call("read", {"path": "shapes.py", "offset": 40, "limit": 2}, "    40\tx = 1\n    41\ty = 2\n"),
            edit("shapes.py", "def area(w):", "def area(w, h=1):"),
        ],
        id="another-signature-above-what-was-shown",
    ),
    pytest.param([*READ, CUT, run("pytest -q", "3 passed in 0.1s")], id="tests-passed"),
    pytest.param([*READ, CUT, run("git checkout shapes.py")], id="taken-back"),
    pytest.param([*READ, CUT, write("areas.py", "def area(w):\n    return w * w\n")], id="moved"),
    pytest.param([*READ, CUT, edit("report.py", REPORT, "print(9)\n")], id="the-use-is-gone-as-well"),
    pytest.param([read("shapes.py", SHAPES), CUT], id="nothing-uses-it"),
    pytest.param(
        [read("shapes.py", SHAPES), read("report.py", "from rooms import area\n\nprint(area(3))\n"), CUT],
        id="one-of-that-name-from-elsewhere",
    ),
    pytest.param(
        [read("shapes.py", SHAPES), read("report.py", "# the area of shapes\nprint('area')\n"), CUT], id="only-the-word"
    ),
    pytest.param(
        [read("shapes.py", SHAPES + "\n\ndef both(area):\n    return area(1)\n"), CUT], id="a-parameter-of-that-name"
    ),
    pytest.param([*READ, run("python tidy.py shapes.py", "")], id="nobody-knows-what-a-script-did"),
    pytest.param([*READ, edit("shapes.py", "def area(w):", "def area(w, h=1):")], id="another-signature"),
]


@pytest.mark.parametrize("parts", FINE)
def test_no_definition_is_missed(parts: list[Part]) -> None:
    assert damage(*parts) == []


def test_lines_that_are_there_twice() -> None:
    (found,) = damage(read("shapes.py", SHAPES), PUT, PUT)
    assert (found.kind, found.severity, found.steps) == ("doubled-block", "low", [2, 3])
    assert found.title == (
        "The 2 lines that step 2 had put into `shapes.py` were put in again at step 3, and are there twice at the end"
    )


ONCE = [
    pytest.param([PUT], id="put-in-once"),
    pytest.param([PUT, PUT, edit("shapes.py", LOG + LOG, LOG)], id="taken-out-again"),
    pytest.param([PUT, edit("shapes.py", "def area(w):\n", "def area(w):\n" + LOG)], id="at-another-place"),
]


@pytest.mark.parametrize("parts", ONCE)
def test_lines_that_are_there_once(parts: list[Part]) -> None:
    assert damage(read("shapes.py", SHAPES), *parts) == []


GAUGE = (
    "class Gauge:\n    def level(self):\n        return self.raw / 10\n\n    def label(self):\n"
    "        return 'gauge %s' % self.level()\n\n    def reset(self):\n        self.raw = 0\n"
)
EQUAL = "    def equals(self, other):\n        return self.raw == other.raw\n"
HEAD = "    def label(self):\n"
RETURNED = "return 'gauge %s' % self.level()"
DONE = says("I've added the comparison; all done.")


def by_lines(first: int, last: int, text: str, said: str = "Now I'll add a comparison.") -> Part:
    arguments = {"path": "gauge.py", "start_line": first, "end_line": last, "new_text": text}
    return call("replace_lines", arguments, "Replaced.", said=said)


def patch(removed: str, added: str, below: str, name: str = "gauge.py") -> str:
    minus = "".join(f"-{line}\n" for line in removed.splitlines())
    plus = "".join(f"+{line}\n" for line in added.splitlines())
    under = "".join(f" {line}\n" for line in below.splitlines())
    head = f"diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@ -3,4 +3,5 @@\n"
    return f"{head}         return self.raw / 10\n \n{minus}{plus}{under} \n"


UNREACHED = f"`{RETURNED}` now follows `return self.raw == other.raw` and is never reached"
JS = "const level = 3;\n\nfunction label(g) {\n  return 'gauge ' + g.level;\n}\n"
LOST = [
    pytest.param(
        [read("gauge.py", GAUGE), by_lines(5, 5, EQUAL), DONE],
        f"Step 2 replaced line 5 and thereby took the line `def label(self):` out of `gauge.py` and left what stood "
        f"below it: {UNREACHED}",
        id="a-range-that-covers-it",
    ),
    pytest.param(
        [read("gauge.py", GAUGE), edit("gauge.py", HEAD, EQUAL, said="Add a comparison."), DONE],
        f"Step 2 took the line `def label(self):` out of `gauge.py` and left what stood below it: {UNREACHED}",
        id="an-anchor-that-is-not-put-back",
    ),
    pytest.param(
        [edit("gauge.py", HEAD + f"        {RETURNED}\n", EQUAL + f"        {RETURNED}\n"), DONE],
        f"Step 1 took the line `def label(self):` out of `gauge.py` and left what stood below it: {UNREACHED}",
        id="the-edit-alone-shows-it",
    ),
    pytest.param(
        [call("apply_patch", {"patch": patch(HEAD, EQUAL, f"        {RETURNED}\n")}, "Done."), DONE],
        f"Step 1 took the line `def label(self):` out of `gauge.py` and left what stood below it: {UNREACHED}",
        id="a-patch",
    ),
    pytest.param(
        [
            run("python add_equals.py"),
            call("submit", {}, patch(HEAD, EQUAL, f"        {RETURNED}\n"), task_done=True, said="It's done."),
        ],
        "The diff handed in at step 2 takes the line `def label(self):` out of `gauge.py` and leaves what stood below "
        f"it: {UNREACHED}",
        id="the-diff-handed-in-alone",
    ),
    pytest.param(
        [
            read("gauge.js", JS),
            edit("gauge.js", "function label(g) {\n", "function same(a, b) {\n  return a === b;\n}\n"),
            DONE,
        ],
        "Step 2 took the line `function label(g) {` out of `gauge.js` and left what stood below it: `return 'gauge ' + "
        "g.level;` now is indented below `}`, which opens no block",
        id="another-language",
    ),
]


@pytest.mark.parametrize(("parts", "title"), LOST)
def test_a_definition_without_its_first_line(parts: list[Part], title: str) -> None:
    (found,) = damage(*parts, task="Let gauges be compared.")
    assert (found.kind, found.severity, found.title) == ("lost-header", "high", title)


def test_no_success_claimed() -> None:
    (found,) = damage(read("gauge.py", GAUGE), by_lines(5, 5, EQUAL), task="Let gauges be compared.")
    assert (found.kind, found.severity) == ("lost-header", "medium")


def test_a_test_that_runs_into_the_one_above() -> None:
    tests = "def test_level():\n    assert level() == 3\n\n\ndef test_label():\n    assert label() == 'gauge 3'\n"
    arguments = {"path": "test_gauge.py", "start_line": 5, "end_line": 5, "new_text": "    assert level(9) == 9\n"}
    (found,) = damage(read("test_gauge.py", tests), call("replace_lines", arguments, "Replaced.", said="Add a case."))
    assert (found.kind, found.severity) == ("lost-header", "medium")
    assert found.title.endswith(
        "`assert label() == 'gauge 3'` now belongs to what stands above it, `assert level(9) == 9`"
    )


@pytest.mark.parametrize(
    "mends", [by_lines(7, 7, HEAD + f"        {RETURNED}\n", "The header is gone."), run("git checkout gauge.py")]
)
def test_one_that_is_mended_weighs_little(mends: Part) -> None:
    (found,) = damage(read("gauge.py", GAUGE), by_lines(5, 5, EQUAL), mends, DONE)
    assert (found.kind, found.severity, found.steps) == ("lost-header", "low", [2, 3])
    assert found.title.endswith(f"left what stood below it, `{RETURNED}`; step 3 changed that")


WHOLE = [
    pytest.param([by_lines(5, 6, EQUAL, "Remove label and add a comparison.")], id="removed-with-its-body"),
    pytest.param([by_lines(5, 5, EQUAL + "\n" + HEAD)], id="put-back-below"),
    pytest.param([by_lines(4, 4, "\n" + EQUAL + "\n")], id="a-blank-line"),
    pytest.param([by_lines(5, 5, "    def name(self):\n")], id="renamed"),
    pytest.param([by_lines(5, 5, "    def name(self):\n        # what people read\n")], id="renamed-with-a-comment"),
    pytest.param(
        [by_lines(5, 5, '    def name(self):\n        """What people read."""\n')], id="renamed-with-a-docstring"
    ),
    pytest.param([by_lines(5, 5, "    @property\n    def label(self):\n")], id="a-decorator"),
    pytest.param([by_lines(5, 5, "    async def label(self):\n")], id="another-kind-of-function"),
    pytest.param([by_lines(5, 5, "    def label(\n        self, unit='bar'\n    ):\n")], id="over-several-lines"),
    pytest.param([by_lines(5, 5, "    def name(self):\n        self.count += 1\n")], id="renamed-with-a-line-more"),
    pytest.param(
        [
            write("lib.py", "def a(x):\n    y = abs(x)\n    return b(y)\n\n\ndef b(y):\n    return y * 2\n"),
            edit("lib.py", "    return b(y)\n\n\ndef b(y):\n", "", said="One less."),
        ],
        id="put-in-where-it-was-used",
    ),
    pytest.param([edit("gauge.py", HEAD, EQUAL, said="I'll replace label by a comparison.")], id="said-to-be-replaced"),
    pytest.param([by_lines(5, 5, EQUAL), write("gauge.py", "X = 1\n")], id="written-anew"),
    pytest.param([write("repro.py", GAUGE), edit("repro.py", HEAD, EQUAL)], id="in-a-scratch-file"),
    pytest.param([edit("gauge.py", HEAD, EQUAL, "Error: no match", is_error=True)], id="an-edit-that-was-refused"),
    pytest.param([edit("gauge.pyi", HEAD, "    @overload\n" + HEAD)], id="an-overload"),
]


@pytest.mark.parametrize("parts", WHOLE)
def test_definitions_that_keep_their_first_line(parts: list[Part]) -> None:
    found = damage(read("gauge.py", GAUGE), *parts, DONE, task="Let gauges be compared.")
    assert [entry.title for entry in found if entry.kind == "lost-header" and entry.severity != "low"] == []


LEVEL = "    def level(self):\n        return self.raw / 10\n"
NEVER = [
    pytest.param(
        [by_lines(4, 3, "        self.log('level')\n", "Let's add a line of the log.")],
        "What step 2 put into `gauge.py` is never reached: `self.log('level')` follows `return self.raw / 10`",
        "high",
        id="put-in-below-the-return",
    ),
    pytest.param(
        [by_lines(9, 8, "        return None\n", "Let's add the answer.")],
        "`self.raw = 0` in `gauge.py` is never reached since step 2: it follows `return None`",
        "medium",
        id="a-return-put-in-above",
    ),
]


@pytest.mark.parametrize(("parts", "title", "severity"), NEVER)
def test_a_statement_that_is_never_reached(parts: list[Part], title: str, severity: str) -> None:
    (found,) = damage(read("gauge.py", GAUGE), *parts, DONE)
    assert (found.kind, found.severity, found.title) == ("never-reached", severity, title)


def test_one_that_is_reached_again_weighs_little() -> None:
    cut = edit("gauge.py", "        self.raw = 0\n", "        return None\n        self.raw = 0\n")
    back = edit(
        "gauge.py", "        return None\n        self.raw = 0\n", "        self.raw = 0\n        return None\n"
    )
    (found,) = damage(read("gauge.py", GAUGE), cut, back, DONE)
    assert (found.kind, found.severity, found.steps) == ("never-reached", "low", [2, 3])
    assert found.title.endswith("it follows `return None`; step 3 changed that")


REACHED = [
    pytest.param("a.py", "x = f()\n", "if x:\n    return 1\nx = 2\n", id="less-indented"),
    pytest.param("a.py", "    x = f()\n", "    return (\n    x)\n", id="goes-on"),
    pytest.param("a.py", "    x = f()\n", "    return\n    yield\n", id="makes-a-generator"),
    pytest.param("a.py", '    """What\n    raise means\n', '    """What\n    return x\n    raise means\n', id="prose"),
    pytest.param("a.py", "    return a\nelse:\n", "    return a\nelse:\n    raise b\n", id="another-branch"),
    pytest.param("a.js", "  return a;\n", "  return a;\n  function b() {}\n", id="a-hoisted-function"),
    pytest.param("a.js", "  return a\n", "  return a\n  .map(b);\n", id="a-chain"),
    pytest.param("a.c", "    return a;\n", "    return a;\n    case 2:\n", id="a-case"),
    pytest.param("a.c", "    return a;\n", "    return a;\n    done:\n", id="a-label"),
    pytest.param("a.c", "    return a;\n", "    return a;\n    break;\n", id="a-needless-break"),
    pytest.param("a.rb", "  x = 1\n", "  return 2 if x\n  x = 1\n", id="a-condition-behind-it"),
    pytest.param("a.go", "\treturn a\n", "\treturn a\n\t// the end\n", id="a-comment"),
    pytest.param("a.txt", "return a\n", "return a\nreturn b\n", id="no-code"),
]


@pytest.mark.parametrize(("path", "before", "after"), REACHED)
def test_a_statement_that_is_reached(path: str, before: str, after: str) -> None:
    assert damage(edit(path, before, after), DONE) == []


def test_a_return_of_which_the_agent_says_that_it_is_for_now() -> None:
    cut = edit(
        "gauge.py", "        self.raw = 0\n", "        return None\n        self.raw = 0\n", said="Skip it for now."
    )
    assert damage(read("gauge.py", GAUGE), cut, DONE) == []


def test_a_range_that_leaves_out_the_line_put_in_again() -> None:
    (found,) = damage(read("gauge.py", GAUGE), by_lines(1, 1, "class Gauge:\n" + LEVEL), DONE)
    assert (found.kind, found.severity) == ("doubled-block", "medium")
    assert found.title == (
        "Step 2 left the 2 lines from `def level(self):` on in `gauge.py` twice in a row, and so it is at the end"
    )
    assert damage(read("gauge.py", GAUGE), by_lines(1, 2, "class Gauge:\n    def level(self):\n"), DONE) == []
