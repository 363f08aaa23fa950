"""`from analyzer import audit`, as a notebook uses it."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.audit.audit import Audit, audit
from analyzer.model.errors import AnalyzerError


def test_an_audit_is_seven_tables_and_the_post_mortems(samples: Path, tmp_path: Path) -> None:
    found = audit(samples / "bspline_clamping.json", tmp_path / "out", jobs=1)
    assert len(found.files) == len(found.sessions) == 1
    session = found.sessions.iloc[0]
    assert (session.outcome, session.worst) == ("stuck", "high")
    assert session.actions == len(found.actions) == found.post_mortem(session.session).session.actions
    assert (
        set(found.findings.session)
        == set(found.failures.session)
        == set(found.failure_groups.session)
        == {session.session}
    )
    assert found.problems.empty
    assert str(found.actions.exit_code.dtype) == "Int64"
    again = Audit.open(tmp_path / "out")
    assert again.sessions.equals(found.sessions)


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(AnalyzerError, match="holds no audit"):
        Audit.open(tmp_path)
    with pytest.raises(AnalyzerError, match="no such file"):
        audit(tmp_path / "nowhere")
