"""Everything that happens at a table, without Discord: who may do an action, how it is done, and how it is
undone.
"""
