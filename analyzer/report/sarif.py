"""Findings as SARIF 2.1.0, which code scanning services and editors show.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from analyzer.model.words import Severity
from analyzer.report.results import Result, Results, code_uri, uri
from analyzer.report.safe import clip, visible
from analyzer.text.expressions import compiled

MOST_RESULTS = 5_000
"""GitHub shows so many results of a run, the worst first, and refuses files with many more."""
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "note", Severity.INFO: "none"}
_ROOT = "%SRCROOT%"
_LINK = compiled(r"\[(?=[^\]\n]*\]\()")
"""What a reader of SARIF takes for a link; a backslash makes it text."""
Json = dict[str, Any]


def render(results: Results, manuals: Mapping[str, str], version: str, base: str) -> str:
    """The findings as one SARIF log, ending in a newline.

    `manuals` are the manual pages of the detectors, by name, whose first line says it all; each becomes a rule, with
    the detector's name as its id. Files below the folder `base` are named from there on. Where there are more than
    `MOST_RESULTS` findings the worst are written, and a notification says how many are not. Files that could not be
    read are notifications as well.
    """
    shown, left = results.results[:MOST_RESULTS], max(0, len(results.results) - MOST_RESULTS)
    names = sorted({*manuals, *(result.detector for result in shown)})
    places = {name: number for number, name in enumerate(names)}
    invocation: Json = {"executionSuccessful": True}
    notes = [_unread(path, what, base) for path, what in results.problems[:MOST_RESULTS]]
    if left:
        notes.append(
            {
                "level": "warning",
                "message": {"text": f"{left} more findings, less severe than these {MOST_RESULTS}, are left out."},
            }
        )
    if notes:
        invocation["toolExecutionNotifications"] = notes
    driver: Json = {
        "name": "analyze-session",
        "version": version,
        "rules": [_rule(name, manuals.get(name, "")) for name in names],
    }
    run: Json = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "results": [_result(result, places[result.detector], base) for result in shown],
        "columnKind": "unicodeCodePoints",
        "properties": {"sessions": len(results.sessions), "findings": len(results.results)},
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=True, indent=1) + "\n"


def _rule(name: str, manual: str) -> Json:
    first = clip(manual.partition("\n")[0], 1_000) or name
    text = visible(manual) or first
    return {
        "id": name,
        "name": "".join(part.capitalize() for part in name.replace("_", "-").split("-")),
        "shortDescription": {"text": first},
        "fullDescription": {"text": first},
        "help": {"text": text, "markdown": _markdown(text)},
        "defaultConfiguration": {"level": "warning"},
    }


def _markdown(manual: str) -> str:
    """A manual page as Markdown: lines without indentation, but for the first, become headings."""
    lines = manual.split("\n")
    parts = [
        f"**{line.rstrip(':')}**\n" if number and line.strip() and not line.startswith(" ") else line.strip()
        for number, line in enumerate(lines)
    ]
    return "\n".join(parts).strip()


def _result(result: Result, rule: int, base: str) -> Json:
    level = _LEVELS[result.severity]
    place, below = uri(result.session.path, base)
    artifact: Json = {"uri": place, **({"uriBaseId": _ROOT} if below else {})}
    step = {
        "name": result.steps,
        "fullyQualifiedName": f"{visible(result.session.id)}/{visible(result.lane)}/{result.first_step}",
        "kind": "step",
    }
    prints = _prints(result, place)
    made: Json = {
        "ruleId": result.detector,
        "ruleIndex": rule,
        "level": level,
        # A level is only for what fails.
        "kind": "informational" if level == "none" else "fail",
        "message": {"text": _LINK.sub(r"\\[", result.summary())},
        "locations": [
            {"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": 1}}, "logicalLocations": [step]}
        ],
        "partialFingerprints": prints,
        "properties": {
            "tags": list(dict.fromkeys((result.category, result.kind))),
            "severity": result.severity.value,
            "confidence": result.confidence,
            "session": visible(result.session.id),
            "agent": result.session.agent,
            "model": result.session.model,
            "outcome": result.session.outcome,
            "firstStep": result.first_step,
            "lastStep": result.last_step,
        },
    }
    code = code_uri(result.origin[0]) if result.origin else None
    if result.origin and code:
        there: Json = {"artifactLocation": {"uri": code, "uriBaseId": _ROOT}}
        if result.origin[1] and result.origin[1] > 0:
            there["region"] = {"startLine": result.origin[1]}
        made["relatedLocations"] = [
            {"id": 1, "physicalLocation": there, "message": {"text": "Where the failure comes from."}}
        ]
    return made


def _unread(path: str, what: str, base: str) -> Json:
    """A file that could not be read, as a notification of the tool."""
    place, below = uri(path, base)
    artifact = {"uri": place, **({"uriBaseId": _ROOT} if below else {})}
    return {
        "level": "error",
        "message": {"text": clip(what, 1_000)},
        "locations": [{"physicalLocation": {"artifactLocation": artifact}}],
    }


def _prints(result: Result, place: str) -> Json:
    """Names by which a service knows the finding again: equal whenever the same session is looked at again."""
    identity = "\0".join((result.detector, result.kind, place, result.session.id, result.lane, str(result.first_step)))
    own = hashlib.sha256(identity.encode("utf-8", "replace")).hexdigest()[:32]
    # The one that GitHub looks at is meant for the text of the line, which is the same for all findings of a file here.
    prints = {"primaryLocationLineHash": f"{own}:1", "finding/v1": own}
    return {**prints, "failure/v1": result.fingerprint} if result.fingerprint else prints
