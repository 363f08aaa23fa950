"""The questions that would have helped and different ways to go on, by the sort of trouble."""
