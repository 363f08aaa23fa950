"""Where the cause of a failure came in."""

from analyzer.diagnosis.provenance.chain import Provenances

__all__ = ["Provenances"]
