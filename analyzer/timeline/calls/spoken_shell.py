"""Whether a text that a tool of unknown kind is given can only be a shell line."""

from __future__ import annotations

from analyzer.text.late import late
from analyzer.text.names import name_set
from analyzer.timeline.calls.programs import FILE_MOVERS, FILE_WRITERS, READERS, SEARCHERS

_RUNNERS = name_set(
    """
    apt apt-get bash biome black brew bun bundle bunx cargo cd clang composer conda cmake ctest curl deno docker dotnet
    dpkg eslint flake8 g++ gcc git gradle gradlew helm java javac jest kotlinc kubectl mocha mvn mypy ninja node npm npx
    oxlint phpunit php pip pip3 pnpm podman poetry prettier psql pylint pyright pytest python python3 rake rspec ruby
    ruff rustc sed sh sqlite3 ssh sudo tox tsc uv vitest wget yarn
    """
)
_SENTENCES = name_set(
    """
    [ basename cat cd column cut date df diff dirname du env fd file find free grep head id install java less link ln
    locate make more patch ruby sort split stat strings tail tee test time tr tree type which python node go
    """
)
"""Programs whose names begin sentences as well."""
_PROGRAMS = _RUNNERS | READERS | SEARCHERS | FILE_MOVERS | FILE_WRITERS | {"make", "go", "python", "node"}
_FIRST = late(
    r"(?:[A-Za-z_]\w{0,60}=\S{0,200} ){0,9}(?P<path>(?:\.{0,2}/)?(?:[\w.+-]{1,60}/){0,20})"
    r"(?P<program>[\w.+\[-]{1,60})(?=\s|$)"
)
_SURELY = late(r"\s--?[A-Za-z]|&&|\|\||[<>;]|\s\.{1,2}/|^\s+(?:[./~$*\"'-]|\S{0,200}[/.*=]\S)")
"""What options, operators and paths look like."""
_ALSO = late(r"(?:^|\s)~?/|[\w-]/[\w.-]|\w\.\w{1,5}(?:[\s:]|$)|[$*\"'|]")
_PIPED = late(r"2>&1|\|\s{0,4}(?P<program>[\w.-]{1,60})")
_LONGEST, _FEW_WORDS = 4_000, 4


def is_shell_line(text: str) -> bool:
    """Whether a text begins with a program that is known and goes on as sentences don't. A program that is named by
    its path is enough."""
    line = text.strip()
    found = _FIRST.match(line[:300])
    if found is None or len(line) > _LONGEST or line.endswith(("?", "!")):
        return False
    program, rest = found["program"], line[found.end() :]
    if found["path"].startswith(("./", "../", "/")):
        return True
    if any(pipe["program"] is None or pipe["program"] in _PROGRAMS for pipe in _PIPED.finditer(rest[:_LONGEST])):
        return True
    if program not in _PROGRAMS:
        return False
    if program in _SENTENCES or _SURELY.search(rest):
        return _SURELY.search(rest) is not None
    return _ALSO.search(rest) is not None or len(rest.split()) < _FEW_WORDS
