"""What an audit leaves in its folder besides the database, and what it prints."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analyzer.atomic import write_text
from analyzer.cli.console.command import ExitCode
from analyzer.cli.console.options import (
    config_option,
    fail_on_option,
    gathered,
    jobs_option,
    quiet_option,
    value_option,
    words_option,
)
from analyzer.cli.console.output import note
from analyzer.cli.console.product import gate
from analyzer.model.errors import AnalyzerError
from analyzer.model.struct import Struct
from analyzer.model.words import Severity

if TYPE_CHECKING:
    from analyzer.audit.pages import Which
    from analyzer.audit.run import Engine
    from analyzer.audit.store.store import Store
    from analyzer.model.audit_report import AuditReport
    from analyzer.model.postmortem import Report
    from analyzer.model.step_texts import Recording

REPORT, REPORT_JSON, INDEX = "report.md", "report.json", "index.html"
PAGES: dict[str, Which] = {"all": "all", "findings": "telling", "none": "none"}
"""What `--pages` may be, and the sessions that are meant."""
_BEHIND_PAGES = ("report", "model", "audit")


class _ResultFolder(click.Path):
    """A folder for results, which needn't exist yet."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse what exists and is no folder, with what to give instead."""
        if os.path.lexists(value) and not os.path.isdir(value):  # noqa: PTH112 - a name that can't exist is no folder
            self.fail(f"{os.fspath(value)!r} is a file, and the results need a folder: try -o audit/", param, ctx)
        return super().convert(value, param, ctx)


class AuditOutput(Struct, frozen=True):
    """What an audit keeps in its folder, and what it says of that: `export` names the forms of its tables, `pages`, a
    key of `PAGES`, the sessions that have a page in HTML, `fail_on` the severity from which on a finding fails it."""

    folder: str
    export: tuple[str, ...]
    fail_on: str | None
    jobs: int | None
    pages: str

    @property
    def place(self) -> Path:
        """The folder."""
        return Path(self.folder)

    def check(self) -> None:
        """Refuse, before any work is done, a folder with a report that no audit wrote: it would be overwritten."""
        from analyzer.audit.sources.source import DATABASE

        if (self.place / DATABASE).exists():
            return
        for name in (REPORT, INDEX):
            if (self.place / name).exists():
                raise AnalyzerError(
                    f"holds {name}, which isn't an audit's; it would be overwritten.",
                    where=self.folder,
                    hint="Name another folder with -o.",
                )

    def publish(self, store: Store, engine: Engine) -> AuditReport:
        """Bring `report.md`, `report.json`, `index.html`, the pages of the sessions and the exported tables up to date;
        nothing is regenerated where nothing changed."""
        from analyzer.audit.pages import Kind, write_pages
        from analyzer.audit.store.export import export

        version = _version()
        kinds = (Kind(".md", _as_markdown), Kind(".html", as_html, PAGES[self.pages]))
        missing = write_pages(store, self.place, kinds, version, engine)
        if missing:
            session, why = next(iter(missing.items()))
            note(f"pages of sessions that could not be made: {len(missing)}; the first is {session}: {why}")
        report = _report(store, self.place, f"{version} {store.state()} {self.pages} {' '.join(missing)}")
        for kind in self.export:
            export(store.rows, self.place, kind)
        return report

    def conclude(self, store: Store, summary: str, *, empty: bool) -> ExitCode:
        """Say what came of it, and return the exit code. Raises `AnalyzerError` where there's no session and `empty`
        says that nobody left any out."""
        note(f"{summary}; open {self.place / INDEX}, or read {self.place / REPORT}")
        if empty and not store.count("sessions"):
            hint = "The report lists what was wrong with each; try the command check on one of them."
            raise AnalyzerError(
                "none of the files is a transcript that could be read.", where=str(self.place / REPORT), hint=hint
            )
        if self.fail_on is None:
            return ExitCode.DONE
        levels = [str(level) for level in Severity if level.rank >= Severity(self.fail_on).rank]
        return gate(store.count("findings", f"severity IN ({', '.join('?' * len(levels))})", levels), self.fail_on)


audit_options = gathered(
    "output",
    AuditOutput,
    list(AuditOutput.__struct_fields__),
    (
        click.option(
            "-o",
            "--output",
            "folder",
            metavar="DIR",
            required=True,
            type=_ResultFolder(file_okay=False),
            help="Where the results are kept; created if missing.",
        ),
        words_option(
            "--export",
            "export",
            ("parquet", "csv", "jsonl"),
            "Also write the tables as files into DIR/tables; may be repeated.",
        ),
        fail_on_option,
        jobs_option,
        value_option(
            "--pages",
            tuple(PAGES),
            "Which sessions get a page in HTML: all; those with a finding above info and those that did not succeed; "
            "or none. The command audit page makes that of any other.",
            "findings",
        ),
        quiet_option,
        config_option,
    ),
)
"""The options of what an audit keeps and says; the command takes them as `output`."""


def _report(store: Store, place: Path, state: str) -> AuditReport:
    """The report and the page that lists the sessions, in their files; as they are where the `state` is the same."""
    from analyzer.model.audit_report import AuditReport

    files = (place / REPORT, place / REPORT_JSON, place / INDEX)
    if store.fact("report") == state and all(file.is_file() for file in files):
        return AuditReport.model_validate_json(files[1].read_bytes())
    from analyzer.audit.figures.summary import summarize
    from analyzer.audit.index import index_of
    from analyzer.report.audit import render
    from analyzer.report.html.audit import render as render_page

    report = summarize(store.tables, str(place.absolute()), store.left_out())
    endings = {session: suffix for suffix in (".md", ".html") for session in store.pages(suffix)}
    index = index_of(store.tables, report, endings, store.thumbnails(), store.lanes)
    write_text(render(report), files[0])
    write_text(report.model_dump_json(indent=2) + "\n", files[1])
    write_text(render_page(report, index), files[2])
    store.remember("report", state)
    return report


def _as_markdown(report: Report, _: list[Recording]) -> str:
    from analyzer.report.markdown import render

    return render(report)


def as_html(report: Report, recordings: list[Recording]) -> str:
    """The page of a session among those of an audit."""
    from analyzer.report.html.session import render

    return render(report, recordings, home=f"../{INDEX}")


def _version() -> str:
    """A name for what the pages look like: our code for them and the templates."""
    import hashlib

    from analyzer.audit.settings import code_version
    from analyzer.report.environment import templates_directory

    digest = hashlib.sha256(code_version(_BEHIND_PAGES).encode())
    for file in sorted(templates_directory().rglob("*")):
        if file.is_file():
            digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
