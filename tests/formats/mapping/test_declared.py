"""A format as a file of rules: the one in the manual, what it warns of, and what is wrong with others."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

from analyzer.formats.container.document import Document
from analyzer.formats.loading.mapping.declared import of_mapping
from analyzer.formats.loading.mapping.files import parsed
from analyzer.formats.loading.mapping.format import Mapped
from analyzer.formats.loading.registry import formats
from analyzer.model.errors import BadConfiguration
from analyzer.model.mapping import FormatRule
from analyzer.model.session import Message, ToolCall, ToolResult
from tests.documentation import ROOT
from tests.formats.corpus_files import recognised
from tests.tables import table

MANUAL = (ROOT / "docs" / "mapping.md").read_text(encoding="utf-8")
RULES = next(block for block in re.findall(r"```toml\n(.*?)```", MANUAL, re.DOTALL) if "[format]" in block)


def test_the_rules_of_the_manual_read_a_log() -> None:
    records = [
        {
            "run": "r1",
            "at": 1_700_000_000,
            "said": "I look.",
            "commands": [{"n": "1", "do": "ls", "got": "a", "code": 0}],
        },
        {"run": "r1", "at": 1_700_000_005, "said": "Done.", "commands": [{"sing": "la"}, 7], "do": None},
        {"type": "ping"},
        {"type": "riddle"},
        {"run": "r1", "do": "nothing", "said": "Bye."},
    ]
    (session,) = of_mapping(parsed(RULES, "x")).read(Document("x.jsonl", "\n".join(map(json.dumps, records))))
    assert session.events == [
        Message("assistant", "I look.", 1_700_000_000.0),
        ToolCall("1", "shell", {"command": "ls"}, 1_700_000_000.0, batch="line 1"),
        ToolResult("1", "a", exit_code=0),
        Message("assistant", "Done.", 1_700_000_005.0),
        Message("assistant", "Bye."),
    ]
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("line 2", "a command that no rule is for; skipped"),
        ("line 2", "a JSON int where a command was expected; skipped"),
        ("line 4", "unknown kind of record 'riddle'; skipped"),
    ]


def test_every_file_of_rules_is_a_format() -> None:
    files = (ROOT / "analyzer" / "formats").rglob("*.toml")
    read = (
        tomllib.loads(file.read_text(encoding="utf-8")) for file in files if not {"loading", "record"} & {*file.parts}
    )
    tables = [tables["format"] for tables in read]
    assert {about["name"] for about in tables} <= {entry.name for entry in formats()}
    kinds = {base for entry in formats() for base in type(entry).__mro__}
    known = {key for kind in kinds for key in (*vars(kind), *vars(kind).get("__annotations__", {}))}
    assert {key for about in tables for key in about} <= known | set(FormatRule.model_fields)


@table("documents_that_only_look_like_a_format")
def test_a_document_that_only_looks_like_one_of_a_format_is_left(name: str, file: str, content: str) -> None:
    assert not recognised(name, Document(file, content))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (RULES.replace("rules.command", "rules.other"), "x: the file: has no rules called command."),
        (RULES.replace("own =", "its ="), "x: format.own: Field required."),
        (RULES.replace("answer =", "reply ="), "x: rules.record.0.reply: is no key of a mapping."),
        (RULES.replace("answer = true", 'end = { ending = "dawn" }'), "x: rules.record.0.end.ending: Input should be"),
        (RULES.replace("answer = true", 'hook = "sing"'), "shelf: hook 'sing' is no method of the format's reader."),
        (RULES.replace("answer = true", 'hook = "take"'), "shelf: hook 'take' is no method of the format's reader."),
        (RULES.replace('{ commands = "command" }', '{ "@" = "record" }'), "x: the file: each '@', rules.record: would"),
        (RULES.replace("rules.record]]", "rules.command]]"), "x: the file: needs the table call, or"),
        (f'{RULES}[[rules.command]]\neach = {{ "^commands" = "command" }}', "x: the file: each '^commands', rules."),
        ('[call]\nname = "a"\n[result]\nexit_text = "(a{9999999999})"', "x: cannot be used: the repetition number is"),
        (f"a = {'[' * 3_000}", "x: cannot be used: maximum recursion depth exceeded"),
        (f"a = {'9' * 5_000}", "x: cannot be used: Exceeds the limit"),
    ],
)
def test_mistakes_in_rules_are_named(text: str, says: str) -> None:
    with pytest.raises(BadConfiguration) as caught:
        of_mapping(parsed(text, "x"))
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize("expression", ["(exit)", "exit", "exit (7)?", "exit (\\\\d+)"])
def test_a_group_that_holds_no_number_is_no_exit_code(expression: str) -> None:
    rules = f'[call]\nname = "do"\n[result]\ntext = "got"\nflag = "bad"\nexit_text = "{expression}"'
    record = {"do": "ls", "got": "exit 3", "bad": True}
    (session,) = Mapped(parsed(rules, "x")).read(Document("x.jsonl", json.dumps(record)))
    (result,) = (event for event in session.events if isinstance(event, ToolResult))
    assert result.exit_code == (3 if "d" in expression else None)


def test_rules_may_have_any_name() -> None:
    rules = RULES.replace("rules.command]]", 'rules.""]]').replace('= "command"', '= ""')
    records = Document("x.jsonl", json.dumps({"run": "r1", "do": "it", "said": "Bye.", "commands": [7]}))
    (session,) = of_mapping(parsed(rules, "x")).read(records)
    assert [warning.what for warning in session.warnings] == ["a JSON int where a  was expected; skipped"]


def test_a_call_of_another_tool_is_not_the_same_recorded_again() -> None:
    rules = RULES.replace('id = "n", command = "do"', 'id = "n", name = "do", once = true')
    calls = [{"n": "1", "do": name} for name in ("a", "a", "b")]
    said = {"run": "r1", "do": "it", "said": "I look.", "commands": calls}
    (session,) = of_mapping(parsed(rules, "x")).read(Document("x.jsonl", json.dumps(said)))
    assert [call.name for call in session.calls()] == ["a", "b"]
