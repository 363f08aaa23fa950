"""Answers for agents that ask about recorded sessions over the Model Context Protocol."""
