"""Crews: made, written, read, mustered."""
