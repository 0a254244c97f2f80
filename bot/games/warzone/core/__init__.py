"""What every room of Warzone uses: whom is meant, what fear does, what it costs, how it is told and done."""
