"""Slash commands: made from the declarations of actions; and the guide that tells what there is."""
