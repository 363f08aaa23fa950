"""Known error messages as tables: of shells, of well-known programs, and of agents' own tools."""
