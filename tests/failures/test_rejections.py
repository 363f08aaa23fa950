"""What validators of several languages say of arguments, each in its own words."""

from __future__ import annotations

import pytest

from analyzer.failures.rejections import ArgumentError, rejection_in


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param(
            (
                "1 validation error for PlanSlot\nduration_min\n"
                "  Field required [type=missing, input_value={'zone': 'north', 'minutes': 14}, input_type=d"
                "ict]\n    For further information visit https://errors.pydantic.dev/2.11/v/missing"
            ),
            (ArgumentError(missing=("duration_min",)), (), ()),
            id="pydantic, missing",
        ),
        pytest.param(
            (
                "1 validation error for PlanSlot\nminutes\n"
                "  Extra inputs are not permitted [type=extra_forbidden, input_value=14, input_type=int]"
            ),
            (ArgumentError(unexpected=("minutes",)), (), ()),
            id="pydantic, unknown",
        ),
        pytest.param(
            (
                "1 validation error for Quote\nservice\n"
                "  Input should be 'X24', 'X48' or 'ECO' [type=literal_error, input_value='express', input_"
                "type=str]"
            ),
            (ArgumentError(wrong=("service",)), ("X24", "X48", "ECO"), ()),
            id="pydantic, literal",
        ),
        pytest.param(
            (
                "'express' is not one of ['X24', 'X48', 'ECO']\n\n"
                "Failed validating 'enum' in schema['properties']['service']:\n"
                "    {'enum': ['X24', 'X48', 'ECO']}\n\nOn instance['service']:\n    'express'"
            ),
            (ArgumentError(wrong=("service",)), ("X24", "X48", "ECO"), ()),
            id="JSON Schema, enum",
        ),
        pytest.param(
            "'duration_min' is a required property",
            (ArgumentError(missing=("duration_min",)), (), ()),
            id="JSON Schema, required",
        ),
        pytest.param(
            "Additional properties are not allowed ('minutes' was unexpected)",
            (ArgumentError(unexpected=("minutes",)), (), ()),
            id="JSON Schema, additional",
        ),
        pytest.param(
            "data must have required property 'duration_min'",
            (ArgumentError(missing=("duration_min",)), (), ()),
            id="Ajv, required",
        ),
        pytest.param(
            "data/service must be equal to one of the allowed values",
            (ArgumentError(wrong=("service",)), (), ()),
            id="Ajv, enum",
        ),
        pytest.param(
            (
                '[ { "received": "express", "code": "invalid_enum_value", "options": [ "X24", "X48", "ECO" '
                '], "path": [ "service" ], "message": "Invalid enum value. Expected \'X24\' | \'X48\' | \'ECO\', '
                "received 'express'\" } ]"
            ),
            (ArgumentError(wrong=("service",)), ("X24", "X48", "ECO"), ()),
            id="zod 3",
        ),
        pytest.param(
            '✖ Invalid option: expected one of "X24"|"X48"|"ECO"\n  → at service',
            (ArgumentError(wrong=("service",)), ("X24", "X48", "ECO"), ()),
            id="zod 4, printed",
        ),
        pytest.param(
            (
                '[{"code":"invalid_value","values":["X24","X48","ECO"],"path":["service"],"message":"Invali'
                'd option: expected one of \\"X24\\"|\\"X48\\"|\\"ECO\\""}]'
            ),
            (ArgumentError(wrong=("service",)), ("X24", "X48", "ECO"), ()),
            id="zod 4, issues",
        ),
        pytest.param(
            "✖ Invalid input: expected string, received undefined\n  → at rateId",
            (ArgumentError(missing=("rateId",)), (), ()),
            id="zod 4, missing",
        ),
        pytest.param(
            '✖ Unrecognized key: "minutes"', (ArgumentError(unexpected=("minutes",)), (), ()), id="zod 4, unknown"
        ),
        pytest.param(
            "Validation error: Required at \"duration_min\"; Unrecognized key(s) in object: 'minutes'",
            (ArgumentError(missing=("duration_min",), unexpected=("minutes",)), (), ()),
            id="zod-validation-error",
        ),
        pytest.param(
            (
                'Unrecognized field "minutes" (class com.acme.PlanSlot), not marked as ignorable (3 known p'
                'roperties: "zone", "window", "durationMin"])\n'
                ' at [Source: (String)"{"; line: 1, column: 34] (through reference chain: com.acme.PlanSlot'
                '["minutes"])'
            ),
            (ArgumentError(unexpected=("minutes",)), (), ("zone", "window", "durationMin")),
            id="Jackson, unknown",
        ),
        pytest.param(
            (
                'Cannot deserialize value of type `com.acme.Service` from String "express": not one of the '
                "values accepted for Enum class: [X24, X48, ECO]\n"
                ' at [Source: (String)"{"; line: 1, column: 80] (through reference chain: com.acme.Quote["s'
                'ervice"])'
            ),
            (ArgumentError(wrong=("service",)), ("X24", "X48", "ECO"), ()),
            id="Jackson, enum",
        ),
        pytest.param(
            "Missing required creator property 'durationMin' (index 1)",
            (ArgumentError(missing=("durationMin",)), (), ()),
            id="Jackson, missing",
        ),
        pytest.param(
            (
                "Field error in object 'planSlot' on field 'durationMin': rejected value [null]; codes [Not"
                "Null]; default message [must not be null]"
            ),
            (ArgumentError(missing=("durationMin",)), (), ()),
            id="Spring binding",
        ),
        pytest.param(
            "ConstraintViolationException: plan.durationMin: must not be null",
            (ArgumentError(missing=("durationMin",)), (), ()),
            id="Bean Validation",
        ),
        pytest.param(
            ("The JSON property 'minutes' could not be mapped to any .NET member contained in type 'PlanSlot'."),
            (ArgumentError(unexpected=("minutes",)), (), ()),
            id=".NET, unmapped",
        ),
        pytest.param(
            ("JSON deserialization for type 'PlanSlot' was missing required properties including: 'durationMin'."),
            (ArgumentError(missing=("durationMin",)), (), ()),
            id=".NET 9, required",
        ),
        pytest.param(
            (
                "JSON deserialization for type 'PlanSlot' was missing required properties, including the fo"
                "llowing: durationMin"
            ),
            (ArgumentError(missing=("durationMin",)), (), ()),
            id=".NET 8, required",
        ),
        pytest.param(
            (
                "The JSON value could not be converted to Acme.Service. Path: $.service | LineNumber: 0 | B"
                "ytePositionInLine: 20."
            ),
            (ArgumentError(wrong=("service",)), (), ()),
            id=".NET, conversion",
        ),
        pytest.param(
            '{"errors":{"DurationMin":["The DurationMin field is required."]}}',
            (ArgumentError(missing=("DurationMin",)), (), ()),
            id="ASP.NET model state",
        ),
        pytest.param(
            'Required parameter "int durationMin" was not provided from query string.',
            (ArgumentError(missing=("durationMin",)), (), ()),
            id=".NET minimal API",
        ),
        pytest.param(
            "Missing argument for function parameter 'durationMin'",
            (ArgumentError(missing=("durationMin",)), (), ()),
            id=".NET function parameter",
        ),
        pytest.param(
            'json: unknown field "minutes"', (ArgumentError(unexpected=("minutes",)), (), ()), id="Go decoder, unknown"
        ),
        pytest.param(
            "json: cannot unmarshal string into Go struct field PlanSlot.minutes of type int",
            (ArgumentError(wrong=("minutes",)), (), ()),
            id="Go decoder, type",
        ),
        pytest.param(
            ("Key: 'PlanSlot.DurationMin' Error:Field validation for 'DurationMin' failed on the 'required' tag"),
            (ArgumentError(missing=("DurationMin",)), (), ()),
            id="Go validator, required",
        ),
        pytest.param(
            "Key: 'Quote.Service' Error:Field validation for 'Service' failed on the 'oneof' tag",
            (ArgumentError(wrong=("Service",)), (), ()),
            id="Go validator, oneof",
        ),
        pytest.param(
            (
                'Message type "acme.PlanSlot" has no field named "minutes" at "PlanSlot".\n'
                " Available Fields(except extensions): \"['zone', 'durationMin', 'window']\""
            ),
            (ArgumentError(unexpected=("minutes",)), (), ("zone", "durationMin", "window")),
            id="protobuf, unknown",
        ),
        pytest.param(
            "Failed to parse service field: Invalid enum value express for enum type acme.Service.",
            (ArgumentError(wrong=("service",)), (), ()),
            id="protobuf, enum",
        ),
        pytest.param(
            'proto: (line 1:12): invalid value for enum field service: "express"',
            (ArgumentError(wrong=("service",)), (), ()),
            id="protojson, enum",
        ),
        pytest.param(
            (
                "MCP error -32602: Invalid arguments for tool quote_rate: [\n  {\n"
                '    "received": "express",\n    "code": "invalid_enum_value",\n    "options": [\n'
                '      "X24",\n      "X48"\n    ],\n    "path": [\n      "service"\n    ],\n'
                "    \"message\": \"Invalid enum value. Expected 'X24' | 'X48', received 'express'\"\n  }\n]"
            ),
            (ArgumentError(wrong=("service",)), ("X24", "X48"), ()),
            id="MCP",
        ),
        pytest.param(
            (
                "step 3 (irrigation.plan_slot): Object contains unknown field `minutes`; it takes zone, dur"
                "ation_min, window"
            ),
            (ArgumentError(unexpected=("minutes",)), (), ("zone", "duration_min", "window")),
            id="msgspec, unknown",
        ),
        pytest.param(
            "Invalid enum value 'express' - at `$.service`",
            (ArgumentError(wrong=("service",)), (), ()),
            id="msgspec, enum",
        ),
        pytest.param(
            "Expected `int`, got `str` - at `$.minutes`",
            (ArgumentError(wrong=("minutes",)), (), ()),
            id="msgspec, type",
        ),
        pytest.param(
            ("unknown field `minutes`, expected one of `zone`, `duration_min`, `window` at line 1 column 40"),
            (ArgumentError(unexpected=("minutes",)), (), ("zone", "duration_min", "window")),
            id="serde, unknown",
        ),
        pytest.param(
            "service: unknown variant `express`, expected one of `X24`, `X48`, `ECO`",
            (ArgumentError(wrong=("service",)), ("X24", "X48", "ECO"), ()),
            id="serde, variant",
        ),
        pytest.param(
            "missing field `duration_min` at line 1 column 30",
            (ArgumentError(missing=("duration_min",)), (), ()),
            id="serde, missing",
        ),
        pytest.param(
            "TypeError: plan_slot() got an unexpected keyword argument 'minutes'",
            (ArgumentError(unexpected=("minutes",)), (), ()),
            id="Python keyword",
        ),
        pytest.param(
            "Invalid value for parameter 'service': express. Allowed values: X24, X48, ECO",
            (ArgumentError(wrong=("service",)), ("X24", "X48", "ECO"), ()),
            id="allowed values",
        ),
        pytest.param(
            "service must be one of: X24, X48, ECO",
            (ArgumentError(wrong=("service",)), ("X24", "X48", "ECO"), ()),
            id="must be one of",
        ),
        pytest.param(
            ('{"detail":[{"type":"missing","loc":["body","duration_min"],"msg":"Field required","input":{}}]}'),
            (ArgumentError(missing=("duration_min",)), (), ()),
            id="FastAPI",
        ),
        pytest.param(
            (
                "PlanValidationError: step 4 (tool_llm.execute): missing required argument 'user_input' or "
                "'input'; unexpected argument 'prompt'\n  given:    prompt\n  expected: user_input | input\n"
                "1 error in 5 steps"
            ),
            (
                ArgumentError(missing=("user_input", "input"), unexpected=("prompt",), alternatives=True),
                (),
                ("user_input", "input"),
            ),
            id="either of two names",
        ),
    ],
)
def test_the_names_and_values_are_read(
    answer: str, said: tuple[ArgumentError, tuple[str, ...], tuple[str, ...]]
) -> None:
    found = rejection_in(answer)
    assert found is not None
    assert (found, found.allowed, found.takes) == said


@pytest.mark.parametrize(
    "answer",
    [
        "The booking is confirmed.",
        '{"status": "ok", "required": ["zone"], "unknown": 3}',
        "Expected delivery on Tuesday; the option is valid until noon.",
        "12 fields were read, none is missing.",
    ],
)
def test_an_ordinary_answer_rejects_nothing(answer: str) -> None:
    assert rejection_in(answer) is None


@pytest.mark.parametrize(
    ("answer", "takes"),
    [
        ("fire_kiln does not know 'heat' (it has cone, hours)", ("cone", "hours")),
        ("fire_kiln doesn't take `heat`; it takes cone, hours", ("cone", "hours")),
        ("The tool does not accept the argument 'heat'.", ()),
        ("There is no parameter 'heat'.", ()),
        ("'heat' is not one of the arguments of fire_kiln", ()),
        ("'heat' isn't a known parameter", ()),
    ],
)
def test_a_check_may_word_it_in_its_own_way(answer: str, takes: tuple[str, ...]) -> None:
    said = rejection_in(answer)
    assert said is not None
    assert (said.unexpected, said.takes, said.loose) == (("heat",), takes, True)


@pytest.mark.parametrize(
    "answer",
    [
        "She does not know 'Bob'.",
        "The table does not have 'heat'.",
        "No clue 'heat' was found.",
        "'heat' is not a town",
        "The kiln has no shelf 'heat', it has rings",
    ],
)
def test_words_that_speak_of_something_else(answer: str) -> None:
    assert rejection_in(answer) is None
