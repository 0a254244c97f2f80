"""Arc weapons at the table: mastering one that is not the Edo's, and the die that leaps on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import again, carry_through, settings
from bot.games.counterblast.core.debts import WAIVED_WORDS, Debt, Waive, list_counters, register_finder
from bot.games.counterblast.core.fields import carried, who
from bot.games.counterblast.core.narration import Lasting, Telling, apply_attack, due, register_offer
from bot.games.counterblast.core.wording import at, dice_words, harm_lines, trace_lines, why_check, why_impact
from bot.games.counterblast.state.models import fighter, fighters
from bot.games.counterblast.state.sight import AS_BEFORE, MIN_COVERED_SHARE
from bot.games.counterblast.state.table_state import EncounterState
from bot.replies.chances import bars
from bot.replies.reply import Button, Choice, Menu, Reply
from bot.table.act import Act, ActView, Barred
from bot.table.answering import Answered
from bot.table.board import facts
from bot.table.board.surface import require_board
from bot.table.encounter import EncounterView, set_counter
from bot.table.journal.history import UNDO
from bot.table.owners import player_of
from bot.table.steps import Chances, Weighed, in_steps
from bot.table.throw_purposes import Whose
from rules.counters import PerPart
from rules.effects import Effect, Propose
from rules.refusals import Forbidden
from rules.systems.counterblast.core.checks import PreparedCheck
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.impacts import MASTERED, needs_handling
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.shooting.shots import Shot, shot
from rules.systems.counterblast.shooting.special_attacks import (
    ARC_INCHES,
    Handling,
    arc,
    handle,
    prepare_arc,
    prepare_backfire,
    prepare_handling,
)
from rules.systems.counterblast.turn.activation import take
from rules.wording import possessive

WAITS: PerPart[str] = PerPart("arc waits:")
"""Counter of an attacker, `arc waits:<wounded model>:<weapon>`: the first attack's modifier, plus EVEN."""

MASTERY_WORDS: dict[Handling, str] = {
    "ready": "masters the weapon",
    "no attack": "fails and can't attack",
    "backfires": "attacks itself",
}
"""Words for the possible results of mastering an Arc weapon."""

EVEN = 100
MAX_COVER = 3

WAIVED_WORDS[WAITS] = "hits no one else with its arc."


@dataclass(frozen=True, slots=True)
class MasterArc(Action):
    """A stranger to Arc weapons tries to master one before each attack with it."""

    command = "cb.master"

    model: Fighter = who("")
    weapon: Weapon = carried("model", "", needed=True)
    odds: bool = False


@dataclass(frozen=True, slots=True)
class ArcLeap(Action):
    """An arc leaps from a wounded model to a neighbour; without one it is asked for.

    cover: of the neighbour; below 0 by the board as seen from the wounded model, or none.
    """

    command = "cb.arc"
    facts = frozenset({"cover"})
    decision_of = player_of("attacker")

    attacker: int = 0
    wounded: int = 0
    neighbour: int = 0
    weapon: str = ""
    modifier: int = 0
    cover: int = AS_BEFORE
    odds: bool = False


def require_mastery(act: ActView, user: Fighter, weapon: Weapon) -> None:
    """Refuse an Arc weapon in other hands that was not mastered for this attack, with the way out.

    Rules: CB-WEAP-24.
    """
    counters = act.encounter.model(user.id).counters
    is_mastered = counters.get(MASTERED, 0) == max(1, act.encounter.row.turn)
    if is_mastered or not needs_handling(user, weapon):
        return
    with act.overridable():
        raise Barred(
            f"{user.name} must master the {weapon.name} before each attack (1 action, Psionics 8+).",
            "CB-WEAP-24",
            Button("Master the weapon", MasterArc(user, weapon), "main"),
            Button("Odds", MasterArc(user, weapon, odds=True)),
        )


def with_arc_modifier(act: Act, telling: Telling, modifier: int) -> None:
    """Store the attack's modifier for its arc's die, until the arc's target is entered.

    Rules: CB-WEAP-23.
    """
    for place, proposal in reversed([*enumerate(telling.proposals)]):
        details = dict(proposal.details)
        if proposal.action != "arc" or "modifier" in details:
            continue
        name = act.encounter.model(int(details["from"])).name
        if not reached(act.encounter, proposal.model, int(details["from"])):
            del telling.proposals[place]
            telling.lines.append(
                f"The arc stops here, because it can't reach another model within {ARC_INCHES} in of {name}."
            )
            continue
        extra_details = (("modifier", modifier), ("name", name))
        telling.proposals[place] = replace(proposal, details=(*proposal.details, *extra_details))
        counters = act.encounter.model(proposal.model).counters
        counters[WAITS.of(str(details["from"]), str(details["weapon"]))] = modifier + EVEN


def attacked(act: Act, model: int) -> None:
    """Use up the mastery of an Arc weapon by an attack. Rules: CB-WEAP-24."""
    act.encounter.model(model).counters.pop(MASTERED, None)


@dataclass(frozen=True, slots=True)
class ReadyMastery:
    """A try to master an Arc weapon, and what it costs."""

    check: PreparedCheck
    due: tuple[Effect, ...]


@in_steps(MasterArc)
class Mastering(Weighed[MasterArc, ReadyMastery]):
    """One action, Psionic check at 8; a critical failure turns the attack on its user."""

    label = "Master the weapon"

    def prepare(self, act: ActView, action: MasterArc) -> ReadyMastery:
        """Return a weapon that it carries. Raises InvalidInput, Forbidden."""
        user = action.model
        return ReadyMastery(prepare_handling(user, settings(act)), due(act, user, "psionic", order=False))

    def do(self, act: Act, action: MasterArc, ready: ReadyMastery) -> Reply:
        user, weapon = action.model, action.weapon
        carry_through(act, ready.due)
        roller = Whose(user.name, "Psionics check", f"to master the {weapon.name}")
        outcome = act.roll(roller, handle, (ready.check.throw,))
        words = {
            "ready": "masters the Arc weapon and can attack now.",
            "no attack": "fails and can't attack with the Arc weapon.",
            "backfires": "loses control and attacks itself.",
        }
        if outcome == "ready":
            set_counter(act.encounter.model(user.id).counters, MASTERED, max(1, act.encounter.row.turn))
        telling = Telling([f"{user.name} {words[outcome]}"])
        lines = [dice_words(ready.check, "PSI")]
        telling.why += why_check(ready.check, f"{possessive(user.name)} Psionics check")
        if outcome == "backfires":
            lines.append(_backfire(act, telling, user, weapon))
        telling.lines += ["", *lines, *trace_lines(act.dice.trace), *telling.proposal_lines()]
        return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))

    def chances(self, act: ActView, action: MasterArc, ready: ReadyMastery) -> Chances:
        odds = act.solve(handle, (ready.check.throw,))
        rows = [(words, odds.chance(lambda got, key=key: got == key)) for key, words in MASTERY_WORDS.items()]  # type: ignore[misc]
        lines = (f"{action.model.name}, {action.weapon.name}", dice_words(ready.check, "PSI"), *bars(rows))
        return Chances(lines, MASTERY_WORDS["ready"], rows[0][1], (odds,))


def _backfire(act: Act, telling: Telling, user: Fighter, weapon: Weapon) -> str:
    """Make the attack on its own user. Return its dice in words. Rules: CB-WEAP-24."""
    ready = prepare_backfire(
        user, weapon, settings(act), vacuum=bool(EncounterState(act.encounter.row).vacuum)
    )
    if act.encounter.row.turn:
        try:
            carry_through(act, take(again(act, user), "fight" if user.is_engaged else "shoot"))
        except Forbidden:
            telling.lines.append(f"{user.name} has no actions left, so this attack costs it none.")
    result = act.roll(at(user.name, "itself"), shot, ready.shot)
    apply_attack(act, telling, user, again(act, user), weapon, result.suffered)
    with_arc_modifier(act, telling, ready.parts[0].throw.modifier)
    telling.why += [*why_check(ready.parts[0], f"{user.name} attacks itself"), *why_impact(ready.impact)]
    ability = "AGL" if "direct" in weapon.deliveries and not user.is_engaged else "STR"
    return f"{dice_words(ready.parts[0], ability)}, {weapon.name}"


@register_offer("arc", lasting=True)
def _arc_button(proposal: Propose) -> tuple[str, Action]:
    details = dict(proposal.details)
    return f"Arc from {details['name']}...", _build_leap(
        proposal.model, int(details["from"]), str(details["weapon"]), int(details["modifier"])
    )


def _build_leap(attacker: int, wounded_id: int, weapon: str, modifier: int) -> ArcLeap:
    return ArcLeap(attacker, wounded_id, weapon=weapon, modifier=modifier)


@register_finder
def find_waiting_arcs(act: Act) -> list[Debt]:
    """Return arcs whose target has not been entered. Rules: CB-WEAP-23."""
    debts = []
    for row, key, value in list_counters(act.encounter, WAITS):
        number, weapon = WAITS.split(key)
        name = act.encounter.model(int(number)).name
        action = _build_leap(row.id, int(number), weapon, value - EVEN)
        buttons = (
            Button(f"Arc from {name}...", action, "main", anytime=True),
            Button("No model within 2 in", Waive(row.id, WAITS.of(number, weapon)), anytime=True),
        )
        debts.append(Debt(row.side, f"Which model does the arc from {name} reach?", buttons))
    return debts


@dataclass(frozen=True, slots=True)
class ReadyLeap:
    """An arc that may leap. shot: at its target; None until that is entered."""

    attacker: Fighter
    wounded: Fighter
    weapon: Weapon
    neighbour: Fighter | None = None
    shot: Shot | None = None


@in_steps(ArcLeap)
class ArcLeaping(Lasting[ArcLeap, ReadyLeap]):
    """One die at a model within 2 in, friend or enemy, by the attacker's choice; it arcs no further."""

    label = "Make the arc jump"

    def prepare(self, act: ActView, action: ArcLeap) -> ReadyLeap:
        """Return the arc from a wounded model to a neighbour, once. Raises InvalidInput, Forbidden."""
        encounter = act.encounter
        if not act.action.looks:
            act.require_model(encounter.model(action.attacker))
        attacker = fighter(encounter, encounter.model(action.attacker))
        wounded = fighter(encounter, encounter.model(action.wounded))
        weapon = attacker.weapon(action.weapon)
        if not action.neighbour:
            return ReadyLeap(attacker, wounded, weapon)
        neighbour = fighter(encounter, encounter.model(action.neighbour))
        shot = prepare_arc(
            attacker,
            wounded,
            neighbour,
            weapon,
            action.modifier,
            0,
            cover=cover_of_arc(encounter, action),
            vacuum=bool(EncounterState(encounter.row).vacuum),
            settings=settings(act),
        )
        if not attacker.count(WAITS.of(str(wounded.id), weapon.key)):
            raise Answered("That arc has already jumped. Nothing was changed.")
        return ReadyLeap(attacker, wounded, weapon, neighbour, shot)

    def asks(self, act: ActView, action: ArcLeap, ready: ReadyLeap) -> Reply | None:
        return None if action.neighbour else _ask_who_is_reached(act, action, ready.wounded)

    def odds(self, act: ActView, action: ArcLeap, ready: ReadyLeap) -> Reply:
        return self.asks(act, action, ready) or super().odds(act, action, ready)

    def do(self, act: Act, action: ArcLeap, ready: ReadyLeap) -> Reply:
        attacker, neighbour, weapon, shot = ready.attacker, ready.neighbour, ready.weapon, ready.shot
        assert neighbour is not None, "it was asked"
        assert shot is not None, "it was asked"
        act.encounter.model(attacker.id).counters.pop(WAITS.of(str(ready.wounded.id), weapon.key), 0)
        result = act.roll(at(attacker.name, neighbour.name), arc, shot)
        telling = Telling()
        apply_attack(act, telling, attacker, neighbour, weapon, result.suffered)
        telling.proposals = [proposal for proposal in telling.proposals if proposal.action != "arc"]
        telling.lines += ["", _describe_arc_dice(ready, shot)]
        telling.lines += [*trace_lines(act.dice.trace), *telling.proposal_lines()]
        telling.why.append(
            f"Arc: one die for 1 damage, with the first attack's modifier ({action.modifier:+d}). CB-WEAP-23"
        )
        return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))

    def chances(self, act: ActView, action: ArcLeap, ready: ReadyLeap) -> Chances:
        """Return the chances of the arc. Rules: CB-WEAP-23."""
        assert ready.neighbour is not None, "it was asked"
        assert ready.shot is not None, "it was asked"
        odds = act.solve(arc, ready.shot).map(lambda got: got.suffered.through)
        headline = f"{ready.attacker.name} -> {ready.neighbour.name}"
        lines = (
            headline,
            _describe_arc_dice(ready, ready.shot),
            *harm_lines(odds, ready.weapon, ready.neighbour),
        )
        return Chances(lines, solved=(odds,))


def reached(encounter: EncounterView, attacker: int, wounded: int) -> list[Fighter]:
    """Return the models to which an arc may jump: on a board those within its inches. Rules: CB-WEAP-23."""
    other_models = [model for model in fighters(encounter) if model.id not in (wounded, attacker)]
    possible_models = [model for model in other_models if not model.is_incapacitated]
    if facts.standing(encounter, wounded) is None:
        return possible_models
    distances = {model.id: facts.between(encounter, wounded, model.id) for model in possible_models}
    return [
        one for one in possible_models if (fact := distances[one.id]) is not None and fact.value <= ARC_INCHES
    ]


def cover_of_arc(encounter: EncounterView, action: ArcLeap) -> int:
    """Return the cover of the neighbour: as entered, or by the board as seen from the wounded model."""
    sight = facts.sight(encounter, action.wounded, action.neighbour) if action.cover < 0 else None
    if sight is None:
        return max(0, action.cover)
    return facts.cover_rating(require_board(encounter), sight, MIN_COVERED_SHARE)[0]


def _describe_arc_dice(ready: ReadyLeap, shot: Shot) -> str:
    throw = shot.throws[0]
    return f"Arc from {ready.wounded.name}: 1D{throw.modifier:+d} vs {throw.target}"


def _ask_who_is_reached(act: ActView, action: ArcLeap, wounded: Fighter) -> Reply:
    reachable = reached(act.encounter, action.attacker, wounded.id)
    is_on_board = facts.standing(act.encounter, wounded.id) is not None
    choices = tuple(
        Choice(model.name, str(model.id), act.encounter.side(model.side).name) for model in reachable
    )
    prompt = f"Which model within {ARC_INCHES} in of {wounded.name} does the arc reach?"
    menu = Menu(prompt, action, "neighbour", choices, anytime=True)
    cover_buttons = tuple(
        Button(f"Cover {cover}", replace(action, cover=cover), anytime=True)
        for cover in range(MAX_COVER + 1)
        if cover != (action.cover if is_on_board else max(0, action.cover))
    )
    cover_rating_text = f"cover {action.cover}" if action.cover > 0 else "no cover"
    cover = f"The model that the arc reaches has {cover_rating_text}."
    if is_on_board and action.cover < 0:
        cover = f"The bot measures the other model's cover from {wounded.name}."
    if action.odds:
        lines = (f"To see the odds, choose the model that the arc from {wounded.name} reaches.", cover)
        return Reply(lines, private=True, buttons=cover_buttons, menus=(menu,) if choices else ())
    waive_action = Waive(action.attacker, WAITS.of(str(action.wounded), action.weapon))
    other_buttons = (
        Button("No model within 2 in", waive_action, anytime=True),
        Button("Odds...", replace(action, odds=True), anytime=True),
    )
    return Reply(
        (
            f"The arc jumps from {wounded.name} to another model.",
            cover,
            "Choose the model that the arc reaches. It can be a friend or an enemy.",
        ),
        private=True,
        buttons=(*cover_buttons, *other_buttons),
        menus=(menu,) if choices else (),
    )
