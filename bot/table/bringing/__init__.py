"""Lists that players bring: understood, shown, then kept as crews; and crews written as such lists."""
