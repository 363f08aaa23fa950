"""Which command lines install packages by name, and so change what a program runs with."""

from __future__ import annotations

from analyzer.text.late import late

_LONGEST = 20_000
"""Characters of a command line in which an installation must occur."""
_INSTALLS = late(
    r"\b(?:pip\d?|pipx|uv(?: pip)?|conda|mamba|poetry|npm|pnpm|yarn|bun|composer|gem|bundle|cargo|brew|apt|apt-get"
    r"|apk|dnf|yum|choco|nuget)(?: -[\w-]+)* (?:install|add|i|update|upgrade|reinstall|require|uninstall|remove"
    r"|downgrade)(?: -[\w-]+(?:=\S+)?){0,9} [\"']?(?![\"'-])(?=[\w@])(?!\S*/\S*/)[\w@]"
)


def installs(command: str | None) -> bool:
    """Whether a command line installs, replaces or removes a package that it names; a project that installs itself
    (`pip install -e .`) only brings its edits to where they run."""
    return _INSTALLS.search((command or "")[:_LONGEST]) is not None
