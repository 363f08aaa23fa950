"""The JSON Schemas of the output contracts, with the fields' own documentation as descriptions."""

from __future__ import annotations

import ast
import inspect
from types import ModuleType
from typing import Any

from pydantic import BaseModel

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
from analyzer.model.audit_report import AuditReport
from analyzer.model.backtest import Backtest
from analyzer.model.case_study import CaseStudy
from analyzer.model.comparison import Comparison
from analyzer.model.difference import DifferenceReport
from analyzer.model.postmortem import Report
from analyzer.model.scenario import Scenario, Written
from analyzer.model.search import Search

_POST_MORTEM = (finding, diagnosis, session_summary, ledger, postmortem, spending)

CONTRACTS: dict[str, tuple[type[BaseModel], tuple[ModuleType, ...]]] = {
    "post-mortem": (Report, _POST_MORTEM),
    "diff": (DifferenceReport, (*_POST_MORTEM, difference)),
    "audit": (AuditReport, (audit_figures, audit_report)),
    "find": (Search, (search,)),
    "compare": (Comparison, (comparison,)),
    "backtest": (Backtest, (backtest,)),
    "case-study": (CaseStudy, (*_POST_MORTEM, scenario, case_study)),
    "scenario": (Scenario, (scenario,)),
}
"""What has a schema, by name: its model, and the modules that describe the fields."""


def schema(contract: str = "post-mortem") -> dict[str, Any]:
    """The schema (JSON Schema 2020-12) of what `--format json` prints, or of another of the `CONTRACTS`; that of a file
    that people write says what they may write. Raises `KeyError` for any other name."""
    model, modules = CONTRACTS[contract]
    made = model.model_json_schema(mode="validation" if issubclass(model, Written) else "serialization")
    documented = {place: text for module in modules for place, text in _field_texts(module).items()}
    for name, definition in {**made.get("$defs", {}), model.__name__: made}.items():
        for key, entry in definition.get("properties", {}).items():
            text = documented.get((name, key)) or _inherited(modules, name, key, documented)
            if text:
                entry["description"] = text
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def _inherited(
    modules: tuple[ModuleType, ...], name: str, key: str, documented: dict[tuple[str, str], str]
) -> str | None:
    """What a class further up says of a field."""
    found = next((made for module in modules if isinstance(made := getattr(module, name, None), type)), None)
    return next(
        (
            documented[base.__name__, key]
            for base in (found.__mro__ if found else ())
            if (base.__name__, key) in documented
        ),
        None,
    )


def _field_texts(module: ModuleType) -> dict[tuple[str, str], str]:
    """The string under each annotated field of each class: read from the source only when a schema is wanted, since
    doing so at every start would cost more than a post-mortem does."""
    found: dict[tuple[str, str], str] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if not isinstance(node, ast.ClassDef):
            continue
        for field, text in zip(node.body, node.body[1:], strict=False):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(text, ast.Expr)
                and isinstance(text.value, ast.Constant)
                and isinstance(text.value.value, str)
            ):
                found[node.name, field.target.id] = inspect.cleandoc(text.value.value)
    return found
