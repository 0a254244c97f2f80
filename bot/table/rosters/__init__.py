"""Crews: how they are made, written, read and mustered."""
