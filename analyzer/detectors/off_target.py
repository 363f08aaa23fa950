"""The task and its failing tests are about one thing, and every edit is about another.

What it flags
    A name that the first sentence of the task, and the tests that fail at the end, have in common, where no file of
    that name was opened or edited, and the edits all went to files that the task doesn't name.

Why it matters
    The first file that comes to mind is seldom questioned again: all further work goes to the wrong place.

What it does not flag
    Sessions whose last tests passed, that read or changed something of that name, or that changed a file which the task
    names; names that are part of most paths, such as the project's own.

Options
    None.

Example:
    The task is "`inspect` prints no default", `tests/inspect/test_defaults.py` fails three times, and every edit goes
    to `db/fields.py`.

"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector
from analyzer.failures.roles import is_test_path
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import MAIN_LANE, Category, FailureKind, Kind, Severity
from analyzer.text.clip import clip
from analyzer.text.english import listed
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.names import name_set

_WORD = late(r"[A-Za-z][A-Za-z0-9]{3,}(?:_[A-Za-z0-9]+)*")
_TEST_NAME = late(r"^[\w./-]{0,200}(?:^|[./_-])(?:tests?|specs?)(?:[./_-]|$)[\w./;-]{0,200}$", re.IGNORECASE)
"""A path or a dotted name with a part that says that it's of tests."""
_ECHO = 500
"""Characters at the beginning of a result in which a harness may tell the command that it ran."""
_FIRST = 200
"""Characters of the task in which its subject is looked for."""
_COMMON = name_set(
    "test tests testing spec specs unit integration main core utils util common base helper helpers model models view "
    "views error errors type types name names value values class file files module case cases data user users should "
    "when with from that this fails failing wrong after before python version result results method function object "
    "default fields field form forms field template string list dict number index support using does doesn none true "
    "false make created create update remove delete added issue bugs regression"
)
_GUIDANCE = {
    "": Guidance(
        questions=("Where is what the failing tests name handled, and has that file been opened?",),
        approaches=(
            ("Open what the tests are about", "Find the file that the failing tests load, and read it first."),
        ),
        improvement="Open what the failing tests are about",
        change=(
            "Before the first edit, have the agent name the file that the failing tests load and why it edits another."
        ),
        lesson="The tests that fail say where to begin.",
    )
}


class OffTarget(Detector):
    """At most one finding per session."""

    name = "off-target"
    category = Category.PLAN
    taxonomy = Taxonomy.of(mast=["FM-2.3"], trail=["Goal Deviation"])
    guidance = _GUIDANCE
    cause_name = "edits away from the task's subject"

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The name that task and tests share, and the edits that went elsewhere."""
        actions = [action for action in facts.lane(MAIN_LANE) if not action.harness]
        edits = [
            action
            for action in actions
            if action.failure is None and any(not is_test_path(edit.path) for edit in action.operation.edits)
        ]
        failed = _failing_at_the_end(actions)
        if not edits or failed is None or failed.step < edits[0].step or len(facts.timeline.lanes()) > 1:
            return
        task = (facts.timeline.session.task or "").strip()
        subject = _subject(task[:_FIRST].splitlines()[0] if task else "", failed)
        paths = [edit.path for action in edits for edit in action.operation.edits]
        if subject is None or any(subject in place.lower() for place in (*paths, *_looked_at(actions))):
            return
        if any(path.rsplit("/", 1)[-1] in task for path in paths):
            return
        files = listed([code(clip(name, 60)) for name in dict.fromkeys(path.rsplit("/", 1)[-1] for path in paths)][:3])
        steps = [edit.step for edit in edits]
        yield OffTarget.finding(
            kind="off-target",
            severity=Severity.HIGH,
            confidence=0.7,
            title=f"The task and the failing tests are about {code(subject)}; every edit goes to {files}, and nothing "
            "of that name was opened",
            first_step=steps[0],
            last_step=failed.step,
            steps=sorted({*steps[:20], failed.step}),
            detectable_at=failed.step,
            evidence=[
                Evidence(step=steps[0], label="edited", quote=clip(paths[0], 200)),
                Evidence(step=failed.step, quote=clip(failed.operation.target, 300)),
            ],
            advice=[f"Find the file that {code(subject)} stands for, and read it before the next edit."],
            cost=facts.cost(MAIN_LANE, steps[0], failed.step),
        )


DETECTOR = OffTarget()


def _failing_at_the_end(actions: Sequence[Action]) -> Action | None:
    """The last test run, if it failed."""
    last = next((action for action in reversed(actions) if action.kind is Kind.TEST), None)
    if last is None or last.failure is None or last.failure.expected:
        return None
    return last if last.failure.kind in (FailureKind.TEST, FailureKind.EXCEPTION) else None


def _subject(title: str, failed: Action) -> str | None:
    """The first word of the task's title that the failing tests' files or modules are named after."""
    assert failed.failure is not None
    named = [word for entry in failed.operation.commands for word in entry.args if not word.startswith("-")]
    echoed = (failed.result or "")[:_ECHO].split()
    files = [test.split("::", 1)[0] for test in failed.failure.failing_tests[:20]]
    parts: set[str] = set()
    for word in (*named, *echoed, *files):
        if _TEST_NAME.search(word) is not None:
            parts.update(part for part in re.split(r"[^a-z0-9]+", word.lower().replace("_", "-")) if part)
    for found in _WORD.finditer(title):
        word = found[0].lower()
        if word not in _COMMON and word in parts:
            return word
    return None


def _looked_at(actions: Sequence[Action]) -> Iterator[str]:
    for action in actions:
        if action.kind in (Kind.READ, Kind.SEARCH) and action.failure is None:
            yield action.operation.path or action.operation.target
