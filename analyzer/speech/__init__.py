"""What is said: sentences, the words in them, and the acts that a sentence does, for user and agent alike."""
