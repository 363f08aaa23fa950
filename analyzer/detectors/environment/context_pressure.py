"""The context fills up: compactions, window errors, giant outputs.

What it flags
    A lane in which earlier context was dropped or summarised several times, the model's window was exceeded, or several
    results were so large that each takes up a large share of it. One finding with all the counts; severity is higher
    with a window error, most of all at the end.

Why it matters
    What doesn't fit is forgotten, and the agent repeats it or continues without it. Usually a few commands with
    unlimited output fill most of the context.

What it does not flag
    A compaction that the user ordered, a single one, one large result, large results in a session whose prompts, as the
    log counts their tokens, stay far below a model's window, a tool that refuses a large file by itself, and texts that
    only mention context windows.

Options
    compactions: how many compactions make a finding on their own (2).
    giant: the number of characters from which a result counts as giant (50000).
    giants: how many giant results make a finding (2).
    prompt: where the log counts the tokens of prompts, the size of a prompt from which giant results count (150000, for
        a window of 200,000).

Example:
    The context is compacted before steps 30, 51 and 59; `cargo test --all` prints 61,000 characters at step 28 and
    again at 31.

"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pydantic import Field

from analyzer.detectors.engine.interface import Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, cost_of, spread
from analyzer.detectors.engine.table import new_finding
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding
from analyzer.model.session import Message, Usage
from analyzer.model.words import Kind, Severity
from analyzer.text.clip import clip
from analyzer.text.english import plural, times
from analyzer.text.late import late
from analyzer.text.markdown import code

_WINDOW = late(
    r"\bprompt is too long\b|\bcontext[_ ]length[_ ]exceeded\b|\bmaximum context (?:length|window)\b"
    r"|\b(?:exceed(?:s|ed|ing)?|over|due to|ran out of|hit) (?:the |its |our )?(?:\w+'s )?(?:maximum )?context "
    r"(?:window|length|limit)\b|"
    r"\bcontext window (?:limit )?(?:was |has been |is )?(?:exceeded|overflow\w*|full|exhausted|limit)\b|\binput "
    r"(?:is too long|length and .max_tokens. exceed)",
    re.IGNORECASE,
)
_LOOKS = frozenset({Kind.READ, Kind.SEARCH})


class ContextPressureOptions(Options):
    """Options of this detector."""

    compactions: int = Field(default=2, ge=1)
    """How many compactions make a finding without anything else."""
    giant: int = Field(default=50_000, ge=1_000)
    """From how many characters on a result is giant."""
    giants: int = Field(default=2, ge=1)
    """How many giant results make a finding."""
    prompt: int = Field(default=150_000, ge=1)
    """From how many tokens in one prompt on giant results count, where the log has them."""


class _Steps:
    """The steps that show one sign of pressure; only as many are kept as a finding names."""

    def __init__(self) -> None:
        self.count = 0
        self.kept: list[int] = []

    def add(self, step: int) -> None:
        self.count += 1
        if len(self.kept) < 50:
            self.kept.append(step)


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: ContextPressureOptions) -> None:
        super().__init__(lane_context)
        self._options = options
        self._called = False
        """Whether it was a called agent or model whose window was full."""
        self._compactions, self._giants, self._window = _Steps(), _Steps(), _Steps()
        self._prompt: int | None = None
        """The tokens of the largest prompt so far; None where the log has none."""
        self._largest: tuple[int, int, str] = (0, 0, "")
        self._quotes: dict[int, str] = {}
        self._last: Action | None = None
        self._shown: tuple[Action, Action] | None = None
        """The first and the last action that show a sign."""
        self._raised_at: int | None = None
        self._over = False

    def on_message(self, message: Message) -> Iterable[Finding]:
        self._fill(message.usage)
        if (
            message.role in ("harness", "system")
            and self._last is not None
            and len(message.text) < 2_000
            and _WINDOW.search(message.text)
        ):
            self._exceeded(self._last.step, message.text)
            return self._raise(self._last)
        return ()

    def on_action(self, action: Action) -> Iterable[Finding]:
        self._last = action
        self._fill(action.usage)
        result = action.result or ""
        if action.compacted_before and action.step > 1 and not action.compacted_by_user:
            self._compactions.add(action.step)
            self._quote(action.step, "the context was compacted before this step")
        if action.failed and len(result) < 4_000 and action.kind not in _LOOKS and _WINDOW.search(result[:600]):
            self._exceeded(action.step, result, called=not (action.harness or action.operation.command))
        elif result and not action.harness:
            self._over = False
        if len(result) >= self._options.giant:
            self._giants.add(action.step)
            what = clip(action.operation.target, 120) or action.tool
            self._quote(action.step, f"{action.tool} {what}: {len(result):,} characters")
            self._largest = max(self._largest, (len(result), -action.step, what))
        return self._raise(action)

    def findings(self) -> Iterable[Finding]:
        return [self._finding()] if self._raised_at is not None and not self.lane_context.live else []

    def _fill(self, usage: Usage | None) -> None:
        if usage is not None and usage.tokens.input is not None:
            self._prompt = max(self._prompt or 0, usage.tokens.input)

    def _exceeded(self, step: int, text: str, *, called: bool = False) -> None:
        self._window.add(step)
        self._quote(step, clip(text, 200))
        self._over = True
        self._called = self._called or called

    def _quote(self, step: int, text: str) -> None:
        assert self._last is not None
        self._shown = (self._shown[0] if self._shown else self._last, self._last)
        if len(self._quotes) < 200:
            self._quotes.setdefault(step, text[:300])

    def _raise(self, action: Action) -> Iterable[Finding]:
        options = self._options
        enough = (
            self._window.count
            or self._compactions.count >= options.compactions
            or (self._giants.count >= options.giants and (self._prompt is None or self._prompt >= options.prompt))
        )
        if enough and self._raised_at is None:
            self._raised_at = action.step
            return [self._finding()]
        return ()

    def _title(self, others: str, *, ended: bool) -> str:
        """What there is to see of it, the window's end first."""
        if not self._window.count:
            return f"The context fills up: {others}"
        often = (
            f"{times(self._window.count)}, first at step {self._window.kept[0]}"
            if self._window.count > 1
            else f"at step {self._window.kept[0]}"
        )
        what = (
            f"The context window ended it at step {self._window.kept[-1]}"
            if ended
            else f"What was called ran out of its context window {often}"
            if self._called
            else f"The context window was full {often}"
        )
        return f"{what}; {others}" if others else what

    def _finding(self) -> Finding:
        assert self._shown is not None
        assert self._raised_at is not None
        size, at, what = self._largest
        signs = [
            (self._compactions, "compaction", ""),
            (self._giants, "giant result", f" (the largest {size:,} characters, {code(what, 60)} at step {-at})"),
        ]
        others = ", ".join(f"{plural(sign.count, name)}{more}" for sign, name, more in signs if sign.count)
        steps = sorted({*self._window.kept, *(step for sign, _, _ in signs for step in sign.kept)})
        ended = self._over and self._window.count > 0 and not self.lane_context.live
        advice = []
        if self._giants.count:
            advice.append(
                f"Limit what {code(what, 100)} prints (a filter, `head`, a part of the file): {size:,} "
                f"characters went into the context at step {-at}."
            )
        if not advice and self._called and not ended:
            advice.append(
                f"Give what was called at step {self._window.kept[0]} a smaller part, and say how much to return."
            )
        if not advice:
            advice.append("Split the task or delegate parts of it to sub-agents, so that it fits into one context.")
        shown = [*spread(self._window.kept, 1), *spread(self._giants.kept, 2), *spread(self._compactions.kept, 2)]
        return new_finding(
            f"context-pressure/{'called-agent' if self._called and not ended else 'context-pressure'}",
            severity=Severity.HIGH if ended else Severity.MEDIUM if self._window.count else Severity.LOW,
            confidence=0.9,
            title=self._title(others, ended=ended),
            lane=self.lane_context.lane,
            steps=steps,
            detectable_at=self._raised_at,
            evidence=[
                Evidence(step=step, quote=self._quotes[step]) for step in sorted(set(shown)) if step in self._quotes
            ],
            advice=advice,
            cost=cost_of(*self._shown),
        )


OPTIONS = ContextPressureOptions.usual()
STATE = _State
