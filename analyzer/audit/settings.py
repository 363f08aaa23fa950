"""What an audit asks of every file, and a name for all that its results depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import analyzer
from analyzer.model.struct import Struct, field
from analyzer.text.names import names

_BEHIND_RESULTS = names(
    "audit/figures/tasks.py audit/store audit/workers commands detectors diagnosis failures formats model pricing "
    "redaction report/picture speech task text timeline workspace"
)
"""The modules and packages of ours whose code decides what is found in a file."""


class Settings(Struct, frozen=True):
    """How every file is read and judged: as the arguments of `analyzer.analyze`, but that secrets are redacted unless
    something else is asked for."""

    input_format: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    masks: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    redact: bool = True
    prices: str | None = None
    """A file with list prices of models, before those of the program's own table."""

    def version(self) -> str:
        """A digest of the settings and of all that reads and judges. Results of another version are made again."""
        from analyzer.model.tables import TABLES_VERSION

        asked = [
            self.input_format,
            sorted(self.select),
            sorted(self.ignore),
            dict(self.masks),
            {name: dict(table) for name, table in self.options.items()},
            self.redact,
            *([digest_of(self.prices)] if self.prices is not None else []),
        ]
        everything = [analyzer.__version__, TABLES_VERSION, code_version(_BEHIND_RESULTS), _plugins(), asked]
        return hashlib.sha256(json.dumps(everything, sort_keys=True, default=str).encode()).hexdigest()[:16]


def digest_of(file: str) -> str:
    """A digest of a file's bytes; empty for one that can't be read, which is refused where it's used."""
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError:
        return ""


@cache
def code_version(places: tuple[str, ...]) -> str:
    """A digest of the source of some modules and packages of ours, so that nothing stored hides a change to a rule."""
    root = Path(analyzer.__file__).parent
    digest = hashlib.sha256()
    for place in places:
        for file in (
            sorted(found for suffix in ("py", "toml") for found in (root / place).rglob(f"*.{suffix}"))
            if (root / place).is_dir()
            else [root / place]
        ):
            digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def _plugins() -> list[str]:
    """The formats and detectors of others, with the versions of the packages that brought them."""
    from importlib.metadata import entry_points

    groups = ("analyze_session.formats", "analyze_session.detectors")
    return sorted(
        f"{group}:{point.name}={point.value}@{point.dist.version if point.dist else '?'}"
        for group in groups
        for point in entry_points(group=group)
    )
