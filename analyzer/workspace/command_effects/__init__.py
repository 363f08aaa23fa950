"""What the commands of a shell line do to the files."""
