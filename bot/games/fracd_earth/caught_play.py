"""Who is in an area once its place is settled: named, found out of hiding, avoiding, hit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth import veils
from bot.games.fracd_earth.areas import Placed, area_of, places, places_written, read_places
from bot.games.fracd_earth.avoid_play import hit_due
from bot.games.fracd_earth.exchange import Exchange, Facts, current
from bot.games.fracd_earth.fields import allies
from bot.games.fracd_earth.players import player_of
from bot.games.fracd_earth.steps import DECISIONS, LATE, ask
from bot.games.fracd_earth.telling import Telling
from bot.replies.reply import Blank, Button, Choice, Menu, Reply, form
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import MOST_CHOICES, Asking, nothing
from bot.table.asking.things import labelled, split
from bot.table.handlers import handles
from bot.table.owners import in_play
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import area, hidden
from rules.systems.fracd_earth.area import InArea
from rules.systems.fracd_earth.hidden import Token

CAUGHT_FORM = form(
    "fe.caught",
    "Who is in the area?",
    Blank("figures", "Names, or with places: Vale 1,0; Rook 2,1", required=False, longest=400),
    Blank("unseen", "Of these, who does not see the attacker", required=False, longest=200),
    Blank("tokens", "Hide tokens in it: 4, 5", required=False),
)


def _read(asking: Asking, text: str) -> Placed:
    return read_places(asking.act.encounter, text)


def _tokens(asking: Asking, text: str) -> tuple[Token, ...]:
    return tuple(veils.token_named(asking.act.encounter, part) for part in split(text))


def _tokens_written(tokens: tuple[Token, ...]) -> str:
    return ", ".join(str(token.id) for token in tokens)


@dataclass(frozen=True, slots=True)
class Caught(Action):
    """Say who lies in the area, by name, or with places in inches from the point aimed at."""

    command = "fe.caught"
    decision_of = in_play("the player who holds the cards")

    at: int = 0
    figures: Placed | None = fields.sought("", nothing, _read, written=places_written)
    unseen: tuple[ModelRow, ...] = allies("")
    tokens: tuple[Token, ...] | None = fields.sought("", nothing, _tokens, written=_tokens_written)
    step: int = 0


def to_caught(act: Act, exchange: Exchange, facts: Facts) -> None:
    """Somebody says who is in the area now."""
    number = player_of(act.encounter, act.encounter.model(facts["attacker"]))
    exchanges.keep(act.encounter, Exchange("area", facts, None, "caught", (number,), exchange.id, act.entry))


def _ask_caught(act: Act, telling: Telling, exchange: Exchange) -> None:
    telling.lines.append("Who is in the area now? Any side.")
    nobody = Caught(exchange.id, step=exchange.entry)
    telling.buttons.append(Button("In it...", nobody, "main", anytime=True, form=CAUGHT_FORM))
    telling.buttons.append(Button("Nobody", nobody, anytime=True))
    telling.menus += _those_in_it(act, exchange, nobody)


def _those_in_it(act: Act, exchange: Exchange, nobody: Caught) -> list[Menu]:
    """A menu of all whose figure lies open to the attacker; where exactly they stand, the form takes."""
    encounter = act.encounter
    side = encounter.model(exchange.facts["attacker"]).side
    seen = [row for row in encounter.models() if not veils.hidden_from(encounter, row.id, side)]
    choices = tuple(Choice(label, f"#{row.id}") for label, row in labelled(encounter, seen[:MOST_CHOICES]))
    return [Menu("Who is in it?", nobody, "figures", choices, 1, len(choices), anytime=True)]


DECISIONS["caught"] = _ask_caught


def _late_caught(act: Act, telling: Telling, exchange: Exchange) -> None:
    telling.lines.append("Nobody was named: nobody is hit.")
    exchanges.drop(act.encounter)


LATE["caught"] = _late_caught


@handles(Caught, bot_dice=True)
def caught(act: Act, action: Caught) -> Reply:
    """Avoidance for those who saw it, then hits. Rules: FE-AOE-10, FE-AOE-14, FE-HID-02."""
    encounter = act.encounter
    exchange = current(encounter, action.at, action.step)
    if exchange.stage != "caught":
        raise InvalidInput("No area attack waits for that.")
    act.require_side(encounter.model(exchange.facts["attacker"]).side)
    facts = exchange.facts
    shape = area_of(facts)
    unseen = {row.id for row in action.unseen}
    found = [InArea(one, at, one not in unseen) for one, at in places(action.figures or (), facts)]
    inside = area.caught(shape, found)
    outside = [encounter.model(one.figure).name for one in found if one not in inside]
    side = encounter.model(facts["attacker"]).side
    open_ones = [one for one in inside if not veils.hidden_from(encounter, one.figure, side)]
    telling = Telling()
    more = _tokens_in(act, telling, action.tokens or (), side, len(open_ones))
    names = [encounter.model(one.figure).name for one in open_ones]
    telling.lines.insert(0, f"In the area: {', '.join(names) or 'nobody'}.")
    telling.lines += [f"Outside: {', '.join(outside)}."] if outside else []
    avoiding = area.may_avoid(shape, open_ones)
    exchanges.drop(encounter)
    things = [_avoid_due(facts, number) for number in avoiding]
    hits = [one.figure for one in open_ones if one.figure not in avoiding] + more
    things += [hit_due(facts, number) for number in hits]
    exchanges.owe(encounter, [*exchanges.due(encounter), *things])
    return ask(act, telling)


def _tokens_in(act: Act, telling: Telling, laid: Sequence[Token], side: int, legitimate: int) -> list[int]:
    """Tokens in the area are turned up where anybody not hidden is in it. Rules: FE-HID-02."""
    encounter = act.encounter
    hit = []
    for token in laid:
        if not hidden.area_affects_hidden(legitimate):
            telling.lines.append(f"Token {token.id}: not affected, nobody else is in it.")
        elif token.figure is None:
            veils.keep(encounter, tuple(each for each in veils.tokens(encounter) if each.id != token.id))
            telling.lines.append(f"Token {token.id} is a blank.")
        else:
            veils.forget(encounter, token.figure)
            telling.lines.append(f"Token {token.id} is {encounter.model(token.figure).name}.")
            hit.append(token.figure)
    return hit


def _avoid_due(facts: Facts, number: int) -> Facts:
    return {"kind": "avoid", "target": number, "area": facts}
