"""The plan of five steps and the runs of the sample's story, in miniature."""

from __future__ import annotations

from analyzer.case_study.scenario import scenario_from_text
from analyzer.model.scenario import Scenario
from analyzer.model.session import Event
from analyzer.model.words import Mark
from tests.build import Part, call

PLUGINS = "plugin_alpha: reads mail\nplugin_beta: keeps a calendar\nplugin_gamma: draws maps"
TABLE = (
    "| Plugin | What it does |\n|---|---|\n| plugin_alpha | reads mail |\n| plugin_beta | keeps a calendar |\n| "
    "plugin_gamma | draws maps |"
)
ASK = "Convert this list to a Markdown table: "

PLAN = """
title: Plugins as a table
prompt: List all plugins as a table in plugins.md.
phases: {planning: ["planner.*"]}
plan:
  - tool: code_reader.list_plugins
  - tool: files.write_file
    arguments: {path: temp_plugins.txt, content: $result.step_1}
  - tool: files.read_file
    arguments: {path: temp_plugins.txt}
  - tool: llm.execute
    arguments: {prompt: "Convert this list to a Markdown table: $result.step_3"}
    result: {lacks: don't have}
  - tool: files.write_file
    arguments: {path: plugins.md, content: $result.step_4}
success:
  files:
    - {path: plugins.md, contains: plugin_gamma, lines: 5}
"""


def scenario(text: str = PLAN) -> Scenario:
    return scenario_from_text(text)


def first_three() -> list[Part]:
    return [list_plugins(), write("temp_plugins.txt", PLUGINS), read("temp_plugins.txt", PLUGINS)]


def list_plugins(result: str = PLUGINS) -> tuple[Event, ...]:
    return call("code_reader.list_plugins", {}, result)


def write(path: str, content: str, **more: object) -> tuple[Event, ...]:
    return call("files.write_file", {"path": path, "content": content}, "Written.", **more)  # type: ignore[arg-type]


def read(path: str, result: str) -> tuple[Event, ...]:
    return call("files.read_file", {"path": path}, result)


def ask(result: str = TABLE, *, name: str = "prompt", about: str = PLUGINS, **more: object) -> tuple[Event, ...]:
    return call("llm.execute", {name: ASK + about}, result, **more)  # type: ignore[arg-type]


def good_run() -> list[Part]:
    return [*first_three(), ask(), write("plugins.md", TABLE)]


def refused(name: str, wanted: str) -> tuple[Event, ...]:
    return ask(
        f"Invalid arguments for tool llm.execute: missing required argument: {wanted}",
        name=name,
        is_error=True,
        mark=Mark.REJECTED,
    )


def run_1() -> list[Part]:
    """Step 4 is turned down whatever its input is called, and the plan is mended in vain."""
    mend = call("planner.repair_plan", {"step": 4}, "Mended.")
    tries = [
        refused("prompt", "user_input"),
        mend,
        refused("user_input", "input"),
        mend,
        refused("input", "user_input"),
    ]
    return [call("planner.create_plan", {"goal": "table"}, "5 steps"), *first_three(), *tries]


def run_2() -> list[Part]:
    """Step 4 fails in the tool's own code."""
    return [
        *first_three(),
        ask("TypeError: LLMTool.execute() got an unexpected keyword argument 'prompt'", is_error=True),
    ]


def run_3() -> list[Part]:
    """Planning itself fails."""
    broken = "TypeError: create_plan() missing 1 required keyword-only argument: 'context'"
    return [
        call("planner.create_plan", {"goal": "table"}, broken, is_error=True),
        call("planner.create_plan", {"goal": "table"}, broken, is_error=True),
    ]


def run_4() -> list[Part]:
    """All steps run, but the model says that it has no list."""
    sorry = "I'm sorry, I don't have a plugin list to convert."
    return [*first_three(), ask(sorry), write("plugins.md", sorry)]
