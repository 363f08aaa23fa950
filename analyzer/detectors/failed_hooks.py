"""The harness's own hooks failed: commands that it runs on events, such as before each call or at the end of a turn.

What it flags
    Hooks that failed according to the log, every time or at least three times, with the error of the first one.

Why it matters
    The task of such a hook, such as checking a call or saving the state, isn't done, and nobody notices: the
    run goes on as if it were.

What it does not flag
    A hook that refuses a call, as it's meant to; one that failed once or twice among successful runs;
    checks in version control hooks, which a call starts and its result reports.

Options
    None.

Example:
    The hook before each call fails all eight times with "no such command".

"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import Detector
from analyzer.detectors.engine.traits import Trait
from analyzer.model.finding import Cost, Evidence, Finding, Taxonomy
from analyzer.model.session import HookRuns
from analyzer.model.words import MAIN_LANE, Category, Severity
from analyzer.text.clip import clip
from analyzer.text.english import listed, one_or_many
from analyzer.text.markdown import code

_OFTEN = 3
_MOST = 2
_SHOWN = 100
_QUOTED = 200


class FailedHooks(Detector):
    """At most one finding per session."""

    name = "failed-hooks"
    category = Category.TOOL
    taxonomy = Taxonomy.of(mast=["FM-3.2"], trail=["Environment Setup Errors"])
    traits = frozenset({Trait.RESULT_ONLY})
    cause_name = "hooks of the harness that fail"
    guidance = MappingProxyType(
        {
            "": Guidance(
                questions=("Since when do the hooks fail, and what was not checked or saved since then?",),
                approaches=(("Run the hook by hand", "Start it as the harness does, with the same input."),),
                improvement="Mend the hooks of the harness",
                change="Correct the hook's command in the harness's settings, and let a hook that fails be reported.",
                lesson="A hook that fails unseen does nothing.",
            )
        }
    )

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The hooks that failed, in the order of their first runs."""
        bad = [hook for hook in facts.timeline.session.hooks if _fails(hook)]
        if not bad:
            return
        first = min(bad, key=lambda hook: hook.after)
        failures, runs = sum(hook.failures for hook in bad), sum(hook.runs for hook in bad)
        names = [code(clip(hook.hook, 60)) for hook in bad[:_MOST]]
        more = [f"{len(bad) - _MOST} more"] if len(bad) > _MOST else []
        of = f"All {runs}" if failures == runs > 1 else "The only" if runs == 1 else f"{failures} of {runs}"
        why = f", first with {code(clip(first.error, _SHOWN))}" if first.error else ""
        step = min(max(first.after, 1), len(facts.lane(MAIN_LANE)))
        yield FailedHooks.finding(
            severity=Severity.LOW,
            confidence=0.9,
            title=f"{of} {one_or_many(runs, 'run')} of the harness's hooks failed ({listed([*names, *more])}){why}",
            steps=[step] if step else [],
            first_step=step,
            last_step=step,
            detectable_at=step,
            evidence=[Evidence(step=step, label="the hook's error", quote=clip(first.error, _QUOTED))]
            if first.error
            else [],
            advice=["Start the hook by hand as the harness does, and correct its command in the harness's settings."],
            cost=Cost(actions=0),
        )


DETECTOR = FailedHooks()


def _fails(hook: HookRuns) -> bool:
    return hook.failures > 0 and (hook.failures == hook.runs or hook.failures >= _OFTEN)
