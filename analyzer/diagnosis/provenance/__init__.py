"""Where the cause of a failure came in: one file per kind, asked in the order of `chain.KINDS`."""

from analyzer.diagnosis.provenance.chain import Provenances, provenance_of

__all__ = ["Provenances", "provenance_of"]
