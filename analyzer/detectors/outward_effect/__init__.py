"""Effects on others that can not be taken back."""
