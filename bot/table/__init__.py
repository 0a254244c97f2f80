"""What happens at a table, without Discord: who may do what, what is done, and how it is undone."""
