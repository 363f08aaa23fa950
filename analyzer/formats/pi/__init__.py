"""pi, and OpenClaw, kimchi and oh-my-pi, which write the same."""
