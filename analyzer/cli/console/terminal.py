"""The Markdown report, set for a terminal: at most 100 columns wide, with the folded parts left out or opened."""

from __future__ import annotations

import html
import io
import os
import shutil
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, ClassVar, Literal

from markdown_it import MarkdownIt
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Markdown, MarkdownElement

from analyzer.cli.console.output import without_escapes
from analyzer.text.late import late

if TYPE_CHECKING:
    from markdown_it.token import Token

    from analyzer.report.picture.model import PictureModel

WIDEST = 100
BLOCKS = 4
"""How many blocks a picture has at most."""
PICTURE = "picture"
"""The info string of a fenced block in whose place a picture is drawn: the one whose number, from 0, the block
holds."""

_FENCE = late(r"[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(?P<fence>`{3,}(?=[^`]*$)|~{3,})")
_CODE = late(r"(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)")
_TAGS = "details|summary|a|b|br|code|div|em|hr|i|img|kbd|p|picture|source|span|strong|sub|sup"
_TAG = late(rf"(?P<code>{_CODE.pattern})|(?<!\\)</?(?:{_TAGS})(?:\s[^<>]*)?/?>")
_OPEN = late(r"(?<!\\)<details[\s>]")
_CLOSE = late(r"(?<!\\)</details>")
_SUMMARY = late(r"(?<!\\)<summary>(?P<summary>.*?)</summary>")
_PUNCTUATION = late(r"([!-/:-@\[-`{-~])")


class _Drawn(MarkdownElement):
    """The picture of a session."""

    def __init__(self, model: PictureModel, unicode: bool) -> None:
        self.model, self.unicode = model, unicode

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from analyzer.cli.console.action_table import colored
        from analyzer.report.picture.text import picture_lines

        for line in picture_lines(self.model, options.max_width, self.unicode, BLOCKS):
            yield colored(line)


class _Fence(CodeBlock):
    """A fenced block, or the picture that it stands for."""

    @classmethod
    def create(cls, markdown: Markdown, token: Token) -> MarkdownElement:  # type: ignore[override]
        number = token.content.strip()
        if (
            token.info == PICTURE
            and isinstance(markdown, _Page)
            and number.isdecimal()
            and int(number) < len(markdown.pictures)
        ):
            return _Drawn(markdown.pictures[int(number)], markdown.unicode)
        return super().create(markdown, token)


class _Page(Markdown):
    """A page with pictures."""

    pictures: Sequence[PictureModel] = ()
    unicode = True
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {**Markdown.elements, "fence": _Fence}


def render(
    markdown: str, *, color: bool, unfold: bool, pictures: Sequence[PictureModel] = (), unicode: bool = True
) -> str:
    """The report as a terminal shows it. Nothing in it is taken for console markup, nor for a terminal escape.

    A fenced block with the info string `PICTURE` becomes that one of `pictures`, drawn in ASCII where `unicode` isn't
    set.
    """
    text = "\n".join(_lines(without_escapes(markdown), unfold))
    stream = io.StringIO()
    console = plain_console(stream, max(20, min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)), color=color)
    document = _Page("", code_theme="ansi_dark", hyperlinks=False)
    document.pictures, document.unicode = pictures, unicode
    # The parser of rich takes HTML out together with the text around it; session text must not get lost like that.
    document.parsed = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).parse(text)
    console.print(document)
    printed = stream.getvalue()
    return printed if color else "\n".join(line.rstrip(" ") for line in printed.split("\n"))


def plain_console(stream: IO[str], width: int, *, color: bool) -> Console:
    """A console that writes what it's given as it is: nothing is markup, an emoji or a number to highlight. It has as
    many colours as the environment says that the terminal has."""
    colors: Literal["standard", "256", "truecolor"] = "256" if "256" in os.environ.get("TERM", "") else "standard"
    if os.environ.get("COLORTERM") in ("truecolor", "24bit"):
        colors = "truecolor"
    return Console(
        file=stream,
        width=width,
        force_terminal=color,
        color_system=colors if color else None,
        no_color=not color,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
    )


def _lines(text: str, unfold: bool) -> Iterator[str]:
    """The lines to show, without HTML; what is in a code block is left as it is."""
    depth = 0
    comment = False
    fence = ""
    for line in text.split("\n"):
        shown = unfold or depth == 0
        if fence:
            bare = line.lstrip(" \t>").rstrip()
            fence = "" if len(bare) >= len(fence) and not bare.strip(fence[0]) else fence
        elif comment or line.lstrip().startswith("<!--"):
            comment = "-->" not in line
            continue
        elif opened := _FENCE.match(line):
            fence = opened["fence"]
        else:
            bare = _CODE.sub("", line)
            depth += len(_OPEN.findall(bare)) - len(_CLOSE.findall(bare))
            if shown and (found := _SUMMARY.search(line)):
                heading = _PUNCTUATION.sub(r"\\\1", html.unescape(_without_tags(found["summary"])).strip())
                yield from ("", f"**{heading}**" + ("" if unfold else ": shown with -v or -f markdown"), "")
            if shown and (unfold or depth == 0):
                yield _without_tags(_SUMMARY.sub("", line))
            continue
        if shown:
            yield line


def _without_tags(line: str) -> str:
    return _TAG.sub(lambda tag: tag["code"] or "", line)
