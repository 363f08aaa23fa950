"""Reading single records whose JSON types nobody guarantees: fields, times, token counts, warnings."""
