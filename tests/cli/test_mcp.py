"""`analyze-session mcp` and `analyze-session skill` as their users call them."""

from __future__ import annotations

import importlib.util
import re

import pytest

from analyzer.cli.console.command import MODULES
from analyzer.serving.mcp_server import Answers
from tests.cli.conftest import Program


@pytest.mark.skipif(importlib.util.find_spec("mcp") is not None, reason="the MCP SDK (extra mcp) is installed")
def test_without_the_sdk_the_extra_is_named(program: Program) -> None:
    ran = program("mcp")
    assert (ran.code, ran.out) == (2, "")
    assert "pip install 'analyze-session[mcp]'" in ran.err


def test_the_skill_names_only_what_there_is(program: Program) -> None:
    text = program("skill").out
    assert text.startswith("---\nname: post-mortem\ndescription: ")
    assert set(re.findall(r"analyze-session ([a-z-]+) ", text)) <= {*MODULES}
    assert all(hasattr(Answers, tool) for tool in re.findall(r"`(\w+)\(", text))
