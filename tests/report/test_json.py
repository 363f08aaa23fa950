"""The JSON output: the contract that others rely on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from analyzer import analyze
from analyzer.model.postmortem import Report
from analyzer.report import markdown
from analyzer.report.json import render
from analyzer.report.schema import schema
from tests.build import report, run, session
from tests.conftest import ROOT
from tests.report.hostile import MIXED, Mixed
from tests.report.logs import LOGS
from tests.tables import table

ANY: Mapping[str, Any] = {}
CONTRACT: Mapping[str, Any] = {
    "schema_version": ANY,
    "source": dict.fromkeys(("path", "format", "size_bytes", "sha256"), ANY),
    "sessions": [
        {
            "session": {
                **dict.fromkeys(("id", "agent", "model", "task", "started_at", "ended_at", "duration_seconds"), ANY),
                "messages": {"user": ANY, "assistant": ANY},
                **dict.fromkeys(("actions", "lanes"), ANY),
                "tokens": {"input": ANY, "output": ANY, "cached": ANY},
                **dict.fromkeys(("cost_usd", "recorded_status"), ANY),
            },
            "outcome": dict.fromkeys(("status", "confidence", "reason", "evidence_steps"), ANY),
            "timeline": [
                {
                    **dict.fromkeys(
                        ("step", "lane", "tool", "kind", "target", "status", "status_source", "exit_code"), ANY
                    ),
                    **dict.fromkeys(("failure_group", "started_at", "duration_seconds", "summary"), ANY),
                }
            ],
            "failures": [
                {
                    **dict.fromkeys(("step", "lane", "group", "kind", "type", "message", "runner", "language"), ANY),
                    **dict.fromkeys(("failing_tests", "expected"), ANY),
                    "origin": dict.fromkeys(("role", "file", "line", "function", "confidence", "reason"), ANY),
                    "frames": [dict.fromkeys(("file", "line", "function", "role"), ANY)],
                }
            ],
            "failure_groups": [dict.fromkeys(("group", "match", "count", "steps", "type", "template"), ANY)],
            "findings": [
                {
                    **dict.fromkeys(("detector", "category", "kind", "severity", "confidence", "title", "lane"), ANY),
                    **dict.fromkeys(
                        ("first_step", "last_step", "steps", "detectable_at", "rounds", "period", "escaped"), ANY
                    ),
                    "evidence": [{"step": ANY, "quote": ANY}],
                    "advice": ANY,
                    "taxonomy": {"mast": ANY, "trail": ANY},
                    "cost": dict.fromkeys(("actions", "seconds", "tokens", "usd"), ANY),
                }
            ],
            "diagnosis": {
                **dict.fromkeys(("headline", "root_cause", "contributing", "step_back"), ANY),
                "improvements": [dict.fromkeys(("priority", "title", "impact", "why", "change"), ANY)],
            },
            "early_stop": {
                **dict.fromkeys(("detectable_at", "actions_saved", "fraction_saved"), ANY),
                "policies": [dict.fromkeys(("policy", "fires", "at_step"), ANY)],
            },
            "warnings": [{"where": ANY, "what": ANY}],
        }
    ],
}


def missing(contract: Any, value: Any, place: str = "") -> list[str]:
    """The keys of the contract that a value lacks."""
    if isinstance(contract, list):
        assert isinstance(value, list), place
        return [name for item in value for name in missing(contract[0], item, f"{place}[]")]
    if isinstance(contract, Mapping) and contract:
        assert isinstance(value, dict), place
        lacking = [f"{place}.{key}" for key in contract if key not in value]
        return [
            *lacking,
            *(
                name
                for key, inner in contract.items()
                if key in value
                for name in missing(inner, value[key], f"{place}.{key}")
            ),
        ]
    return []


@cache
def analyzed(log: Path) -> Report:
    """The report of a log, made once for all tests."""
    return analyze(log)


@cache
def validator() -> Any:
    """Holds JSON against the schema of reports, which is a valid one itself."""
    import jsonschema  # type: ignore[import-untyped,unused-ignore]

    made = schema()
    kind = jsonschema.validators.validator_for(made)
    kind.check_schema(made)
    return kind(made)


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name)
def test_the_contract_is_kept(log: Path) -> None:
    assert missing(CONTRACT, json.loads(render(analyzed(log)))) == []


def test_the_contract_is_the_schema_too() -> None:
    made = schema()
    kinds = made["$defs"]

    def lacking(contract: Any, node: dict[str, Any], place: str) -> list[str]:
        if isinstance(contract, list):
            return lacking(contract[0], node["items"], f"{place}[]")
        if not (isinstance(contract, Mapping) and contract):
            return []
        if "$ref" in node:
            node = kinds[node["$ref"].rsplit("/", 1)[-1]]
        known = node["properties"]
        return [
            name
            for key, inner in contract.items()
            for name in ([f"{place}.{key}"] if key not in known else lacking(inner, known[key], f"{place}.{key}"))
        ]

    assert lacking(CONTRACT, made, "") == []


def test_every_field_of_the_schema_is_described() -> None:
    made = schema()
    for name, kind in {**made["$defs"], "Report": made}.items():
        for key, field in kind.get("properties", {}).items():
            assert field.get("description"), f"{name}.{key}"


@pytest.mark.slow
@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name)
def test_what_is_printed_is_valid(log: Path) -> None:
    text = render(analyzed(log))
    assert Report.model_validate_json(text) == analyzed(log)
    if find_spec("jsonschema"):
        validator().validate(json.loads(text))


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name)
def test_the_same_log_gives_the_same_bytes(log: Path) -> None:
    assert render(analyze(log)) == render(analyzed(log))


@pytest.mark.slow
def test_the_order_of_hashing_changes_nothing() -> None:
    program = (
        "import sys, hashlib\n"
        "from analyzer import analyze\n"
        "from analyzer.report import json, markdown\n"
        "for path in sys.argv[1:]:\n"
        "    made = analyze(path)\n"
        "    print(hashlib.sha256((json.render(made) + markdown.render(made)).encode()).hexdigest())\n"
    )
    paths = [str(path) for path in LOGS]
    # The process of the tests has an order of its own.
    seed = "1" if os.environ.get("PYTHONHASHSEED") == "0" else "0"
    printed = subprocess.run(
        [sys.executable, "-c", program, *paths],
        env={**os.environ, "PYTHONHASHSEED": seed},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    here = [(render(analyzed(log)) + markdown.render(analyzed(log))).encode() for log in LOGS]
    assert printed == "".join(f"{sha256(text).hexdigest()}\n" for text in here)


@pytest.mark.slow
@pytest.mark.parametrize("made", MIXED.values(), ids=MIXED.keys())
def test_any_text_can_be_printed_and_read_back(made: Mixed) -> None:
    printed = render(made.report)
    printed.encode("utf-8")
    assert missing(CONTRACT, json.loads(printed)) == []


def test_unknown_is_null() -> None:
    printed = json.loads(render(report(session(run("ls", "a", None)))))
    (only,) = printed["sessions"]
    header = only["session"]
    assert [
        header[key] for key in ("agent", "model", "task", "started_at", "ended_at", "duration_seconds", "cost_usd")
    ] == [None] * 7
    assert header["tokens"] == {
        "input": None,
        "output": None,
        "cached": None,
        "output_is_partial": False,
        "unknown_because": None,
    }
    row = only["timeline"][0]
    assert [row[key] for key in ("exit_code", "failure_group", "started_at", "duration_seconds")] == [None] * 4
    assert only["diagnosis"]["root_cause"] is None
    assert only["early_stop"]["detectable_at"] is None


@table("times")
def test_times(at: float, naive: bool, shown: str | None) -> None:
    made = report(session(run("ls", "a", at=at), naive_clock=naive))
    assert made.sessions[0].timeline[0].started_at == shown
