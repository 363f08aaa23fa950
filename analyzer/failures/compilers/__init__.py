"""The diagnostics of compilers, type checkers and linters: one file per tool."""
