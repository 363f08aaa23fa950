"""The Berkeley Function Calling Leaderboard: its score files, and its files of results."""
