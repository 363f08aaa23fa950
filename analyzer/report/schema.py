"""The JSON Schemas of the output contracts, with the fields' own documentation as descriptions."""

from __future__ import annotations

import ast
import inspect
from types import ModuleType
from typing import Any

from analyzer.model import (
    audit_figures,
    audit_report,
    backtest,
    case_study,
    comparison,
    diagnosis,
    difference,
    finding,
    ledger,
    postmortem,
    scenario,
    search,
    session_summary,
    spending,
)
from analyzer.model.struct import Public
from analyzer.model.validated import model_of

_POST_MORTEM = (finding, diagnosis, session_summary, ledger, postmortem, spending)

CONTRACTS: dict[str, tuple[type[Public | scenario.Written], tuple[ModuleType, ...]]] = {
    "post-mortem": (postmortem.Report, _POST_MORTEM),
    "diff": (difference.DifferenceReport, (*_POST_MORTEM, difference)),
    "audit": (audit_report.AuditReport, (audit_figures, audit_report)),
    "find": (search.Search, (search,)),
    "compare": (comparison.Comparison, (comparison,)),
    "backtest": (backtest.Backtest, (backtest,)),
    "case-study": (case_study.CaseStudy, (*_POST_MORTEM, scenario, case_study)),
    "scenario": (scenario.Scenario, (scenario,)),
}
"""What has a schema, by name: its model, and the modules that describe the fields."""


def schema(contract: str = "post-mortem") -> dict[str, Any]:
    """The schema (JSON Schema 2020-12) of what `--format json` prints, or of another of the `CONTRACTS`; that of a file
    that people write says what they may write. Raises `KeyError` for any other name."""
    model, modules = CONTRACTS[contract]
    if issubclass(model, Public):
        made = model_of(model).model_json_schema(mode="serialization")
    else:
        made = model.model_json_schema(mode="validation")
    documented = {place: text for module in modules for place, text in _field_texts(module).items()}
    for name, definition in {**made.get("$defs", {}), model.__name__: made}.items():
        for key, entry in definition.get("properties", {}).items():
            # What a class doesn't say of a field, one further up does.
            classes = (getattr(module, name) for module in modules if isinstance(getattr(module, name, None), type))
            names = [name, *(base.__name__ for base in next(classes, object).__mro__)]
            if text := next(filter(None, (documented.get((each, key)) for each in names)), None):
                entry["description"] = text
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def _field_texts(module: ModuleType) -> dict[tuple[str, str], str]:
    """The string under each annotated field of each class: read from the source only when a schema is wanted, since
    doing so at every start would cost more than a post-mortem does."""
    found: dict[tuple[str, str], str] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if not isinstance(node, ast.ClassDef):
            continue
        for field, text in zip(node.body, node.body[1:], strict=False):
            match field, text:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(said))):
                    found[node.name, name] = inspect.cleandoc(said)
    return found
