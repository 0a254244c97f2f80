"""Counterblast: skirmishes of Heroes and Lackeys with pools of d10. Figures in ``data``, shapes in ``profile``."""
