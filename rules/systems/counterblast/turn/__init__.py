"""Who acts, with what, and when."""
