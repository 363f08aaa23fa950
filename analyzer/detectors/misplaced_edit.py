"""An edit by line numbers lands in a different file than the one that the agent says it edits.

What it flags
    An accepted edit of a range of lines, right after the agent says that it changes something in another file (by name,
    and no third one), where most of the new text was put, or was to be put, into that other file before.

Why it matters
    An editor with one open file accepts any edit. The open file loses the lines of the range and gains a text that
    doesn't belong there, the other one remains unchanged, and the answer looks like success.

What it does not flag
    Edits that name what they replace; a text that is new, or was put into the edited file as well; statements that name
    the edited file as well as the other one, as when code is moved; edits that fail. Severity is lower where the file
    is later restored.

Options
    None.

Example:
    Step 12 opens `gauge.py`; at step 13 the agent says "I'll add the check to `try_gauge.py`" and replaces line 1 of
    the open `gauge.py`.

"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector
from analyzer.detectors.engine.traits import Trait
from analyzer.failures.roles import same_file
from analyzer.model.action import Action, Edit
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import MAIN_LANE, Category, Severity
from analyzer.text.clip import clip, clip_path
from analyzer.text.late import late
from analyzer.text.markdown import code

_NAMED = late(r"(?<![\w./-])(?:[\w.@+-]{1,80}/){0,12}(?P<name>[\w@+-][\w.@+-]{0,80}\.[A-Za-z]\w{0,9})\b")
_LONGEST_SAID = 2_000
_LEAST_LINES = 3
"""Lines that must be known from the other file: fewer are equal by chance."""
_SHARE = 0.5
"""The share of the new text's lines that must be known from the other file."""
_MOST_LINES = 2_000

_GUIDANCE = {
    "": Guidance(
        questions=("Which file was open at step {first}, and which one was the edit for?",),
        approaches=(("Take it back first", "Restore the edited file, then open the other one and edit that."),),
        improvement="Have edits name their file",
        change="Make the edit tool take the file as an argument, and refuse an edit whose file isn't the open one.",
        lesson="An edit by line numbers changes whatever file is open.",
    )
}


class MisplacedEdit(Detector):
    """One finding per edit."""

    name = "misplaced-edit"
    category = Category.EDIT
    taxonomy = Taxonomy.of(mast=["FM-2.6"], trail=["Incorrect Problem Identification"])
    traits = frozenset({Trait.RESULT_ONLY})
    cause_rank = 9
    cause_name = "an edit in the wrong file"
    guidance = _GUIDANCE

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The edits of the main lane that went elsewhere than said."""
        sent: dict[str, set[str]] = defaultdict(set)
        for action in facts.lane(MAIN_LANE):
            for edit in action.operation.edits:
                meant = _meant(action, edit, sent) if edit in action.accepted_edits else None
                if meant is not None:
                    yield _finding(facts, action, edit, meant)
                if len(sent[edit.path]) < _MOST_LINES:
                    sent[edit.path] |= _lines(edit)


DETECTOR = MisplacedEdit()


def _meant(action: Action, edit: Edit, sent: Mapping[str, set[str]]) -> str | None:
    """The file that an edit was meant for, if it is another one than it went to."""
    lines = _lines(edit)
    if edit.lines is None or edit.before or edit.created or len(lines) < _LEAST_LINES:
        return None
    said = action.said[-_LONGEST_SAID:]
    names = {found["name"] for found in _NAMED.finditer(said)}
    own = PurePosixPath(edit.path).name
    others = [path for path in sent if not same_file(path, edit.path) and PurePosixPath(path).name in names]
    apart = [path for path in others[1:] if not same_file(path, others[0])]
    if not others or apart or own in names or re.search(rf"\b{re.escape(PurePosixPath(own).stem)}\b", said):
        return None
    here = next((known for path, known in sent.items() if same_file(path, edit.path)), set())
    known = lines & {line for path in others for line in sent[path]}
    enough = len(known) >= _LEAST_LINES and len(known) >= _SHARE * len(lines)
    return max(others, key=len) if enough and len(lines & here) < len(known) else None


def _lines(edit: Edit) -> set[str]:
    """The lines of a new text that say something."""
    return {line.strip() for line in (edit.after or "").splitlines() if len(line.strip()) > 3}


def _finding(facts: Facts, action: Action, edit: Edit, meant: str) -> Finding:
    left = any(same_file(change.file, edit.path) for change in facts.delivery.files)
    where, other = code(clip_path(edit.path, 80)), code(clip_path(meant, 80))
    assert edit.lines is not None
    first, last = edit.lines
    span = f"line {first}" if first == last else f"lines {first}-{last}"
    end = "and is left there" if left else "and is taken back later"
    return MisplacedEdit.finding(
        severity=Severity.HIGH if left else Severity.LOW,
        confidence=0.8,
        title=f"The edit that the agent says is for {other} replaces {span} of {where} (step {action.step}), {end}",
        steps=[action.step],
        detectable_at=action.step,
        evidence=[
            Evidence(step=action.step, label="said", quote=_sentence(action.said, meant)),
            Evidence(step=action.step, label="edited", quote=edit.path),
        ],
        advice=[f"Restore {where} to what it was before step {action.step}, open {other}, and make the edit there."],
        cost=facts.cost(MAIN_LANE, action.step, action.step),
    )


def _sentence(said: str, meant: str) -> str:
    """The sentence that names the file."""
    name = PurePosixPath(meant).name
    parts = re.split(r"(?<=[.!?])\s+", said[-_LONGEST_SAID:])
    return clip(" ".join(next((part for part in reversed(parts) if name in part), said).split()), 300)
