"""What a CI is given: SARIF, JUnit XML and the annotations of GitHub Actions."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree

import pytest

from analyzer.audit.store.entries import rows_of
from analyzer.model.finding import Cost, Evidence, Finding, Place
from analyzer.model.postmortem import Report
from analyzer.model.words import Category, Severity
from analyzer.report import ci
from analyzer.report.results import Results, code_uri, relative, uri
from tests.build import edit, pytest_report, report, run, session
from tests.report.hostile import MIXED, Mixed
from tests.tables import table
from tests.together import check_each

MANUALS = {
    "loops": "Going round in circles.\n\nWhat it flags\n    Rounds of `a`,\n    and more.\n\nExample:\n    `a`",
    "wrong-file": "Edits to the wrong file.",
}
BASE = "/srv/shop"
ERROR = pytest_report("ValueError: boom", raised=("shapes.py", 40, 'raise ValueError("boom")'))
STUCK = [
    part
    for number in range(6)
    for part in (edit("shapes.py", f"a{number}", f"b{number}"), run("pytest", ERROR, exit_code=1))
]


def stuck(path: str = "/srv/shop/runs/a b.json") -> Report:
    made = report(session(*STUCK, id="run-1", agent="Robot"), session(run("ls", "a.py"), id="run-2"))
    return made.model_copy(update={"source": made.source.model_copy(update={"path": path})})


def of_sarif(results: Results, manuals: dict[str, str] = MANUALS) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(ci.sarif(results, manuals, "1.2.3", BASE))
    check_sarif(made)
    return made


def check_sarif(log: dict[str, Any]) -> None:
    """What the schema of SARIF 2.1.0 and GitHub's reader ask for, of the parts that we write."""
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    (made,) = log["runs"]
    assert set(made) <= {"tool", "invocations", "results", "columnKind", "properties"}
    assert made["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    rules = made["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["shortDescription"]["text"]
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
    for invocation in made["invocations"]:
        assert isinstance(invocation["executionSuccessful"], bool)
        assert all(note["message"]["text"] for note in invocation.get("toolExecutionNotifications", ()))
    assert len(made["results"]) <= 5_000
    for result in made["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert (result["kind"] == "fail") == (result["level"] != "none")
        assert result["message"]["text"]
        assert all(isinstance(value, str) for value in result["partialFingerprints"].values())
        for location in [*result["locations"], *result.get("relatedLocations", ())]:
            artifact = location["physicalLocation"]["artifactLocation"]
            assert re.fullmatch(r"[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]+", artifact["uri"])
            assert ("uriBaseId" in artifact) == (not re.match(r"[a-z][a-z0-9+.-]*://", artifact["uri"]))
            assert location["physicalLocation"].get("region", {"startLine": 1})["startLine"] >= 1


def test_a_sarif_log_has_a_rule_per_detector_and_a_result_per_finding() -> None:
    results = Results.of_report(stuck())
    made = of_sarif(results)["runs"][0]
    driver = made["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("analyze-session", "1.2.3")
    assert {"loops", "wrong-file"} <= {rule["id"] for rule in driver["rules"]}
    loops = next(rule for rule in driver["rules"] if rule["id"] == "loops")
    assert loops["shortDescription"]["text"] == "Going round in circles."
    assert loops["help"]["text"] == MANUALS["loops"]
    assert (
        loops["help"]["markdown"]
        == "Going round in circles.\n\n**What it flags**\n\nRounds of `a`,\nand more.\n\n**Example**\n\n`a`"
    )
    assert len(made["results"]) == len(results.results) > 0
    first = made["results"][0]
    assert (first["ruleId"], first["level"]) == (results.results[0].detector, "error")
    place = first["locations"][0]
    assert place["physicalLocation"]["artifactLocation"] == {"uri": "runs/a%20b.json", "uriBaseId": "%SRCROOT%"}
    assert place["logicalLocations"][0]["fullyQualifiedName"].startswith("run-1/main/")
    assert "\nSession run-1, steps " in first["message"]["text"]


def test_a_finding_keeps_its_fingerprint_and_no_two_share_one() -> None:
    first, second = (of_sarif(Results.of_report(stuck()))["runs"][0]["results"] for _ in range(2))
    prints = [result["partialFingerprints"]["primaryLocationLineHash"] for result in first]
    assert prints == [result["partialFingerprints"]["primaryLocationLineHash"] for result in second]
    assert len(set(prints)) == len(prints)
    assert any("failure/v1" in result["partialFingerprints"] for result in first)
    other = of_sarif(Results.of_report(stuck("/srv/shop/runs/other.json")))["runs"][0]["results"]
    assert not {result["partialFingerprints"]["primaryLocationLineHash"] for result in other} & set(prints)


def many(count: int, *severities: Severity) -> Report:
    made = stuck()
    found = [
        Finding(
            detector="loops",
            category=Category.LOOP,
            kind="cycle",
            severity=severities[number % len(severities)],
            confidence=0.5,
            title=f"Finding {number}.",
            first_step=number + 1,
            last_step=number + 1,
            steps=[number + 1],
            detectable_at=number + 1,
            cost=Cost(actions=1),
        )
        for number in range(count)
    ]
    return made.model_copy(update={"sessions": [made.sessions[1].model_copy(update={"findings": found})]})


@pytest.mark.slow
def test_at_most_five_thousand_results_the_worst_first_and_it_says_so() -> None:
    made = of_sarif(Results.of_report(many(6_000, Severity.LOW, Severity.HIGH)))["runs"][0]
    assert [result["level"] for result in made["results"]].count("error") == 3_000
    assert made["results"][0]["level"] == "error"
    notification = made["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    assert notification == "1000 more findings, less severe than these 5000, are left out."
    assert made["properties"]["findings"] == 6_000


def test_what_looks_like_a_link_is_text() -> None:
    made = many(1, Severity.HIGH)
    finding = made.sessions[0].findings[0].model_copy(update={"title": "See [this](https://evil.test) and a[1]."})
    made = made.model_copy(update={"sessions": [made.sessions[0].model_copy(update={"findings": [finding]})]})
    assert of_sarif(Results.of_report(made))["runs"][0]["results"][0]["message"]["text"].startswith(
        "See \\[this](https://evil.test) and a[1]."
    )


def test_what_is_only_worth_knowing_is_informational() -> None:
    made = of_sarif(Results.of_report(many(1, Severity.INFO)))["runs"][0]["results"][0]
    assert (made["kind"], made["level"]) == ("informational", "none")


def test_the_place_in_the_code_is_a_related_location() -> None:
    made = many(1, Severity.HIGH)
    finding = made.sessions[0].findings[0]
    for file, line, expected in [
        ("src/a b.py", 7, ("src/a%20b.py", {"startLine": 7})),
        ("/app/a.py", 7, None),
        ("a.py", None, ("a.py", None)),
    ]:
        placed = finding.model_copy(update={"fault": Place(file=file, line=line)})
        changed = made.model_copy(update={"sessions": [made.sessions[0].model_copy(update={"findings": [placed]})]})
        (result,) = of_sarif(Results.of_report(changed))["runs"][0]["results"]
        places = [
            (entry["physicalLocation"]["artifactLocation"]["uri"], entry["physicalLocation"].get("region"))
            for entry in result.get("relatedLocations", ())
        ]
        assert places == ([expected] if expected else [])


def test_an_audit_gives_the_same_as_the_reports_of_its_files() -> None:
    made = stuck()
    rows: dict[str, list[tuple[Any, ...]]] = {}
    for position, entry in enumerate(made.sessions, 1):
        for name, own in rows_of(entry, made.source.path, position, "actions").items():
            rows.setdefault(name, []).extend(own)
    of_audit, of_file = Results.of_tables(rows["sessions"], rows["findings"], rows["failures"]), Results.of_report(made)
    assert [entry.id for entry in of_audit.sessions] == [entry.id for entry in of_file.sessions]
    assert [entry.summary() for entry in of_audit.results] == [entry.summary() for entry in of_file.results]
    assert [entry.fingerprint for entry in of_audit.results] == [entry.fingerprint for entry in of_file.results]
    assert ci.github(of_audit, BASE) == ci.github(of_file, BASE)
    assert ci.junit(of_audit, ["loops"], BASE) == ci.junit(of_file, ["loops"], BASE)


def test_junit_has_a_case_per_session_and_detector() -> None:
    results = Results.of_report(stuck())
    root = ElementTree.fromstring(ci.junit(results, ["loops", "never-fires"], BASE))
    failed = {result.detector for result in results.results if result.severity is not Severity.INFO}
    suites = root.findall("testsuite")
    assert [suite.get("name") for suite in suites] == ["runs/a b.json: run-1", "runs/a b.json: run-2"]
    names = [case.get("name") for case in suites[0].findall("testcase")]
    assert names[:2] == ["loops", "never-fires"]
    assert {case.get("name") for case in suites[0].findall("testcase") if case.find("failure") is not None} == failed
    assert all(len(case) == 0 for case in suites[1].findall("testcase"))
    assert [suite.get("tests") for suite in suites] == [str(len(names))] * 2
    assert (root.get("tests"), root.get("failures")) == (str(2 * len(names)), str(len(failed)))
    loops = suites[0].findall("testcase")[0].find("failure")
    assert loops is not None
    assert "Step " in (loops.text or "")


def test_findings_below_the_level_are_output_of_a_case_that_passes() -> None:
    root = ElementTree.fromstring(
        ci.junit(Results.of_report(many(2, Severity.MEDIUM, Severity.LOW)), ["loops"], BASE, Severity.HIGH)
    )
    case = root.find("testsuite/testcase")
    assert case is not None
    assert (root.get("failures"), [part.tag for part in case]) == ("0", ["system-out"])
    assert "medium: Finding 0." in (case[0].text or "")


def test_too_many_cases_are_written_without_those_that_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ci, "MOST_CASES", 3)
    root = ElementTree.fromstring(ci.junit(Results.of_report(stuck()), ["loops", "never-fires"], BASE))
    cases = root.findall("testsuite/testcase")
    assert cases
    assert all(len(case) == 1 for case in cases)
    assert root.get("tests") == str(len(cases))
    assert len(root.findall("testsuite")) == 2


def test_annotations_are_one_line_each_the_worst_first() -> None:
    made = many(4, Severity.INFO, Severity.LOW, Severity.MEDIUM, Severity.HIGH)
    finding = (
        made.sessions[0].findings[3].model_copy(update={"evidence": [Evidence(step=4, quote="100%,\nreally: yes")]})
    )
    made = made.model_copy(
        update={
            "sessions": [made.sessions[0].model_copy(update={"findings": [*made.sessions[0].findings[:3], finding]})]
        }
    )
    assert ci.github(Results.of_report(made), BASE) == (
        "::error file=runs/a b.json,line=1,title=loops%3A cycle::Finding 3.%0ASession run-2, step 4, confidence "
        "50%25.%0AStep 4: 100%25, really: yes\n"
        "::warning file=runs/a b.json,line=1,title=loops%3A cycle::Finding 2.%0ASession run-2, step 3, "
        "confidence 50%25.\n"
        "::notice file=runs/a b.json,line=1,title=loops%3A cycle::Finding 1.%0ASession run-2, step 2, confidence "
        "50%25.\n"
    )


def test_of_findings_of_one_severity_the_longest_comes_first() -> None:
    made = stuck()
    finding = made.sessions[0].findings[0]
    short, long = (
        finding.model_copy(
            update={"title": title, "confidence": sure, "cost": finding.cost.model_copy(update={"actions": actions})}
        )
        for title, sure, actions in (("Short.", 0.95, 7), ("Long.", 0.9, 47))
    )
    made = made.model_copy(update={"sessions": [made.sessions[0].model_copy(update={"findings": [short, long]})]})
    assert [result.title for result in Results.of_report(made).results] == ["Long.", "Short."]


def test_files_that_could_not_be_read_are_listed() -> None:
    rows = [
        ("/srv/shop/bad, really.json", 1, "unreadable", "", "is damaged JSON."),
        ("/srv/shop/a.json", 1, "warning", "line 3", "not JSON; skipped"),
    ]
    results = Results.of_tables([], [], [], rows)
    (note,) = of_sarif(results)["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert (note["level"], note["message"]["text"]) == ("error", "is damaged JSON.")
    assert note["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "bad%2C%20really.json"
    root = ElementTree.fromstring(ci.junit(results, ["loops"], BASE))
    error = root.find("testsuite/testcase/error")
    assert error is not None
    assert (root.get("tests"), root.get("errors"), error.get("message")) == ("1", "1", "is damaged JSON.")
    assert (
        ci.github(results, BASE)
        == "::warning file=bad%2C really.json,line=1,title=could not be read::is damaged JSON.\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize("made", MIXED.values(), ids=MIXED.keys())
def test_whatever_the_transcript_says_the_forms_stay_whole(made: Mixed) -> None:
    def check(path: str) -> None:
        source = made.report.source.model_copy(update={"path": path.replace("\0", "") or "x"})
        results = Results.of_report(made.report.model_copy(update={"source": source}))
        of_sarif(results)
        xml = ci.junit(results, ["loops"], BASE)
        assert len(ElementTree.fromstring(xml.encode()).findall("testsuite")) == len(results.sessions)
        notes = ci.github(results, BASE)
        for text in (xml, notes, ci.sarif(results, MANUALS, "1", BASE)):
            assert re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text) is None
            text.encode()
        lines = notes.removesuffix("\n").split("\n")
        assert all(re.match(r"::(error|warning|notice) file=[^,]*,line=1,title=[^,]*::", line) for line in lines)

    check_each(made.texts, check)


@table("paths_are_named_from_the_folder_on")
def test_paths_are_named_from_the_folder_on(path: str, expected: tuple[str, bool]) -> None:
    assert relative(path, BASE) == expected


def test_paths_as_uris() -> None:
    assert uri("/srv/shop/ä#1.json", BASE) == ("%C3%A4%231.json", True)
    assert uri("/tmp/a b.json", BASE) == ("file:///tmp/a%20b.json", False)
    assert uri("s3://bucket/a b.json", BASE) == ("s3://bucket/a%20b.json", False)


@table("files_of_the_code_are_named_where_they_may_be_found")
def test_files_of_the_code_are_named_where_they_may_be_found(file: str, expected: str | None) -> None:
    assert code_uri(file) == expected
