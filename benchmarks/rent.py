"""What speaks, in how many sessions and repositories: the table by which a rule stays or goes.

Usage: python benchmarks/rent.py [--largest 400000] [--per-repository 8] [--below 3] [--list WHAT]

Goes through both corpora and the labelled cases (the samples and tests are ours and prove nothing). Of each function it
counts the repositories in which it was called and in which it returned something that is true; of each expression those
in which it matched; of each kind of finding, outcome rule and rule of provenance those in which it spoke. A function
that is called everywhere and never returns anything, an expression that never matched, a kind that speaks in fewer than
`--below` repositories: each has to say why it is there.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from benchmarks.recordings import ROOT, Recording, recordings

PACKAGE = str(ROOT / "analyzer")
_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")
Count = defaultdict[str, set[str]]
Seen = tuple[str, set[str], set[str], set[str], set[str]]
"""A repository, and the functions called, those that returned something, the expressions tried and those that
matched. A kind of finding counts as a function that is called `finding:...`."""


class _Watched:
    """An expression that notes whether it was tried and whether it matched."""

    def __init__(self, pattern: re.Pattern[str], name: str) -> None:
        self.__dict__.update(_pattern=pattern, _name=name)

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._pattern, name)
        if name not in _METHODS:
            return method

        def watched(*args: Any, **kwargs: Any) -> Any:
            _TRIED.add(self._name)
            found = method(*args, **kwargs)
            if name == "finditer":
                return self._each(found)
            if self._matched(name, found, args):
                _MATCHED.add(self._name)
            return found

        return watched

    def _each(self, found: Iterator[Any]) -> Iterator[Any]:
        for match in found:
            _MATCHED.add(self._name)
            yield match

    @staticmethod
    def _matched(name: str, found: Any, args: tuple[Any, ...]) -> bool:
        if name == "split":
            return len(found) > 1
        if name in ("sub", "subn"):
            return bool((found if name == "sub" else found[0]) != args[1])
        return bool(found)


_TRIED: set[str] = set()
_MATCHED: set[str] = set()
_CALLED: set[CodeType] = set()
_RETURNED: set[CodeType] = set()


def _watch(frame: FrameType, event: str, value: Any) -> None:
    code = frame.f_code
    if event == "call":
        _CALLED.add(code)
    elif event == "return" and code not in _RETURNED and value is not None:
        try:
            if value is not NotImplemented and value:
                _RETURNED.add(code)
        except Exception:  # noqa: BLE001 - a truth value may be anything's
            return


def _patch_expressions() -> None:
    from analyzer.text.expressions import KeptExpressions

    compiled = re.compile

    def pattern(_self: object, source: str, flags: int = 0) -> Any:
        return _Watched(compiled(source, flags), source)

    def nothing(_self: object, _source: str, _flags: int = 0) -> None:
        return None

    KeptExpressions.pattern = pattern  # type: ignore[method-assign, assignment]
    KeptExpressions.required = nothing  # type: ignore[method-assign, assignment]
    KeptExpressions.write = lambda _self: None  # type: ignore[method-assign, assignment]


def _ready() -> None:
    _patch_expressions()


def seen_in(recording: Recording) -> Seen:
    """What spoke in one recording."""
    from analyzer.api import analyze
    from analyzer.model.errors import UnreadableInput
    from analyzer.report.json import render as as_json
    from analyzer.report.markdown import render as as_markdown

    for names in (_TRIED, _MATCHED, _CALLED, _RETURNED):
        names.clear()
    kinds: set[str] = set()
    sys.setprofile(_watch)
    try:
        report = analyze(recording.path)
        kinds = {f"finding:{row.detector}/{row.kind}" for session in report.sessions for row in session.findings}
        as_json(report)
        as_markdown(report)
    except UnreadableInput:
        pass
    except Exception as error:  # noqa: BLE001 - an internal error mustn't cost the whole table
        print(f"internal error in {recording.name}: {type(error).__name__}: {error}", file=sys.stderr)
    finally:
        sys.setprofile(None)
    ours = {_name(code) for code in _CALLED if code.co_filename.startswith(PACKAGE)}
    returned = {_name(code) for code in _RETURNED if code.co_filename.startswith(PACKAGE)}
    return recording.repository, ours | kinds, returned | kinds, set(_TRIED), set(_MATCHED)


def _name(code: CodeType) -> str:
    return f"{code.co_filename[len(PACKAGE) + 1 :]}:{code.co_qualname}"


def functions() -> Iterator[str]:
    """Every function and method of the package, named as its code is."""
    for path in sorted(Path(PACKAGE).rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        for name in _defined(ast.parse(path.read_text(encoding="utf-8")), ""):
            yield f"{place}:{name}"


def _defined(node: ast.AST, within: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{within}{child.name}"
            yield from _defined(child, f"{within}{child.name}.<locals>.")
        elif isinstance(child, ast.ClassDef):
            yield from _defined(child, f"{within}{child.name}.")
        else:
            yield from _defined(child, within)


def chosen(largest: int, each: int) -> list[Recording]:
    """The recordings to watch: so many of each repository, none larger than `largest` bytes."""
    taken: Counter[str] = Counter()
    found = []
    for recording in recordings(cases=True):
        if recording.name.startswith(("tests/", "sample_sessions/")) or recording.path.stat().st_size > largest:
            continue
        limit = 10 * each if recording.name.startswith("cases/") else each
        if taken[recording.repository] < limit:
            taken[recording.repository] += 1
            found.append(recording)
    return found


def main() -> int:
    """Watch and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=400_000, help="bytes of a recording at most")
    parser.add_argument("--per-repository", type=int, default=8)
    parser.add_argument("--below", type=int, default=3, help="list what speaks in fewer repositories")
    parser.add_argument("--list", choices=("functions", "expressions", "kinds", "all", "nothing"), default="nothing")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    files = chosen(options.largest, options.per_repository)
    counts: list[Count] = [defaultdict(set) for _ in range(4)]
    with ProcessPoolExecutor(options.workers, initializer=_ready) as pool:
        for repository, *names in pool.map(seen_in, files, chunksize=4):
            for count, group in zip(counts, names, strict=True):
                for name in group:
                    count[name].add(repository)
    called, returned, tried, matched = counts
    for name in functions():
        called.setdefault(name, set())
    repositories = len({recording.repository for recording in files})
    print(f"{len(files)} recordings of {repositories} repositories")
    _summary("functions called", called, options.below)
    _summary("functions that returned something", returned, options.below)
    _summary("expressions tried", tried, options.below)
    _summary("expressions that matched", matched, options.below)
    _list(options, called, returned, "functions")
    _list(options, tried, matched, "expressions")
    _list(options, called, returned, "kinds")
    return 0


def _list(options: argparse.Namespace, asked: Count, spoke: Count, what: str) -> None:
    """The functions, expressions or kinds that speak in too few repositories."""
    if options.list not in (what, "all"):
        return
    named = (name for name in asked if what == "expressions" or name.startswith("finding:") == (what == "kinds"))
    listed = sorted((len(spoke[name]), len(asked[name]), name) for name in named)
    print(f"\n{what}: spoke, asked (repositories)")
    for row in listed:
        if row[0] < options.below:
            print(f"{row[0]:5d}  {row[1]:5d}  {row[2][:200]!r}")


def _summary(what: str, count: Count, below: int) -> None:
    few = sum(len(found) < below for found in count.values())
    print(f"{what}: {len(count)}, {few} of them in fewer than {below} repositories")


if __name__ == "__main__":
    sys.exit(main())
