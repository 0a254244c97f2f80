"""The words with which the table explains itself: the welcome and `:help`, in lines of at most 38 columns."""

WELCOME = """\
ADJUTANT runs entirely on this
machine. You need no account and no
network.

  /demo   a first game to look at
  /help   what the bot can do
  :help   how to type here
  :quit   leave

Tab completes words. You are "host".
@anna /help  runs /help as anna."""

HELP = """\
TYPING AT THIS TABLE

/roll 4d10 vs 7      a command
/cb shoot model:Sally target:Trapper
  Enter values by name, as on Discord,
  or in order. A named value ends at
  the next name. Put quotes around a
  value that contains a colon.

2                    press number 2
press Draw           press by label
menu 3 2,4           choose in menu 3
menu "Who acts?" Sally
modal faces:10 2     answer a form
  A form asks for one field at a time.
  Enter modal alone to send the form
  unchanged, or :cancel to close it.

Numbering starts at 1 in the newest
replies that have buttons. Messages
that come later continue the count.
A label means the newest button
with that name.

@anna /help          act as anna;
  if she is new, she joins. You act as
  her until you name someone else.
#other /help         in channel #other
:channel other       go there
:who                 list who is here
:see anna            show what anna sees
:quit                leave

(only anna sees this) marks private
messages. The first person, "host",
runs the server."""
