"""What the programs on a command line do, from one table (`programs.toml`); no other place names a program for it."""
