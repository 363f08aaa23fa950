"""Where a session can be read: its page, else its transcript, as an address relative to the audit's folder."""

from __future__ import annotations

import os
from urllib.parse import quote

from analyzer.audit.store.tables import Tables
from analyzer.model.audit_figures import Place, SessionRef


def file_link(path: str, root: str | None) -> str | None:
    """The relative address of a file from the folder `root`, percent-encoded; null for an URL, without a root, or from
    another drive."""
    if root is None or "://" in path:
        return None
    try:
        shown = os.path.relpath(path, root)
    except ValueError:
        return None
    return quote(shown.replace(os.sep, "/"), safe="/")


class Links:
    """Names sessions. `root` is the audit's folder or None."""

    def __init__(self, tables: Tables, root: str | None) -> None:
        self._tables = tables
        self._root = root

    def ref(self, session: str) -> SessionRef:
        """The session of this key."""
        name, path, has_page = next(
            self._tables.rows("SELECT id, path, findings > 0 FROM sessions WHERE session = ?", (session,))
        )
        return SessionRef(
            session=session, id=name, link=f"sessions/{session}.md" if has_page else file_link(path, self._root)
        )

    def place(self, session: str, lane: str, step: int) -> Place:
        """A step of the session of this key."""
        return Place(**self.ref(session).model_dump(), lane=lane, step=step)
