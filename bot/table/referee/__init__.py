"""An exported game read, played again entry by entry, told again.

`checks` reads the file: its bytes, its chain of hashes, the seed. `again` plays it once more from its start,
as it was asked, and compares every entry. `verdict` is what comes of both, `telling` its words; `before`:
how old entries were asked. `retold`: the game as somebody saw it.
"""
