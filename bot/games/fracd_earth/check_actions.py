"""Checks against a Target Number, Manoeuvres past an opponent, and hands drawn by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.drawing import (
    Answer,
    Drawing,
    Equal,
    check_chances,
    clash_chances,
    require_no_exchange,
)
from bot.games.fracd_earth.exchange import Exchange
from bot.games.fracd_earth.fields import acting_figure, agreed_marks_field, trait_field
from bot.games.fracd_earth.figures import figure_of
from bot.games.fracd_earth.narration import Narration, side_words, trait_word, why_lines
from bot.games.fracd_earth.players import deck_of, player_of
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.steps import begin_challenge, begin_check, proceed, register_outcome
from bot.replies.reply import Reply
from bot.store.rows import ModelRow
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.names import MAX_NAME_LENGTH, plain
from bot.table.steps import Chances, in_steps
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.sections import format_rulebook_line
from rules.systems.fracd_earth import challenge as challenges
from rules.systems.fracd_earth import checks, outcomes
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.deck import Draw, Prepared, prepare
from rules.systems.fracd_earth.modifiers import general_modifiers
from rules.wording import possessive, times

MAX_BY_HAND = 4

A = TypeVar("A", bound=Action)


@dataclass(frozen=True, slots=True)
class FigureCheck(Action):
    """Make a Check against a Target Number.

    marks: [+] (or [-], below 0) that the table agrees on; aon: All or Nothing.
    """

    command = "fe.check"
    typed = "fe check"

    figure: ModelRow = acting_figure()
    trait: str = trait_field("Trait or Attribute", "manv")
    tn: int = fields.whole("Target Number", 0, 60, default=10, fact=True, labelled="Target Number")
    skill: str = fields.text("Skill from the figure's Crew Card", None)
    marks: int = agreed_marks_field()
    points: int = fields.whole("Extra points", -20, 20, default=0, checked=True, fact=True)
    aon: bool = fields.switch("All or nothing", labelled="All or nothing")
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class DrawByHand(Action):
    """Draw cards without modifiers.

    One of them is selected.
    """

    command = "fe.draw"
    typed = "fe draw"
    titled = "Draw cards"

    figure: ModelRow = acting_figure("Figure")
    cards: int = fields.whole("Number of cards (1 to 4)", 1, 4, default=1)
    tn: int = fields.whole("Target Number", 0, 60, default=10, fact=True, labelled="Target Number")
    odds: bool = fields.odds()


@dataclass(frozen=True, slots=True)
class Dodge(Action):
    """Try to get past an opponent.

    A Manoeuvre Challenge: get past a figure, or away. Traits: Manv or an Attribute.
    """

    command = "fe.dodge"
    typed = "fe dodge"
    titled = "Dodge past"

    figure: ModelRow = acting_figure("Figure that moves")
    opponent: ModelRow = fields.model("Opponent in the way", needed=True, against=True)
    trait: str = trait_field("Trait of the moving figure", "manv")
    against: str = trait_field("Trait of the opponent", "manv")
    skill: str = fields.text("Skill of the moving figure", None)
    marks: int = agreed_marks_field()
    odds: bool = fields.odds()


def agreed_modifiers(marks: int) -> tuple[Modifier, ...]:
    """Return marks that the table agreed on."""
    return (Modifier(marks, "agreed at the table"),) if marks else ()


@dataclass(frozen=True, slots=True)
class ReadyCheck:
    """A Check before its cards are drawn. player: whose cards; name: what is added, in words, or ""."""

    figure: int
    player: int
    side: Prepared
    name: str
    tn: int
    strictly: bool = False


class Checking(Drawing[A, ReadyCheck]):
    """A Check of one figure against a TN. Rules: FE-CHK-01 to FE-CHK-07."""

    def do(self, act: Act, action: A, ready: ReadyCheck) -> Reply:
        row = act.encounter.model(ready.figure)
        return begin_figure_check(
            act, row, ready.side, ready.name, ready.tn, all_or_nothing=ready.strictly, kind="check"
        )

    def chances(self, act: ActView, action: A, ready: ReadyCheck) -> Chances:
        return check_chances(act, ready.player, ready.side, ready.tn, all_or_nothing=ready.strictly)


@in_steps(FigureCheck, bot_dice=True, may=require_no_exchange)
class CheckSteps(Checking[FigureCheck]):
    """Draw, select, push; total against the TN. Rules: FE-CHK-01 to FE-CHK-07, FE-MAN-02."""

    def prepare(self, act: ActView, action: FigureCheck) -> ReadyCheck:
        exchanges.refuse_while_busy(act.encounter)
        row, settings = action.figure, settings_of(act.encounter)
        figure = figure_of(act.encounter, row)
        modifiers = general_modifiers(figure, action.trait, settings, skill=action.skill).plus(
            *agreed_modifiers(action.marks)
        )
        modifiers = modifiers.plus_points(Modifier(action.points, "agreed at the table"))
        side = prepare(modifiers.marks, modifiers.points, settings)
        checks.check_result(0, action.tn)
        name = plain(action.skill, MAX_NAME_LENGTH) or action.trait
        return ReadyCheck(row.id, player_of(act.encounter, row), side, name, action.tn, action.aon)


def begin_figure_check(
    act: Act,
    row: ModelRow,
    ready: Prepared,
    trait: str,
    tn: int,
    *,
    all_or_nothing: bool = False,
    kind: str,
    facts: Mapping[str, object] | None = None,
    purpose_text: str = "",
) -> Reply:
    """Begin a Check of a figure and ask for its card. aim: what it is for, as the first line ends."""
    encounter = act.encounter
    tn_text = f"TN {tn}, all or nothing" if all_or_nothing else f"TN {tn}"
    trait_text = f"with {trait_word(trait)}" if trait else "without modifiers"
    first_line = f"{row.name} makes a Check {trait_text}{purpose_text} ({tn_text})."
    narration = Narration([first_line, side_words(ready)])
    narration.why += why_lines(row.name, ready)
    number = player_of(encounter, row)
    seat = seats.sit(number, ready, deck_of(encounter, number))
    traits = [trait.capitalize() or "Modifiers"]
    check_facts = {"names": [row.name], "traits": traits, "id": row.id, **(facts or {})}
    check = begin_check(act, narration, Exchange(kind, check_facts), seat, tn, all_or_nothing=all_or_nothing)
    return proceed(act, narration, check)


@in_steps(DrawByHand, bot_dice=True, may=require_no_exchange)
class DrawSteps(Checking[DrawByHand]):
    """Draw one to four cards without modifiers. Rules: FE-DRAW-01."""

    def prepare(self, act: ActView, action: DrawByHand) -> ReadyCheck:
        exchanges.refuse_while_busy(act.encounter)
        row = action.figure
        if not 1 <= action.cards <= MAX_BY_HAND:
            raise InvalidInput(
                f"A Draw Hand has 1 to {MAX_BY_HAND} cards (you entered {action.cards}).\n"
                + format_rulebook_line("FE-DRAW-01")
            )
        checks.check_result(0, action.tn)
        side = Prepared(Draw(action.cards, penalty=False, points=0), 0, (), ())
        return ReadyCheck(row.id, player_of(act.encounter, row), side, "", action.tn)


@register_outcome("check")
def check_outcome(act: Act, narration: Narration, exchange: Exchange) -> None:
    """Settle success, partial or failure, with its margin. Rules: FE-CHK-03, FE-CHK-04, FE-CHK-07."""
    result = checks.resolve(exchange.check, settings_of(act.encounter))
    narration.lines.insert(0, describe_verdict(exchange.facts["names"][0], result))
    exchanges.close(act.encounter, exchange)


def describe_verdict(name: str, result: checks.CheckResult) -> str:
    """Return the result in one line."""
    if result.verdict == "partial":
        return f"{name} partly succeeds."
    if result.margin > 0:
        edge_text = f", earning {times(result.edges, 'Edge')}" if result.edges else ""
        return f"{name} succeeds by {result.margin}{edge_text}."
    if result.margin == 0:
        return f"{name} fails, because a tie is not enough."
    return f"{name} fails by {result.failure_margin}."


# ------------------------------------------------------------------------------------ Manoeuvres


@dataclass(frozen=True, slots=True)
class ReadyDodge:
    """Both sides of a Manoeuvre before their cards are drawn. players: whose cards they are."""

    figure: int
    opponent: int
    mine: Prepared
    theirs: Prepared
    players: tuple[int, int]


@in_steps(Dodge, bot_dice=True, may=require_no_exchange)
class DodgeSteps(Drawing[Dodge, ReadyDodge]):
    """The mover draws against the opponent in its way. Rules: FE-MAN-01, FE-CHAL-01."""

    def prepare(self, act: ActView, action: Dodge) -> ReadyDodge:
        exchanges.refuse_while_busy(act.encounter)
        settings = settings_of(act.encounter)
        row, other = action.figure, action.opponent
        if other.side == row.side:
            raise Forbidden(f"Pick an enemy. {other.name} is on {possessive(row.name)} side.", "FE-MAN-01")
        figure, opponent = (figure_of(act.encounter, model_row) for model_row in (row, other))
        dodger_side = checks.side(
            figure, settings, trait=action.trait, skill=action.skill, marks=agreed_modifiers(action.marks)
        )
        opponent_side = checks.side(opponent, settings, trait=action.against)
        numbers = player_of(act.encounter, row), player_of(act.encounter, other)
        return ReadyDodge(row.id, other.id, dodger_side, opponent_side, numbers)

    def chances(self, act: ActView, action: Dodge, ready: ReadyDodge) -> Chances:
        row, other = (act.encounter.model(number) for number in (ready.figure, ready.opponent))
        dodger_figure, opponent = figure_of(act.encounter, row), figure_of(act.encounter, other)
        may_earn_edges = outcomes.usable_edges(1, dodger_figure, opponent) > 0
        opposing_answers = [Answer(ready.theirs)]
        return clash_chances(
            act,
            row,
            other,
            ready.mine,
            opposing_answers,
            equal=Equal("tie (held back)"),
            edges=may_earn_edges,
        )

    def do(self, act: Act, action: Dodge, ready: ReadyDodge) -> Reply:
        encounter = act.encounter
        row, other = encounter.model(ready.figure), encounter.model(ready.opponent)
        active, reactive = (
            seats.sit(number, side, deck_of(encounter, number))
            for number, side in zip(ready.players, (ready.mine, ready.theirs), strict=True)
        )
        facts = {
            "names": [row.name, other.name],
            "traits": [action.trait.capitalize(), action.against.capitalize()],
            "id": row.id,
            "against": other.id,
        }
        narration = Narration(
            [
                f"{row.name} tries to get past {other.name}.",
                f"{row.name}: {side_words(ready.mine)}",
                f"{other.name}: {side_words(ready.theirs)}",
            ]
        )
        narration.why += [*why_lines(row.name, ready.mine), *why_lines(other.name, ready.theirs)]
        challenge = begin_challenge(
            act, narration, Exchange("dodge", facts), active, reactive, all_or_nothing=False
        )
        return proceed(act, narration, challenge)


@register_outcome("dodge")
def dodge_outcome(act: Act, narration: Narration, exchange: Exchange) -> None:
    """Settle a dodge, in which the mover must score higher. Rules: FE-MAN-01, FE-CREW-02."""
    encounter, facts = act.encounter, exchange.facts
    result = challenges.result(exchange.challenge)
    mover, opponent = facts["names"]
    if checks.gets_past(result):
        mover_figure, opponent_figure = (
            figure_of(encounter, encounter.model(facts[role])) for role in ("id", "against")
        )
        earned_edges = outcomes.usable_edges(result.edges, mover_figure, opponent_figure)
        edge_text = f", earning {times(earned_edges, 'Edge')}" if earned_edges else ""
        result_line = f"{mover} gets past {opponent} with {result.margin} to spare{edge_text}."
    else:
        margin_text = f"with {-result.margin} to spare" if result.margin else "on a tie"
        result_line = f"{opponent} holds {mover} back {margin_text}."
    narration.lines.insert(0, result_line)
    exchanges.close(act.encounter, exchange)
