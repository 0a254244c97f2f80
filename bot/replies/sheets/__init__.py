"""Sheets to print: their contents, their layout on paper, and their PDF, picture or text."""
