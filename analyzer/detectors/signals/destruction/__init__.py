"""What a command destroys: what is known of the place before it runs, and the rules that call it a loss."""
