"""The rewording track: one question after another is the same in other words, and the answer stays the same.

Two shell lines ask the same when their first commands are the same program over the same things, and the stages behind
it only arrange what comes out. Which stages those are depends on the answer: a longer one that comes out equal to the
letter behind other filters has been filtered by none of them; of a short one (a number, "OK", a word) that can't be
said, so only layout may differ: `cat log | grep a | wc -l` and `cat log | grep b | wc -l` are two questions, even if
both say 0. A filter whose words aren't in the answer has let nothing through, and what's shown comes from elsewhere:
then it's another question too. So it is behind a filter that takes out what is shown.

Other files, other patterns, other directories, other code are other questions. So is everything after an edit, a
failure or a word of the user.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from analyzer.commands.statements import entered
from analyzer.commands.table import Does, file_act, is_silent, knows
from analyzer.detectors.engine.rule_state import LaneContext
from analyzer.detectors.episodes.episode import REWORDED, Recurring, Stretch, asks_again
from analyzer.detectors.episodes.looks import changes
from analyzer.model.action import Action, Command
from analyzer.model.struct import Struct
from analyzer.model.words import Kind, LoopKind
from analyzer.text.late import late
from analyzer.timeline.keys import same_outcome

_ROUNDS = 4
"""How many wordings make an episode: one more than of equal calls, since one may try to say it better twice."""
_SHORT = 80
"""Characters of a single line up to which an answer is short."""
_LONGEST = 4_000
"""Characters of a line up to which it's a question: longer ones are programs."""
_MOST_SEARCHED = 20_000
"""Characters of an answer in which a filter's words are looked for."""
_MERE_PRINT = frozenset({"{print}", "{print$0}", "1", "{$1=$1}1", "{$1=$1};1", "{$1=$1;print}", "{$1=$1;print$0}"})
"""Programs for `awk` that print each line."""
_DEEDS = Does.MOVES | Does.WRITES | Does.RECORDS | Does.MANAGES | Does.RECIPE | Does.REMOTE
"""What a program does that acts more often than it's asked something, unless the whole line only looks."""
_OPTION_OF_FORM = Does.SHOWS | Does.ASKS | Does.RECORDS
"""What programs do whose options, where the answer is equal, don't make another question."""
_SETTING = late(r"(?:^|[\s;&|(])([A-Za-z_]\w{0,80}=[^\s;&|]{0,200})")
_INPUT = late(r"(?<![<\d])<\s{0,9}([\w./~$-]{1,200})")
_PLACE = late(r"[\d.,:+-]*\w?")
"""Words that say where or how much, not what."""
_MATCHED = late(r"(?<![\w/\\])/([^/\n]{1,80})/")
_WORD = late(r"[A-Za-z]{3,}")
_LITERAL = late(r"[\w ,:;/@%&#!-]+")
"""A pattern that matches nothing but itself."""

Question = tuple[object, ...]


class _Run(Struct):
    """Wordings of one question that were answered the same."""

    head: Question
    core: Question
    wordings: Recurring
    missed: bool = False


class RewordingTrack:
    """Follows one lane; see the module's text."""

    def __init__(self, lane_context: LaneContext, rounds: int) -> None:
        self._rounds = max(_ROUNDS, rounds)
        self._lane_context = lane_context
        self._asks_again = asks_again(lane_context.task)
        self._latest: Action | None = None
        self._run: _Run | None = None

    def on_action(self, unit: Action) -> Iterable[Stretch]:
        """Take the next action; the stretches that became episodes with it."""
        if unit.after_user or unit.compacted_before:
            self._run = self._latest = None
        if unit.operation.kind is Kind.PLAN:
            return ()
        asks = unit.operation.kind in (Kind.READ, Kind.SEARCH, Kind.RUN) and bool(unit.operation.commands)
        if not asks or unit.failure is not None or not unit.result:
            self._run = self._latest = None
            return ()
        latest, self._latest = self._latest, unit
        if latest is None or latest.operation.commands[0].program != unit.operation.commands[0].program:
            self._run = None
            return ()
        return self._ask(latest, unit)

    def _ask(self, latest: Action, unit: Action) -> Iterator[Stretch]:
        """Compare a shell line with the one before it, which started the same program."""
        if self._run is None and (earlier := _question(latest)) is not None:
            self._run = _Run(*earlier, Recurring.of(latest, 0))
        asked, run = _question(unit), self._run
        if asked is None:
            self._run = None
            return
        context = self._lane_context
        if run is None or asked != (run.head, run.core) or not same_outcome(run.wordings.latest, unit, context.masks):
            if run is not None and run.wordings.stretch is not None and not run.missed and asked[0] == run.head:
                run.missed = True
            else:
                self._run = _Run(*asked, Recurring.of(unit, 0))
            return
        run.missed = False
        if self._asks_again and unit.operation.target in context.task:
            return
        run.wordings.again(unit, 0, live=context.live)
        if run.wordings.is_due(self._rounds) and len(run.wordings.calls) > 1:
            yield run.wordings.open(LoopKind.REPEATED_CALL, REWORDED, period=1, same_calls=False)


def _question(unit: Action) -> tuple[Question, Question] | None:
    """What a shell line asks, and which of its stages make it another question if they differ; None for what is no
    question."""
    operation, line, answer = unit.operation, unit.operation.command, unit.result
    if not answer or answer.isspace() or not line or len(line) > _LONGEST or "<<" in line or changes(unit):
        return None
    first = next((command for command in operation.commands if not is_silent(command.program)), None)
    if first is None or (unit.kind is Kind.RUN and knows(first.program, _DEEDS)):
        return None
    short = "\n" not in answer.strip() and len(answer.strip()) <= _SHORT
    words: object = first.text
    if not short and knows(first.program, _OPTION_OF_FORM):
        words = tuple(word for word in first.args if not word.startswith("-") or "=" in word)
    head = (entered(line)[0], *_SETTING.findall(line), *_INPUT.findall(line), first.program, words)
    shown = "" if short else answer[:_MOST_SEARCHED].casefold()
    rest = [command for command in operation.commands if command is not first]
    return head, tuple(
        command.text for command in rest if not (_arranges(command) or (shown and _lets_through(command, shown)))
    )


def _arranges(command: Command) -> bool:
    """Whether a stage only arranges what comes in."""
    if file_act(command.program) == "fields":
        return len(command.args) == 1 and "".join(command.args[0].split()) in _MERE_PRINT
    only_lays_out = knows(command.program, Does.EXPRESSES) or not _operands(command.args)
    return knows(command.program, Does.SPEAKS) or (only_lays_out and knows(command.program, Does.ARRANGES))


def _lets_through(command: Command, shown: str) -> bool:
    """Whether a stage is a filter of what comes in that can have let through what is shown."""
    artifacts = _operands(command.args)
    if not knows(command.program, Does.FILTERS) or len(artifacts) > 1:
        return False
    if knows(command.program, Does.ANSWERS):
        if any(
            word == "--invert-match" or (word.startswith("-") and not word.startswith("--") and "v" in word)
            for word in command.args
        ):
            return not any(_LITERAL.fullmatch(pattern) and pattern.casefold() in shown for pattern in artifacts)
        patterns = artifacts
    else:
        patterns = [found for artifact in artifacts for found in _MATCHED.findall(artifact)]
    words = [word.casefold() for pattern in patterns for word in _WORD.findall(pattern)]
    return not words or any(word in shown for word in words)


def _operands(args: Sequence[str]) -> list[str]:
    """The words of a command that name something: no options, no numbers, no single signs."""
    return [word for word in args if len(word) > 1 and not word.startswith("-") and not _PLACE.fullmatch(word)]
