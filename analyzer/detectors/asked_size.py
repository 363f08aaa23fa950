"""What is delivered doesn't have the size that the task asks for.

What it flags
    A file or an answer with fewer or more words, lines or items than the user explicitly asked for ("at least 500
    words", "exactly 10 lines", "a list of exactly 7 items"), where the session shows all of it.

Why it matters
    A size can be counted, so it's the first thing that the person who asked for it will check.

What it does not flag
    Sizes that may apply only to a part, files whose content the session shows only in part, sizes that another way
    of counting (empty lines, marks between words) would meet, approximate sizes, and answers that exceed a
    maximum, since an answer also has text around what was asked for.

Options
    None.

Example:
    The task asks for a summary of at least 300 words in `summary.md`; the file that step 6 writes has 212.

"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector
from analyzer.detectors.engine.traits import Trait
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.difference import ChangeKind
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.session import Message
from analyzer.model.words import MAIN_LANE, Category, Ending, Severity
from analyzer.task.sizes import Size, sizes_of
from analyzer.text.clip import clip, clip_words
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.timeline.closing.ending import closing_words, ended_by_others
from analyzer.timeline.delivery import Delivery

_LONGEST = 8_000
"""Characters from which the closing words aren't known to be whole."""
_IN_A_FILE = late(r"\b(?:files?|saved?|documents?|reports?|scripts?)\b|`")
_GUIDANCE = {
    "": Guidance(
        questions=("How many are there, counted by a command rather than by eye?",),
        approaches=(("Count before handing over", "Count what the task names with a command, until it fits."),),
        improvement="Have sizes counted before the work is handed over",
        change="Where a task names a number of words, lines or items, run a command that counts them at the end.",
        lesson="What a task counts is to be counted.",
    )
}


class AskedSize(Detector):
    """One finding for each size that is missed."""

    name = "asked-size"
    category = Category.VERIFICATION
    taxonomy = Taxonomy.of(mast=["FM-3.2"], trail=["Instruction Non-compliance"])
    traits = frozenset({Trait.MISSES_TASK, Trait.RESULT_ONLY})
    guidance = _GUIDANCE
    cause_name = "another size than asked for"

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The sizes of the last turn that asks for any, held against what is there at the end."""
        actions = [action for action in facts.lane(MAIN_LANE) if not action.harness]
        session = facts.timeline.session
        if not actions or ended_by_others(session) or session.ending is Ending.SOLVED:
            return
        delivery = facts.delivery
        for size in _asked(facts):
            found = _of_file(facts, delivery, size) if delivery.files else _of_answer(facts, actions, size)
            if found is not None:
                yield found


DETECTOR = AskedSize()


def _asked(facts: Facts) -> Sequence[Size]:
    """The sizes in the last turn of the user, or in the task where that is all that was said."""
    turns = [
        event.text
        for event in facts.timeline.session.events
        if isinstance(event, Message) and event.role == "user" and event.lane == MAIN_LANE
    ]
    said = turns[-1] if turns else facts.timeline.session.task or ""
    return list(sizes_of(said)) if len(turns) < 2 else []


def _of_file(facts: Facts, delivery: Delivery, size: Size) -> Finding | None:
    """The file that the sentence names, else the only one that was made."""
    made = [change for change in delivery.files if change.kind is ChangeKind.CREATED]
    named = [change for change in delivery.files if size.file is not None and same_file(change.file, size.file)]
    chosen = named if size.file is not None else made if len(delivery.files) == 1 else []
    if len(chosen) != 1 or not chosen[0].steps:
        return None
    text = delivery.text(chosen[0].file)
    count = size.missed_by(text) if text is not None else None
    if count is None:
        return None
    step = chosen[0].steps[-1]
    what = code(clip(chosen[0].file, 80))
    return _finding(facts, size, step, f"{what} has {count} {size.unit} (step {step})", clip_words(text or "", 200))


def _of_answer(facts: Facts, actions: Sequence[Action], size: Size) -> Finding | None:
    """An answer that is too short, whatever belongs to it."""
    answer = closing_words(facts.timeline, actions[-1])
    if size.file is not None or size.least is None or len(answer) >= _LONGEST:
        return None
    if not answer or answer.rstrip().endswith(("…", "...")):
        return None
    if _IN_A_FILE.search(size.sentence) is not None or any(action.operation.edits for action in actions):
        return None
    count = size.missed_by(answer)
    if count is None or count > size.least:
        return None
    step = actions[-1].step
    return _finding(facts, size, step, f"the answer has {count} {size.unit}", clip_words(answer, 200))


def _finding(facts: Facts, size: Size, step: int, has: str, quote: str) -> Finding:
    wanted = size.least if size.least is not None else size.most
    bound = "exactly" if size.least == size.most else "at least" if size.least is not None else "at most"
    return AskedSize.finding(
        kind="size",
        severity=Severity.HIGH,
        confidence=0.8,
        title=f"The task asks for {bound} {wanted} {size.unit}, and {has}",
        steps=[step],
        detectable_at=step,
        evidence=[Evidence(step=step, quote=quote)],
        advice=[f"Count the {size.unit} with a command before the work is handed over."],
        cost=facts.cost(MAIN_LANE, step, step),
    )
