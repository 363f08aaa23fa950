"""Session -> other tools' files: ATIF, chat messages, and our own documented form.

What a form has no field of its own for (exit codes, marks, lanes) goes where the form allows extra keys, so that
reading the result back gives the same timeline.
"""
