"""Something that an earlier step produced is missing when it's needed.

What it flags
    The agent says that it doesn't have what an earlier step had shown it (`says-missing`); a sub-agent or model that
    the agent calls answers that its input is missing, while an earlier step had produced it (`not-passed-on`), or while
    the call's own arguments hold it, so that it's lost after the call (`not-received`). Each finding names the step
    that had produced what is missing.

Why it matters
    Work that was done and paid for is lost between two steps, two agents or two contexts. The following work is done
    twice or made up.

What it does not flag
    Something missing that no earlier step had produced; parts of a file or output that indeed weren't shown; output
    that was expected and didn't come; questions to the user about the task; files that changed since they were read; a
    long answer that only mentions that something is missing; an attachment that is requested where a text was passed
    on.

Options
    None.

Example:
    Step 7 reads `knots.py`. Step 12 asks a reviewer to check "the file above"; the answer is "I don't see any file
    attached".

"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator

from analyzer.detectors.engine.rule_state import LaneContext, RuleState, cost_of
from analyzer.detectors.engine.table import new_finding
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, LostInput
from analyzer.model.session import Message
from analyzer.model.words import Kind
from analyzer.speech.acts import Act
from analyzer.speech.heard import first_with, said_missing
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.timeline.closing.ending import text_given

_NAME = late(r"[\w./-]{0,200}\w\.[A-Za-z]{1,6}\b")
_HELPER = late(
    r"agent|task|delegate|assistant|expert|ask|consult|llm|model|chat|reviewer|critic|planner", re.IGNORECASE
)
_LONGEST_REFUSAL = 800
"""Characters of an answer that does no more than say what it lacks."""
_WHOLE = 100
_LONGEST_HELD = _LONGEST_SAID = 8_000
"""A result of so many characters, between which and which it's looked for in the arguments of a later call."""
_LONGEST_PROMPT = 20_000
_RECENT = 8
_KINDS = (("test", Kind.TEST), ("search", Kind.SEARCH))
_MOST = 4_000


class _State(RuleState):
    def __init__(self, lane_context: LaneContext) -> None:
        super().__init__(lane_context)
        self._files: dict[str, Action] = {}
        self._kinds: dict[Kind, Action] = {}
        self._last: Action | None = None
        self._product: Action | None = None
        self._recent: deque[Action] = deque(maxlen=_RECENT)
        self._raised: list[Finding] = []
        self._named: set[tuple[str, int]] = set()

    def on_message(self, message: Message) -> Iterable[Finding]:
        if self._last is None or message.role != "assistant" or message.thought:
            return
        for quote, words in said_missing(message.text[:_LONGEST_SAID]):
            if (source := self._source(words)) is not None:
                yield from self._raise("says-missing", source, quote, self._last)

    def on_action(self, action: Action) -> Iterable[Finding]:
        if _calls_a_helper(action):
            prompt = text_given(action, _LONGEST_SAID, _LONGEST_PROMPT)
            whole = self._held_by(prompt) if len(action.result or "") <= _LONGEST_REFUSAL else None
            for quote, words in said_missing((action.result or "")[:600], asks=True):
                if whole is not None and "attach" not in words.lower():
                    yield from self._raise("not-received", whole, quote, action)
                    break
                source = (
                    self._source(words)
                    or self._source(prompt)
                    or (self._product if first_with(prompt, Act.REFERS_BACK) else None)
                )
                if source is not None and not _passed_on(source, prompt):
                    yield from self._raise("not-passed-on", source, quote, action)
        self._last = action
        if action.failure is None and not action.harness:
            self._remember(action)

    def findings(self) -> Iterable[Finding]:
        return self._raised

    def _remember(self, action: Action) -> None:
        for edit in action.operation.edits[:50]:
            self._files.pop(_base(edit.path), None)
        if len(action.result or "") < 20 or action.kind in (Kind.THINK, Kind.PLAN, Kind.EDIT, Kind.FINISH):
            return
        self._kinds[action.kind] = action
        self._recent.append(action)
        if len(action.result or "") >= 200:
            self._product = action
        if len(self._files) >= _MOST:
            self._files.clear()
        if action.kind is Kind.READ and action.operation.path and action.operation.lines is None:
            self._files[_base(action.operation.path)] = action

    def _held_by(self, prompt: str) -> Action | None:
        """The last of the latest steps whose result is complete in the text that was passed on."""
        found = (action for action in reversed(self._recent) if len(action.result or "") >= _WHOLE)
        return next((action for action in found if (action.result or "").strip()[:_LONGEST_HELD] in prompt), None)

    def _source(self, words: str) -> Action | None:
        """The step that had produced what some words miss."""
        for name in _NAME.findall(words)[:5]:
            if found := self._files.get(_base(name)):
                return found
        lower = words.lower()
        for word, kind in _KINDS:
            if re.search(rf"\b{word}\w* (?:output|result)", lower):
                return self._kinds.get(kind)
        if re.search(r"\b(?:previous|earlier|prior) (?:outputs?|results?|findings|data)\b", lower):
            return self._product
        return None

    def _raise(self, kind: str, source: Action, quote: str, last: Action) -> Iterator[Finding]:
        known, answered = (kind, source.step) in self._named, kind != "says-missing"
        if known or source.step >= last.step + (not answered) or len(self._named) > 200:
            return
        self._named.add((kind, source.step))
        finding = new_finding(
            f"lost-context/{kind}",
            lane=self.lane_context.lane,
            steps=sorted({source.step, last.step}),
            evidence=[
                Evidence(step=source.step, quote=clip(source.result or "", 200)),
                Evidence(step=last.step, quote=quote),
            ],
            cost=cost_of(source, last),
            details=LostInput(source=source.step, answered_at=last.step) if answered else None,
            slots={
                "source": source.step,
                "what": source.operation.target.strip() or source.tool,
                "at": last.step,
                "tool": last.tool,
            },
        )
        if not self.lane_context.live:
            self._raised.append(finding)
        yield finding


def _calls_a_helper(action: Action) -> bool:
    """Whether a call hands something to a sub-agent or model in words."""
    if action.kind is not Kind.OTHER or action.harness or not action.result:
        return False
    return _HELPER.search(action.tool) is not None and len(text_given(action, _LONGEST_SAID, _LONGEST_PROMPT)) > 20


def _passed_on(source: Action, prompt: str) -> bool:
    """Whether what a step had produced is in the text that was passed on."""
    lines = (line.strip() for line in (source.result or "")[:4_000].split("\n"))
    return any(len(line) >= 12 and line in prompt for line in lines)


def _base(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1]


STATE = _State
