"""What was changed in the system between two runs: what the scenario says, and what git knows of the commits."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from analyzer.model.errors import AnalyzerError
from analyzer.model.scenario import Fix, Scenario
from analyzer.model.struct import Struct, field
from analyzer.text.names import names

MOST_COMMITS = 50
_SECONDS = 30.0
_GIT = names("git -c core.fsmonitor=false -c log.showSignature=false -c core.quotePath=false -C")
_SHOWN = (
    *names("--reverse --no-color --no-show-signature --no-ext-diff --no-textconv --no-mailmap --no-notes --name-only"),
    *("-z", "--format=%x01%h %s%x02", "--end-of-options"),
)


class Change(Struct):
    """What was changed after a run. `commits` are the subjects of the commits, oldest first, `files` what they
    touch."""

    texts: list[str] = field(default_factory=list)
    commits: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def changes_after(scenario: Scenario, names: Mapping[int, str], base: Path) -> dict[int, Change]:
    """The changes by the number of the run after which they were made. `names` are those of the runs by number, `base`
    is the folder from which repositories are named.

    Fixes after runs that aren't there are left out: `fixes_astray` tells of them. Raises `AnalyzerError` where git
    can't tell of the commits.
    """
    found: dict[int, Change] = {}
    for fix in scenario.fixes:
        number = _run_of(fix, names)
        if number is None:
            continue
        change = found.setdefault(number, Change())
        if fix.text:
            change.texts.append(fix.text.strip())
        if fix.commits:
            commits, files = _commits(fix.commits, base / (fix.repository or "."))
            change.commits += [subject for subject in commits if subject not in change.commits]
            change.files += [name for name in files if name not in change.files]
    return found


def fixes_astray(scenario: Scenario, names: Mapping[int, str]) -> list[str]:
    """The fixes after runs that aren't there, in words: a document on some of the runs has no place for them, or the
    run is called otherwise."""
    known = ", ".join(f"{number} ({name})" for number, name in list(names.items())[:10])
    known += " ..." if len(names) > 10 else ""
    return [
        f"fixes, entry {position}: there is no run {fix.after_run!r}, so this fix isn't shown; the runs are {known}."
        for position, fix in enumerate(scenario.fixes, 1)
        if _run_of(fix, names) is None
    ]


def _run_of(fix: Fix, names: Mapping[int, str]) -> int | None:
    """The number of the run that a fix names: a number, or a name."""
    after = fix.after_run
    counted = isinstance(after, int) or (after.isascii() and after.isdigit() and len(after) < 10)
    number = int(after) if counted else 0
    return next((number for number, name in names.items() if after == name), number if number in names else None)


def _commits(asked: str, repository: Path) -> tuple[list[str], list[str]]:
    """Subjects and files of the commits of a range, oldest first; of a single commit where no range is named."""
    where = f"{repository}, commits {asked}"
    if not asked or asked.startswith("-") or " " in asked or not asked.isprintable():
        hint = "Write one as git does: v1.2..v1.3, or a single commit."
        raise AnalyzerError("is not a range of commits.", where=where, hint=hint)
    most = MOST_COMMITS + 1 if ".." in asked or "^" in asked else 1
    output = _run([*_GIT, str(repository), "log", f"--max-count={most}", *_SHOWN, asked, "--"], where)
    commits: list[str] = []
    files: dict[str, None] = {}
    for entry in output.split("\x01")[1:]:
        subject, _, names = entry.partition("\x02")
        commits.append(subject.strip())
        files.update(dict.fromkeys(name.strip("\n") for name in names.split("\0") if name.strip("\n")))
    if not commits:
        hint = "Is the older commit named first, as in old..new?"
        raise AnalyzerError("git finds no commit there.", where=where, hint=hint)
    if len(commits) > MOST_COMMITS:
        # `--reverse` turns round what was chosen, and git chooses from the newest on.
        commits = ["older commits aren't listed", *commits[1:]]
    return commits, list(files)[:200]


def _run(command: Sequence[str], where: str) -> str:
    """What git prints. It asks nobody anything and fetches nothing."""
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    # Set while git runs a hook, these would point git at another repository than the one that is named.
    elsewhere = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")
    env = {name: value for name, value in os.environ.items() if name not in elsewhere} | quiet
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=_SECONDS, env=env
        )
    except FileNotFoundError:
        hint = "Leave `commits` out and write the change as `text`."
        raise AnalyzerError("git isn't installed, so commits can't be read.", where=where, hint=hint) from None
    except subprocess.TimeoutExpired:
        raise AnalyzerError(f"git didn't answer within {_SECONDS:.0f} seconds.", where=where) from None
    except (OSError, ValueError) as error:
        raise AnalyzerError(f"git can't be run: {error}.", where=where) from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")[0][:300] or f"exit status {done.returncode}"
        hint = "`repository` is relative to the scenario file; the range is written as for `git log`."
        raise AnalyzerError(f"git can't read these commits: {said}", where=where, hint=hint)
    return done.stdout[: 4 << 20].decode("utf-8", "replace")
