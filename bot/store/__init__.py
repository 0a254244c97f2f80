"""What is kept: the tables, the journal beside them, and the unit of work that writes both at once.

Knows rows and scopes, no rule of any game and no Discord.
"""
