"""What a record says that models used which aren't the agent, in the form that this program writes."""

from __future__ import annotations

from analyzer.formats.record.fields import dict_of, int_or_none, list_of, str_or_none
from analyzer.formats.record.usage import cost_or_none
from analyzer.model.session import Beside, Tokens, Usage


def usage_of_other_models(value: object) -> tuple[Beside, ...]:
    """Return the models of an evaluation with what they used; entries without a role say nothing."""
    found = []
    for entry in map(dict_of, list_of(value)):
        role, used = str_or_none(entry.get("role")), dict_of(entry.get("tokens"))
        if role is not None:
            counts = (int_or_none(used.get(name)) for name in ("input", "output", "cached", "written"))
            tokens = Tokens(*(count if count is not None and count >= 0 else None for count in counts))
            usage = Usage(tokens, cost_or_none(entry.get("cost_usd")))
            found.append(Beside(role, str_or_none(entry.get("model")), usage))
    return tuple(found)
