"""Whole scripts against a small real bot: what they print, what fails them, and the terminal's own loop."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from bot.local.album import Album
from bot.local.completion import TableCompleter
from bot.local.feed import Idle
from bot.local.script import JsonReplies, ScriptError, Transcript, run, seed_of
from bot.local.server import LocalServer
from bot.local.session import Session
from bot.local.terminal import Keyboard, Terminal, play
from tests.local.conftest import running

MODELS = {"Sally": "m1", "Big Ed": "m2", "Skip": "m3"}
It = discord.Interaction[Any]


class Panel(discord.ui.View):
    """A live panel: drawing edits it and tells the drawer a secret."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @discord.ui.button(label="Draw", custom_id="bag:draw")
    async def draw(self, it: It, _: discord.ui.Button[Panel]) -> None:
        assert it.message is not None
        left = int(it.message.content.rpartition(" ")[2]) - 1
        await it.response.send_message(f"You drew {left}", ephemeral=True)
        await it.message.edit(content=f"**Bag** {left}")

    @discord.ui.button(label="Undo", custom_id="bag:undo", disabled=True)
    async def undo(self, it: It, _: discord.ui.Button[Panel]) -> None: ...

    @discord.ui.button(label="Quiet", custom_id="bag:quiet")
    async def quiet(self, it: It, _: discord.ui.Button[Panel]) -> None:
        await it.response.defer()

    @discord.ui.select(
        placeholder="Who acts?",
        custom_id="bag:who",
        max_values=2,
        options=[discord.SelectOption(label=name, value=value) for name, value in MODELS.items()],
    )
    async def who(self, it: It, select: discord.ui.Select[Panel]) -> None:
        await it.response.send_message(f"Chosen: {', '.join(select.values)}")


class Dice(discord.ui.Modal, title="Real dice"):
    faces: discord.ui.TextInput[Dice] = discord.ui.TextInput(label="Faces thrown")
    why: discord.ui.TextInput[Dice] = discord.ui.TextInput(label="Why", required=False, default="luck")

    async def on_submit(self, it: It) -> None:
        await it.response.send_message(f"Thrown {self.faces.value} by {self.why.value}")


class TableBot(discord.Client):
    """What a bot can do to a terminal, one command each."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), guild_ready_timeout=0.01)
        self.tree = app_commands.CommandTree(self)
        self.later: set[asyncio.Task[None]] = set()
        for made in COMMANDS:
            self.tree.add_command(made)

    async def setup_hook(self) -> None:
        self.add_view(Panel())
        await self.tree.sync()


COMMANDS: list[app_commands.Command[Any, ..., None]] = []


def command(function: Callable[..., Any]) -> None:
    COMMANDS.append(app_commands.command(description=function.__name__)(function))


@command
async def roll(it: It, dice: str) -> None:
    await it.response.send_message(f"<@{it.user.id}> rolls **{dice}**")


@command
async def panel(it: It) -> None:
    await it.response.send_message("**Bag** 9", view=Panel())


@command
async def secret(it: It) -> None:
    await it.response.send_message("The Ambusher waits", ephemeral=True)


@command
async def deny(it: It) -> None:
    await it.response.send_message("Skip is panicked:\nhe can only rally.", ephemeral=True)


@command
async def throw(it: It) -> None:
    await it.response.send_modal(Dice())


@command
async def odds(it: It) -> None:
    await it.response.defer(thinking=True)
    await asyncio.sleep(0.06)
    picture = discord.File(io.BytesIO(b"\x89PNG"), "odds.png", description="34% no wound")
    await it.followup.send("Odds", file=picture, embed=discord.Embed(title="Exact"))


@command
async def remind(it: It, after: float = 0.1) -> None:
    async def speak() -> None:
        await asyncio.sleep(after)
        assert isinstance(it.channel, discord.TextChannel)
        await it.channel.send("Time is up")

    await it.response.send_message("Waiting")
    assert isinstance(it.client, TableBot)
    it.client.later.add(asyncio.create_task(speak()))


@command
async def mute(it: It) -> None: ...


async def suggest_model(it: It, typed: str) -> list[app_commands.Choice[str]]:
    found = {name: value for name, value in MODELS.items() if typed.lower() in name.lower()}
    return [app_commands.Choice(name=name, value=value) for name, value in found.items()]


@command
@app_commands.autocomplete(model=suggest_model)
@app_commands.choices(how=[app_commands.Choice(name=name, value=name) for name in ("loud", "low")])
async def rally(it: It, model: str, how: str, who: discord.Member | None = None) -> None:
    await it.response.send_message(f"{model} rallies {how}{f' with {who.name}' if who else ''}")


async def at_rest() -> None:
    """The idle of a bot without queues."""


@asynccontextmanager
async def start_bot(server: LocalServer) -> AsyncIterator[Idle]:
    async with running(server, TableBot()):
        yield at_rest


@pytest.fixture
async def session(server: LocalServer) -> AsyncIterator[Session]:
    async with start_bot(server) as idle:
        yield Session(server, idle)


async def transcript(session: Session, text: str) -> str:
    out = io.StringIO()
    await run(text.splitlines(), session, Transcript(out))
    return out.getvalue()


async def replies(session: Session, text: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    await run(text.splitlines(), session, JsonReplies(out))
    return [json.loads(line) for line in out.getvalue().splitlines()]


GAME = """\
# A game

/roll 4d10+1 vs 7
expect @host rolls 4d10+1
@anna /panel
press Draw
expect Bag 8
refused You drew 8
@bo #cellar /secret
:see anna
absent Ambusher
:see bo
expect Ambusher
@anna #table 1
menu "Who acts?" Sally,big ed
menu 3 3
/throw
modal faces-thrown:10 2
/odds
:who
"""

READS = """\
# A game

host #table> /roll 4d10+1 vs 7
@host rolls 4d10+1 vs 7

anna #table> /panel
Bag 9
[1] Draw  [-] Undo (off)  [2] Quiet
[3] Who acts? (1 to 2)
    1 Sally
    2 Big Ed
    3 Skip

anna #table> press Draw
(only anna sees this)
You drew 8
panel changed:
Bag 8
[1] Draw  [-] Undo (off)  [2] Quiet
[3] Who acts? (1 to 2)
    1 Sally
    2 Big Ed
    3 Skip

bo #cellar> /secret
(only bo sees this)
The Ambusher waits

bo #cellar> :see anna
anna sees nothing in #cellar.

bo #cellar> :see bo
bo sees this in #cellar:
(only bo sees this)
The Ambusher waits

anna #table> 1
(only anna sees this)
You drew 7
panel changed:
Bag 7
[1] Draw  [-] Undo (off)  [2] Quiet
[3] Who acts? (1 to 2)
    1 Sally
    2 Big Ed
    3 Skip

anna #table> menu "Who acts?" Sally,big ed
Chosen: m1, m2

anna #table> menu 3 3
Chosen: m3

anna #table> /throw
(only anna sees this)
form: Real dice
  Faces thrown
  Why (optional; now luck)

anna #table> modal faces-thrown:10 2
Thrown 10 2 by luck

anna #table> /odds
Odds
Exact
(picture odds.png: 34% no wound)

anna #table> :who
People here: host, anna, bo. You speak as anna in #table.

"""


async def test_a_game_reads_as_a_transcript(session: Session) -> None:
    assert await transcript(session, GAME) == READS


async def test_json_gives_every_reply_and_replays_alike() -> None:
    seen = []
    for _ in range(2):
        async with LocalServer() as server, start_bot(server) as idle:
            seen.append(await replies(Session(server, idle), GAME))
    assert seen[0] == seen[1]
    first = seen[0][0]
    assert first == {
        "line": 3,
        "input": "/roll 4d10+1 vs 7",
        "who": "host",
        "kind": "message",
        "channel": "table",
        "seen_by": "everyone",
        "message": "<1>",
        "text": "@host rolls **4d10+1 vs 7**",
        "embeds": [],
        "buttons": [],
        "menus": [],
        "files": [],
        "mentions": ["host"],
    }
    drawn, changed = (each for each in seen[0] if each["line"] == 6)
    assert (drawn["kind"], drawn["seen_by"]) == ("message", "anna")
    assert (changed["kind"], changed["text"], changed["message"]) == ("edit", "**Bag** 8", "<2>")
    assert changed["buttons"][0] == {"label": "Draw", "id": "bag:draw", "disabled": False}
    assert changed["menus"][0]["max"] == 2
    odds = next(each for each in seen[0] if each["input"] == "/odds")
    assert odds["files"] == [{"name": "odds.png", "size": 4, "alt": "34% no wound"}]
    form = next(each for each in seen[0] if each["kind"] == "modal")["form"]
    assert [field["label"] for field in form["fields"]] == ["Faces thrown", "Why"]
    assert seen[0][-1]["kind"] == "note"


@pytest.mark.parametrize(
    ("text", "seed"),
    [
        (":seed 7\n/roll 2d6", 7),
        ("# x\n\n#! y\n:seed 12", 12),
        ("/roll 2d6\n:seed 7", None),
        (":seed -7", None),
        (f":seed {'9' * 19}", None),
        ("hello\n:seed 3", 3),
        ("", None),
    ],
)
def test_a_script_names_its_seed_before_it_plays(text: str, seed: int | None) -> None:
    assert seed_of(text.splitlines()) == seed


@pytest.mark.parametrize(
    ("text", "number", "said"),
    [
        ("/roll 2d6\nexpect 3d6", 2, 'expected "3d6". The outcome was:\n@host rolls 2d6'),
        ("/roll 2d6\nabsent 2d6", 2, "did not expect"),
        ("/roll 2d6\nrefused rolls", 2, "expected a private refusal"),
        ("/rol\nabsent 2d6", 1, "not sent"),
        ("expect anything", 1, "put a command before `expect`"),
        ("/roll 2d6\nexpect", 2, "after `expect`, enter the text to look for"),
        ("\n# x\nhello", 3, "Begin a command with /"),
        ("/rol 2d6", 1, "this was not sent. There is no command /rol. Did you mean /roll"),
        ("/roll", 1, "this was not sent. /roll still needs dice"),
        ("/rally model:Sally how:loudly\n/roll 2d6", 1, "this was not sent. "),
        ("/rally model:Sally how:loudly\nexpect whispering", 2, "expected"),
        ("/panel\npress Undo", 2, "Undo can no longer be pressed"),
        ("/panel\nmenu 3 7", 2, "Choose an option from 1 to"),
        ("modal a", 1, "No form is open for host"),
        ("@anna /throw\n@bo modal faces-thrown:1", 2, "No form is open for bo"),
        ("/throw\n/roll 2d6\nmodal 4", 3, "No form is open"),
        ("wait long", 1, "after `wait`, enter a number of seconds (you entered"),
        ("/roll 2d6\n:seed 7", 2, "put `:seed` before the first command"),
        ("# x\n:seed seven", 2, "after `:seed`, enter a number of up to 18 digits (you entered 'seven')"),
        (":seed 1\n:seed 1", 2, "put `:seed` before the first command"),
    ],
)
async def test_what_does_not_hold_fails_with_its_line(
    session: Session, text: str, number: int, said: str
) -> None:
    with pytest.raises(ScriptError) as failure:
        await transcript(session, text)
    assert failure.value.number == number
    assert said in str(failure.value)


async def test_refusals_of_bot_and_table_can_be_expected(session: Session) -> None:
    read = await transcript(
        session,
        "/deny\nrefused panicked: he can only\n/rally Sally loudly\nrefused Choose one of these\n"
        "/panel\npress Undo\nrefused can no longer be pressed\npress Quiet\nexpect (nothing to see)",
    )
    assert "(only host sees this)\nSkip is panicked:" in read
    assert "(not sent) " in read


async def test_an_answer_that_never_comes_is_shown_and_must_be_noticed(
    server: LocalServer, session: Session
) -> None:
    async def hurry(text: str) -> str:
        script = asyncio.create_task(transcript(session, text))
        await asyncio.sleep(0.1)
        server.clock.advance(3.1)
        return await script

    assert "(only host sees this)\nThe application did not respond." in await hurry(
        "/mute\nexpect did not respond"
    )
    with pytest.raises(ScriptError, match="line 1: the bot did not answer"):
        await hurry("/mute")


async def test_wait_is_for_what_comes_unasked(session: Session) -> None:
    read = await transcript(
        session, "/remind after:1\nabsent Time is up\nwait\nexpect Time is up\nwait 0.01\nabsent Time is up"
    )
    assert "host #table> wait\nTime is up\n" in read


async def test_a_reminder_holds_nothing_up(session: Session) -> None:
    read = await transcript(session, "/remind after:3600\n" + "/roll 2d6\n" * 5)
    assert read.count("> /roll 2d6") == 5
    assert "Time is up" not in read


async def test_a_script_may_have_two_hundred_lines(session: Session) -> None:
    read = await transcript(session, "/panel\n" + "/roll 2d6\nexpect 2d6\npress Draw\n" * 67)
    assert read.count("> /roll 2d6") == 67


async def offered(session: Session, text: str) -> list[str]:
    found = TableCompleter(session).get_completions_async(Document(text), CompleteEvent())
    return [text[: len(text) + one.start_position] + one.text async for one in found]


async def test_completion_offers_what_was_registered_and_suggested(session: Session) -> None:
    await transcript(session, "@anna /panel")
    assert await offered(session, "/ra") == ["/rally "]
    assert await offered(session, "@anna /pa") == ["@anna /panel"]
    assert await offered(session, "/rally ") == [
        "/rally Sally",
        '/rally "Big Ed"',
        "/rally Skip",
        "/rally model:",
        "/rally how:",
        "/rally who:",
    ]
    assert await offered(session, "/rally model:big") == ['/rally model:"Big Ed"']
    assert await offered(session, "/rally Sally how:lo") == ["/rally Sally how:loud", "/rally Sally how:low"]
    assert await offered(session, '/rally "Big Ed" ') == [
        '/rally "Big Ed" loud',
        '/rally "Big Ed" low',
        '/rally "Big Ed" model:',
        '/rally "Big Ed" how:',
        '/rally "Big Ed" who:',
    ]
    assert await offered(session, "/rally how:low who:") == [
        "/rally how:low who:@host",
        "/rally how:low who:@anna",
    ]
    assert await offered(session, "press ") == ["press Draw", "press Quiet"]
    assert await offered(session, "@a") == ["@anna "]
    assert await offered(session, "#") == ["#table "]
    assert await offered(session, ":q") == [":quit"]
    assert "m2 rallies low with anna" in await transcript(session, '/rally "Big Ed" low @anna')


class Typist:
    """A reader with its lines ready, each after a pause."""

    def __init__(self, *lines: str, pause: float = 0) -> None:
        self._lines = iter(lines)
        self._pause = pause

    async def line(self, prompt: str) -> str | None:
        await asyncio.sleep(self._pause)
        return next(self._lines, None)

    async def answer(self, prompt: str, default: str) -> str | None:
        return await self.line(prompt) or default


async def test_what_comes_unasked_is_shown_while_someone_types(
    session: Session, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    typist = Typist("/panel", "/remind after:0.05", "1", pause=0.15)
    await Terminal(session, typist, Album(tmp_path)).talk()
    out = capsys.readouterr().out
    assert out.index("Waiting") < out.index("Time is up") < out.index("panel changed:")


@pytest.mark.parametrize("kind", ["xterm", "dumb"])
async def test_the_keyboard_edits_completes_and_ends(
    kind: str, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", kind)
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keyboard = Keyboard(session)
        keys.send_text("/roll 2d7\x7f6\r")
        assert await keyboard.line("> ") == "/roll 2d6"
        keys.send_text("/x\x03")
        assert await keyboard.line("> ") == ""
        keys.send_text("er\r")
        assert await keyboard.answer("Why: ", "bett") == ("better" if kind == "xterm" else "er")
        keys.send_text("\x04")
        assert await keyboard.answer("Why: ", "") is None
        keys.send_text("\x04")
        assert await keyboard.line("> ") is None


async def play_lines(lines: list[str], monkeypatch: pytest.MonkeyPatch, pictures: Path, **more: Any) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return await play(start_bot, pictures=pictures, **more)


async def test_a_pipe_is_read_like_a_keyboard(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    lines = [
        "/rol",
        "expect x",
        "",
        "@anna /throw",
        "",
        "10 2",
        "",
        ":help",
        "/throw",
        ":cancel",
        "/odds",
        ":quit",
        "/x",
    ]
    assert await play_lines(lines, monkeypatch, tmp_path / "pictures") == 0
    out = capsys.readouterr().out
    assert out.startswith("ADJUTANT")
    assert "There is no command /rol. Did you mean /roll" in out
    assert "`expect` can only be used in a script." in out
    assert "Fill in Faces thrown." in out
    assert "Thrown 10 2 by luck" in out
    assert "TYPING AT THIS TABLE" in out
    assert "(form closed)" in out
    assert f"(picture {tmp_path}/pictures/odds.png: 34% no wound)" in out
    assert (tmp_path / "pictures" / "odds.png").read_bytes() == b"\x89PNG"
    assert "\x1b" not in out
    assert max(len(line) for line in out.partition("host #table>")[0].splitlines()) <= 38


async def test_a_form_may_be_answered_in_one_line_and_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    lines = ["/throw", "modal reason:none", "modal faces-thrown:9 why:skill"]
    assert await play_lines(lines, monkeypatch, tmp_path) == 0
    out = capsys.readouterr().out
    assert "modal has no option reason" in out
    assert "Thrown 9 by skill" in out


async def test_a_form_that_is_asked_is_handed_in_as_it_stands_by_the_word_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """As in a script: the word is no answer to the first field."""
    lines = ["/throw", "modal", ":cancel"]
    assert await play_lines(lines, monkeypatch, tmp_path) == 0
    out = capsys.readouterr().out
    assert "modal still needs faces-thrown" in out
    assert "Thrown" not in out.replace("Faces thrown", "")


async def test_what_a_field_does_not_take_is_asked_again_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What was typed into the fields before it stays."""
    lines = ["/throw", "10 2", "x" * 4001, "skill"]
    assert await play_lines(lines, monkeypatch, tmp_path) == 0
    out = capsys.readouterr().out
    assert "“Why” must have" in out
    assert "Thrown 10 2 by skill" in out


@pytest.mark.parametrize("as_json", [False, True])
async def test_play_runs_a_script_and_says_where_it_fails(
    as_json: bool, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    script = tmp_path / "game.txt"
    script.write_text("/roll 2d6\n", encoding="utf-8")
    assert await play(start_bot, script=script, as_json=as_json, pictures=tmp_path) == 0
    assert capsys.readouterr().out.startswith('{"line": 1' if as_json else "host #table> /roll 2d6\n")
    script.write_text("/roll 2d6\nexpect 3d6\n", encoding="utf-8")
    assert await play(start_bot, script=script, as_json=as_json, pictures=tmp_path) == 1
    assert capsys.readouterr().err.startswith("line 2: expected")
    assert await play(start_bot, script=tmp_path / "none", as_json=as_json, pictures=tmp_path) == 1
    assert "can't be read: No such file" in capsys.readouterr().err
