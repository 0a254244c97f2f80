"""Sheets to print: what stands on one, where on the paper, and how it becomes PDF, picture or text."""
