"""What repeats itself: calls, cycles, failures, messages."""
