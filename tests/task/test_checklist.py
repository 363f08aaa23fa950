"""Which checks a user lists by their commands."""

from __future__ import annotations

import pytest

from analyzer.task.checklist import checks_listed


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        pytest.param(
            "Mend the oars.\n\n## Verification\n\n1. `bun run test` - all well\n2. `cd web && bun run css:build`\n"
            "3. `bun run dev` - look at the page\n4. `make lint`",
            ["bun run test", "bun run css:build", "bun run dev", "make lint"],
            id="under a heading",
        ),
        pytest.param(
            "**Test plan**\n- [ ] `pytest tests/oars`\n- [ ] `mypy src`", ["pytest tests/oars", "mypy src"], id="boxes"
        ),
        pytest.param(
            "Do this:\n- Run `make lint`\n- Verify that `./check.sh` passes", ["make lint", "./check.sh"], id="by verbs"
        ),
        pytest.param("Run `make lint` and `pytest -q` at the end.", ["make lint", "pytest -q"], id="in one sentence"),
        pytest.param("Verification:\n- `pytest`\n- `tsc`", ["pytest", "tsc"], id="single words"),
        pytest.param("Verification:\n- the page looks right\n- `OarCard` is shown", [], id="nothing to match"),
        pytest.param("Verification:\n- `npm test`\n- optional: `npm run e2e`", ["npm test"], id="an optional one"),
        pytest.param(
            "Verification:\n- `npm test`\n- `npm run e2e` if you have time", ["npm test"], id="on a condition"
        ),
        pytest.param("Verification:\n- `npm test`\n- don't run `npm run e2e`", ["npm test"], id="a forbidden one"),
        pytest.param("Verification:\n- `npm test`\n- manual test: `npm start`", ["npm test"], id="by hand"),
        pytest.param("Checks:\n- `npm install`\n- `npm test`", ["npm test"], id="an installation"),
        pytest.param("Steps to reproduce:\n1. Run `npm start`\n2. Run `npm test`", [], id="how the fault shows"),
        pytest.param("Available commands:\n- `npm start` starts it\n- `npm test` tests it", [], id="what there is"),
        pytest.param("Files:\n- `make.py`\n- `src/go.py`", [], id="files"),
        pytest.param("Verification:\n```\nnpm test\n```", [], id="fenced"),
        pytest.param("Either `npm test` or `make test` will do.", [], id="a choice"),
        pytest.param("Checks:\n- `git status` is clean\n- `const a = 1`", [], id="no checks"),
    ],
)
def test_the_checks_of_a_list(text: str, commands: list[str]) -> None:
    assert [check.command for check in checks_listed(text)] == commands
