"""The post-mortem of each session that has something to say, as a file of its own, in Markdown and in HTML."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from analyzer.atomic import write_text
from analyzer.audit.store.entries import is_session_key
from analyzer.audit.store.packed import unpacked
from analyzer.audit.store.store import Store, Which
from analyzer.audit.store.texts import unpack
from analyzer.model.postmortem import PostMortem, Report, Source
from analyzer.model.step_texts import Recording

FOLDER = "sessions"
Job = tuple[str, Source, bytes, bytes | None]
"""A session's key, the file that it came from, its packed post-mortem, and its packed texts."""
Page = tuple[str, str | None, str]
"""A session's key and its page; None, and why, where it couldn't be made."""
Engine = Callable[[Callable[[Any], Any], Iterable[Any], Callable[[Any, str, str], Any]], Iterator[Any]]


class Render(Protocol):
    """Makes a page of a report with one session, and of its texts."""

    def __call__(self, report: Report, recordings: list[Recording], /) -> str:
        """The page."""


def write_pages(
    store: Store, folder: Path, render: Render, suffix: str, version: str, engine: Engine, which: Which = "findings"
) -> dict[str, str]:
    """Bring the files of this suffix in `folder/sessions/` up to date: a page for each of the covered sessions that are
    meant, and none for any other.

    `render` must be picklable; `version` names what it makes, so that pages of another version are regenerated. Returns
    the sessions whose page could not be made, by key, and why; the next call tries them again. What a database from
    elsewhere has for a key without being one names no file.
    """
    place = folder / FOLDER
    wanted = {
        key: hashlib.sha256(f"{version}\0{digest}\0{path}".encode("utf-8", "replace")).hexdigest()[:16]
        for key, digest, path in store.of_interest(which)
        if is_session_key(key)
    }
    have = {key: name for key, name in store.pages(suffix).items() if is_session_key(key)}
    for key in have.keys() - wanted.keys():
        (place / f"{key}{suffix}").unlink(missing_ok=True)
    store.forget_pages(suffix, have.keys() - wanted.keys())
    todo = [key for key, name in wanted.items() if have.get(key) != name or not (place / f"{key}{suffix}").is_file()]
    if todo:
        place.mkdir(exist_ok=True)
    missing = {}
    for key, text, why in engine(partial(_page, render), store.reports(todo), _lost):
        if text is None:
            missing[key] = why
            continue
        write_text(text, place / f"{key}{suffix}")
        store.remember_page(suffix, key, wanted[key])
    return dict(sorted(missing.items()))


def _page(render: Render, job: Job) -> Page:
    key, source, packed, texts = job
    try:
        report = Report(source=source, sessions=[PostMortem.model_validate_json(unpacked(packed))])
        return key, render(report, [unpack(texts) if texts is not None else Recording()]), ""
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - one page that breaks a rule mustn't end the audit of all the others
        return key, None, f"an error of this program: {type(error).__name__}: {error}"


def _lost(job: Job, kind: str, what: str) -> Page:  # noqa: ARG001
    return job[0], None, what
