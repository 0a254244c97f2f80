"""Ultimate Warzone: d20 roll-under skirmish in the Mutant Chronicles, from its quick-reference sheets."""
