"""The run loads one file, the agent edits another."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from tests.build import Part, diagnosed, edit, findings, run, traceback

CACHED = "/go/pkg/mod/quay.example/gig@v1.2.0"
INSTALLED = "/usr/lib/python3/dist-packages/gig/crew.py"


def failing(file: str, error: str = "KeyError: 'bow'", main: str = "/w/row.py") -> str:
    return traceback(error, (main, 3, "<module>", "crew.seats()"), (file, 12, "seats", "return self.oars[name]"))


def rounds(file: str, edited: str, count: int = 3, *extra: Part, main: str = "/w/row.py") -> list[Part]:
    fails = run("python row.py", failing(file, main=main), 1)
    return [[edit(edited, f"a = {n}", f"a = {n + 1}"), *extra, fails] for n in range(count)]


def found(*parts: Part) -> list[Finding]:
    return findings(*parts, detector="wrong-file")


FIRES = [
    pytest.param(rounds(INSTALLED, "/w/gig/crew.py"), INSTALLED, "/w/gig/crew.py", id="installed-package"),
    pytest.param(
        rounds("/w/build/lib/gig/crew.py", "/w/gig/crew.py"),
        "/w/build/lib/gig/crew.py",
        "/w/gig/crew.py",
        id="built-copy",
    ),
    pytest.param(
        rounds("/w/node_modules/gig/crew.py", "packages/gig/crew.py"),
        "/w/node_modules/gig/crew.py",
        "packages/gig/crew.py",
        id="vendored-package",
    ),
    pytest.param(
        rounds("/w/gig/crew.py", "/w/gig/crew_fixed.py"),
        "/w/gig/crew.py",
        "/w/gig/crew_fixed.py",
        id="copy-beside-the-original",
    ),
    pytest.param(rounds("/w/gig/crew.py", "/w/gig/crew2.py"), "/w/gig/crew.py", "/w/gig/crew2.py", id="numbered-copy"),
    pytest.param(
        rounds("/w/dist/text/crew.js", "/w/src/text/crew.ts"),
        "/w/dist/text/crew.js",
        "/w/src/text/crew.ts",
        id="a-build-of-the-sources",
    ),
    *(
        pytest.param(rounds(f"{tree}/gig/crew.py", "/w/gig/crew.py"), f"{tree}/gig/crew.py", "/w/gig/crew.py", id=tree)
        for tree in ("/w/.worktrees/oars", "/tmp/keel", "/w-old")
    ),
    pytest.param(
        rounds(f"{CACHED}/crew.go", "/w/gig/crew.go"), f"{CACHED}/crew.go", "/w/gig/crew.go", id="a cache of modules"
    ),
    pytest.param(
        [[edit("/w/gig/crew.go", "a", str(n)), run("go run .", failing(f"{CACHED}/crew.go"), 1)] for n in range(3)],
        f"{CACHED}/crew.go",
        "/w/gig/crew.go",
        id="a build that leaves the cache as it is",
    ),
    pytest.param(rounds("/w/lib/crew.js", "src/crew.js"), "/w/lib/crew.js", "src/crew.js", id="a-build-of-one-folder"),
    pytest.param(
        [
            rounds(INSTALLED, "/w/gig/crew.py", 2),
            edit("/w/README.md", "a", "b"),
            rounds(INSTALLED, "/w/gig/crew.py", 1),
        ],
        INSTALLED,
        "/w/gig/crew.py",
        id="another-edit-in-between",
    ),
]


@pytest.mark.parametrize(("parts", "loaded", "edited"), FIRES)
def test_fires(parts: list[Part], loaded: str, edited: str) -> None:
    (finding,) = found(*parts)
    assert finding.fault is not None
    assert (finding.fault.file, finding.edited_instead) == (loaded, [edited])
    assert finding.detectable_at == finding.steps[2]


SILENT = [
    pytest.param(rounds("/go/pkg/mod/quay.example/gigs@v1.2.0/crew.go", "/w/gig/crew.go"), id="another-module"),
    pytest.param(rounds("/w/gig/crew.py", "/w/gig/crew.py"), id="the-file-in-the-trace"),
    pytest.param(rounds("/w/gig/crew.py", "gig/crew.py"), id="the-file-by-a-shorter-name"),
    pytest.param(rounds("/testbed/gig/crew.py", "/w/gig/crew.py", main="/testbed/row.py"), id="another-mount"),
    pytest.param(rounds(INSTALLED, "/w/gig/boat.py"), id="a-file-that-the-trace-has-no-twin-of"),
    pytest.param(rounds(INSTALLED, "crew.py"), id="no-folder-to-compare"),
    pytest.param(rounds(INSTALLED, "/w/gig/crew.py", 2), id="twice-only"),
    pytest.param(rounds(INSTALLED, "/w/gig/crew.py", 3, run("pip install .")), id="installed-anew"),
    pytest.param(
        rounds(INSTALLED, "/w/gig/crew.py", 3, run("cp gig/crew.py /usr/lib/python3/dist-packages/gig/")),
        id="copied-over",
    ),
    pytest.param(rounds("/w/gig/crew.py", "/w/gig/crewing.py"), id="another-word"),
    pytest.param(rounds("/w/dist/crew.js", "/w/src/crew.ts", 3, run("npm run build")), id="built-anew"),
    pytest.param(rounds("/w/dist/text/crew.js", "/w/src/mail/crew.ts"), id="another-folder-of-the-sources"),
    pytest.param(rounds("/w/dist/crew.js", "/w/src/crew.py"), id="no-build-makes-the-one-of-the-other"),
    pytest.param(rounds("/w/gig/crew.py", "/w/gig/crew_fixed.js"), id="another-language"),
    pytest.param(
        [
            rounds("/w/gig/crew.py", "/w/gig/crew_fixed.py", 2),
            edit("/w/gig/crew.py", "a", "b"),
            rounds("/w/gig/crew.py", "/w/gig/crew_fixed.py", 1),
        ],
        id="the-original-was-edited-too",
    ),
    pytest.param([run("python row.py", failing(INSTALLED), 1)] * 4, id="no-edit"),
    pytest.param(
        [
            [edit("/w/gig/crew.py", "a", str(n)), run("python row.py", failing(INSTALLED, f"KeyError: 'oar_{n}'"), 1)]
            for n in "abcd"
        ],
        id="another-error-each-time",
    ),
    pytest.param([], id="nothing"),
]


@pytest.mark.parametrize("parts", SILENT)
def test_does_not_fire(parts: list[Part]) -> None:
    assert [finding.title for finding in found(*parts)] == []


def test_the_root_cause_says_so() -> None:
    post_mortem = diagnosed(*rounds(INSTALLED, "/w/gig/crew.py", 4))
    assert post_mortem.diagnosis.root_cause is not None
    assert "the edits went to" in post_mortem.diagnosis.root_cause


def in_tree(edited: str, directory: str = "/w/.trees/worktrees/low") -> list[Part]:
    error = traceback("KeyError: 'bow'", ("row.py", 3, "<module>", "crew.seats()"))
    return [
        [edit(edited, f"a = {n}", f"a = {n + 1}"), run(f"cd {directory} && python row.py", error, 1)] for n in range(3)
    ]


def test_the_check_runs_in_another_working_tree() -> None:
    (finding,) = found(*in_tree("/w/gig/crew.py"))
    assert (finding.kind, str(finding.severity)) == ("another-tree", "high")
    assert finding.fault is not None
    assert finding.fault.file == "/w/.trees/worktrees/low/gig/crew.py"
    assert finding.edited_instead == ["/w/gig/crew.py"]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(in_tree("/w/.trees/worktrees/low/gig/crew.py"), id="the same tree"),
        pytest.param(in_tree("/other/gig/crew.py"), id="outside of the repository"),
        pytest.param(in_tree("/w/gig/crew.py", "/w/sub"), id="a folder that is no working tree"),
    ],
)
def test_no_other_working_tree(parts: list[Part]) -> None:
    assert found(*parts) == []
