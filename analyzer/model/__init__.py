"""The words of this project as types. Nothing here imports anything else of ours.

All records are structs (`struct`), those that leave the program (findings, diagnosis, post-mortem) of its class
`Public`. What people write (scenarios, mappings) is read by pydantic, which no post-mortem loads.
"""
