"""A scenario: what an agent was asked, how it should have gone about it, and how to tell that it succeeded. This is the
form of the scenario file."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    Tag,
    WithJsonSchema,
)

SCENARIO_VERSION: Literal["1.0"] = "1.0"


class Written(BaseModel):
    """Base of what people write by hand: a key that nobody declared is an error, a number stands for its digits where a
    text is wanted."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", defer_build=True, populate_by_name=True, coerce_numbers_to_str=True
    )


def _listed(value: Any) -> Any:
    """A single text as a list of one."""
    return [value] if isinstance(value, str | int | float) and not isinstance(value, bool) else value


def _compiles(pattern: str) -> str:
    """The pattern, if Python takes it; `ValueError` if not."""
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"is no regular expression: {error}") from None
    return pattern


def _entry_sort(value: Any) -> str:
    """Which of the forms of an entry of the plan a value has, by its keys."""
    keys = value if isinstance(value, dict) else vars(value) if isinstance(value, BaseModel) else {}
    return next((key for key in ("any_order", "one_of") if key in keys), "step")


def _or_one_step(schema: dict[str, Any]) -> None:
    schema["items"] = {"anyOf": [schema["items"], schema["items"]["items"]]}


Texts = Annotated[
    list[str],
    BeforeValidator(_listed),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]
"""Texts; a single one may stand without the list."""


class TextCheck(Written):
    """What a text must be. All that are given must hold."""

    equals: str | None = None
    """The whole text, white space at the ends apart."""
    contains: Texts = Field(default_factory=list)
    """Each of these is in it."""
    lacks: Texts = Field(default_factory=list)
    """None of these is in it."""
    matches: Annotated[str, AfterValidator(_compiles)] | None = None
    """A regular expression that is found in it (Python's syntax; lines are matched by `^` and `$`)."""
    lines: int | None = Field(default=None, ge=0)
    """It has at least so many lines that aren't blank."""


Argument = Annotated[
    TextCheck | StrictStr | StrictBool | StrictInt | StrictFloat | list[Any] | dict[str, Any] | None,
    Field(union_mode="left_to_right"),
]
"""What an argument of a call should be: a value, in which `$result.step_3` (or `$result.ID`) stands for the result of
another step of the plan, and `$result.step_3.items[0].name` for a part of it where it's JSON; or a check. An empty
check holds for whatever is given."""


class PlanStep(Written):
    """One call that the plan expects."""

    tool: Annotated[str | list[str], Field(min_length=1)]
    """The tool's name, or several of which any will do; `*` stands for any part of a name."""
    arguments: dict[str, Argument] = Field(default_factory=dict)
    """The arguments that matter; others that a call has don't count."""
    id: str | None = None
    """A name for references; without it, `step_N` by its place in the plan, steps of groups and of all ways counted
    from top to bottom."""
    optional: bool = False
    """A run without it conforms as well."""
    result: TextCheck | None = None
    """What its result must be."""
    note: str | None = None
    """What it's for, for the reader of the document."""


class AnyOrder(Written):
    """Steps whose order doesn't matter."""

    any_order: list[PlanStep] = Field(min_length=1)
    """The steps."""


class OneOf(Written):
    """Ways of which any will do."""

    one_of: list[
        Annotated[list[PlanStep], BeforeValidator(lambda value: [value] if isinstance(value, dict) else value)]
    ] = Field(min_length=1, json_schema_extra=_or_one_step)
    """Each way as a list of steps; a way of one step may stand without the list. An empty list is the way of doing
    nothing."""


PlanEntry = Annotated[
    Annotated[PlanStep, Tag("step")] | Annotated[AnyOrder, Tag("any_order")] | Annotated[OneOf, Tag("one_of")],
    Discriminator(_entry_sort),
]
"""An entry of the plan."""


class FileCheck(TextCheck):
    """What a file must hold that the run wrote, as its calls show it."""

    path: str
    """The file as the calls name it; `*` stands for any part."""


class Success(Written):
    """How to tell that a run succeeded. All that are given must hold."""

    final_answer: TextCheck | None = None
    """What the agent says last."""
    files: list[FileCheck] = Field(default_factory=list)
    """What it wrote."""
    recorded: Literal["solved", "submitted"] | None = None
    """What the log itself must say of its end."""
    no_finding_above: Literal["info", "low", "medium", "high"] | None = None
    """No finding of a greater severity than this one."""


class Fix(Written):
    """What was changed in the system between two runs."""

    after_run: int | str
    """The run, by its number from 1 or by its id, after which the change was made."""
    text: str | None = None
    """What was changed and why."""
    commits: str | None = None
    """A range of commits, such as `v1.2..v1.3`; their subjects and files are read with git from `repository`."""
    repository: str | None = None
    """Where the repository is, from the scenario file on; without it, the folder of the scenario."""


class SystemInfo(Written):
    """What was tested."""

    name: str
    """The agent or the system."""
    version: str | None = None
    """Its version."""


class Phases(Written):
    """How calls of planning are distinguished from those that carry the plan out."""

    planning: list[str] = Field(default_factory=list)
    """Names of tools that plan, validate or repair a plan; `*` stands for any part. Without any, calls of kind `plan`
    are taken."""


class Scenario(Written):
    """A scenario file."""

    scenario: Literal["1.0"] = SCENARIO_VERSION
    """The version of this form."""
    title: str
    """The document's title."""
    prompt: str
    """What the agent is asked."""
    system: SystemInfo | None = None
    """What was tested."""
    author: str | None = None
    """The line that says who wrote the document."""
    date: str | None = None
    """The date of the document; never taken from the clock."""
    overview: str | None = None
    """A paragraph on what the benchmark is and why it matters."""
    plan: list[PlanEntry] = Field(default_factory=list)
    """The calls that would do it, in order."""
    phases: Phases = Field(default_factory=Phases)
    """How planning is distinguished from doing."""
    success: Success = Field(default_factory=Success)
    """How to tell that a run succeeded."""
    fixes: list[Fix] = Field(default_factory=list)
    """What was changed between runs."""
    runs: list[str] = Field(default_factory=list)
    """The recorded runs, as paths or patterns from the scenario file on; those on the command line go before these."""
