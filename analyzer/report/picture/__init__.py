"""Pictures from the models: SVG for pages, text for terminals and Markdown. The same input gives the same bytes."""
