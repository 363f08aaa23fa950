"""Where a session can be read: its page, else its transcript, as an address relative to the audit's folder."""

from __future__ import annotations

import os
from urllib.parse import quote

import pandas

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
    """Names sessions. `sessions` is the table of that name, `root` the audit's folder or None."""

    def __init__(self, sessions: pandas.DataFrame, root: str | None) -> None:
        columns = zip(sessions["session"], sessions["id"], sessions["path"], sessions["findings"], strict=True)
        self._sessions = {str(key): (str(name), str(path), bool(findings > 0)) for key, name, path, findings in columns}
        self._root = root

    def ref(self, session: str) -> SessionRef:
        """The session of this key."""
        name, path, has_page = self._sessions[session]
        return SessionRef(
            session=session, id=name, link=f"sessions/{session}.md" if has_page else file_link(path, self._root)
        )

    def place(self, session: str, lane: str, step: int) -> Place:
        """A step of the session of this key."""
        return Place(**self.ref(session).model_dump(), lane=lane, step=step)
