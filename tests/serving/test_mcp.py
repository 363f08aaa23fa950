"""The server, asked by a client of the official SDK over standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.serving.test_answers import SECRET, action, write

# Importing the SDK takes seconds, which only the process that runs these tests has to spend.
pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="the MCP SDK (extra mcp) isn't installed")
ROOT = Path(__file__).resolve().parents[2]


async def talk(place: Path, *calls: tuple[str, dict[str, Any]]) -> tuple[list[Any], list[tuple[bool, str]]]:
    """The tools of a server that is started with this place, and its answers: whether each is an error, its text."""
    mcp: Any = import_module("mcp")

    parameters = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-m", "analyzer", "mcp", str(place)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])},
        cwd=str(place),
    )
    async with mcp.stdio_client(parameters) as (read, write_), mcp.ClientSession(read, write_) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        answers = [await session.call_tool(name, arguments) for name, arguments in calls]
    return tools, [(bool(answer.is_error), answer.content[0].text) for answer in answers]


@pytest.mark.slow
def test_a_client_lists_the_tools_and_gets_answers(tmp_path: Path) -> None:
    place = tmp_path / "logs"
    place.mkdir()
    write(place / "stuck.json", *[action(f"no rule, token {SECRET}") for _ in range(6)])
    write(tmp_path / "outside.json", action("ok", 0))
    tools, answers = asyncio.run(
        talk(
            place,
            ("post_mortem", {"log": "stuck.json"}),
            ("guard_check", {"log": "stuck.json"}),
            ("explain", {"finding": "loops"}),
            ("post_mortem", {"log": "../outside.json"}),
            ("find", {"text": "rule"}),
            ("post_mortem", {"log": "-"}),
        )
    )
    assert [tool.name for tool in tools] == ["post_mortem", "find", "explain", "guard_check"]
    assert all(len(tool.description) > 60 for tool in tools)
    assert [failed for failed, _ in answers] == [False, False, False, True, True, True]
    texts = [text for _, text in answers]
    assert "# Post-mortem: session `ebb`" in texts[0]
    assert "step 3" in texts[1]
    assert "What it flags" in texts[2]
    assert "is no file or folder that this server was started with" in texts[3]
    assert "holds no audit" in texts[4]
    assert SECRET not in json.dumps(texts)
