"""Many transcripts at once: find them, read each in a worker, keep the results in a database, look at them as tables.

    from analyzer import audit

    runs = audit("runs/")
    runs.sessions.groupby("model").outcome.value_counts()

This package imports nothing: `analyzer` imports it so that `analyzer.audit` can be the function.
"""
