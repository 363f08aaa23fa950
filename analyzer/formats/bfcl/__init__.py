"""The Berkeley Function Calling Leaderboard: what its evaluation writes about tasks that weren't solved."""
