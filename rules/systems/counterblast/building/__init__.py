"""Who may be in a crew, with what, and what it costs."""
