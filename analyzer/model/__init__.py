"""The words of this project as types. Nothing here imports anything else of ours.

Records that exist by the thousand (messages, calls, actions, frames) are slotted dataclasses; what leaves the program
(findings, diagnosis, post-mortem) are pydantic models in `finding` and `postmortem`, which are not imported here so
that reading a transcript doesn't pay for them.
"""
