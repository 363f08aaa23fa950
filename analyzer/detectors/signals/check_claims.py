"""What an answer says that checks have shown, held against their last runs, and measures that nothing showed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import repeat
from pathlib import PurePosixPath

from analyzer.commands.table import PYTHONS, Does, does, knows
from analyzer.detectors.signals.claims import MARKS, BoundClaim, Verdict
from analyzer.detectors.signals.effects import QUIET
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.words import Kind
from analyzer.speech.acts import Act, acts_of, lead_verb, words_for
from analyzer.speech.heard import heard
from analyzer.task.names import SPAN
from analyzer.text.late import late
from analyzer.text.names import name_set
from analyzer.text.plain import holds_any
from analyzer.timeline.verification.checks import HANDLES_FILES, changes_code, could_not_run, tested_by_tool

_ALL = late(
    r"^(?!.*\b(?:relevant|related|affected|new|selected)\b)"
    r".*\b(?:all|every|whole|full|entire|complete|existing|no regressions?)\b",
    re.IGNORECASE,
)
TESTS = ("test", "spec", "suite", "examples")
_NOTHING = late(
    r"\bnothing (?:[\w']+ ){0,4}?(?:is |was |be )?(?:changed or |added or )?(?P<gone>destroy|delet)(?:e?d)\b"
    r"|\b(?:0|zero|no|without (?:an?y?|a single|one)) (?P<what>(?:to )?(?:\w+ )??(?:errors?|warnings?"
    r"|failures?|findings|issues|leaks?|violations|add|change|destroy|failed))\b",
    re.IGNORECASE,
)
"""That something is counted to nothing, and what."""
DESELECTED = late(r"\b[1-9]\d{0,5} (?:tests? )?(?:deselected|filtered out)\b")
_CAME_TO = ("pass", "green", "succe", "fail")
"""Parts of words that say what came of tests."""
UNSURE = frozenset({Act.HEDGES, Act.DEFERS})
OTHERWISE = frozenset({Act.NOT_DONE, Act.DEFERS, Act.ASKS})
_RUNS = frozenset({Kind.RUN, Kind.TEST})
_LAYS_OUT = Does.LINTS | Does.FORMATS | Does.SPEAKS | Does.MOVES
_TRIED = late(
    r"\bI (?:also |then |have |\w+ly )?(?:ran|executed|launched|started|rendered"
    r"|replayed|simulated|opened [^.]{1,40} in|checked|tested|measured"
    r"|benchmarked|profiled|deployed|compiled|(?P<made>took|made|saved|wrote|exported|stored))\b",
    re.IGNORECASE,
)
"""How an agent says that it ran something or made a file."""
_LOADS = late(
    r"(?:python[\d.]* -m (?:py_compile|compileall)|node --check|bash -n|ruby -c|php -l) "
    r"|python[\d.]* -c ['\"]?(?:import|from) [\w., ]+['\"]?$"
)
"""A program that is only parsed or loaded."""
_CHECKED = (*TESTS, "lint", "type", "compiler", "build")
_LONGEST = 20_000
WORD = late(r"[A-Za-z][\w-]{2,}")
_SHORTEST_NAME = 8
"""Characters of a test's name by which a sentence may name it."""


def checks_claimed(text: str, actions: Sequence[Action]) -> Iterator[BoundClaim]:
    """What an answer says that its checks have shown, as far as it names a test, a program or tests in general: each
    bound to the last run of that among the `actions` before it. One that was run before the code changed is open."""
    runs: list[Action] | None = None
    before = ""
    for said in heard(text):
        acts, nothing = acts_of(said.quote), _NOTHING.search(said.quote)
        if Act.BLAMES_EARLIER in acts and (passed := _passed_before(before + said.quote, actions)) is not None:
            yield BoundClaim(said.quote, "before", Verdict.CONTRADICTED, passed)
        before = said.quote
        if (Act.CHECKED not in acts and nothing is None) or not OTHERWISE.isdisjoint(acts):
            continue
        if runs is None:
            runs = [one for one in actions if one.kind in _RUNS and not one.harness and not could_not_run(one)]
        shown = [_counted(nothing, runs)] if nothing is not None else []
        if not any(shown) and Act.CHECKED in acts:
            shown = [_named(said.quote, runs), _tested(said.quote, runs)]
        bound = [_bound(said.quote, *one, runs, actions) for one in shown if one is not None]
        if bound:  # of a sentence that says it of several, the one that speaks most against it
            yield min(bound, key=lambda claim: _WORST.index(claim.verdict))


def _passed_before(quote: str, actions: Sequence[Action]) -> Action | None:
    """The last run of all tests before any code was changed, where it passed and one that the sentence names fails in
    the last run of the same."""
    words = set(WORD.findall(quote))
    tests = [one for one in actions if one.kind is Kind.TEST and not could_not_run(one)]
    last = next((one for one in reversed(tests) if _fails(one)), None)
    named = last is not None and last.failure is not None and words & set(map(_test_name, last.failure.failing_tests))
    if last is None or not named:
        return None
    changed = next((one.step for one in actions if changes_code(one)), 0)
    same = [one for one in tests if one.step < changed and one.keys.call == last.keys.call]
    return same[-1] if same and same[-1].failure is None else None


_WORST = (Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.OPEN, Verdict.BORNE_OUT)


def _bound(quote: str, run: Action, failed: bool, runs: Sequence[Action], actions: Sequence[Action]) -> BoundClaim:
    """A sentence held against the run that it speaks of."""
    last = max([one.step for one in runs if one is run or (failed and run.kind is one.kind is Kind.TEST)])
    verdict = Verdict.CONTRADICTED if failed else Verdict.BORNE_OUT
    if run.failure is None and run.kind is Kind.TEST and _ALL.search(quote) and _chosen(run):
        # What a run of a part shows is nothing of the whole.
        tests = [one for one in runs if one.kind is Kind.TEST and one.operation.runner]
        whole = [one for one in tests if one.failure is None and not _chosen(one)]
        left_out = all(DESELECTED.search((one.result or "")[-_LONGEST:]) for one in tests)
        if not whole:
            return BoundClaim(quote, "check", Verdict.UNSUPPORTED if left_out else Verdict.OPEN, run)
        run, last = whole[-1], whole[-1].step
    stale = any(one.step > last and changes_code(one) for one in actions)
    return BoundClaim(quote, "check", Verdict.OPEN if stale else verdict, run)


def edits_claimed(text: str, actions: Sequence[Action]) -> Iterator[BoundClaim]:
    """What an answer says was done to files that it names and the `actions` tried to edit, or with names in code that
    their edits all hold, bound to the last edit."""
    claimed = [said for said in heard(text) if said.does(Act.DONE) and not said.does(*OTHERWISE, Act.CHECKED)]
    edits = {edit.path: action for action in actions for edit in action.operation.edits} if claimed else {}
    done = [(action, edit) for action in actions for edit in action.accepted_edits] if edits else []
    made = {edit.path: action for action, edit in done}
    texts = [(action, f"{edit.path}\n{edit.before}\n{edit.after}"[:_LONGEST]) for action, edit in done]
    for said in claimed:
        words = [word.strip(MARKS) for word in said.quote.split() if "." in word]
        paths = [path for path in edits for word in words if word and same_file(path, word)]
        spoken = map(str.strip, said.quote.lower().split(), repeat(MARKS))
        names = SPAN.findall(said.quote) if not set(words_for("clauses", "edited")).isdisjoint(spoken) else []
        holding = [action for action, held in texts if any(name in held for name in names)]
        if len(paths) == 1:
            verdict = Verdict.BORNE_OUT if paths[0] in made else Verdict.CONTRADICTED
            yield BoundClaim(said.quote, "edit", verdict, made.get(paths[0], edits[paths[0]]))
        elif names and all(any(name in held for _, held in texts) for name in names):
            yield BoundClaim(said.quote, "edit", Verdict.BORNE_OUT, holding[-1])


def first_runs(actions: Sequence[Action]) -> tuple[int, int]:
    """The places of the first call that ran something else than an edit, and of the first that may have tested: a test,
    or anything but a program that lays out files or looks at them; the number of calls where there's none."""
    ran = len(actions)
    for place, action in enumerate(actions):
        commands = action.operation.commands
        runs = action.kind not in QUIET and action.kind is not Kind.EDIT
        runs = runs and not (commands and _LOADS.match(commands[-1].text))
        ran = min(ran, place) if runs else ran
        programs = [one.program for one in commands] or [""] if runs else []
        if action.kind is Kind.TEST or tested_by_tool(action) or not all(knows(one, _LAYS_OUT) for one in programs):
            return ran, place
    return ran, len(actions)


def untested(text: str, *, ran: bool) -> Iterator[str]:
    """The sentences that say that tests ran or pass, or, where nothing `ran`, that the agent ran something."""
    for said in heard(text):
        plain = (word.strip(MARKS) for word in said.quote.lower().split())
        words = WORD.findall(" ".join(word for word in plain if "/" not in word and "." not in word))
        tests = all(any(word.startswith(ones) for word in words) for ones in (TESTS, ("ran", "pass", "green")))
        named = tests or (not ran and any(word.startswith(_CHECKED) or knows(word, Does.LINTS) for word in words))
        own = _TRIED.search(said.quote) if not ran else None
        tried = (named and Act.CHECKED in acts_of(said.quote)) or (own is not None and own.lastgroup is None)
        if tried and not said.does(*UNSURE, Act.ASKS) and lead_verb(said.quote) is None:
            yield said.quote


def _named(quote: str, runs: Sequence[Action]) -> tuple[Action, bool] | None:
    """The last run of a test or a program that a sentence names, and whether that failed."""
    words = set(WORD.findall(quote))
    for run in reversed(runs):
        tests = run.failure.failing_tests if run.failure is not None else ()
        if tests and [name for name in map(_test_name, tests) if len(name) >= _SHORTEST_NAME and name in words]:
            later = [one for one in runs if one.step > run.step and one.kind is Kind.TEST and one.failure is None]
            return (later[-1], False) if later else (run, _fails(run))
    spoken = [word for word in words if len(word) >= _SHORTEST_NAME and word.lower().startswith(TESTS)]
    for run in reversed(runs) if spoken else ():
        lines = [line.lower() for line in (run.result or "")[-_LONGEST:].splitlines() if holds_any(line, spoken)]
        if all("skip" in line or "ignored" in line for line in lines) and lines:
            return run, True
        if lines:
            break
    small = {word.lower() for word in words}
    sorts = {word for word in ("lint", "typecheck", "build") if word in small or f"{word}ing" in small}
    sorts |= {"types"} if "types" in small or "type check" in quote.lower().replace("-", " ") else set()
    named: dict[str, Action] = {}
    for run in runs:
        programs = _programs(run)
        about = (small & programs) | {word for word in sorts if word in " ".join(programs)}
        named.update(dict.fromkeys(sorted(about), run))
    failing = [run for run in named.values() if _fails(run)]
    return ((failing or list(named.values()))[-1], bool(failing)) if named else None


def _tested(quote: str, runs: Sequence[Action]) -> tuple[Action, bool] | None:
    """The last test run, where a sentence speaks of tests; it failed where none has passed since the last change, or,
    of all tests, where only a part of what failed has passed since."""
    tests = [run for run in runs if run.kind is Kind.TEST]
    told = holds_any(quote.lower(), _CAME_TO) and any(word.startswith(TESTS) for word in WORD.findall(quote.lower()))
    if not tests or not told:
        return None
    passed = [run for run in tests if run.failure is None]
    failed = next((run for run in reversed(tests) if _fails(run)), None)
    if failed is not None and _ALL.search(quote) is not None:
        passed = [run for run in passed if run.step < failed.step or not narrower(run, failed)]
    if not passed and failed is not None:
        return failed, True
    return passed[-1] if passed else tests[-1], False


def _counted(said: re.Match[str], runs: Sequence[Action]) -> tuple[Action, bool] | None:
    """The last run that counts what a sentence says there's none of, and whether it found any. What is to be done is
    counted by its verb, anything else by a program that the sentence names."""
    told = said["what"] or f"to {said['gone']}"
    to_do, what = told.startswith("to "), told.split()[-1].rstrip("s")
    count = re.compile(rf"\b(\d[\d,]*) {'(?:to )?' * to_do}(?:\w+ )?{re.escape(what)}(?:e?s?|ed)\b")
    small = {word.lower() for word in WORD.findall(said.string)}
    for run in reversed(runs):
        if what in ("warning", "error") and run.operation.runner is not None and run.kind is Kind.RUN:
            # A compiler names each by its place, and counts none.
            return run, f": {what}: " in (run.result or "")[-_LONGEST:]
        numbers = count.findall((run.result or "")[-_LONGEST:])
        if numbers and (to_do or not small.isdisjoint(_programs(run))):
            return run, numbers[-1] != "0"
    return None


def _fails(run: Action) -> bool:
    return run.failure is not None and not run.failure.expected


def _test_name(name: str) -> str:
    return re.split(r"::|[./ \[]", name.rstrip(")]"))[-1]


def _programs(run: Action) -> set[str]:
    """What a run starts, by name: programs and runners, and a word behind one that has the check's name."""
    programs = {one.program for one in run.operation.commands if one.program not in HANDLES_FILES}
    behind = {word for one in run.operation.commands if one.program in programs for word in one.args[:2]}
    behind = {word for word in behind if not word.startswith(TESTS)}
    done = [does(one.program, one.args) for one in run.operation.commands]
    behind |= {name for name, act in (("lint", Does.LINTS), ("types", Does.TYPES)) if any(one & act for one in done)}
    return {name.lower() for name in (*programs, *behind, *run.operation.runners) if len(name) > len("run")}


def _chosen(run: Action) -> bool:
    """Whether a run took a part of the tests only, by name or by what it says that it left out."""
    named = selects(run) or any("::" in target for target in targets(run))
    return named or DESELECTED.search((run.result or "")[-_LONGEST:]) is not None


_CHOOSES = name_set(
    "-k -t -E -m --grep -run --filter --filterset --gtest_filter --testNamePattern --test-name-pattern -Dtest --tests"
)
_SUFFIXES = frozenset({".py", ".js", ".ts", ".tsx", ".jsx", ".mjs", ".rb", ".go", ".rs", ".php", ".java", ".kt"})


def narrower(run: Action, wide: Action) -> bool:
    """Whether a run takes less than another one of the same runner: chosen by name, or by files below its targets."""
    if run.operation.runner != wide.operation.runner:
        return False
    chosen, before = targets(run), targets(wide)
    if chosen == before:
        return False
    by_name = selects(run) and not selects(wide)
    if not chosen and not by_name:
        return False
    below = all(any(_below(one, other) for other in before) for one in chosen)
    return not before or (below and (by_name or len(chosen) <= len(before)))


def selects(run: Action) -> bool:
    """Whether a run chooses its tests by name."""
    words = (word for one in run.operation.commands for word in one.args[PYTHONS.match(one.program) is not None :])
    return any(word.split("=", 1)[0] in _CHOOSES for word in words)


def targets(run: Action) -> set[str]:
    """The files, folders and tests that a run names."""
    return {
        word
        for entry in run.operation.commands
        for word in entry.args
        if not word.startswith("-") and ("/" in word or "::" in word or PurePosixPath(word).suffix in _SUFFIXES)
    }


def _below(one: str, other: str) -> bool:
    return one == other or one.startswith((f"{other.rstrip('/')}/", f"{other}::")) or other in (".", "./...")
