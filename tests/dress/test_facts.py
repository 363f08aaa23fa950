"""Same facts, same verdict: a result is judged alike whoever brought it, however it was recorded and written down.

The figures below are a ratchet: what the analyzer reaches at least today. They may only be tightened; the aim is 0.98
equal, nothing opposite. `benchmarks/dress.py` shows where it falls short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import pytest

from tests.drawn import THOROUGH, depth
from tests.dress.callers import BLIND, READERS, SHELLS, Caller
from tests.dress.cells import Cell, by_caller, by_text, cell
from tests.dress.fact import Fact, Label, facts, parse
from tests.dress.forms.cells import by_form
from tests.dress.forms.forms import FORMS, Form
from tests.dress.recordings import BARE, BOTH, CODE, FINE, FLAG, Recording
from tests.dress.shares import Shares, count, measure
from tests.dress.texts import PLAIN, TEXTS, TextDress


@dataclass(frozen=True)
class Ratchet:
    """At least this share of equal verdicts, kinds and types; at most so many opposites and false alarms."""

    equal: float
    kinds: float
    types: float
    opposite: int
    false_alarms: int

    def holds(self, shares: Shares, margin: float = 0.0) -> None:
        """Every figure is at least as good; shares may fall short by the margin."""
        total = shares.total
        assert total.cells > 0
        assert total.share >= self.equal - margin
        assert total.share_of_kinds >= self.kinds - margin
        assert total.share_of_types >= self.types - margin
        assert total.opposite <= self.opposite
        assert shares.false_alarms <= self.false_alarms


STEP = depth(23, 7)
"""Every so many cells: the whole product is the benchmark's."""
MARGIN = 0.0 if THOROUGH else 0.002
"""By how much the shares of a smaller sample may differ from those on which the ratchets stand."""
RATCHETS = {
    "callers": Ratchet(equal=0.996, kinds=0.981, types=0.98, opposite=0, false_alarms=0),
    "texts": Ratchet(equal=0.993, kinds=0.974, types=0.969, opposite=0, false_alarms=0),
}
FORM_RATCHETS = {
    "own form": Ratchet(equal=1.0, kinds=0.987, types=0.989, opposite=0, false_alarms=0),
    "ATIF": Ratchet(equal=1.0, kinds=0.987, types=0.989, opposite=0, false_alarms=0),
    "chat with flags": Ratchet(equal=1.0, kinds=0.987, types=0.989, opposite=0, false_alarms=0),
    "OpenAI chat": Ratchet(equal=0.991, kinds=0.986, types=0.989, opposite=0, false_alarms=0),
    "Anthropic messages": Ratchet(equal=1.0, kinds=0.977, types=0.969, opposite=0, false_alarms=0),
    "Claude Code": Ratchet(equal=0.983, kinds=0.989, types=0.989, opposite=0, false_alarms=0),
    "Codex": Ratchet(equal=0.997, kinds=0.987, types=0.989, opposite=0, false_alarms=0),
    "OTLP": Ratchet(equal=1.0, kinds=0.977, types=0.969, opposite=0, false_alarms=0),
}
PRODUCTS: dict[str, Callable[[Iterable[Fact]], Iterator[Cell]]] = {"callers": by_caller, "texts": by_text}


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("product", PRODUCTS)
def test_verdicts_do_not_depend_on_the_dress(product: str) -> None:
    RATCHETS[product].holds(measure(islice(PRODUCTS[product](facts()), 0, None, STEP)), MARGIN)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_verdicts_do_not_depend_on_the_format(form: Form) -> None:
    FORM_RATCHETS[form.name].holds(count((made, action) for _, made, action in by_form(facts(), [form])))


@pytest.mark.parametrize(
    "fact", [fact for fact in facts() if not fact.name.startswith("outputs/")], ids=lambda fact: fact.name
)
def test_a_written_fact_says_where_its_evidence_stands(fact: Fact) -> None:
    assert fact.holds_evidence(fact.text) if fact.label is Label.FAILED or fact.evidence else True


def test_a_fact_is_read_with_all_that_is_known_of_it() -> None:
    head = "#### one\nverdict: failed exception KeyError\nran: $ python a.py\nexit: 1\nevidence: ^Key\n"
    text = f"{head}----\nKeyError: 1\n"
    (fact,) = parse("mine", text)
    assert (fact.name, fact.label, fact.alone, fact.kind, fact.type) == (
        "mine/one",
        Label.FAILED,
        Label.FAILED,
        "exception",
        "KeyError",
    )
    assert (fact.command, fact.exit_code, fact.text) == ("python a.py", 1, "KeyError: 1")
    assert fact.holds_evidence("x\n\x1b[31mKeyError\x1b[0m: 1")
    assert not fact.holds_evidence("x KeyError")


FAILS = "\n".join([*(f"line {number}" for number in range(40)), "KeyError: 'x'"])
FACT = parse(
    "mine",
    f"#### fails\nverdict: failed\nran: $ python a.py\nexit: 1\nevidence: ^KeyError\n----\n{FAILS}\n"
    f"#### piped\nverdict: failed\nran: $ python a.py | tail\nexit: 0\nevidence: ^KeyError\n----\n{FAILS}\n"
    "#### log\nverdict: harmless\nran: $ cat a.log\nexit: 0\nshown: a.log\n----\nKeyError: 'x'\n"
    "#### runs\nverdict: unknown\nran: $ ./serve &\n----\nready\n",
)
FAILING, PIPED, LOG, RUNNING = FACT
DRESSES = {dress.name: dress for dress in TEXTS}
HEAD, TAIL, WRAPPED = (DRESSES[name] for name in ("cut at the head", "cut at the tail", "output and metadata"))
CELLS = [
    pytest.param(FAILING, SHELLS[0], BARE, PLAIN, Label.FAILED, id="as printed"),
    pytest.param(FAILING, SHELLS[0], BARE, HEAD, Label.FAILED, id="what is left says it"),
    pytest.param(FAILING, SHELLS[0], BARE, TAIL, None, id="what is left says nothing"),
    pytest.param(FAILING, SHELLS[0], FLAG, TAIL, Label.FAILED, id="what is left says nothing, the flag does"),
    pytest.param(FAILING, SHELLS[0], CODE, WRAPPED, None, id="the code stands in the text already"),
    pytest.param(FAILING, BLIND[0], CODE, PLAIN, Label.FAILED, id="nobody says what ran"),
    pytest.param(FAILING, SHELLS[0], FINE, PLAIN, None, id="nobody would call that fine"),
    pytest.param(PIPED, SHELLS[0], CODE, PLAIN, Label.FAILED, id="a pipe hides the code"),
    pytest.param(PIPED, BLIND[0], CODE, PLAIN, None, id="nobody says that there was a pipe"),
    pytest.param(PIPED, SHELLS[0], BARE, WRAPPED, None, id="a wrapper says that all went well"),
    pytest.param(LOG, SHELLS[0], BARE, PLAIN, Label.HARMLESS, id="shown with a command"),
    pytest.param(LOG, SHELLS[0], BOTH, PLAIN, Label.OK, id="shown, and the code says that it went well"),
    pytest.param(LOG, READERS[0], CODE, PLAIN, None, id="a reader has no exit code"),
    pytest.param(LOG, BLIND[0], BARE, PLAIN, None, id="shown by nobody knows what"),
    pytest.param(RUNNING, SHELLS[0], BARE, PLAIN, Label.UNKNOWN, id="still running"),
    pytest.param(RUNNING, SHELLS[0], FLAG, PLAIN, None, id="no flag before the end"),
]


@pytest.mark.parametrize(("fact", "caller", "recording", "dress", "label"), CELLS)
def test_what_is_true_of_a_fact_in_a_dress(
    fact: Fact, caller: Caller, recording: Recording, dress: TextDress, label: Label | None
) -> None:
    made = cell(fact, caller, recording, dress)
    assert (made.label if made else None) == label
