"""Psionic powers: which, on whom, their dice, and what each leads to."""
