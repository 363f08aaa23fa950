"""How well the program agrees with sessions that people have labelled by hand.

Usage: python benchmarks/accuracy.py [--verbose]

Labelled sessions are other people's data and not part of this project. They're looked for beside the corpus that the
tests use: `gold/` and `tools/score_gold.py` next to the folder named by $ANALYZE_SESSION_CORPUS, or in `../shared`.
Where there are none, this says so and exits with 3.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Run the scorer on the labelled sessions and print its figures."""
    corpus = Path(os.environ.get("ANALYZE_SESSION_CORPUS") or ROOT.parent / "shared" / "corpus")
    labels, scorer = corpus.parent / "gold", corpus.parent / "tools" / "score_gold.py"
    if not (labels / "index.json").is_file() or not scorer.is_file():
        print(
            "no labelled sessions here (set ANALYZE_SESSION_CORPUS to a corpus with gold/ and tools/ beside it)",
            file=sys.stderr,
        )
        return 3
    command = f"{sys.executable} -m analyzer"
    return subprocess.run(
        [sys.executable, str(scorer), str(labels), str(corpus), "--command", command, *sys.argv[1:]],
        cwd=ROOT,
        check=False,
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
