"""What a command line does, and which runner runs tests in it."""

from __future__ import annotations

import pytest

from analyzer.model.session import ToolCall
from analyzer.timeline.classify import operation_of


@pytest.mark.parametrize(
    ("command", "kind", "runner"),
    [
        pytest.param("pytest -q", "test", "pytest", id="pytest"),
        pytest.param("cd src && python -m pytest tests", "test", "pytest", id="python -m pytest"),
        pytest.param("python3.12 -W error -m pytest", "test", "pytest", id="options before -m"),
        pytest.param("coverage run -m pytest", "test", "pytest", id="coverage"),
        pytest.param("pytest --version", "run", None, id="asks for the version"),
        pytest.param("node --test test/", "test", "node --test", id="node --test"),
        pytest.param("bin/rails test test/models", "test", "rails test", id="rails test"),
        pytest.param("php vendor/bin/phpunit --filter oar", "test", "phpunit", id="php phpunit"),
        pytest.param("php artisan test", "test", "artisan test", id="artisan test"),
        pytest.param("npx prettier --check .", "run", "prettier", id="prettier"),
        pytest.param("pytest --collect-only", "run", None, id="only collects"),
        pytest.param("python -m unittest", "test", "unittest", id="unittest"),
        pytest.param("python manage.py test shop", "test", "django", id="Django"),
        pytest.param("cargo test --all", "test", "cargo test", id="cargo"),
        pytest.param("go test ./...", "test", "go test", id="go"),
        pytest.param("npm test", "test", "npm test", id="npm"),
        pytest.param("npm run test:unit", "test", "npm test", id="npm script"),
        pytest.param("pnpm --filter web test", "test", "pnpm test", id="pnpm with a filter"),
        pytest.param("npm install test", "run", None, id="a package called test"),
        pytest.param("make -C build test", "test", "make test", id="make in a directory"),
        pytest.param("npx vitest run", "test", "vitest", id="vitest"),
        pytest.param("./gradlew :app:test", "test", "gradle", id="gradle"),
        pytest.param("bundle exec rspec", "test", "rspec", id="rspec"),
        pytest.param("python tests/test_shapes.py", "test", None, id="test script"),
        pytest.param("python make_report.py", "run", None, id="script"),
        pytest.param("npm run build", "run", "npm build", id="build"),
        pytest.param("mypy src", "run", "mypy", id="type checker"),
        pytest.param("sleep 30", "wait", None, id="sleep"),
        pytest.param("sleep 30 && gh run view 17", "wait", None, id="sleep and look"),
        pytest.param("gh run view 17", "wait", None, id="look at a run"),
        pytest.param("gh run watch 17 --exit-status", "wait", None, id="watch a run"),
        pytest.param("gh pr checks 12 --watch", "wait", None, id="watch checks"),
        pytest.param("sleep 60; gh pr checks 12", "wait", None, id="sleep and look at checks"),
        pytest.param("gh pr checks 12", "run", None, id="look at checks"),
        pytest.param("gh pr view 12 --json state", "run", None, id="look at a pull request"),
        pytest.param("gh pr list --state open", "run", None, id="list pull requests"),
        pytest.param("gh pr checks 12 --watch=false", "run", None, id="checks that aren't watched"),
        pytest.param("sleep 5 && pytest", "test", "pytest", id="test after a pause"),
        pytest.param("cat a.py", "read", None, id="cat"),
        pytest.param("sed -n 1,20p a.py", "read", None, id="sed that shows"),
        pytest.param("sed -i s/x/y/ a.py", "edit", None, id="sed in place"),
        pytest.param("cat a.py | grep x", "read", None, id="cat and grep"),
        pytest.param("grep -rn x . | head -5", "search", None, id="grep and head"),
        pytest.param(r"find . \( -name a -o -name b \) | head", "search", None, id="find with parentheses"),
        pytest.param(r"find . -name a -exec grep -l x {} \; | sort", "search", None, id="find that searches"),
        pytest.param(r"find . -name a -exec sed -i s/x/y/ {} +", "edit", None, id="find that edits"),
        pytest.param(r"find . -name a -exec rm {} \;", "run", None, id="find that removes"),
        pytest.param("find . -name a -delete", "run", None, id="find that deletes"),
        pytest.param("sleep 5; tail log", "wait", None, id="a pause before a look"),
        pytest.param("sleep 5 && curl -s localhost:1/health", "wait", None, id="a pause before a request"),
        pytest.param("python serve.py & sleep 2; curl localhost:1", "run", None, id="a pause after a start"),
        pytest.param("pkill -f serve; sleep 1", "run", None, id="a pause after an end"),
        pytest.param("git status", "search", None, id="git status"),
        pytest.param("git diff", "read", None, id="git diff"),
        pytest.param("git checkout -- a.py", "edit", None, id="git checkout of a file"),
        pytest.param("git commit -am x", "run", None, id="git commit"),
        pytest.param("cat > a.py <<EOF\nx\nEOF", "edit", None, id="here-document"),
        pytest.param("mkdir -p d && cat > d/a.py <<EOF\nx\nEOF", "edit", None, id="directory and here-document"),
        pytest.param("cat > a.py <<EOF\nx\nEOF\npython a.py", "run", None, id="here-document that is then run"),
        pytest.param("echo hello", "other", None, id="echo"),
        pytest.param("echo x > a.txt", "run", None, id="echo into a file"),
        pytest.param("cd src", "other", None, id="cd"),
        pytest.param("", "other", None, id="nothing"),
    ],
)
def test_command_lines(command: str, kind: str, runner: str | None) -> None:
    operation = operation_of(ToolCall(None, "bash", {"command": command}))
    assert (str(operation.kind), operation.runner) == (kind, runner)
