"""ATIF, the Agent Trajectory Interchange Format."""
