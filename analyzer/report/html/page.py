"""The page around every HTML report: one file that loads nothing and runs nothing but its own script. And
the Jinja environment for it: everything is escaped, and nothing in a text can steer the reader's eye or terminal."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from functools import cache

import jinja2
from markupsafe import Markup

from analyzer.report import safe
from analyzer.report.environment import FILTERS, GLOBALS, kept_templates, templates_directory
from analyzer.report.html import prose
from analyzer.report.picture.thumbnail import svg_of
from analyzer.text.late import late


@cache
def environment() -> jinja2.Environment:
    """The environment for our own HTML templates. Undefined names are errors; whatever is not `Markup` is freed of
    control characters and escaped."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_directory() / "html", encoding="utf-8"),
        bytecode_cache=kept_templates(),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(FILTERS, prose=prose.prose, thumbnail=svg_of, unlinked=prose.unlinked, clip=safe.clip)
    made.globals.update(GLOBALS)
    return made


def _shown(value: object) -> object:
    return safe.visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


COMMON = "base"
"""The style sheet and the script that every page has."""


def page(
    title: str,
    template: str,
    context: Mapping[str, object],
    *,
    parts: Sequence[str] = (),
    data: Mapping[str, object] | None = None,
    packed: Mapping[str, Markup] | None = None,
    served: bool = False,
) -> str:
    """A whole page, ending in a newline: the body from `template`, with the style sheets and scripts named in `parts`
    (`NAME.css` and `NAME.js` in the folder of the templates, each if it's there) after those of every page.

    `data` is put into the page as JSON in `<script type="application/json" id="KEY">`, which no browser runs. `packed`
    has what the template leaves to the script to put into the elements with those ids: deflated it weighs a fourth. The
    page's Content-Security-Policy lets only these very styles and scripts through: no request, no handler in the
    markup, no style attribute; one that is `served` may ask its server, and send forms there.
    """
    names = (COMMON, *parts)
    style, script = _source(names, ".css"), _source(names, ".js")
    body = environment().get_template(template).render(**context)
    parts = "".join(Markup('<div data-of="{}">{}</div>').format(*part) for part in (packed or {}).items())
    text = (
        environment()
        .get_template("page.html.j2")
        .render(
            title=title,
            policy=_POLICY.format(style=_hash(style), script=_hash(script), asks=_SERVED if served else "'none'"),
            style=Markup(style),
            script=Markup(script),
            body=Markup(_BLANK.sub("\n", body)),
            data={key: island(value) for key, value in (data or {}).items()},
            packed=base64.b64encode(zlib.compress(parts.encode(), 9)).decode() if parts else "",
        )
    )
    return text.strip("\n") + "\n"


_POLICY = "default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action {asks}"
_SERVED = "'self'; connect-src 'self'"
_BLANK = late(r"\n(?:[ \t]*\n)+(?=[ \t]*<)")


def island(value: object) -> Markup:
    """`value` as JSON that can't end the element that holds it."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _source(names: tuple[str, ...], suffix: str) -> str:
    """The files of that suffix one after the other, without indentation and lines of comments; in scripts each in a
    function of its own."""
    folder = templates_directory() / "html"
    files = [file for name in names if (file := folder / f"{name}{suffix}").is_file()]
    lines = (line.strip() for file in files for line in file.read_text(encoding="utf-8").splitlines())
    return "\n" + "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"
