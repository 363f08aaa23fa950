"""The post-mortem of each session that has something to say, as a file of its own, in Markdown and in HTML."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from analyzer.atomic import write_text
from analyzer.audit.run import Engine
from analyzer.audit.store.store import Store
from analyzer.audit.store.texts import clipped, is_session_key, unpack, unpacked
from analyzer.model.postmortem import PostMortem, Report, Source
from analyzer.model.step_texts import Recording

FOLDER = "sessions"
Which = Literal["all", "telling", "findings", "none"]
"""Sessions: all, those with findings above `info` or that didn't succeed, those with such findings, none."""
_WHICH: dict[Which, str] = {
    "all": "1",
    "telling": "findings OR outcome <> 'succeeded'",
    "findings": "findings",
    "none": "0",
}
Render = Callable[[Report, list[Recording]], str]
"""Makes a page of a report with one session, and of its texts."""
Job = tuple[tuple[Render, ...], str, Source, bytes, bytes | None]
"""What makes a session's pages, its key, the file that it came from, and its post-mortem and texts, packed."""
Pages = tuple[str, list[str | None], str]
"""A session's key and its pages, None for those that couldn't be made, and why the first of these couldn't."""


class Kind(NamedTuple):
    """One kind of page: how its file ends, what makes it, which must be picklable, and the sessions that have one."""

    suffix: str
    render: Render
    which: Which = "findings"


def write_pages(store: Store, folder: Path, kinds: Sequence[Kind], version: str, engine: Engine) -> dict[str, str]:
    """Bring the files of these kinds in `folder/sessions/` up to date: a page for each of the covered sessions that are
    meant, and none for any other.

    `version` names what is made, so that pages of another version are regenerated. Returns the sessions of which a page
    could not be made, by key, and why; the next call tries them again. What a database from elsewhere has for a key
    without being one names no file.
    """
    place = folder / FOLDER
    todo: dict[str, dict[Kind, str]] = {}
    for kind in kinds:
        for key, name in _outdated(store, place, kind, version).items():
            todo.setdefault(key, {})[kind] = name
    if todo:
        place.mkdir(exist_ok=True)
    missing = {}
    jobs = ((tuple(kind.render for kind in todo[job[0]]), *job) for job in store.reports(sorted(todo)))
    for key, texts, why in engine(_pages, jobs, lambda job, _, what: (job[1], [], what)):
        if why:
            missing[key] = why
        for (kind, name), text in zip(todo[key].items(), texts, strict=False):
            if text is not None:
                write_text(text, place / f"{key}{kind.suffix}")
                store.remember_page(kind.suffix, key, name)
    return dict(sorted(missing.items()))


def _outdated(store: Store, place: Path, kind: Kind, version: str) -> dict[str, str]:
    """The sessions whose page of this kind is missing or another one than it should be, with the names of the versions
    that they should have. Pages that nobody wants any more are removed."""
    wanted = {
        key: hashlib.sha256(f"{version}\0{digest}\0{path}".encode("utf-8", "replace")).hexdigest()[:16]
        for key, digest, path in store.of_interest(_WHICH[kind.which])
        if is_session_key(key)
    }
    have = {key: name for key, name in store.pages(kind.suffix).items() if is_session_key(key)}
    for key in have.keys() - wanted.keys():
        (place / f"{key}{kind.suffix}").unlink(missing_ok=True)
    store.forget_pages(kind.suffix, have.keys() - wanted.keys())
    return {
        key: name
        for key, name in wanted.items()
        if have.get(key) != name or not (place / f"{key}{kind.suffix}").is_file()
    }


def write_page(store: Store, folder: Path, key: str, kind: Kind) -> Path:
    """Write the page of the session with this key into `folder/sessions/`, where the next audit renews it or takes it
    away."""
    place = folder / FOLDER / f"{key}{kind.suffix}"
    place.parent.mkdir(exist_ok=True)
    (job,) = store.reports([key])
    write_text(kind.render(*report_of(*job[1:])), place)
    store.remember_page(kind.suffix, key, "")
    return place


def report_of(source: Source, packed: bytes, texts: bytes | None) -> tuple[Report, list[Recording]]:
    """What the page of a session is made of, of what is kept of it."""
    session = PostMortem.model_validate_json(unpacked(packed))
    recording = clipped(unpack(texts), session) if texts is not None else Recording()
    return Report(source=source, sessions=[session]), [recording]


def _pages(job: Job) -> Pages:
    renders, key = job[:2]
    try:
        report, recordings = report_of(*job[2:])
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - one page that breaks a rule mustn't end the audit of all the others
        return key, [], _reason(error)
    made: list[str | None] = []
    why = ""
    for render in renders:
        try:
            made.append(render(report, recordings))
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - nor that of its other pages
            made.append(None)
            why = why or _reason(error)
    return key, made, why


def _reason(error: Exception) -> str:
    return f"an error of this program: {type(error).__name__}: {error}"
