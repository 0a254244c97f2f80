"""How actions are asked for: the kinds of fields, how fields are declared, and how typed text is read.

kinds.py         plain kinds: words, numbers, switches, one of a few words
table_kinds.py   kinds that name something on the table: a model, a side, whatever a game lists by name
server_kinds.py  kinds that name something outside the scope: a crew, a campaign, a file, a person
fields.py        one function for each kind, by which actions declare their fields
offering.py      what is suggested for fields that name something on the table
reading.py       from what was typed to an action, and from names to the things themselves
descriptions.py  words beside commands, groups and pages of help
"""
