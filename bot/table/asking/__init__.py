"""How an action is asked, whatever the door: kinds of fields, reading them, suggesting them.

kinds.py       plain kinds: words, numbers, switches, one of a few words
things.py      kinds that name something on the table: a model, a side, whatever a game lists by name
elsewhere.py   kinds that name something outside the scope: a crew, a campaign, a file, a person
reading.py     from an action as it was asked to one with the things themselves
options.py     what of an action can be said, and in which order
suggesting.py  what may stand in a field that is typed, likeliest first
legal.py       what may be done now, tried on the table
whose.py       whose an action is to do, for whoever only asks its odds
forms.py       forms made from declarations, and what was filled in
line.py        one line of words for any action
"""
