"""Names of files as one spelling: absolute where the working directory is known, with `/` and without `.` and `..`."""

from __future__ import annotations

from functools import lru_cache

from analyzer.text.expressions import compiled
from analyzer.text.names import name_set

_DRIVE = compiled(r"^[A-Za-z]:(?=[\\/]|$)")
_DERIVED = name_set("""
__pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .venv venv node_modules .git target .gradle .next .turbo
coverage htmlcov .coverage .cache .eggs obj bin
""")
_HOME = compiled(r"^/(?:home|Users)/[^/]+")


@lru_cache(maxsize=50_000)
def normal(path: str, directory: str = "") -> str:
    """`path` seen from `directory`. A relative path from an unknown directory (empty) stays relative."""
    text = path.strip().replace("\\", "/")
    text = text.removeprefix("file://")
    if _DRIVE.match(text):
        text = "/" + text[0].lower() + text[1:]
    if text.startswith("~"):
        home = _HOME.match(directory)
        text = home[0] + text[1:] if home and (text == "~" or text.startswith("~/")) else "/" + text
    absolute = text.startswith("/")
    if not absolute and directory:
        text, absolute = f"{directory}/{text}", directory.startswith("/")
    parts: list[str] = []
    for part in text.split("/"):
        if part in ("", "."):
            continue
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part != ".." or not absolute:
            parts.append(part)
    return ("/" if absolute else "") + "/".join(parts)


def under(path: str, folder: str) -> bool:
    """Whether a path is `folder` or lies below it; everything relative lies below the empty folder."""
    if not folder:
        return not path.startswith("/")
    return path == folder or path.startswith(folder if folder == "/" else folder + "/")


def last(path: str) -> str:
    """The last part of a path."""
    return path.rsplit("/", 1)[-1]


@lru_cache(maxsize=50_000)
def derived(path: str) -> bool:
    """Whether a path belongs to what tools make by themselves: caches, installed packages, version control."""
    return any(part in _DERIVED or part.endswith((".egg-info", ".dist-info", ".pyc")) for part in path.split("/"))


def below(path: str, root: str) -> str:
    """A path as it's called from the root, for one that lies below it."""
    return path[len(root) + 1 :] if root and path != root and under(path, root) else path
