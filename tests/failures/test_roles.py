"""Whose code a file of a trace is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.failures.roles import is_test_path, role_of, same_file
from analyzer.model.words import FrameRole as R
from tests.tables import table

ROLES = [
    ("/srv/tides/tests/helpers.py", R.TEST),
    ("/srv/tides/tests/data/charts/low.py", R.TEST),
    ("conftest.py", R.TEST),
    ("src/test_curve.py", R.TEST),
    ("src/curve_test.go", R.TEST),
    ("src/curve.test.ts", R.TEST),
    ("src/curve.spec.js", R.TEST),
    ("src/__tests__/curve.js", R.TEST),
    ("spec/boat_spec.rb", R.TEST),
    ("src/test/java/quay/BoatTest.java", R.TEST),
    ("src/it/quay/BoatIT.java", R.TEST),
    ("C:\\tides\\tests\\test_curve.py", R.TEST),
    ("<stdin>", R.TEST),
    ("<string>", R.TEST),
    ("<ipython-input-3-1b2c>", R.TEST),
    ("tides/curve.py", R.PROJECT),
    ("/srv/tides/src/latest.py", R.PROJECT),
    ("/srv/contest/curve.py", R.PROJECT),
    ("/testbed/tides/curve.py", R.PROJECT),
    ("src/attest.py", R.PROJECT),
    ("src/protest/march.py", R.PROJECT),
    ("src/SPLIT.java", R.PROJECT),
    ("src/inventory.py", R.PROJECT),
    ("lib/python/curve.py", R.PROJECT),
    ("/home/ann/.venv/lib/python3.11/site-packages/numpy/core.py", R.LIBRARY),
    ("/usr/lib/python3/dist-packages/yaml/loader.py", R.LIBRARY),
    ("node_modules/express/test/app.js", R.LIBRARY),
    ("vendor/quay/boat.go", R.LIBRARY),
    ("/home/dev/.cargo/registry/src/quay-1.0/boat.rs", R.LIBRARY),
    ("/usr/lib/python3.11/json/decoder.py", R.STDLIB),
    ("C:\\Python311\\Lib\\json\\decoder.py", R.STDLIB),
    ("<frozen importlib._bootstrap>", R.STDLIB),
    ("node:internal/modules/cjs/loader", R.STDLIB),
    ("/venv/lib/python3.11/site-packages/_pytest/runner.py", R.RUNNER),
    ("/venv/lib/python3.11/site-packages/pluggy/_callers.py", R.RUNNER),
    ("/usr/lib/python3.11/unittest/case.py", R.RUNNER),
    ("node_modules/jest-circus/build/run.js", R.RUNNER),
    ("node_modules/mocha/lib/runner.js", R.RUNNER),
    ("node_modules/@vitest/runner/dist/index.js", R.RUNNER),
    ("/usr/share/rubygems-integration/all/gems/rspec-core-3.12.0/lib/rspec/core/example.rb", R.RUNNER),
    ("/var/lib/gems/3.1.0/gems/minitest-5.17.0/lib/minitest/test.rb", R.RUNNER),
    ("/usr/share/php/PHPUnit/Framework/TestCase.php", R.RUNNER),
    ("vendor/phpunit/phpunit/src/Framework/TestCase.php", R.RUNNER),
    ("/var/lib/gems/3.1.0/gems/rack-3.0.0/lib/rack.rb", R.LIBRARY),
    ("/usr/lib/ruby/3.1.0/json/common.rb", R.STDLIB),
    ("<internal:/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_require.rb>", R.STDLIB),
    ("[eval]", R.TEST),
    ("-e", R.TEST),
    ("lib/quay.rb", R.PROJECT),
    ("<unknown>", R.UNKNOWN),
    ("/usr/local/go/src/testing/testing.go", R.RUNNER),
    ("_testmain.go", R.RUNNER),
    ("/home/dev/sdk/go1.22.1/src/net/http/server.go", R.STDLIB),
    ("/home/dev/go/pkg/mod/example.org/rope@v1.2.0/rope.go", R.LIBRARY),
    ("/home/dev/.cargo/git/checkouts/rope-1/src/lib.rs", R.LIBRARY),
    ("/home/dev/.rustup/toolchains/stable/lib/rustlib/src/rust/library/core/src/panicking.rs", R.STDLIB),
    ("/rustc/5980761/library/test/src/lib.rs", R.RUNNER),
    ("build/_deps/googletest-src/googletest/src/gtest.cc", R.RUNNER),
    ("/usr/include/gtest/gtest.h", R.RUNNER),
    ("../sysdeps/nptl/libc_start_call_main.h", R.STDLIB),
    ("../../../../src/libsanitizer/asan/asan_malloc_linux.cpp", R.STDLIB),
    ("src/tides_unittest.cc", R.TEST),
    ("include/tides.h", R.PROJECT),
    ("src/quay/Berth.cy.ts", R.TEST),
    ("src/quay/Berth.cy.jsx", R.TEST),
    ("web/berth.e2e.ts", R.TEST),
    ("web/app.e2e-spec.ts", R.TEST),
    ("types/berth.test-d.ts", R.TEST),
    ("cypress/e2e/berth.js", R.TEST),
    ("cypress/support/commands.ts", R.TEST),
    ("features/berth.feature", R.TEST),
    ("bin/berth.bats", R.TEST),
    ("suites/berth.robot", R.TEST),
    ("src/curve.test.ts.snap", R.TEST),
    ("locales/harbour.cy.ts", R.PROJECT),
    ("src/i18n/cy/harbour.cy.js", R.PROJECT),
    ("content/harbour.cy.md", R.PROJECT),
    ("texts/harbour.cy.json", R.PROJECT),
    ("src/crypto/e2e/keys.ts", R.PROJECT),
    ("src/e2e.ts", R.PROJECT),
    ("src/cy.ts", R.PROJECT),
    ("src/legacy.ts", R.PROJECT),
    ("cypress.config.ts", R.PROJECT),
    ("plots/e2e.e2e.svg", R.PROJECT),
    ("src/feature.ts", R.PROJECT),
    ("src/robot/arm.ts", R.PROJECT),
]


@pytest.mark.parametrize(("path", "role"), ROLES)
def test_role_by_path(path: str, role: R) -> None:
    assert role_of(path) is role


def test_a_script_that_the_agent_wrote_is_test_code() -> None:
    assert role_of("pilot.py") is R.PROJECT
    assert role_of("pilot.py", ["/srv/tides/pilot.py"]) is R.TEST
    assert role_of("/srv/tides/pilot.py", ["./pilot.py"]) is R.TEST
    assert role_of("tides/curve.py", ["pilot.py"]) is R.PROJECT


def test_a_library_stays_one_whatever_the_agent_wrote() -> None:
    assert role_of("/venv/lib/python3.11/site-packages/boat/pilot.py", ["pilot.py"]) is R.LIBRARY


@table("same_file")
def test_same_file(one: str, other: str, same: bool) -> None:
    assert same_file(one, other) is same
    assert same_file(other, one) is same


PATHS = st.text(max_size=40) | st.lists(st.sampled_from(["..", ".", "a", "tests", "b.py", "", "C:"]), max_size=6).map(
    "/".join
)


@given(PATHS, PATHS)
def test_any_path_has_a_role(path: str, other: str) -> None:
    role_of(path, [other])
    is_test_path(path)
    assert same_file(path, other) == same_file(other, path)
