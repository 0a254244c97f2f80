"""The referee reads an exported game and plays it again, entry by entry.

`checks` reads the file: its bytes, its chain of hashes, the seed. `game_replay` plays it again from its
start, with the same requests, and compares every entry. `verdict_text` puts the verdict into words.
`replay_story` tells the game as one person, a watcher or everyone saw it.
"""
