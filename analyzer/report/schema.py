"""The JSON Schemas of the output contracts, with the fields' own documentation as descriptions. pydantic makes them, of
models that are built of the records when a schema is wanted."""

from __future__ import annotations

import ast
import inspect
from functools import cache
from types import ModuleType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny, create_model

from analyzer.model import (
    audit_figures,
    audit_report,
    backtest,
    case_study,
    comparison,
    costs,
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
from analyzer.model.finding import PAYLOADS, Finding, Payload
from analyzer.model.struct import NODEFAULT, FieldInfo, Meta, Public, Struct, fields

_POST_MORTEM = (finding, diagnosis, session_summary, ledger, postmortem, spending)

CONTRACTS: dict[str, tuple[type[Public | scenario.Written], tuple[ModuleType, ...]]] = {
    "post-mortem": (postmortem.Report, _POST_MORTEM),
    "diff": (difference.DifferenceReport, (*_POST_MORTEM, difference)),
    "audit": (audit_report.AuditReport, (audit_figures, audit_report)),
    "find": (search.Search, (search,)),
    "cost": (costs.Costs, (costs,)),
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


_UNION: Any = Union


@cache
def model_of(kind: type[Struct], *, is_open: bool = False) -> type[BaseModel]:
    """The model of a record's class, closed against fields that it doesn't declare unless it `is_open`."""
    hints: dict[str, Any] = get_type_hints(kind, include_extras=True)
    if kind is Finding:
        others: Any = SerializeAsAny[model_of(Payload, is_open=True)]  # type: ignore[misc]
        known = _UNION[(*map(model_of, PAYLOADS.values()), others)]
        hints["details"] = _UNION[Annotated[known, Field(union_mode="left_to_right")], None]
        hints["slots"] = dict[str, str | int | float | list[str] | list[int] | None]
    made: dict[str, Any] = {field.name: (_typed(hints[field.name]), _default(field)) for field in fields(kind)}
    config = ConfigDict(frozen=True, extra="allow" if is_open else "forbid", defer_build=True)
    return create_model(kind.__name__, __config__=config, __doc__=kind.__doc__, __module__=kind.__module__, **made)


def _default(field: FieldInfo) -> Any:
    if field.default_factory is not NODEFAULT:
        return Field(default_factory=field.default_factory)
    return ... if field.required else field.default


def _typed(hint: Any) -> Any:
    """A type with models in place of records, and pydantic's constraints in place of msgspec's."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        return model_of(hint)
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        first, *constraints = args
        fields = (
            Field(ge=one.ge, gt=one.gt, le=one.le, lt=one.lt) if isinstance(one, Meta) else one for one in constraints
        )
        return Annotated[(_typed(first), *fields)]
    if origin in (Union, UnionType):
        return _UNION[tuple(map(_typed, args))]
    generic: Any = origin
    return generic[tuple(map(_typed, args))] if args and isinstance(origin, type) else hint
