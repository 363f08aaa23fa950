"""The command line: commands, their options, and what writes their results. This is the only package that prints, and
the only one that decides exit codes.

What the help needs is imported at the top of these modules; what a command needs is imported when it runs, so that
`analyze-session --help` answers at once.
"""
