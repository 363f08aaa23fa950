"""A served audit in a browser: from the list to a session, a search, and a list that follows the audit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from analyzer import audit
from analyzer.serving.audit_server import AuditServer
from tests.audit.runs import write_runs

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


def test_what_a_person_does_with_it(browser: Browser, tmp_path: Path) -> None:
    write_runs(tmp_path / "runs", 3)
    audit(tmp_path / "runs", tmp_path / "out", jobs=1)
    server = AuditServer(tmp_path / "out")
    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(server.address)
    page.locator("#table tbody a").first.click()
    assert "harbour" in page.locator("body").inner_text()
    page.get_by_role("link", name="All sessions").first.click()
    page.locator("form[action=find] input").fill('"harbour 2 is dry"')
    page.keyboard.press("Enter")
    page.locator("li a").filter(has_text="step 2").first.click()
    assert page.url.endswith("#step-2")
    page.goto(server.address)
    write_runs(tmp_path / "runs", 4)
    audit(tmp_path / "runs", tmp_path / "out", jobs=1)
    page.get_by_role("heading", name="Audit of 4 sessions").wait_for(timeout=30_000)
    assert complaints == []
    page.close()
    server.shutdown()
    server.server_close()
