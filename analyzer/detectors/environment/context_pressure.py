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
from typing import Annotated

from analyzer.detectors.engine.interface import Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, cost_of, spread
from analyzer.detectors.engine.table import new_finding, title_of
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Slot
from analyzer.model.session import Message, Usage
from analyzer.model.struct import Meta, Struct, field
from analyzer.model.words import Kind, Severity
from analyzer.text.clip import clip
from analyzer.text.late import late

_WINDOW = late(
    r"\bprompt is too long\b|\bcontext[_ ]length[_ ]exceeded\b|\bmaximum context (?:length|window)\b"
    r"|\b(?:exceed(?:s|ed|ing)?|over|due to|ran out of|hit) (?:the |its |our )?(?:\w+'s )?(?:maximum )?context "
    r"(?:window|length|limit)\b|"
    r"\bcontext window (?:limit )?(?:was |has been |is )?(?:exceeded|overflow\w*|full|exhausted|limit)\b|\binput "
    r"(?:is too long|length and .max_tokens. exceed)",
    re.IGNORECASE,
)
_LOOKS = frozenset({Kind.READ, Kind.SEARCH})


class ContextPressureOptions(Options, frozen=True, kw_only=True):
    """Options of this detector."""

    compactions: Annotated[int, Meta(ge=1)] = 2
    """How many compactions make a finding without anything else."""
    giant: Annotated[int, Meta(ge=1_000)] = 50_000
    """From how many characters on a result is giant."""
    giants: Annotated[int, Meta(ge=1)] = 2
    """How many giant results make a finding."""
    prompt: Annotated[int, Meta(ge=1)] = 150_000
    """From how many tokens in one prompt on giant results count, where the log has them."""


class _Steps(Struct):
    """The steps that show one sign of pressure; only as many are kept as a finding names."""

    count: int = 0
    kept: list[int] = field(default_factory=list)

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
        text, last = message.text, self._last
        if message.role not in ("harness", "system") or last is None or len(text) >= 2_000 or not _WINDOW.search(text):
            return ()
        self._exceeded(last, text)
        return self._raise(last)

    def on_action(self, action: Action) -> Iterable[Finding]:
        self._last = action
        self._fill(action.usage)
        result = action.result or ""
        if action.compacted_before and action.step > 1 and not action.compacted_by_user:
            self._show(self._compactions, action, "the context was compacted before this step")
        if action.failed and len(result) < 4_000 and action.kind not in _LOOKS and _WINDOW.search(result[:600]):
            self._exceeded(action, result)
            self._called = self._called or not (action.harness or action.operation.command)
        elif result and not action.harness:
            self._over = False
        if len(result) >= self._options.giant:
            what = clip(action.operation.target, 120) or action.tool
            self._show(self._giants, action, f"{action.tool} {what}: {len(result):,} characters")
            self._largest = max(self._largest, (len(result), -action.step, what))
        return self._raise(action)

    def findings(self) -> Iterable[Finding]:
        return [self._finding()] if self._raised_at is not None and not self.lane_context.live else []

    def _fill(self, usage: Usage | None) -> None:
        if usage is not None and usage.tokens.input is not None:
            self._prompt = max(self._prompt or 0, usage.tokens.input)

    def _exceeded(self, action: Action, text: str) -> None:
        self._show(self._window, action, clip(text, 200))
        self._over = True

    def _show(self, sign: _Steps, action: Action, quote: str) -> None:
        sign.add(action.step)
        self._shown = (self._shown[0] if self._shown else action, action)
        if len(self._quotes) < 200:
            self._quotes.setdefault(action.step, quote[:300])

    def _raise(self, action: Action) -> Iterable[Finding]:
        options = self._options
        large = self._prompt is None or self._prompt >= options.prompt
        enough = self._window.count or self._compactions.count >= options.compactions
        enough = enough or (self._giants.count >= options.giants and large)
        if not enough or self._raised_at is not None:
            return ()
        self._raised_at = action.step
        return [self._finding()]

    def _finding(self) -> Finding:
        assert self._shown is not None
        assert self._raised_at is not None
        window, giants, compactions = self._window, self._giants, self._compactions
        ended = self._over and not self.lane_context.live
        called = self._called and not ended
        happened = "fills-up" if not window.count else "ended" if ended else "called" if called else "full"
        if window.count > 1 and not ended:
            happened += "-again"
        size, at, largest = self._largest
        slots: dict[str, Slot] = {"errors": window.count, "compactions": compactions.count, "giants": giants.count}
        if window.count:
            slots |= {"first": window.kept[0], "last": window.kept[-1]}
        if giants.count:
            slots |= {"largest": largest, "size": f"{size:,}", "at": -at}
        signs = [title_of("context-pressure", sign, slots) for sign in ("compactions", "giants") if slots[sign]]
        slots |= {"signs": signs, "also": f"; {', '.join(signs)}" if signs else ""}
        shown = {*spread(window.kept, 1), *spread(giants.kept, 2), *spread(compactions.kept, 2)}
        return new_finding(
            f"context-pressure/{'called-agent' if called else 'context-pressure'}",
            severity=Severity.HIGH if ended else Severity.MEDIUM if window.count else Severity.LOW,
            title=title_of("context-pressure", happened, slots),
            lane=self.lane_context.lane,
            steps=sorted({*window.kept, *compactions.kept, *giants.kept}),
            detectable_at=self._raised_at,
            evidence=[Evidence(step=step, quote=self._quotes[step]) for step in sorted(shown) if step in self._quotes],
            cost=cost_of(*self._shown),
            # What fills the context says more of what to do than the kind does.
            words="giants" if giants.count else "",
            slots=slots,
        )


OPTIONS = ContextPressureOptions()
STATE = _State
