"""Which names a search through folders looks at."""

from __future__ import annotations

import os
import re

from analyzer.text.names import name_set

TABLES = "tables"
"""The folder of an audit's exported tables."""
DATABASE = "audit.db"
"""The file in an audit's folder that holds its tables."""
_INDEX = "search.db"
"""An index that searches of earlier versions left beside it."""
DATABASES = (".db", ".sqlite", ".sqlite3", ".vscdb")
"""The suffixes of the databases that agents keep."""
_OWN = re.compile(r"report\.\w+|index\.html|[0-9a-f]{16}\.\w+")
_NEVER = name_set(
    ".py .pyi .pyc .pyo .so .dll .dylib .o .a .c .h .cc .cpp .hpp .java .class .jar .go .rs .rb .php .js .mjs .ts "
    ".tsx .jsx .css .scss .html .htm .svg .png .jpg .jpeg .gif .webp .ico .bmp .pdf .mp3 .mp4 .mov .avi .wav .woff "
    ".woff2 .ttf .eot .db-wal .db-shm .lock .toml .cfg .ini .yml .yaml .sh .bat .ps1 .sql .csv .tsv .parquet .xlsx "
    ".docx .pptx .bin .exe .whl .egg .pack .idx .npy .npz .pt .pkl"
)
"""Suffixes of what is never a transcript; a search through folders doesn't open such files."""
_OF_PACKAGES = frozenset({"node_modules", "bower_components", "site-packages", "__pycache__"})
"""Folders full of other people's packages."""
_AIDER = frozenset({".aider.chat.history.md"})
"""What is hidden and a transcript all the same."""


def is_candidate(name: str) -> bool:
    """Whether a file of this name may be a transcript: hidden files, and those of suffixes that no transcript has, are
    not."""
    if name.startswith("."):
        return name in _AIDER
    return os.path.splitext(name)[1].lower() not in _NEVER  # noqa: PTH122


def is_searched(name: str) -> bool:
    """Whether a folder of this name is searched through: hidden ones, and those of installed packages, are not."""
    return not name.startswith(".") and name not in _OF_PACKAGES


def is_result(folder: str) -> bool:
    """Whether a folder holds what an audit wrote: its database, or the pages beside it."""
    return os.path.exists(os.path.join(folder, DATABASE)) or (  # noqa: PTH110, PTH118
        os.path.basename(folder) == "sessions" and os.path.exists(os.path.join(folder, os.pardir, DATABASE))  # noqa: PTH110, PTH118, PTH119
    )


def is_own(name: str) -> bool:
    """Whether a file in such a folder is called like the reports of an audit, which is no transcript."""
    return name in (DATABASE, _INDEX) or _OWN.fullmatch(name) is not None
