"""What every room of Counterblast uses: whom is meant, what it costs, how it is told and carried through."""
