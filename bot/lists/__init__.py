"""Lists of models as players have them, read from any common format into one neutral list, and written again.

Knows no game: names, points and equipment are those of the list. `reader` reads, `writing` writes, `names`
finds what a name means among others.
"""
