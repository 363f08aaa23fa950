"""Two small agents whose bugs are real, and the recorder of what they do."""
