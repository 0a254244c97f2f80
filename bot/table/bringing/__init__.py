"""Lists that players bring: recognised, shown and kept as crews; and crews written as lists."""
