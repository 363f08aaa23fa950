"""Edits that came to nothing: they left their file as it was, or were taken back as a whole."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate
from types import MappingProxyType

from pydantic import Field

from analyzer.commands.table import Does, does, knows
from analyzer.detectors.engine.facts import Facts, Need
from analyzer.detectors.engine.interface import Detector, Options, Trait
from analyzer.model.action import Action, Command
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import MAIN_LANE, Category, Kind, Severity, Status
from analyzer.text.clip import clip, clip_path
from analyzer.text.english import listed, one_or_many, times
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.plain import is_partly_blanked
from analyzer.workspace.checks import code_ids, contradicted
from analyzer.workspace.paths import last
from analyzer.workspace.reversal import is_made_again

_MOST = 20
"""Steps that a title names one by one."""
_SUBSTITUTES = late(
    r"(?:^|[;\s'\"\d$/,])s(?P<mark>[/|#,@!~])(?P<old>(?:(?!(?P=mark))[^\\\n]){1,400})(?P=mark)(?P=old)(?P=mark)"
)
"""A substitution of a text without special characters by itself."""
_SAME = "the text to replace and the one put in its place are the same"
_NO_MATCH = "nothing matches where {who} looked"
_COMPARE = (
    "Compare the two texts before the call; where they are the same, the file holds what was wanted, or something is "
    "missing from the new text."
)
_LOOK = "Look at the lines that were to be changed after each such edit; a stream editor prints nothing either way."
_GUIDANCE = {
    "": """Ask: What does the line that step {first} was to change really hold?
    Try: Look at the result: Print the lines around the place after each edit, or the diff of the file.
    Try: Edit by content: Use an edit that fails where the text to be replaced isn't there.
    Change: Make edits that change nothing fail: Let the tool that edits compare the file before and after, and return
      an error with the lines around the place when nothing has changed.
    Learn: An edit that prints nothing hasn't shown that it changed anything.""",
}


class IneffectiveEdits(Detector):
    """Edits that left their file as it was.

    What it flags
        Edits by a stream editor, and edits whose new text is the old one, that were reported as done but left the file
        unchanged, as far as the content that the session had shown tells (`no-effect`). A stream editor that matches
        nothing prints nothing, just like one that worked; a tool that inserts the same text that it removes may say
        that it applied the edit.

    Why it matters
        The agent goes on as if the change were there: the next check fails as before, and it looks for the cause
        elsewhere.

    What it does not flag
        Edits of files whose lines at that place aren't known, edits that were refused, several files at once.

    Options
        None.

    Example:
        Step 7 runs `sed -i '25s/depth/height/' pier.py`; line 25, which step 5 had shown, is a comment without that
        word.

    """

    name = "ineffective-edits"
    category = Category.EDIT
    needs = Need.CALLS
    taxonomy = Taxonomy.of(mast=["FM-3.2"], trail=["Tool Output Misinterpretation"])
    guidance = _GUIDANCE
    cause_name = "edits without effect"

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The edits after which the files were as before."""
        history = facts.timeline.history
        if history is None:
            return
        idle: dict[str, list[Action]] = {}
        for action, taken in zip(facts.timeline.actions, history.taken, strict=True):
            if not taken.changes and _edits_one_file(action) and _would_change(action):
                idle.setdefault(action.lane, []).append(action)
        for lane, actions in idle.items():
            yield _finding(facts, lane, actions)


def _edits_one_file(action: Action) -> bool:
    done = action.kind is Kind.EDIT and action.failure is None and action.status is not Status.ERROR
    return done and action.mark is None and len({edit.path for edit in action.operation.edits}) == 1


def _would_change(action: Action) -> bool:
    """Whether nothing but the edit itself could have changed the file, and its words say what was to be changed."""
    commands = action.operation.commands
    if commands:
        return len(commands) == 1 and _edits_in_place(commands[0])
    edits = action.operation.edits
    return all(_is_whole(edit.before) and edit.before == edit.after for edit in edits)


def _edits_in_place(command: Command) -> bool:
    """Whether an option makes a program change the file that it would show otherwise."""
    return bool(does(command.program, command.args) & Does.WRITES) and not knows(command.program, Does.WRITES)


def _is_whole(text: str | None) -> bool:
    """Whether a text is known as the call had it: what somebody blanked out may have been another one."""
    return text is not None and bool(text.strip()) and not is_partly_blanked(text)


def _same_text(action: Action) -> bool:
    """Whether the edit replaces a text by itself."""
    command = action.operation.command
    if command is not None:
        return _SUBSTITUTES.search(command[:2_000]) is not None
    return bool(action.operation.edits)


def _finding(facts: Facts, lane: str, actions: list[Action]) -> Finding:
    steps = [action.step for action in actions]
    names = dict.fromkeys(action.operation.edits[0].path for action in actions)
    files = listed([code(clip_path(path, 60)) for path in names])
    several = len(steps) > 1
    where = f"{one_or_many(len(steps), 'step')} {listed([str(step) for step in steps])}"
    if len(steps) > _MOST:
        where = f"between steps {steps[0]} and {steps[-1]}"
    what = f"{len(actions)} edits" if several else "An edit"
    same = sum(map(_same_text, actions))
    no_match = _NO_MATCH.format(who="they" if several else "it")
    if same == len(actions):
        why = f": {_SAME}"
    elif same:
        why = f": in {same} of them {_SAME}, and for the others {no_match}"
    else:
        why = f": {no_match}"
    return IneffectiveEdits.finding(
        kind="no-effect",
        severity=Severity.MEDIUM if several else Severity.LOW,
        confidence=0.8,
        title=f"{what} of {files} changed nothing ({where}){why}",
        lane=lane,
        steps=steps,
        detectable_at=steps[0],
        evidence=[
            Evidence(step=action.step, quote=clip(action.operation.command or _quoted(action), 300))
            for action in actions[:5]
        ],
        advice=[*([_COMPARE] if same else []), *([_LOOK] if same < len(actions) else [])],
        cost=facts.cost(lane, steps[0], steps[-1]),
    )


def _quoted(action: Action) -> str:
    edits = action.operation.edits
    return (edits[0].before if edits else "") or action.operation.target


_LEAST_CHANGES = 2
_MOST_FILES = 3


_PUTS_BACK = Does.HANDLES | Does.RECORDS | Does.WRITES


class TakenBackOptions(Options):
    """Options of this detector."""

    steps: int = Field(default=6, ge=2)
    """How long the stretch must be."""


class TakenBack(Detector):
    """Work on the code that was reverted as a whole.

    What it flags
        A stretch of steps with two or more changes of code, after which the code is again what it was before the
        stretch, and remains so: nothing of the stretch is delivered.

    Why it matters
        The cost of the stretch is lost, and the same attempt is easily made a second time.

    What it does not flag
        A single change that was tried and reverted, work that was put aside and brought back, or part of which is
        redone, scratch files and files that the agent created itself, stretches that end with something of unknown
        effect, stretches shorter than `steps`.

    Options
        steps: how long the stretch must be (6).

    Example:
        Steps 7 to 15 change `curve.py` four times; step 16 runs `git checkout curve.py`.

    """

    name = "taken-back"
    category = Category.EDIT
    needs = Need.CALLS
    taxonomy = Taxonomy.of(mast=["FM-1.3"], trail=["Resource Abuse"])
    options = TakenBackOptions.usual()
    traits = frozenset({Trait.ASPECT_OF_LOOP})
    cause_name = "work that was taken back"
    guidance = MappingProxyType(
        {
            "": """Ask: What did the changes from step {first} on show before they were taken back?
            Try: Write it down: Note what was tried and why it went before trying the next.
            Change: Keep a note of what was taken back: Let the harness keep the diff of what is taken back, and show it
              before the next attempt.
            Learn: What is taken back is worth a line on why."""
        }
    )

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The stretches of the main lane after which the code was as before, and stayed so."""
        history, options = facts.timeline.history, self.options
        if history is None or not isinstance(options, TakenBackOptions):
            return
        ids = code_ids(history, facts.timeline.session.task or "")
        first = {made: place for place, made in reversed(list(enumerate(ids)))}
        changing = [place for place in range(len(history.steps)) if ids[place] != ids[place + 1]]
        elsewhere = list(accumulate((history.steps[at].lane != MAIN_LANE for at in changing), initial=0))
        seen_last = {made: at for at, made in enumerate(ids)}
        wrong: set[int] | None = None
        done = -1
        for number, place in enumerate(changing):
            begin = max(first[ids[place + 1]], done + 1)
            lane = history.steps[place].lane
            earliest = bisect_left(changing, begin)
            if ids[begin] != ids[place + 1] or lane != MAIN_LANE or number - earliest < _LEAST_CHANGES:
                continue
            start, end = changing[earliest], place
            if any(seen_last[ids[at]] > end for at in range(start + 1, end + 1) if ids[at] != ids[end + 1]):
                continue
            between = changing[earliest:number]
            same_lane = elsewhere[number + 1] == elsewhere[earliest]
            own = all(history.files.made.get(path, False) for path in history.steps[place].changed)
            if not same_lane or own or history.steps[place].unknown or not _is_seen(facts, history.steps[place].step):
                continue
            if end - start < options.steps:
                continue
            if is_made_again(history, range(start, end), range(end + 1, len(history.steps))):
                continue
            wrong = contradicted(history, ids) if wrong is None else wrong
            if place in wrong:
                continue
            done = end
            yield _taken_back(facts, [history.steps[at].step for at in between], history.steps[end].step, place)


def _is_seen(facts: Facts, step: int) -> bool:
    """Whether a step itself shows what it puts back: an edit, or a command that does; what a script makes of a file is
    only known as far as it was understood."""
    operation = facts.action(MAIN_LANE, step).operation
    return bool(operation.edits) or any(knows(entry.program, _PUTS_BACK) for entry in operation.commands)


def _taken_back(facts: Facts, steps: list[int], end: int, place: int) -> Finding:
    history = facts.timeline.history
    assert history is not None
    places = [at for at, state in enumerate(history.steps) if state.lane == MAIN_LANE and state.step in {*steps, end}]
    changed = list(dict.fromkeys(code(last(path)) for at in [place, *places] for path in history.steps[at].changed))
    more = [f"{len(changed) - _MOST_FILES} more"] if len(changed) > _MOST_FILES else []
    files = listed([*changed[:_MOST_FILES], *more])
    back = facts.action(MAIN_LANE, end).operation
    return TakenBack.finding(
        severity=Severity.INFO,
        confidence=0.8,
        title=(
            f"From step {steps[0]} to step {end} {files} {'were' if len(changed) > 1 else 'was'} changed "
            f"{times(len(steps) + 1)}, and the code is again what it was before"
        ),
        steps=[*steps, end],
        detectable_at=end,
        evidence=[Evidence(step=end, quote=clip(back.command or back.target, 200))],
        advice=["Say why the attempt was given up before the next one begins."],
        cost=facts.cost(MAIN_LANE, steps[0], end),
    )


DETECTORS = (
    IneffectiveEdits(),
    TakenBack(),
)
