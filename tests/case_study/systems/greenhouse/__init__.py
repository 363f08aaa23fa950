"""An agent that plans an irrigation and carries the plan out: a planner, a check of plans, and a kernel."""
