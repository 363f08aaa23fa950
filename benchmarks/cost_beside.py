"""What sessions cost by this program and by another one that reads the same logs.

Usage: python benchmarks/cost_beside.py FOLDER --command "COMMAND"   (nothing is measured without a folder)

FOLDER holds logs of Claude Code (`*.jsonl`, at any depth). They are laid out in a temporary folder as that agent keeps
them, one project each, and COMMAND is run with CLAUDE_CONFIG_DIR set to it; it's to print what `ccusage session --json
--offline` prints (version 18 was measured): sessions with `sessionId`, `totalCost` and counts of tokens. Sessions are
sorted by what differs: nothing (half a percent at most), only the tokens that the models answered, other tokens, or the
price alone.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from analyzer import analyze
from analyzer.model.errors import UnreadableInput

_LARGEST = 3_000_000


def main() -> int:
    """Print the sessions that differ, and how many there are of each kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--command", default="ccusage session --json --offline")
    options = parser.parse_args()
    if options.folder is None:
        print("No folder with logs was given.")
        return 0
    logs = sorted(path for path in options.folder.rglob("*.jsonl") if path.stat().st_size < _LARGEST)
    with tempfile.TemporaryDirectory() as made:
        root = Path(made)
        for number, path in enumerate(logs):
            project = root / "projects" / f"p{number}"
            project.mkdir(parents=True)
            shutil.copy(path, project / f"s{number}.jsonl")
        run = subprocess.run(
            shlex.split(options.command),
            env={**os.environ, "CLAUDE_CONFIG_DIR": made},
            capture_output=True,
            check=True,
        )
        theirs = {entry["sessionId"]: entry for entry in json.loads(run.stdout)["sessions"]}
        kinds: Counter[str] = Counter()
        for number, path in enumerate(logs):
            if (entry := theirs.get(f"p{number}")) is None:
                continue
            kinds[_compared(path, entry)] += 1
    print()
    for kind, count in kinds.most_common():
        print(f"{count:4} {kind}")
    return 0


def _compared(path: Path, entry: dict[str, Any]) -> str:
    try:
        sessions = analyze(path).sessions
    except UnreadableInput:
        return "not read here"
    cost = sum(one.spending.usd or 0.0 for one in sessions if one.spending is not None)
    tokens = [one.session.tokens for one in sessions if one.session.tokens is not None]
    sent = sum(one.input or 0 for one in tokens)
    said = sum(one.output or 0 for one in tokens)
    cached = sum(one.cached or 0 for one in tokens)
    other = entry["inputTokens"] + entry["cacheCreationTokens"] + entry["cacheReadTokens"]
    if abs(cost - entry["totalCost"]) <= 0.005 * max(cost, entry["totalCost"], 0.01):
        return "equal"
    kind = "equal tokens, another price"
    if (sent, cached) != (other, entry["cacheReadTokens"]):
        kind = "other tokens"
    elif said != entry["outputTokens"]:
        kind = "only the tokens of the answers differ"
    print(
        f"{kind}: here ${cost:.4f}, there ${entry['totalCost']:.4f}; sent {sent} and {other}, "
        f"of these from the cache {cached} and {entry['cacheReadTokens']}, answered {said} and {entry['outputTokens']}"
    )
    return kind


if __name__ == "__main__":
    sys.exit(main())
