"""Episodes: an agent repeats itself without progress. One finder for all kinds follows a lane step by step."""
