"""Whose code a file of a trace is.

The names by which test runners find their tests.

The files that were edited so far, found by any spelling of their paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import PurePosixPath

from analyzer.model.words import FrameRole
from analyzer.text.late import late

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
_MARKED = "|".join(rf"{mark}\.{extension}" for mark, extension in MARKED.items())
_SUFFIX = late(rf"\.(?:test|spec)\.|\.(?:{_MARKED})$")
_WHOLE = frozenset({"bats", "feature", "phpt", "robot"})
"""Extensions that only test runners read: Bats, Cucumber and Behave, run-tests.php, Robot Framework."""
_STEM = late(r"^(?:test_.*|.*_(?:unit)?tests?|tests?|conftest|.*Tests?|Test[A-Z]\w*|.*_spec|.*[a-z]IT)$")
_FOLDER = late(
    r"(?:^|/)(?:(?:tests?|testing|spec|specs|__tests__|fixtures|testdata)/"
    # The folders that Cypress looks in, of its present and its earlier versions.
    r"|cypress/(?:e2e|integration|component|support|plugins)/)"
)
_TEXTS = late(r"(?:^|/)(?:locales?|lang|languages?|i18n|l10n|intl|translations?|messages)(?:/|$)", re.IGNORECASE)
"""Folders of texts in several languages, in whose files `cy` is Welsh."""


def is_test_name(path: str) -> bool:
    """Whether a test runner, or a test's configuration, goes by the name of a file; slashes part its folders."""
    pure = PurePosixPath(path)
    name = pure.name
    found = _SUFFIX.search(name)
    if found is not None and not (found[0].startswith(".cy.") and _TEXTS.search(str(pure.parent))):
        return True
    return _STEM.match(name.split(".")[0]) is not None or name.rpartition(".")[2] in _WHOLE


_JVM_SOURCE = r"[^\s]*\.(?:java|kts?|scala|groovy)$"
_INSTALLED: tuple[tuple[FrameRole, re.Pattern[str]], ...] = tuple(
    (role, late(source))
    for role, source in (
        (
            FrameRole.RUNNER,
            r"^(?:org/junit|junit/(?:framework|runner|textui)|org/testng|org/opentest4j|org/apache/maven|org/gradle"
            rf"|worker/org/gradle|com/intellij/rt|kotlin/test|io/kotest|org/spockframework)/{_JVM_SOURCE}"
            r"|(?i:^(?:Xunit|NUnit|Microsoft\.VisualStudio\.Test\w+|Microsoft\.Testing)\.[^/\\]*$)"
            r"|(?i:^/_/src/(?:xunit|nunit))",
        ),
        (
            FrameRole.LIBRARY,
            r"(?:^|/)(?:site-packages|dist-packages|node_modules|\.venv|venv|vendor|\.cargo/(?:registry|git)|_deps"
            r"|vcpkg_installed|\.m2|gems|pkg/mod|usr/(?:local/)?(?:share|lib)/(?:php|perl\d?|R)|R/library)/|\.pyx$"
            r"|^(?:org/(?:springframework|hibernate|mockito|hamcrest|assertj|slf4j|aspectj|codehaus/groovy"
            r"|apache/(?:commons|catalina|tomcat|logging|http|hc))|com/(?:fasterxml|google/(?:common|gson|inject)"
            r"|zaxxer)|ch/qos/logback|net/bytebuddy|io/(?:netty|micrometer)|reactor|rx|groovy|android|androidx|okhttp3)"
            rf"/{_JVM_SOURCE}|(?:^|/)\.nuget/packages/"
            r"|^(?:Newtonsoft|Moq|NSubstitute|FluentAssertions|Shouldly|AutoMapper|Castle)\.[^/\\]*$",
        ),
        (
            FrameRole.STDLIB,
            r"/lib(?:64)?/python\d(?:\.\d+)?/|/Python\d+/[Ll]ib/|/lib/ruby/|^<internal:|^\[eval\]-wrapper|^<frozen "
            r"|^node:|^internal/|/usr/local/go/src/|/usr/lib/go|/sdk/go\d[^/]*/src/|/hostedtoolcache/go/"
            r"|^_testmain\.go$|/rustc/|/rustlib/src/|/usr/include/|/include/c\+\+/"
            r"|^(?:\.\./)+(?:sysdeps|csu|nptl|src/libsanitizer)/|Python\.framework/.*/lib/python"
            r"|^(?:java/(?:awt|beans|io|lang|math|net|nio|rmi|security|sql|text|time|util)|javax/\w+|jdk/internal|sun"
            rf"|com/sun|kotlin|kotlinx/coroutines|scala)/{_JVM_SOURCE}"
            r"|^(?:System|Microsoft|Mono|Interop|Internal)(?:\.[^/\\]*)?$"
            r"|^/_/src/(?:(?:libraries|coreclr|runtime)/|System\.)",
        ),
    )
)
"""Whose code installed files are; the first whose form a path has."""
_RUNNER = late(
    r"(?:^|/)(?:_pytest|pluggy|pytest|unittest|nose|jest-\w+|mocha|@?vitest|rspec-\w+-[\d.]+|minitest-[\d.]+"
    r"|phpunit|PHPUnit|googletest(?:-src)?|gtest|rustc/[0-9a-f]+/library/test|runpy\.py|pytest_\w+)(?:/|\.py$|$)"
    r"|/src/testing/\w+\.go$|^_testmain\.go$"
)
"""The installed files that belong to a runner of tests."""
_OWN_SNIPPET = late(
    r"^(?:<(?:stdin|string|console|ipython-input.*|input)>|-e|\[eval\d*\]|Command line code|php shell code)$"
)


def role_of(path: str, scripts: Iterable[str] = ()) -> FrameRole:
    """The role of a frame in `path`; `scripts` are files that the agent wrote only to try something out."""
    role = _role_by_name(path)
    unnamed = role in (FrameRole.PROJECT, FrameRole.UNKNOWN)
    return FrameRole.TEST if unnamed and is_among(path.replace("\\", "/"), scripts) else role


@lru_cache(maxsize=4096)
def _role_by_name(path: str) -> FrameRole:
    if _OWN_SNIPPET.match(path):
        return FrameRole.TEST
    slashed = path.replace("\\", "/")
    for role, pattern in _INSTALLED:
        if pattern.search(slashed):
            return FrameRole.RUNNER if _RUNNER.search(slashed) else role
    if is_test_path(slashed):
        return FrameRole.TEST
    if slashed.startswith("<"):
        return FrameRole.UNKNOWN
    return FrameRole.PROJECT


@lru_cache(maxsize=4096)
def is_test_path(path: str) -> bool:
    """Whether a path is a test file, a test's helper or a test's data, by its name and directories."""
    slashed = path.replace("\\", "/")
    return is_test_name(slashed) or _FOLDER.search("/".join(PurePosixPath(slashed).parts[-4:])) is not None


def is_test_module(path: str) -> bool:
    """Whether a file holds tests itself, by its name, rather than what tests use."""
    slashed = path.replace("\\", "/")
    return PurePosixPath(slashed).stem != "conftest" and is_test_name(slashed)


def same_file(one: str, other: str) -> bool:
    """Whether two spellings may name the same file: equal from the end for as many parts as the shorter one has.

    Leading `./`, `../` and drive or root marks are left out of the comparison, since traces print paths relative to the
    directory of the run.
    """
    first, second = _parts(one), _parts(other)
    count = min(len(first), len(second))
    return count > 0 and first[-count:] == second[-count:]


def is_among(path: str, others: Iterable[str]) -> bool:
    """Whether one of the others may name the same file."""
    name = last_part(path)
    # Most don't hold the name at all, which is seen at once.
    return any(name in other and same_file(path, other) for other in others)


def last_part(path: str) -> str:
    """The last part of a path; two spellings that may name the same file share it. Empty for a path without parts."""
    return next(reversed(_parts(path)), "")


@lru_cache(maxsize=20_000)
def _parts(path: str) -> tuple[str, ...]:
    return tuple(part for part in path.replace("\\", "/").split("/") if part not in ("", ".", ".."))


class EditedFiles:
    """Paths, each once, in the order in which they came. With `most`, only so many: the oldest is forgotten.

    Two spellings that may name the same file share their last part, so that only few paths are compared.
    """

    def __init__(self, paths: Iterable[str] = (), most: int | None = None) -> None:
        self._most = most
        self._paths: dict[str, None] = {}
        self._by_last_part: dict[str, dict[str, None]] = {}
        for path in paths:
            self.add(path)

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def add(self, path: str) -> None:
        """Remember a path."""
        if path in self._paths:
            return
        if self._most is not None and len(self._paths) >= self._most:
            oldest = next(iter(self._paths))
            del self._paths[oldest]
            last = last_part(oldest)
            del self._by_last_part[last][oldest]
            if not self._by_last_part[last]:
                del self._by_last_part[last]
        self._paths[path] = None
        self._by_last_part.setdefault(last_part(path), {})[path] = None

    def like(self, path: str) -> list[str]:
        """The paths that may name the same file, in order."""
        return [known for known in self._by_last_part.get(last_part(path), ()) if same_file(path, known)]


NOTHING_EDITED = EditedFiles()
"""Where nothing is known of earlier steps."""
