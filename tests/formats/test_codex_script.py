"""Tool calls that are written out in a script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.formats.codex.script import calls_of
from tests.growth import assert_in_proportion


def found(script: str) -> list[tuple[str, object]]:
    return [(call.tool, call.argument) for call in calls_of(script)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param(
            'await tools.exec_command({"cmd":"ls -la","n":1})',
            [("exec_command", {"cmd": "ls -la", "n": 1})],
            id="object",
        ),
        pytest.param(
            "tools.exec_command({cmd: 'a', x: [1, -2.5, true, null],})",
            [("exec_command", {"cmd": "a", "x": [1, -2.5, True, None]})],
            id="bare keys",
        ),
        pytest.param(
            r'tools.exec_command({cmd: "a\n\"b\" \u00e9 \x41 \u{1F4E6} \ud83d\udce6"})',
            [("exec_command", {"cmd": 'a\n"b" é A 📦 📦'})],
            id="escapes",
        ),
        pytest.param(
            "tools.exec_command({cmd: `a\nb ${c({d: 1})} e`})",
            [("exec_command", {"cmd": "a\nb ${c({d: 1})} e"})],
            id="template",
        ),
        pytest.param(r"tools.apply_patch(String.raw`a\n`)", [("apply_patch", r"a\n")], id="raw template"),
        pytest.param("tools.exec_command({cmd: 'a' + \"b\"})", [("exec_command", None)], id="sum"),
        pytest.param("const p = `x`; text(await tools.apply_patch(p))", [("apply_patch", "x")], id="constant"),
        pytest.param("const cmd = 'a'; tools.exec_command({cmd})", [("exec_command", {"cmd": "a"})], id="shorthand"),
        pytest.param("tools.exec_command({cmd: build()})", [("exec_command", None)], id="worked out"),
        pytest.param("tools.exec_command({...base, cmd: 'a'})", [("exec_command", None)], id="spread"),
        pytest.param(
            "const r = await tools.exec_command({cmd: 'a'}); tools.exec_command({cmd: r.output})",
            [("exec_command", {"cmd": "a"}), ("exec_command", None)],
            id="from a result",
        ),
        pytest.param(
            "for (const cmd of ['a', 'b']) await tools.exec_command({cmd, n: 1})", [("exec_command", None)], id="loop"
        ),
        pytest.param(
            "const all = ['a', 'b'];\nawait Promise.all(all.map(cmd => tools.exec_command({cmd})))",
            [("exec_command", {"cmd": "a"}), ("exec_command", {"cmd": "b"})],
            id="map over a constant",
        ),
        pytest.param(
            "await Promise.all([tools.exec_command({cmd: 'a'}), tools.web__run({q: 'b'})])",
            [("exec_command", {"cmd": "a"}), ("web__run", {"q": "b"})],
            id="parallel",
        ),
        pytest.param(
            "// tools.exec_command({cmd: 'a'})\n/* tools.x({}) */ text(\"tools.y({})\"); 'tools.z(1)'",
            [],
            id="comments and strings",
        ),
        pytest.param("mytools.exec_command({cmd: 'a'})", [], id="other object"),
        pytest.param("tools.exec_command(", [("exec_command", None)], id="cut off"),
        pytest.param("tools.exec_command({cmd: 'a", [("exec_command", None)], id="cut off in a string"),
        pytest.param("", [], id="empty"),
    ],
)
def test_what_is_written_out_is_found(script: str, expected: list[tuple[str, object]]) -> None:
    assert found(script) == expected


@given(st.text(alphabet=st.sampled_from("tools.exec_command({cmd:'a`\"$\\[]})+,constfr(of)map=>/*\n 0")))
def test_any_text_is_read(script: str) -> None:
    calls_of(script)


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", ["[", "{a:", "`", "'", "const a = [", "tools.x([", "/*", "\\", "${", "(" * 9, "tools.x(`${", "a+"]
)
def test_long_scripts_of_nothing_are_read_in_time(part: str) -> None:
    assert_in_proportion(calls_of, lambda size: part * size, 5_000, 20_000, repr(part))
