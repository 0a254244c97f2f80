"""The words with which the table explains itself: the welcome and `:help`, in lines of at most 38 columns."""

WELCOME = """\
ADJUTANT, the whole bot, on this
machine. No account, no network.

  /demo   a first game to look at
  /help   what the bot can do
  :help   how to type here
  :quit   leave

Tab completes. You are "host".
@anna /help  speaks as anna."""

HELP = """\
TYPING AT THIS TABLE

/roll 4d10 vs 7      a command
/cb shoot model:Sally target:Trapper
  Values by name, as on Discord, or in
  order. A named value ends at the next
  name. Quote it if it has a colon.

2                    press number 2
press Draw           press by label
menu 3 2,4           choose in menu 3
menu "Who acts?" Sally
modal faces:10 2     answer a form
  A form asks field by field. modal
  alone sends it as it is, and :cancel
  closes it.

Numbers start at 1 with the newest
replies that have buttons, and later
messages continue the count. A label
means the newest button of that name.

@anna /help          speak as anna;
  if she is new she joins, and she
  speaks until someone else does.
#other /help         in channel #other
:channel other       go there
:who                 who is here
:see anna            what anna can see
:quit                leave

(only anna sees this) marks private
messages. The first person, "host",
runs the server."""
