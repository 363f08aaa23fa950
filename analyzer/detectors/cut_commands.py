"""The environment doesn't run what the agent sends: it cuts commands off at a quotation mark or a space.

What it flags
    A shell whose error message gives a word from inside a quoted text of the command as its own name (`be: line 1: ...`
    for a command with `"can be found"`): the command was put into another command line without being quoted again.
    Also, twice or more, `echo` of a quoted text of several words that prints the first word only, and a final `grep -v`
    of a quoted text that lets this text through.

Why it matters
    What runs isn't what was asked for, so that different commands give the same output. The agent looks for the reason
    in its command, and the command isn't the reason.

What it does not flag
    A script that reports an error under its own name, a shell that was given a name on purpose, other errors. Where
    only sentences that `echo` would print are cut off, the task doesn't depend on them, and the finding is only a note.

Options
    None.

Example:
    Step 2 runs `bind -P | grep -v "can be found"`; the answer is `be: line 1: bind: warning`.

"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from types import MappingProxyType

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector
from analyzer.detectors.engine.traits import Trait
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import Category, Severity
from analyzer.text.clip import clip
from analyzer.text.english import plural
from analyzer.text.late import late
from analyzer.text.markdown import code

_COMPLAINS = late(r"(?m)^(?P<word>[\w@%+-]{1,40}): line \d{1,6}: [^\n]{1,200}")
_QUOTED = late(r"\"(?P<double>[^\"\n]{3,400})\"|'(?P<single>[^'\n]{3,400})'")
_ECHO = late(r"\s*echo (?:\"(?P<double>[^\"$`\\\n]{3,200})\"|'(?P<single>[^'\n]{3,200})')\s*")
_FILTER = late(r"\| *grep -v (?:-[iF] )?(?:\"(?P<double>[\w ,:=-]{3,100})\"|'(?P<single>[\w ,:=-]{3,100})')\s*\Z")
"""A filter at the end of a line, of a text that means itself."""
_SENTENCE = late(
    r"[A-Z][a-z']*(?:[,;!]? [A-Za-z][\w'-]*){3,}[^\n]*[.!?]|[^\n]*\b(?:you|your|I|I'm|let me)\b[^\n]*[.!?]"
)
"""A sentence that somebody says to somebody."""
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash", "busybox", "rbash"})
_OPENS = ("|", ";", "&", "(", "{", "!")
_LONGEST = 4_000
_MOST = 20
_ECHOES = 2
"""How many echoes must be cut: one may be a slip of the log."""


class CutCommands(Detector):
    """One finding per lane."""

    name = "cut-commands"
    category = Category.TOOL
    taxonomy = Taxonomy.of(trail=["Environment Setup Errors"])
    traits = frozenset({Trait.ENVIRONMENT_CUTS})
    cause_rank = 7
    first_failure_rank = 5
    cause_name = "commands that the environment cuts"
    guidance = MappingProxyType(
        {
            "": Guidance(
                questions=("What does the environment run for the command of step {first}: which words arrive?",),
                approaches=(
                    ("Try it with one word", "Send `echo 'a b'` and see whether both words come back."),
                    ("Go around it", "Avoid blanks in quotes, or write the command into a file and run that."),
                ),
                improvement="Hand commands to the shell as one argument",
                change=(
                    "Let the environment start the shell with a list of arguments, and test it with quotation marks of "
                    "both sorts, blanks and dollar signs."
                ),
                lesson="Different commands with the same output say something about what runs them.",
            )
        }
    )

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The commands of each lane of which only a part arrived."""
        for lane in facts.timeline.lanes():
            named = [(action, line) for action in facts.lane(lane) if (line := _named_by_fragment(action))]
            echoed = [(action, line) for action in facts.lane(lane) if (line := _in_part(action))]
            cut = sorted([*named, *(echoed if len(echoed) >= _ECHOES else [])], key=lambda pair: pair[0].step)
            if cut:
                yield _finding(facts, lane, cut, sure=bool(named))


DETECTOR = CutCommands()


def _named_by_fragment(action: Action) -> str:
    """The message of a shell that has the name of a word from inside the command's quotes; empty where there's
    none."""
    command = action.operation.command
    if command is None or action.result is None:
        return ""
    for found in _COMPLAINS.finditer(action.result[:_LONGEST]):
        word = found["word"]
        if word.lower() in _SHELLS or any(entry.program == word for entry in action.operation.commands):
            continue
        for quote in _QUOTED.finditer(command[:_LONGEST]):
            words = (quote["double"] or quote["single"]).split()
            if any(one == word and not before.endswith(_OPENS) for before, one in pairwise(words)):
                return found[0]
    return ""


def _in_part(action: Action) -> str:
    """A line that shows that only a part of a command ran: the first word of what it echoes, alone, or a line that its
    last filter takes out; empty otherwise."""
    return _echoed_in_part(action) or _let_through(action)


def _let_through(action: Action) -> str:
    command = action.operation.command or ""
    found = _FILTER.search(command[-_LONGEST:])
    if found is None or not action.result:
        return ""
    text = found["double"] or found["single"]
    lines = action.result[:_LONGEST].splitlines()
    return next((line.strip() for line in lines if text in line and ": line " not in line), "")


def _echoed_in_part(action: Action) -> str:
    """What an echo of a quoted text printed, where that is the first of several words alone; empty otherwise."""
    found = _ECHO.fullmatch(action.operation.command or "")
    if found is None or action.result is None:
        return ""
    words = (found["double"] or found["single"]).split()
    printed = action.result.strip()
    return printed if len(words) > 1 and printed == words[0] else ""


def _only_says(action: Action) -> bool:
    """Whether a command does nothing but print a sentence to whoever reads along: no result of the task hangs on it."""
    found = _ECHO.fullmatch(action.operation.command or "")
    return found is not None and _SENTENCE.fullmatch(found["double"] or found["single"]) is not None


def _finding(facts: Facts, lane: str, cut: Sequence[tuple[Action, str]], *, sure: bool) -> Finding:
    steps = list(dict.fromkeys(action.step for action, _ in cut))[:_MOST]
    first, line = cut[0]
    answers = "the shell answers" if _named_by_fragment(first) else "there comes back only"
    what = f"at step {first.step} {answers} {code(clip(line, 60))}"
    return CutCommands.finding(
        severity=Severity.INFO if all(_only_says(action) for action, _ in cut) else Severity.MEDIUM,
        confidence=0.85 if sure else 0.7,
        title=f"The environment cuts {plural(len(steps), 'command')} inside quotation marks: {what}",
        lane=lane,
        steps=steps,
        detectable_at=first.step,
        evidence=[
            entry
            for action, said in cut[:3]
            for entry in (
                Evidence(step=action.step, quote=clip(action.operation.command or "", 200)),
                Evidence(step=action.step, quote=clip(said, 200)),
            )
        ],
        advice=["Find out which words of a command arrive before changing the command again."],
        cost=facts.cost(lane, steps[0], steps[-1]),
    )
