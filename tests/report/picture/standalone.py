"""A picture as a file of its own, with its colours in it."""

from __future__ import annotations

import re
from functools import cache

from analyzer.report.environment import templates_directory

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_ROOT = re.compile(r":root\s*\{(?P<body>[^}]*)\}")
_TEXT = re.compile(r"^svg text[^{}]*\{[^}]*\}", re.MULTILINE)
_DRAWN = re.compile(r"^\.(?:swimlane-chart|thumbnail)\b.*$", re.MULTILINE)
_LINK = re.compile(r"<a\b[^>]*>|</a>")
_HEAD = re.compile(r"<svg (?P<rest>[^>]*)>")


def standalone(svg: str) -> str:
    """`svg` as a file that a browser, or a page that shows it as an image, draws in the same colours as our pages do,
    in light and dark. Its links, which lead nowhere outside of a page, become plain groups. Ends in a newline."""
    plain = _LINK.sub(_group, svg)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" \\g<rest>>\n<style>\n{_style()}</style>\n'
    return _HEAD.sub(head, plain, count=1).replace("</g><g", "</g>\n<g") + "\n"


def _group(found: re.Match[str]) -> str:
    if found.group() == "</a>":
        return "</g>"
    name = re.search(r' class="[^"]*"', found.group())
    return f"<g{name.group() if name else ''}>"


@cache
def _style() -> str:
    folder = templates_directory() / "html"
    base, *drawn = (
        _COMMENT.sub("", (folder / name).read_text(encoding="utf-8"))
        for name in ("base.css", "swimlanes.css", "thumbnail.css")
    )
    light, dark = (_variables(found["body"]) for found in list(_ROOT.finditer(base))[:2])
    rules = [*_TEXT.findall(base), *(rule for text in drawn for rule in _DRAWN.findall(text))]
    ground = "svg { background: var(--bg); }"
    return (
        "\n".join(
            [f":root {{ {light} }}", f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}", ground, *rules]
        )
        + "\n"
    )


def _variables(body: str) -> str:
    return " ".join(f"{name}: {value.strip()};" for name, value in re.findall(r"(--[\w-]+):\s*([^;]+);", body))
