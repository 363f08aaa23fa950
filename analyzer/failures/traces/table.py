"""The languages whose traces are read by rows (`rows.toml`)."""

from __future__ import annotations

from analyzer.failures.traces.row import Language
from analyzer.text.rows import made_of, table_beside

_TABLE = table_beside(__file__)
LANGUAGES = made_of(Language, _TABLE["language"], _TABLE["parts"])
BY_NAME = {language.LANGUAGE: language for language in LANGUAGES}
