"""Pages of sessions made for tests, and what a parser finds in them."""

from __future__ import annotations

import base64
import re
import zlib
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from analyzer.diagnosis.step_texts import recording_of
from analyzer.model.postmortem import Report
from analyzer.model.session import Session
from analyzer.report.html.session import render
from analyzer.timeline import build_timeline
from tests.build import Part, report, session

VOID = frozenset({"meta", "input", "br", "hr", "path", "rect", "circle", "line", "use"})
RAW = frozenset({"script", "style"})


@dataclass(eq=False, repr=False)
class Element:
    """One element: its attributes, the text in it, and the elements around it."""

    tag: str
    attributes: dict[str, str]
    parents: tuple[Element, ...]
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def id(self) -> str:
        return self.attributes.get("id", "")

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    def inside(self, name: str) -> bool:
        """Whether an element with that id or class is around it."""
        return any(outer.id == name or name in outer.classes for outer in self.parents)


@dataclass(eq=False, repr=False)
class Parsed(HTMLParser):
    """A page taken apart."""

    elements: list[Element] = field(default_factory=list)
    open: list[Element] = field(default_factory=list)
    unbalanced: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        self.unbalanced.extend(f"{tag} twice {name}" for name in set(names) if names.count(name) > 1)
        made = Element(tag, {name: value or "" for name, value in attrs}, tuple(self.open))
        self.elements.append(made)
        if tag not in VOID:
            self.open.append(made)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1].tag == tag:
            self.open.pop()
        else:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        for element in self.open:
            if not (self.open[-1].tag in RAW and element is not self.open[-1]):
                element.pieces.append(data)

    def handle_comment(self, data: str) -> None:
        self.odd.append(f"comment {data}")

    def handle_decl(self, decl: str) -> None:
        self.odd.append(decl)

    def unknown_decl(self, data: str) -> None:
        self.odd.append(f"declaration {data}")

    def handle_pi(self, data: str) -> None:
        self.odd.append(f"instruction {data}")

    @property
    def tags(self) -> set[str]:
        """The tags of all elements."""
        return {one.tag for one in self.elements}

    def all(self, tag: str = "", name: str = "") -> list[Element]:
        """The elements with that tag, and that class."""
        return [one for one in self.elements if (not tag or one.tag == tag) and (not name or name in one.classes)]

    def by_id(self, name: str) -> Element:
        """The one with that id."""
        (found,) = [one for one in self.elements if one.id == name]
        return found

    def links(self) -> list[str]:
        """Where all links lead."""
        return [one.attributes["href"] for one in self.elements if "href" in one.attributes]

    def headings(self) -> list[str]:
        """The headings of sections."""
        return [" ".join(one.text.split()) for one in self.all("h2")]


_PACKED = re.compile(r'<script type="text/plain" id="packed">([^<]*)</script>')
_PART = re.compile(r'<div data-of="([^"]+)">(.*?)</div>(?=<div data-of=|\Z)', re.DOTALL)


def unpacked(html: str) -> str:
    """The page with what it holds packed in its places."""
    for held in _PACKED.findall(html):
        html = _PACKED.sub("", html)
        for place, part in _PART.findall(zlib.decompress(base64.b64decode(held)).decode()):
            at = re.compile(rf' id="{place}"[^>]*>(?:<summary>.*?</summary>)?', re.DOTALL)
            html = at.sub(lambda found, part=part: found.group() + part, html, count=1)  # type: ignore[misc]
    return html


def parsed(html: str) -> Parsed:
    """The page taken apart, with what it holds packed."""
    made = Parsed()
    made.feed(unpacked(html))
    made.close()
    return made


def written(*sessions: Session) -> str:
    """The page about a transcript with those sessions."""
    return of_report(report(*sessions), *sessions)


def of_report(made: Report, *sessions: Session) -> str:
    """The page that says what that report says about those sessions."""
    return render(made, [recording_of(build_timeline(entry)) for entry in sessions])


def page(*parts: Part, **header: Any) -> Parsed:
    """The page about a session in which that happened, taken apart."""
    return parsed(written(session(*parts, **header)))
