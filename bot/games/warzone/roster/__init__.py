"""Whose models stand on the table: profiles typed and written out, squads, samples, the battle sheet."""
