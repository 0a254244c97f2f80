"""/fe: activations, movement, hiding and looking; figures and the make-up of the deck."""

from __future__ import annotations

from typing import Literal, TypeAlias

from discord import app_commands

from bot.commands.fracd_earth_options import carried, figures, grounds, small_actions, traits
from bot.commands.options import It, any_model, any_side, own_model
from bot.games.fracd_earth.contact_play import Leave, PassBy
from bot.games.fracd_earth.detect_play import Detect, Flip, Hide, Tokens
from bot.games.fracd_earth.move_play import HalfMove, Move, Surge
from bot.games.fracd_earth.roster_play import (
    AddFigure,
    ChangeCards,
    ChangeTable,
    MorphText,
    Solo,
    Sustain,
    WriteCard,
)
from bot.games.fracd_earth.turn_play import Activate, Done, Hold, Interrupt, Redraw, Use
from bot.panels.answer import answer
from bot.panels.typed import as_typed

Cover: TypeAlias = Literal["none", "soft", "hard"]
Count: TypeAlias = app_commands.Range[int, 0, 20]


def add_to(group: app_commands.Group) -> None:
    """Put the commands into /fe."""
    _add_turn(group)
    _add_moves(group)
    _add_contact(group)
    _add_hiding(group)
    _add_figures(group)
    _add_table(group)


def _add_turn(group: app_commands.Group) -> None:
    @group.command(name="activate", description="A figure acts")
    @app_commands.describe(figure="Who")
    @app_commands.autocomplete(figure=own_model)
    async def activate(interaction: It, figure: str) -> None:
        await answer(interaction, Activate(name=figure))

    @group.command(name="done", description="The acting figure has finished")
    async def done(interaction: It) -> None:
        await answer(interaction, Done())

    @group.command(name="wait", description="Keep an activation for later")
    @app_commands.describe(figure="Who waits")
    @app_commands.autocomplete(figure=own_model)
    async def wait(interaction: It, figure: str) -> None:
        await answer(interaction, Hold(figure))

    @group.command(name="interrupt", description="Act before the acting opponent")
    @app_commands.describe(figure="A waiting figure")
    @app_commands.autocomplete(figure=own_model)
    async def interrupt(interaction: It, figure: str) -> None:
        await answer(interaction, Interrupt(figure))

    @group.command(name="redraw", description="Draw again for initiative after a pass")
    @app_commands.describe(figure="Who passed last turn")
    @app_commands.autocomplete(figure=own_model)
    async def redraw(interaction: It, figure: str) -> None:
        await answer(interaction, Redraw(figure))

    @group.command(name="use", description="A small action, a reaction, Teamwork")
    @app_commands.describe(figure="Who", what="Which")
    @app_commands.autocomplete(figure=own_model, what=small_actions)
    async def use(interaction: It, figure: str, what: str) -> None:
        await answer(interaction, Use(figure, what))


def _add_moves(group: app_commands.Group) -> None:
    @group.command(name="move", description="Move, run, rush or crawl")
    @app_commands.describe(
        figure="Who",
        pace="How fast",
        ground="What it goes through, with commas",
        leaving="It only leaves that ground",
        transport="Move of what carries it",
        passenger="On something that moves",
        asks="Only how far, to you alone",
        over="Whose bases it crosses, with commas",
    )
    @app_commands.autocomplete(figure=own_model, ground=grounds, over=figures)
    async def move(
        interaction: It,
        figure: str,
        pace: Literal["move", "run", "rush", "crawl"] = "move",
        ground: str = "clear",
        leaving: bool = False,
        transport: app_commands.Range[int, 0, 100] = 0,
        passenger: bool = False,
        asks: bool = False,
        over: str = "",
    ) -> None:
        await answer(interaction, Move(figure, pace, ground, leaving, transport, passenger, asks, over))

    @group.command(name="half", description="Stand, lock, mount, cross, jump, climb, swim")
    @app_commands.describe(figure="Who", what="What it does", size="Of what it crosses", asks="Only asked")
    @app_commands.autocomplete(figure=own_model)
    async def half(
        interaction: It,
        figure: str,
        what: Literal["stand", "lock", "mount", "cross", "jump", "climb", "swim"],
        size: Count = 0,
        asks: bool = False,
    ) -> None:
        await answer(interaction, HalfMove(figure, what, size, asks))

    @group.command(name="surge", description="How far Meta-Speed goes")
    @app_commands.describe(
        figure="Who", turns="Degrees of each turn", veers="Veers of half a base", ground="Of each multiple"
    )
    @app_commands.autocomplete(figure=own_model, ground=grounds)
    async def surge(
        interaction: It, figure: str, turns: str = "", veers: Count = 0, ground: str = ""
    ) -> None:
        await answer(interaction, Surge(figure, turns, veers, ground))


def _add_contact(group: app_commands.Group) -> None:
    @group.command(name="leave", description="Leave a fight")
    @app_commands.describe(
        figure="Who",
        opponent="Whom",
        engaged="It fights another, too",
        edge="Move bought by an Edge",
        against="What the opponent has in hand",
    )
    @app_commands.autocomplete(figure=own_model, opponent=any_model, against=carried("opponent"))
    async def leave(
        interaction: It,
        figure: str,
        opponent: str,
        engaged: bool = False,
        edge: bool = False,
        against: str = "",
    ) -> None:
        await answer(interaction, Leave(figure, opponent, engaged, edge, against))

    @group.command(name="passby", description="Go near an opponent: stop, or be struck?")
    @app_commands.describe(
        figure="Who moves",
        opponent="Whom it comes near",
        closest="Inches; below 0: into its place",
        front="In its front half",
        engages="It goes into the fight",
        charge="It charges",
        weapon="What the mover has in hand",
        against="What the opponent has in hand",
    )
    @app_commands.autocomplete(
        figure=own_model, opponent=any_model, weapon=carried("figure"), against=carried("opponent")
    )
    async def passby(
        interaction: It,
        figure: str,
        opponent: str,
        closest: app_commands.Range[float, -1, 20] = 0.0,
        front: bool = True,
        engages: bool = False,
        charge: bool = False,
        weapon: str = "",
        against: str = "",
    ) -> None:
        await answer(interaction, PassBy(figure, opponent, closest, front, engages, charge, weapon, against))


def _add_hiding(group: app_commands.Group) -> None:
    @group.command(name="hide", description="Go under a set of tokens")
    @app_commands.describe(figure="Who hides")
    @app_commands.autocomplete(figure=own_model)
    async def hide(interaction: It, figure: str) -> None:
        await answer(interaction, Hide(figure))

    @group.command(name="tokens", description="The tokens, and which of yours are real")
    async def tokens(interaction: It) -> None:
        await answer(interaction, Tokens())

    @group.command(name="reveal", description="Show a hidden figure of yours")
    @app_commands.describe(figure="Who", moves="It moved in sight", cover="What it moved behind")
    @app_commands.autocomplete(figure=own_model)
    async def reveal(interaction: It, figure: str, moves: bool = False, cover: Cover = "none") -> None:
        await answer(interaction, Flip(figure, moves, cover))

    @group.command(name="detect", description="Look for a token, a figure or a thing")
    @app_commands.describe(
        observer="Who looks",
        what="A token's number, a figure, a thing",
        sense="Notice is Compatible, Alertness free",
        trait="The Attribute used",
        cover="What it is behind; full: wholly, not looking out",
        size="Of a thing",
        hid="Success and Edges of who hid it",
        random="Draw its difficulty",
        blocked="No free line of sight, or behind its back",
        other="A sense without sight",
        odds="Only the chances, to you alone",
    )
    @app_commands.autocomplete(observer=own_model, trait=traits)
    async def detect(
        interaction: It,
        observer: str,
        what: str,
        sense: Literal["notice", "alertness"] = "notice",
        trait: str = "mind",
        cover: Literal["none", "soft", "hard", "full"] = "none",
        size: Count = 4,
        hid: Count = 0,
        random: bool = False,
        blocked: bool = False,
        other: bool = False,
        odds: bool = False,
    ) -> None:
        action = Detect(observer, what, sense, trait, cover, size, hid, random, blocked, other, odds)
        await answer(interaction, action)


def _add_figures(group: app_commands.Group) -> None:
    sub = app_commands.Group(name="figure", description="Crew Cards", parent=group)

    @sub.command(name="add", description="Put a figure into play: type its card", extras=as_typed("text"))
    @app_commands.describe(
        text="Lines, or JSON; none: a form", count="How many", side="For whom", name="Its name"
    )
    @app_commands.autocomplete(side=any_side)
    async def add_figure(
        interaction: It,
        text: str = "",
        count: app_commands.Range[int, 1, 20] = 1,
        side: str = "",
        name: str = "",
    ) -> None:
        await answer(interaction, AddFigure(text.replace("\\n", "\n"), count, side, name))

    @sub.command(name="write", description="Write a Crew Card out")
    @app_commands.describe(figure="Whose", json="As JSON")
    @app_commands.autocomplete(figure=any_model)
    async def write(interaction: It, figure: str, json: bool = False) -> None:
        await answer(interaction, WriteCard(figure, json))

    @sub.command(name="sustain", description="Power effects a Caster maintains")
    @app_commands.describe(figure="Who", count="How many")
    @app_commands.autocomplete(figure=own_model)
    async def sustain(interaction: It, figure: str, count: Count) -> None:
        await answer(interaction, Sustain(figure, count))

    @sub.command(name="solo", description="Orders for an automated side")
    @app_commands.describe(side="Which")
    @app_commands.autocomplete(side=any_side)
    async def solo(interaction: It, side: str) -> None:
        await answer(interaction, Solo(side))


def _add_table(group: app_commands.Group) -> None:
    sub = app_commands.Group(name="house", description="Deck and tables of this game", parent=group)

    @sub.command(name="deck", description="Show or change what the deck is made of")
    @app_commands.describe(
        cards="Keys or ranks: J, QH, 7",
        value="Worth",
        force="Force icons",
        reinforces="What it joins",
        replaces="May replace",
        blocks="May block",
    )
    async def deck(
        interaction: It,
        cards: str = "",
        value: app_commands.Range[int, 0, 20] | None = None,
        force: app_commands.Range[int, 0, 9] | None = None,
        reinforces: Literal["higher", "lower", "none"] | None = None,
        replaces: Literal["yes", "no"] | None = None,
        blocks: Literal["yes", "no"] | None = None,
    ) -> None:
        numbers = (-1 if value is None else value, -1 if force is None else force)
        await answer(
            interaction, ChangeCards(cards, *numbers, reinforces or "", replaces or "", blocks or "")
        )

    @sub.command(name="table", description="Show or change the Effects Table")
    @app_commands.describe(
        level="Row", column="VL, L, M, H, VH", damage="Points lost", conditions="Like stunned, less def:1"
    )
    async def table(
        interaction: It,
        level: Count = 0,
        column: Literal["VL", "L", "M", "H", "VH"] = "M",
        damage: app_commands.Range[int, 0, 99] = 0,
        conditions: str = "",
    ) -> None:
        await answer(interaction, ChangeTable(level, column, damage, conditions))

    @sub.command(name="morph", description="What a Morph does")
    @app_commands.describe(text="In words")
    async def morph(interaction: It, text: str) -> None:
        await answer(interaction, MorphText(text))
