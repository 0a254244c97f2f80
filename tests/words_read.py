"""The words of the program, read as this is loaded: who is forked then has them. No game is part of it."""

from __future__ import annotations

from bot.store.vocabulary import words_of_the_program

words_of_the_program()
