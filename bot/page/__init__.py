"""The table in a browser: a door to the local server for phones and a television.

`serve` puts it together and listens; `door` answers the addresses of a seat, `entrance` those of strangers,
`wall` the television; `guard` refuses what no page of ours sends; `seats` knows who may; `kept` is the file
that outlives a restart; `stream` brings what happens to every page; `words`, `messages`, `forms` and `attach`
read what the bot sends into values, and `frame` fills the templates with them.
Nothing here knows a game: whatever the bot sends to the local server is shown, whatever is pressed goes there.
"""
