"""Rules of skirmish wargames: pure functions of their arguments and of the dice.

`rules.dice` is the engine and knows no game; `rules.systems` has a package for each game; `rules.notation`
reads dice notation. Nothing here knows the bot, a database or a clock.
"""
