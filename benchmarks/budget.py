"""How large the program is and how much it does per action, beside the most that is allowed.

Usage: python benchmarks/budget.py [--folders] [--lower]

Counts lines of code (and, printed only, those of tables of data), modules, functions, families of rules, expressions
(those that are sentence patterns of English apart: three or more words of prose in one expression), word lists of five
and more, the modules of ours that one post-mortem loads, the calls of Python functions and the uses of expressions per
action on the samples that come with the program, how many percent of these uses ask the same of the same text again, by
how many percent of themselves the calls of the stage that grows most rise for four times the steps, the instructions of
the processor from the shell to the page of a sample, as a multiple of those of a bare interpreter (where there is
valgrind), and lines of tests. Nothing is timed, so that two runs give the same figures. `budget.toml` holds the most
that each may be: above it this ends with 1. A figure there is only ever lowered: `--lower` writes those that have
fallen. `--folders` prints lines, modules and expressions by folder.
"""

from __future__ import annotations

import argparse
import ast
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from analyzer.api import Loaded, load, report_of
from analyzer.model.session import Transcript
from analyzer.report.json import render as as_json
from analyzer.report.markdown import render as as_markdown
from analyzer.text.expressions import KEPT
from analyzer.timeline import build_timeline
from benchmarks.sessions import session
from benchmarks.stages import grown

ROOT = Path(__file__).resolve().parents[1]
BUDGET = Path(__file__).with_name("budget.toml")
SAMPLES = (
    "sample_sessions/bspline_clamping.json",
    "sample_sessions/bspline_solved.json",
    "sample_sessions/moving_numbers.json",
    "sample_sessions/polling_a_build.json",
)
LONG, LONG_STEPS = "a made-up session", 400
PRINTED = frozenset({"data_lines", "rules"})
"""What is printed only: knowledge is to come as a row of a table rather than as code."""
_STEP = 5
"""To a multiple of what instructions are rounded up."""
_COMPILES = {"late", "compiled", "guarded", "Guarded"}
_RUNS = {"search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split"}
_PROSE = re.compile(r"[A-Za-z']{2,}")
_SYNTAX = re.compile(r"\(\?[a-zA-Z-]+\)|\(\?P<\w+>|\(\?P=\w+\)|\\[a-zA-Z]|\[[^\]]*\]|\{[\d,]*\}")
_ENGLISH = re.compile(
    "(?:a|an|and|are|as|be|but|by|can|do|does|for|from|had|has|have|i|if|in|is|it|its|my|no|not|of|on|or|our|that|the|"
    "their|them|then|there|these|they|this|to|us|was|we|were|what|when|which|will|with|would|you|your)"
)
"""Words that make English of a row of words."""


def main() -> int:
    """Count, compare, print."""
    if os.environ.get("PYTHONHASHSEED") != "0":
        # The order of sets, and the expressions that an earlier run kept, decide how much is asked.
        with tempfile.TemporaryDirectory() as folder:
            same = {"PYTHONHASHSEED": "0", "PYTHONPYCACHEPREFIX": folder, "XDG_CACHE_HOME": folder}
            environment = {**os.environ, **same}
            # As after the first run of an installation, which keeps what it compiled.
            first = "from benchmarks.budget import keep; keep()"
            subprocess.run([sys.executable, "-c", first], env=environment, cwd=ROOT, check=True)
            return subprocess.run([sys.executable, *sys.argv], env=environment, check=False).returncode
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folders", action="store_true", help="print the counts of each folder")
    parser.add_argument("--lower", action="store_true", help="write the figures that have fallen into budget.toml")
    options = parser.parse_args()
    modules = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "analyzer").rglob("*.py"))}
    figures = {**static(modules), **running()}
    most: dict[str, int] = tomllib.loads(BUDGET.read_text(encoding="utf-8"))
    for name, figure in figures.items():
        mark = "  OVER" if name in over(figures, most) else ""
        print(f"{name:28s} {figure:9,d}  of {most.get(name, figure):9,d}{mark}")
    if options.folders:
        folders(modules)
    if options.lower:
        BUDGET.write_text(written(figures, most), encoding="utf-8")
    if too_much := over(figures, most):
        print(f"\nOver the budget: {', '.join(too_much)}. Remove something; the figures of budget.toml aren't raised.")
    return 1 if too_much else 0


def over(figures: dict[str, int], most: dict[str, int]) -> list[str]:
    """The figures that are above what they may be."""
    return [name for name, figure in figures.items() if figure > most.get(name, figure) and name not in PRINTED]


def written(figures: dict[str, int], most: dict[str, int]) -> str:
    """The budget with what has fallen; what has risen stays as it was."""
    held = {name: figure for name, figure in figures.items() if name not in PRINTED}
    lowered = {name: min(figure, most.get(name, figure)) for name, figure in held.items()}
    head = "# The most that benchmarks/budget.py may count. A figure is only ever lowered.\n"
    return head + "".join(f"{name} = {figure}\n" for name, figure in lowered.items())


def static(modules: dict[Path, str]) -> dict[str, int]:
    """What is counted in the source."""
    trees = [ast.parse(text) for text in modules.values()]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    sources = [source for tree in trees for source in expressions(tree)]
    return {
        "lines": sum(text.count("\n") for text in modules.values()),
        "data_lines": sum(_lines(path) for path in (ROOT / "analyzer").rglob("*.toml")),
        "modules": len(modules),
        "functions": sum(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in nodes),
        "families": len(tables := list((ROOT / "analyzer" / "detectors").glob("*/table.toml"))),
        "rules": sum(len(tomllib.loads(path.read_text(encoding="utf-8"))) for path in tables),
        "expressions": len(sources),
        "sentence_patterns": sum(map(is_prose, sources)),
        "word_lists": sum(map(is_word_list, nodes)),
        "test_lines": sum(_lines(path) for path in (ROOT / "tests").rglob("*.py")),
    }


def expressions(tree: ast.AST) -> Iterator[str]:
    """The literal parts of each regular expression that a module makes."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        of_re = isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "re"
        makes = name.lstrip("_") in _COMPILES if not of_re else name in _RUNS | {"compile"}
        if makes:
            yield "".join(text for part in ast.walk(node.args[0]) if isinstance(text := _constant(part), str))


def _constant(node: ast.AST) -> Any:
    return node.value if isinstance(node, ast.Constant) else None


def is_prose(source: str) -> bool:
    """Whether an expression describes English: three or more words in a row of alternatives or blanks, function words
    among them."""
    words = [word.lower() for word in _PROSE.findall(_SYNTAX.sub(" ", source))]
    return len(words) >= 3 and len(set(filter(_ENGLISH.fullmatch, words))) >= 2


def is_word_list(node: ast.AST) -> bool:
    """Whether this is a list of five or more words."""
    if isinstance(node, ast.Set | ast.List | ast.Tuple):
        texts = [element.value for element in node.elts if isinstance(element, ast.Constant)]
        return len(node.elts) >= 5 and len(texts) == len(node.elts) and all(isinstance(text, str) for text in texts)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
        return isinstance(text := _constant(node.func.value), str) and len(text.split()) >= 5
    return False


def pages() -> None:
    """Make the outputs of all samples."""
    for name in (*SAMPLES, LONG):
        _page(name)


def keep() -> None:
    """Do what the first run of an installation does: keep what was compiled."""
    pages()
    KEPT.write()


def running() -> dict[str, int]:
    """What a post-mortem of the samples does: counted once to load everything, and again when all is there."""
    pages()
    actions, calls, runs = 0, 0, 0

    def watch(_frame: FrameType, event: str, value: Any) -> None:
        nonlocal calls, runs
        if event == "call":
            calls += 1
        elif event == "c_call" and isinstance(getattr(value, "__self__", None), re.Pattern):
            runs += 1

    for name in (*SAMPLES, LONG):
        sys.setprofile(watch)
        try:
            actions += _page(name)
        finally:
            sys.setprofile(None)
    return {
        "calls_per_action": calls // actions,
        "expression_calls_per_action": runs // actions,
        "repeated_searches_percent": asked_again(),
        "growth_percent": round(100 * max(grown().values())),
        "modules_loaded": loaded(),
        **instructions(),
    }


def _page(name: str) -> int:
    """Make the outputs of one sample, or of the long session that the benchmarks make up; how many actions it has."""
    if name == LONG:
        transcript = Transcript("made up", "chat", 0, "0" * 64, [session(LONG_STEPS)])
        loaded_ = Loaded(transcript, [build_timeline(one) for one in transcript.sessions])
        report = report_of(loaded_)
    else:
        report = report_of(load(ROOT / name, redact=True))
    as_json(report)
    as_markdown(report)
    return sum(one.session.actions for one in report.sessions)


def loaded() -> int:
    """How many modules of ours the post-mortem of a sample loads."""
    count = "print(sum(name.split('.')[0] == 'analyzer' for name in sys.modules))"
    return int(apart(f"import sys\nfrom analyzer.cli.main import main\nmain([{str(ROOT / SAMPLES[0])!r}])\n{count}"))


def asked_again() -> int:
    """How many percent of the uses of expressions ask what was asked of the same text before, in a process of its own:
    every expression has to be watched from its first use on."""
    return int(apart("from benchmarks.budget import count_again; print(count_again())"))


def count_again() -> int:
    """The same, in this process, in which no expression may have been used yet."""
    seen: set[tuple[Any, ...]] = set()
    uses = 0

    class Watched:
        """An expression whose uses are counted."""

        def __init__(self, source: str, flags: int) -> None:
            self._pattern = pattern(source, flags)

        def __getattr__(self, name: str) -> Any:
            method = getattr(self._pattern, name)

            def used(*given: Any, **named: Any) -> Any:
                nonlocal uses
                uses += 1
                seen.add((self._pattern, name, *map(str, given), *named.items()))
                return method(*given, **named)

            return used if name in _RUNS else method

    pattern, KEPT.pattern = KEPT.pattern, Watched  # type: ignore[method-assign, assignment]
    pages()
    return round(100 * (uses - len(seen)) / uses)


def instructions() -> dict[str, int]:
    """The instructions of a sample's post-mortem as a multiple of those of a bare interpreter, rounded up, since the
    names of folders make a little of it; nothing where there is no valgrind."""
    if shutil.which("valgrind") is None:
        return {}
    ours, bare = (instructions_of(["-m", "analyzer", str(ROOT / SAMPLES[0])]), instructions_of(["-c", "pass"]))
    return {"start_in_interpreters": _STEP * math.ceil(ours / bare / _STEP)}


def instructions_of(arguments: Sequence[str]) -> int:
    """How many instructions Python takes for these arguments."""
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", sys.executable]
    said = subprocess.run([*command, *arguments], capture_output=True, text=True, cwd=ROOT, check=True).stderr
    return int(said.rpartition(":")[2].replace(",", ""))


def apart(script: str) -> str:
    """The last word that a process prints which runs this script."""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    return ran.stdout.split()[-1]


def folders(modules: dict[Path, str]) -> None:
    """Print lines, modules and expressions by folder."""
    lines: Counter[str] = Counter()
    count: Counter[str] = Counter()
    patterns: Counter[str] = Counter()
    for path, text in modules.items():
        name = path.relative_to(ROOT / "analyzer").parts[0]
        lines[name] += text.count("\n")
        count[name] += 1
        patterns[name] += len(list(expressions(ast.parse(text))))
    print(f"\n{'folder':20s} {'lines':>8s} {'modules':>8s} {'expressions':>12s}")
    for name, number in lines.most_common():
        print(f"{name:20s} {number:8,d} {count[name]:8,d} {patterns[name]:12,d}")


def _lines(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


if __name__ == "__main__":
    sys.exit(main())
