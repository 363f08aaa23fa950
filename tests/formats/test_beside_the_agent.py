"""What models of an evaluation use that aren't the agent: those that score, and those that play the user."""

from __future__ import annotations

from typing import Any

from analyzer.model.session import Beside, Session, Tokens, Usage
from analyzer.report.figures import beside
from tests.build import diagnosed, run
from tests.formats import test_tau2_bench
from tests.formats.inspect_builders import answer, begin, log, model, sample, user
from tests.formats.inspect_views import sessions
from tests.tables import table

Json = dict[str, Any]
ASKED, SAID = user("How high?"), answer("Three.")


def uses(sent: int, got: int) -> Json:
    return {"input_tokens": sent, "output_tokens": got, "total_tokens": sent + got}


def by(name: str, second: int, said: Json, sent: int, got: int, span: str | None = None) -> Json:
    event = model(second, [ASKED], said, span) | {"model": name}
    event["output"]["usage"] = uses(sent, got)
    return event


def read(*grading: Json, sums: Json | None = None, **spec: Any) -> Session:
    events = [by("tide-1", 1, SAID, 100, 10), begin("s", "scorers"), *grading]
    made = sample(*events, messages=[ASKED, SAID], **({"model_usage": sums} if sums is not None else {}))
    (session,) = sessions(log(made, eval={"model": "tide-1", "task": "height"} | spec))
    return session


@table("cases")
def test_what_scores_is_not_the_agent(
    grading: list[Json], sums: Json | None, spec: Json, others: list[tuple[str, str, Tokens]]
) -> None:
    session = read(*grading, sums=sums, **spec)
    assert (session.tokens.input, session.tokens.output) == (100, 10)
    assert [(entry.role, entry.model, entry.usage.tokens) for entry in session.beside] == others


def test_a_second_model_of_the_agent_stays_its_own() -> None:
    session = read(sums={"tide-1": uses(100, 10), "moon-1": uses(40, 5)})
    assert (session.tokens.input, session.beside) == (140, ())


def test_a_simulated_user_is_apart() -> None:
    used = {"prompt_tokens": 40, "completion_tokens": 5}
    messages = [
        test_tau2_bench.said("assistant", "Hello.", usage={"prompt_tokens": 100, "completion_tokens": 10}, cost=0.2),
        test_tau2_bench.said("user", "Hi.", usage=used, cost=0.1),
    ]
    about = {"user_info": {"llm": "moon-1"}}
    made = test_tau2_bench.log(test_tau2_bench.simulation(*messages, agent_cost=0.2, user_cost=0.1), info=about)
    (session,) = test_tau2_bench.sessions(made)
    assert (session.tokens, session.cost_usd) == (Tokens(100, 10), 0.2)
    assert session.beside == (Beside("user simulator", "moon-1", Usage(Tokens(40, 5), 0.1)),)
    assert test_tau2_bench.session_of(*messages[:1]).beside == ()


def test_it_is_named_with_what_it_used() -> None:
    used = (Beside("scorer", "moon-1", Usage(Tokens(1200, 30), 0.024)), Beside("user simulator", None, Usage(Tokens())))
    rows = diagnosed(run("ls"), beside=used).session.beside
    assert list(map(beside, rows)) == ["scorer `moon-1`: 1 200 tokens in, 30 tokens out, $0.02", "user simulator"]
