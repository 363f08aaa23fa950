"""What an audit leaves in its folder besides the database, and what it prints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.atomic import write_text
from analyzer.cli.console.command import ExitCode
from analyzer.cli.console.output import note
from analyzer.model.errors import AnalyzerError
from analyzer.model.words import Severity
from analyzer.text.english import plural

if TYPE_CHECKING:
    from analyzer.audit.pages import Engine
    from analyzer.audit.store.store import Store, Which
    from analyzer.model.audit_report import AuditReport
    from analyzer.model.postmortem import Report
    from analyzer.model.step_texts import Recording

REPORT, REPORT_JSON, INDEX = "report.md", "report.json", "index.html"
PAGES: dict[str, Which] = {"all": "all", "findings": "telling", "none": "none"}
"""What `--pages` may be, and the sessions that are meant."""
_BEHIND_PAGES = ("report", "model", "audit")


def check_place(place: Path) -> None:
    """Refuse, before any work is done, a folder with a report that no audit wrote: it would be overwritten."""
    from analyzer.audit.sources.names import DATABASE

    if (place / DATABASE).exists():
        return
    for name in (REPORT, INDEX):
        if (place / name).exists():
            raise AnalyzerError(
                f"holds {name}, which isn't an audit's; it would be overwritten.",
                where=str(place),
                hint="Name another folder with -o.",
            )


def publish(store: Store, place: Path, engine: Engine, pages: str, *, quiet: bool) -> AuditReport:
    """Bring `report.md`, `report.json`, `index.html` and the pages of the sessions up to date; nothing is regenerated
    where nothing changed. `pages`, a key of `PAGES`, says which sessions have one in HTML."""
    from analyzer.audit.pages import Kind, write_pages
    from analyzer.model.audit_report import AuditReport

    version = _version()
    kinds = (Kind(".md", _as_markdown), Kind(".html", _as_html, PAGES[pages]))
    missing = write_pages(store, place, kinds, version, engine)
    if missing and not quiet:
        session, why = next(iter(missing.items()))
        note(f"pages of sessions that could not be made: {len(missing)}; the first is {session}: {why}")
    state = f"{version} {store.state()} {pages} {' '.join(missing)}"
    files = (place / REPORT, place / REPORT_JSON, place / INDEX)
    if store.fact("report") == state and all(file.is_file() for file in files):
        return AuditReport.model_validate_json(files[1].read_bytes())
    from analyzer.audit.figures.summary import summarize
    from analyzer.audit.index import index_of
    from analyzer.report.audit import render
    from analyzer.report.html.audit import render as render_page

    report = summarize(store.tables, str(place.absolute()), store.left_out())
    index = index_of(store.tables, report, _endings(store), store.thumbnails(), lambda session: _lanes(store, session))
    write_text(render(report), files[0])
    write_text(report.model_dump_json(indent=2) + "\n", files[1])
    write_text(render_page(report, index), files[2])
    store.remember("report", state)
    return report


def _endings(store: Store) -> dict[str, str]:
    """For each session that has a page the ending of its name, `.html` before `.md`."""
    return {session: suffix for suffix in (".md", ".html") for session in store.pages(suffix)}


def _lanes(store: Store, session: str) -> list[str]:
    report = store.report(session)
    return report.session.lanes if report is not None else []


def _as_markdown(report: Report, _: list[Recording]) -> str:
    from analyzer.report.markdown import render

    return render(report)


def _as_html(report: Report, recordings: list[Recording]) -> str:
    from analyzer.report.html.session import render

    return render(report, recordings, home=f"../{INDEX}")


def conclude(store: Store, place: Path, summary: str, fail_on: str | None, *, quiet: bool, empty: bool) -> ExitCode:
    """Say what came of it, and return the exit code. Raises `AnalyzerError` where there's no session and `empty` says
    that nobody left any out."""
    if not quiet:
        note(f"{summary}; open {place / INDEX}, or read {place / REPORT}")
    if empty and not store.count("sessions"):
        hint = "The report lists what was wrong with each; try the command check on one of them."
        raise AnalyzerError(
            "none of the files is a transcript that could be read.", where=str(place / REPORT), hint=hint
        )
    if fail_on is None:
        return ExitCode.DONE
    levels = [str(level) for level in Severity if level.rank >= Severity(fail_on).rank]
    hits = store.count("findings", f"severity IN ({', '.join('?' * len(levels))})", levels)
    if hits:
        note(f"gate: {plural(hits, 'finding')} of severity {fail_on} or above (--fail-on {fail_on})")
    return ExitCode.GATE if hits else ExitCode.DONE


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
