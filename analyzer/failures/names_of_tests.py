"""The names by which test runners find their tests."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from analyzer.text.expressions import compiled

_JAVASCRIPT = r"[cm]?[jt]sx?"
MARKED = {
    "test": r"\w+",  # Jest, Vitest, Mocha, Bun, Deno, node --test
    "spec": r"\w+",  # Jest, Vitest, Playwright, Jasmine, Angular
    "cy": _JAVASCRIPT,  # Cypress
    "e2e": _JAVASCRIPT,  # Stencil, WebdriverIO, Detox
    "e2e-spec": _JAVASCRIPT,  # Nest, Protractor
    "test-d": _JAVASCRIPT,  # tsd, Vitest for types
    "spec-d": _JAVASCRIPT,  # Vitest for types
}
"""What stands before the extension of a test file, and the extensions that it is looked for with."""
MARKS = "|".join(sorted(MARKED, key=len, reverse=True))
_MARKED = "|".join(rf"{mark}\.{extension}" for mark, extension in MARKED.items())
_SUFFIX = compiled(rf"\.(?:test|spec)\.|\.(?:{_MARKED})$")
_WHOLE = frozenset({"bats", "feature", "phpt", "robot"})
"""Extensions that only test runners read: Bats, Cucumber and Behave, run-tests.php, Robot Framework."""
_STEM = compiled(r"^(?:test_.*|.*_(?:unit)?tests?|tests?|conftest|.*Tests?|Test[A-Z]\w*|.*_spec|.*[a-z]IT)$")
_FOLDER = compiled(
    r"(?:^|/)(?:(?:tests?|testing|spec|specs|__tests__|fixtures|testdata)/"
    # The folders that Cypress looks in, of its present and its earlier versions.
    r"|cypress/(?:e2e|integration|component|support|plugins)/)"
)
_TEXTS = compiled(r"(?:^|/)(?:locales?|lang|languages?|i18n|l10n|intl|translations?|messages)(?:/|$)", re.IGNORECASE)
"""Folders of texts in several languages, in whose files `cy` is Welsh."""


def is_test_name(path: str) -> bool:
    """Whether a test runner, or a test's configuration, goes by the name of a file; slashes part its folders."""
    pure = PurePosixPath(path)
    name = pure.name
    found = _SUFFIX.search(name)
    if found is not None and not (found[0].startswith(".cy.") and _TEXTS.search(str(pure.parent))):
        return True
    return _STEM.match(name.split(".")[0]) is not None or name.rpartition(".")[2] in _WHOLE


def is_below_tests(path: str) -> bool:
    """Whether one of the last folders of a path is one of tests or of their data."""
    return _FOLDER.search("/".join(PurePosixPath(path).parts[-4:])) is not None
