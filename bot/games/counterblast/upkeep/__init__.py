"""The end of a turn: proposed, corrected, carried out; and casualties."""
