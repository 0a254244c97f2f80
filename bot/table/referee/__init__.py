"""An exported game is refereed again.

`checks` reads the file: its bytes, its chain of hashes, the seed. `again` plays it once more from its start,
as it was asked, and compares every entry. `verdict` is what comes of both.
"""
