"""Commands look for a folder from inside that folder, because the shell keeps its working directory.

What it flags
    Two failed commands or more that name a relative path which the error says isn't there, while the shell is in
    the very folder that the path begins with: an earlier `cd` is still in effect. The finding says where the shell is
    and which step changed to it.

Why it matters
    The path is right, but not from there: other spellings of the same command fail as well, and the agent investigates
    a missing file or a broken build that doesn't exist.

What it does not flag
    A single such slip, a directory that isn't known, paths that aren't there from the folder above either, shells that
    begin each command in the same directory.

Options
    failures: how many commands must fail like this (2).

Example:
    Step 4 runs `cd pier && make`. Steps 6, 7 and 9 run `make -C pier` and fail: the shell is in `pier` already.

"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType

from pydantic import Field

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector, Options
from analyzer.detectors.engine.rule_state import spread
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import Category, Severity
from analyzer.text.clip import clip
from analyzer.text.english import listed, plural
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.workspace.paths import normal

_PATH = r"[\w@%+=.,~-][\w@%+=./,~-]{0,200}"
_ABSENT = (
    r"(?:no such file or directory|not found|no such (?:folder|directory)|cannot find the (?:path|file)"
    r"|do(?:es)?(?: not|n't) exist|is not a directory)"
)
_MISSING = late(
    rf"(?i)(?<![\w./-])[`'\"‘]?(?P<before>{_PATH})[`'\"’]?:? {_ABSENT}"
    rf"|{_ABSENT}:? [`'\"‘]?(?P<after>{_PATH})|can(?:no|')t (?:cd to|access|open|find) [`'\"‘]?(?P<named>{_PATH})"
)
_LONGEST = 4_000
"""Characters of a result that are looked at."""
_MOST = 50


class WrongDirectoryOptions(Options):
    """Options of this detector."""

    failures: int = Field(default=2, ge=2)
    """How many commands must fail so."""


class WrongDirectory(Detector):
    """One finding per lane and directory."""

    name = "wrong-working-directory"
    category = Category.TOOL
    taxonomy = Taxonomy.of(mast=["FM-1.4"], trail=["Tool Output Misinterpretation"])
    options = WrongDirectoryOptions.usual()
    cause_rank = 6
    first_failure_rank = 4
    cause_name = "wrong directory"
    guidance = MappingProxyType(
        {
            "": Guidance(
                questions=("In which directory is the shell at step {first}, and what does `pwd` print?",),
                approaches=(
                    ("Go back first", "Run `cd` with the absolute path of the project before the command."),
                    ("Name the place", "Give the command absolute paths, so that it works from any directory."),
                ),
                improvement="Show the directory with every result",
                change=(
                    "Let the tool that runs commands print the directory with each error, or begin each command in the "
                    "project's root."
                ),
                lesson="A shell that keeps its directory makes a relative path mean something else after each `cd`.",
            )
        }
    )

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The commands of each lane that fail inside the folder that they name."""
        options = self.options
        assert isinstance(options, WrongDirectoryOptions)
        for lane in facts.timeline.lanes():
            actions = facts.lane(lane)
            places: dict[str, list[tuple[Action, str]]] = {}
            for action in actions:
                here, path = _looked_for_inside(action, actions)
                if path:
                    places.setdefault(here, []).append((action, path))
            for directory, met in places.items():
                if len(met) >= options.failures:
                    yield _finding(facts, lane, directory, met, actions, options.failures)


DETECTOR = WrongDirectory()


def _looked_for_inside(action: Action, actions: Sequence[Action]) -> tuple[str, str]:
    """Where the shell is and the path that a failed command names and its error misses, where that begins with the
    folder in which the shell is; nothing otherwise."""
    here = action.directory.rstrip("/")
    if action.failure is None or action.operation.command is None or not here.startswith("/"):
        return "", ""
    lead = (action.operation.directory or "").strip("'\"").removeprefix("./").rstrip("/")
    given = set(_words(action))
    for path in _missed((action.result or "")[-_LONGEST:]):
        plain = path.removeprefix("./").rstrip("/.,:")
        if not plain or plain.startswith(("/", "~", "-", "..")):
            continue
        if plain == lead:
            before = here.removesuffix(f"/{lead}")
            if before != here and before.endswith(f"/{plain}"):
                return before, plain
        if plain not in given:
            continue
        if here.endswith(f"/{plain}"):
            return here, plain
        above = here.removesuffix(f"/{plain.split('/', 1)[0]}")
        if above != here and _is_known(f"{above}/{plain}", action, actions):
            return here, plain
    return "", ""


def _words(action: Action) -> Iterator[str]:
    """The paths that a command line gives, as they are in the message."""
    for command in action.operation.commands:
        for word in command.args:
            for part in (word, word.rsplit("=", 1)[-1]):
                yield part.strip("'\"").removeprefix("./").rstrip("/")


def _missed(text: str) -> Iterator[str]:
    for found in _MISSING.finditer(text):
        yield found["before"] or found["after"] or found["named"]


def _is_known(path: str, failed: Action, actions: Sequence[Action]) -> bool:
    """Whether another step showed or changed a file at an absolute path."""
    for action in actions:
        if action is failed or action.failure is not None:
            continue
        named = [action.operation.path, *(edit.path for edit in action.operation.edits)]
        if any(one and normal(one, action.directory) == path for one in named):
            return True
    return False


def _brought_there(actions: Sequence[Action], first: Action, here: str) -> Action | None:
    """The last step before `first` whose command changed into the directory in which the shell was then."""
    for action in reversed(actions[: first.step - 1]):
        if action.operation.command is None:
            continue
        if action.directory == here and action.operation.directory and action.mark is None:
            return action
        if action.directory != here:
            moves = any(command.program in ("cd", "pushd") for command in action.operation.commands)
            return action if moves else None
    return None


def _finding(
    facts: Facts,
    lane: str,
    directory: str,
    met: Sequence[tuple[Action, str]],
    actions: Sequence[Action],
    failures: int,
) -> Finding:
    failed = [action for action, _ in met][:_MOST]
    first, path = met[0]
    paths = listed([code(clip(one, 60)) for one in list(dict.fromkeys(one for _, one in met))[:3]])
    there = _brought_there(actions, first, directory)
    since = f", into which step {there.step} had changed" if there is not None else ""
    cd = [Evidence(step=there.step, quote=clip(there.operation.command or "", 200))] if there is not None else []
    shown = spread([action.step for action in failed])
    inside = code(clip(directory.rsplit("/", 1)[-1], 60))
    count = len(met)
    steps = sorted({*([there.step] if there is not None else []), *(action.step for action in failed)})
    return WrongDirectory.finding(
        severity=Severity.HIGH if count >= 5 else Severity.MEDIUM if count > 2 else Severity.LOW,
        confidence=0.85,
        title=f"{plural(count, 'command')} look for {paths} from inside {inside}{since}",
        lane=lane,
        steps=steps,
        detectable_at=failed[failures - 1].step,
        rounds=count,
        evidence=[
            *cd,
            *(Evidence(step=a.step, quote=clip(_line(a, path), 200)) for a in failed if a.step in shown),
        ],
        advice=[
            f"Run the command from {code(clip(directory.rsplit('/', 1)[0] or '/', 120))}, or name the path from /."
        ],
        cost=facts.cost(lane, steps[0], steps[-1]),
        repeated=clip(first.operation.command or "", 200),
    )


def _line(action: Action, path: str) -> str:
    """The line of a result that misses the path."""
    lines = (line.strip() for line in (action.result or "").splitlines())
    return next((line for line in lines if path in line and _MISSING.search(line)), (action.result or "").strip())
