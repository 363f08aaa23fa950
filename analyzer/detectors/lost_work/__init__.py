"""Work and files that a call destroys."""
