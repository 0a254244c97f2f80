"""Checks against a Target Number, Manoeuvres past an opponent, and hands drawn by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth import suggestions
from bot.games.fracd_earth.exchange import Exchange
from bot.games.fracd_earth.figures import figure_of, named, own
from bot.games.fracd_earth.odds_play import Answer, Go, check_odds, clash_odds
from bot.games.fracd_earth.players import deck_of, player_of
from bot.games.fracd_earth.readings import settings_of
from bot.games.fracd_earth.steps import begin_challenge, begin_check, outcome, proceed
from bot.games.fracd_earth.telling import Telling, draw_words, times, why_lines
from bot.replies.reply import Reply
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.handlers import handles
from bot.table.names import LONGEST_NAME, plain
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import checks, edges, manoeuvre
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.draws import Draw, Prepared, prepare
from rules.systems.fracd_earth.general import general_modifiers
from rules.systems.fracd_earth.profile import TRAITS
from rules.systems.fracd_earth.weapons import VERSUS

MOST_BY_HAND = 4


@dataclass(frozen=True, slots=True)
class FigureCheck(Action):
    """A Check against a Target Number.

    marks: [+] (or [-], below 0) that the table agrees on; aon: All or Nothing.
    """

    command = "fe.check"
    typed = "fe check"

    figure: str = fields.words("Who", offering.own_model, needed=True, called="model")
    trait: str = fields.words("Trait or Attribute", suggestions.traits, default="manv")
    tn: int = fields.whole("Target Number", 0, 60, default=10)
    skill: str = fields.text("A skill of its card", None)
    marks: int = fields.whole("Further [+] or [-]", -20, 20, default=0)
    points: int = fields.whole("Further points", -20, 20, default=0)
    aon: bool = fields.switch("All or Nothing")
    odds: bool = fields.odds("Only the chances, to you alone")


@dataclass(frozen=True, slots=True)
class DrawByHand(Action):
    """Draw cards without modifiers.

    One of them is selected.
    """

    command = "fe.draw"
    typed = "fe draw"

    figure: str = fields.words("For whom", offering.own_model, needed=True, called="model")
    cards: int = fields.whole("1 to 4", 1, 4, default=1)
    tn: int = fields.whole("Target Number", 0, 60, default=10)


@dataclass(frozen=True, slots=True)
class Dodge(Action):
    """Get past an opponent.

    A Manoeuvre Challenge: get past somebody, or away. Traits: Manv or an Attribute.
    """

    command = "fe.dodge"
    typed = "fe dodge"

    figure: str = fields.words("Who moves", offering.own_model, needed=True, called="model")
    opponent: str = fields.words("Who holds it", offering.any_model, needed=True)
    trait: str = fields.words("Of the mover", suggestions.traits, default="manv")
    against: str = fields.words("Of the opponent", suggestions.traits, default="manv")
    skill: str = fields.text("A skill of the mover", None)
    marks: int = fields.whole("Further [+] or [-]", -20, 20, default=0)
    odds: bool = fields.odds("Only the chances, to you alone")


def trait_named(text: str) -> str:
    """A trait, Attribute or armour by its name. Raises InvalidInput."""
    found = text.strip().casefold()
    if found not in (*TRAITS, *VERSUS):
        raise InvalidInput(f"Traits: {', '.join((*TRAITS, *VERSUS))}.")
    return found


def agreed(marks: int) -> tuple[Modifier, ...]:
    """Marks that the table agreed on. Raises InvalidInput."""
    if abs(marks) > 20:
        raise InvalidInput("At most 20 marks.")
    return (Modifier(marks, "agreed at the table"),) if marks else ()


@handles(FigureCheck, bot_dice=True)
def check(act: Act, action: FigureCheck) -> Reply:
    """Draw, select, push; total against the TN. Rules: FE-CHK-01 to FE-CHK-07, FE-MAN-02."""
    exchanges.refuse_second(act.encounter)
    row, figure = own(act, action.figure)
    settings = settings_of(act.encounter)
    trait = trait_named(action.trait)
    if abs(action.points) > 20:
        raise InvalidInput("Points are -20 to 20.")
    found = general_modifiers(figure, trait, settings, skill=action.skill).plus(*agreed(action.marks))
    found = found.plus_points(Modifier(action.points, "agreed at the table"))
    ready = prepare(found.marks, found.points, settings)
    act.canonical = replace(action, figure=f"#{row.id}", trait=trait, odds=False)
    if action.odds:
        number = player_of(act.encounter, row)
        return check_odds(act, number, ready, action.tn, strictly=action.aon, go=Go("Draw", act.canonical))
    name = plain(action.skill, LONGEST_NAME) or trait
    return begin(act, row, ready, name, action.tn, strictly=action.aon, kind="check")


def begin(
    act: Act,
    row: ModelRow,
    ready: Prepared,
    trait: str,
    tn: int,
    *,
    strictly: bool = False,
    kind: str,
    facts: Mapping[str, object] | None = None,
) -> Reply:
    """Begin a Check of a figure and ask for its card."""
    encounter = act.encounter
    head = f"{row.name} makes a Check: {trait}, TN {tn}{' (AoN)' if strictly else ''}."
    telling = Telling([head, f"{draw_words(ready)}, adds {ready.trait}"])
    telling.why += why_lines(row.name, ready)
    number = player_of(encounter, row)
    seat = seats.sit(number, ready, deck_of(encounter, number))
    known = {"names": [row.name], "traits": [trait], "id": row.id, **(facts or {})}
    begun = begin_check(act, telling, Exchange(kind, known), seat, tn, strictly=strictly)
    return proceed(act, telling, begun)


@handles(DrawByHand, bot_dice=True)
def draw_by_hand(act: Act, action: DrawByHand) -> Reply:
    """Never a fifth card. Rules: FE-DRAW-01."""
    exchanges.refuse_second(act.encounter)
    row, _ = own(act, action.figure)
    if not 1 <= action.cards <= MOST_BY_HAND:
        raise InvalidInput(
            f"A Draw Hand has 1 to {MOST_BY_HAND} cards, not {action.cards}.\nRule FE-DRAW-01."
        )
    act.canonical = replace(action, figure=f"#{row.id}")
    ready = Prepared(Draw(action.cards, penalty=False, points=0), 0, (), ())
    return begin(act, row, ready, "cards alone", action.tn, kind="check")


@outcome("check")
def check_outcome(act: Act, telling: Telling, exchange: Exchange) -> None:
    """Success, partial or failure, with its margin. Rules: FE-CHK-03, FE-CHK-04, FE-CHK-07."""
    result = checks.resolve(exchange.check, settings_of(act.encounter))
    telling.lines.insert(0, verdict_words(exchange.facts["names"][0], result))
    exchanges.close(act.encounter, exchange)


def verdict_words(name: str, result: checks.CheckResult) -> str:
    """The result in one line."""
    if result.verdict == "partial":
        return f"{name}: partial success."
    if result.margin > 0:
        more = f", {times(result.edges, 'Edge')}" if result.edges else ""
        return f"{name} succeeds by {result.margin}{more}."
    if result.margin == 0:
        return f"{name} fails: equal is not enough."
    return f"{name} fails by {result.failure_margin}."


# ------------------------------------------------------------------------------------ Manoeuvres


@handles(Dodge, bot_dice=True)
def dodge(act: Act, action: Dodge) -> Reply:
    """Mover against who holds it. Rules: FE-MAN-01, FE-CHAL-01."""
    exchanges.refuse_second(act.encounter)
    encounter, settings = act.encounter, settings_of(act.encounter)
    row, figure = own(act, action.figure)
    other, opponent = named(act, action.opponent)
    if other.side == row.side:
        raise Forbidden(f"{other.name} is on {row.name}'s own side.", "FE-MAN-01")
    act.canonical = replace(action, figure=f"#{row.id}", opponent=f"#{other.id}", odds=False)
    mine = manoeuvre.side(
        figure,
        settings,
        trait=trait_named(action.trait),
        skill=action.skill,
        marks=agreed(action.marks),
    )
    theirs = manoeuvre.side(opponent, settings, trait=trait_named(action.against))
    number, against = player_of(encounter, row), player_of(encounter, other)
    if action.odds:
        go, earns = Go("Draw", act.canonical), edges.usable_edges(1, figure, opponent) > 0
        return clash_odds(act, number, mine, [Answer(theirs)], go, equal="equal: held", edges=earns)
    active = seats.sit(number, mine, deck_of(encounter, number))
    reactive = seats.sit(against, theirs, deck_of(encounter, against))
    facts = {
        "names": [row.name, other.name],
        "traits": [action.trait.capitalize(), action.against.capitalize()],
        "id": row.id,
        "against": other.id,
    }
    telling = Telling(
        [
            f"{row.name} tries to get past {other.name}.",
            f"{row.name}: {draw_words(mine)}, adds {mine.trait}",
            f"{other.name}: {draw_words(theirs)}, adds {theirs.trait}",
        ]
    )
    telling.why += [*why_lines(row.name, mine), *why_lines(other.name, theirs)]
    begun = begin_challenge(act, telling, Exchange("dodge", facts), active, reactive, strictly=False)
    return proceed(act, telling, begun)


@outcome("dodge")
def dodge_outcome(act: Act, telling: Telling, exchange: Exchange) -> None:
    """The mover must score higher. Rules: FE-MAN-01, FE-CREW-02."""
    encounter, facts = act.encounter, exchange.facts
    found = challenges.result(exchange.challenge)
    mover, opponent = facts["names"]
    if manoeuvre.gets_past(found):
        one, other = (figure_of(encounter, encounter.model(facts[who])) for who in ("id", "against"))
        earned = edges.usable_edges(found.edges, one, other)
        more = f", {times(earned, 'Edge')}" if earned else ""
        head = f"{mover} gets past {opponent} by {found.margin}{more}."
    else:
        head = f"{opponent} holds {mover}{f' by {-found.margin}' if found.margin else ' on equal totals'}."
    telling.lines.insert(0, head)
    exchanges.close(act.encounter, exchange)
