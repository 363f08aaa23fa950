"""Cursor: what its agent said and did, as transcripts and in the editor's database."""
