"""Which actions check the work, and what those that passed prove."""
