"""How a rule says no, in sentences written for the player who asked.

Owns the two refusals that every rule system raises; knows no game and no way of showing them.
"""

from __future__ import annotations


class Forbidden(Exception):
    """The rules do not allow this: `sentence` says why and what would be right, `rule` is the ledger's id."""

    def __init__(self, sentence: str, rule: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.rule = rule


class InvalidInput(Exception):
    """A value lies outside what the game knows: `sentence` names the range."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
