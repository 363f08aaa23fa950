"""Effects outside of the machine: what a command, an output or a tool call shows of them, and who wanted them."""
