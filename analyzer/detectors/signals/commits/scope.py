"""What a commit takes in, by its own result."""

from __future__ import annotations
