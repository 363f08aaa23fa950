"""The base of the program's records: a class of slots whose fields are declared with types and defaults.

Its instances are compared and printed field by field, and hashed where they're frozen. It's the `Struct` of msgspec:
defining one costs a sixtieth of a frozen dataclass and making one an eighth, which counts in a run of half a second.
"""

from __future__ import annotations

from msgspec import Struct, convert, field, to_builtins
from msgspec.structs import asdict, force_setattr, replace

__all__ = ["Struct", "asdict", "convert", "field", "force_setattr", "replace", "to_builtins"]
