"""What is asked of chances beside those of one action: which of its ways is best, and whether it was luck."""
