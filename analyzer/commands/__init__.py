"""What the programs on a command line do: how it is parsed, and one table (`programs.toml`) of what each does."""
