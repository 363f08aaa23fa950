"""What redaction costs: the time to read and judge sessions, and the time to redact them before they are judged.

Usage: python benchmarks/redaction.py [TRANSCRIPT...]

Without transcripts the samples of this project are taken, many times.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from analyzer.api import Loaded, report_of
from analyzer.formats import load
from analyzer.model.errors import UnreadableInput
from analyzer.redaction import redact_session
from analyzer.timeline import build_timeline

ROOT = Path(__file__).resolve().parent.parent
_REPEATED = 20


def main() -> int:
    """Judge and redact, and print both times."""
    paths = [Path(name) for name in sys.argv[1:]] or sorted((ROOT / "sample_sessions").glob("*.json")) * _REPEATED
    judging = redacting = 0.0
    count = 0
    for path in paths:
        begun = time.process_time()
        try:
            transcript = load(path)
        except UnreadableInput:
            continue
        read = time.process_time()
        for session in transcript.sessions:
            redact_session(session)
        redacted = time.process_time()
        loaded = Loaded(transcript, [build_timeline(session) for session in transcript.sessions])
        report = report_of(loaded)
        judging += time.process_time() - redacted + read - begun
        redacting += redacted - read
        count += len(report.sessions)
    if not count:
        print("no session could be read", file=sys.stderr)
        return 2
    print(
        f"{count} sessions: read and judged in {judging:.2f} s, redacted in {redacting:.2f} s "
        f"({redacting / judging:.1%} more)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
