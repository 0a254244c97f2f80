"""sol'una: skirmish on a square grid, pools of d6 whose faces are damage locations and can be flipped."""
