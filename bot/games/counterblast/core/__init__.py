"""Shared parts of Counterblast: who is meant, what it costs, how it is told and carried out."""
