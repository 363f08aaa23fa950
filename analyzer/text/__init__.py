"""What every floor needs of strings: plain text, clipping, Markdown spans, masks, similarity, late expressions. It
imports nothing of ours."""
