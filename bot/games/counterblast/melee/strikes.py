"""Results of blows, as buttons: striking back, being driven back, exploding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.actions import Action
from bot.games.counterblast.core.common import again, carry_through, settings
from bot.games.counterblast.core.contact import join_names, list_engaged_enemies, mark_separated
from bot.games.counterblast.core.debts import WAIVED_WORDS, Debt, Waive, list_counters, register_finder
from bot.games.counterblast.core.fields import several, who
from bot.games.counterblast.core.narration import (
    Finishing,
    Lasting,
    Telling,
    add_wounds,
    apply_attack,
    due,
    hurt_chances,
    register_offer,
    require_between,
)
from bot.games.counterblast.core.wording import at, cast_crash, trace_lines, why_impact
from bot.games.counterblast.melee.attacks import blow_odds
from bot.games.counterblast.melee.melee_resolution import STRIKES, TURN_PLACE, fight_out
from bot.games.counterblast.melee.melees import Melee, Pairing, flatten_pairings
from bot.games.counterblast.movement.falls import Crash, ask_who_is_struck, crash_chances, crash_of
from bot.games.counterblast.state.models import fighter, fighters
from bot.games.counterblast.state.sight import forget_sightings
from bot.games.counterblast.state.table_state import EncounterState
from bot.games.counterblast.templates.coverage import HitsNear, ask_near, find_models_near
from bot.games.counterblast.templates.engulfing import MAX_WOUNDS
from bot.replies.reply import Blank, Button, Reply, form
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.board.facts import Fact
from bot.table.encounter import GONE, set_counter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import PLAYER, player_of, side_of
from bot.table.steps import Chances, Weighed, as_done, in_steps
from bot.table.throw_purposes import Cast as Thrower
from bot.table.throw_purposes import each
from rules.dice import Dice
from rules.effects import Effect, Leave, Propose
from rules.refusals import Forbidden
from rules.systems.counterblast.core.conditions import CASUALTY
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.general import distance_dice
from rules.systems.counterblast.movement.environment import Fall, Faller, fall
from rules.systems.counterblast.shooting.templates import (
    Cast,
    PreparedVictim,
    Under,
    after_engulfing,
    blast,
    blast_inches,
    engulf_wounds,
    explosion,
    prepare_blast,
)
from rules.wording import join_with_and, times


@dataclass(frozen=True, slots=True)
class StrikeBack(Action):
    """A Ferocious model makes its free attack on a model that attacked it."""

    command = "cb.strike-back"
    facts = frozenset({"tenths"})
    decision_of = player_of("model")

    model: int = 0
    attacker: int = 0
    tenths: int = 0
    odds: bool = False


@dataclass(frozen=True, slots=True)
class DrivenBack(Action):
    """Enter that a model was driven back so many inches by a side's attack, so that it touches no one."""

    command = "cb.driven-back"
    decision_of = PLAYER

    model: int = 0
    inches: int = 0
    by: int = 0


@dataclass(frozen=True, slots=True)
class KnockedInto(Action):
    """A model that is driven back strikes something after so many inches, `most` of them at most.

    struck: models; sure: no one else. by: the model whose attack drove or threw it.
    """

    command = "cb.knocked-into"
    facts = frozenset({"inches", "struck", "sure"})
    decision_of = PLAYER

    model: int = 0
    inches: float = 0.0
    most: int = 0
    struck: tuple[int, ...] = fields.unordered()
    sure: bool = False
    by: int = 0
    odds: bool = False


IMPACT_FORM = form(
    "cb-knocked-into", "Impact", Blank("inches", "Distance moved before impact (inches)", longest=5)
)


@dataclass(frozen=True, slots=True)
class Explode(HitsNear):
    """A Combustible model explodes; near it is who stands within reach."""

    command = "cb.explode"
    decision_of = side_of("model")

    model: int = 0
    attack: bool = False
    odds: bool = False


def _measure_blast(context: Asking) -> Fact | None:
    """Return the models within reach of a Combustible model. Rules: CB-FEAT-16."""
    model, encounter = context.so_far.get("model"), context.act.encounter
    if model is None or not model.has_feature("combustible"):
        return None
    others = [other for other in fighters(encounter) if other.id != model.id]
    near = find_models_near(encounter, model.id, blast_inches(model), others)
    words = join_with_and([other.name for other in near]) if near else "no model"
    return Fact(tuple(near), f"{words} in the blast") if near is not None else None


@dataclass(frozen=True, slots=True)
class ExplodeNow(Action):
    """Blow up one of your Combustible models as its attack.

    Asks who is near, if no one is named.
    """

    command = "cb.explode.now"
    typed = "gear explode"
    titled = "Explode"

    model: Fighter = who()
    near: tuple[Fighter, ...] = several(
        "Models in the blast (leave blank to be asked)", fact=True, measures=_measure_blast
    )
    odds: bool = fields.odds()


WAIVED_WORDS[STRIKES] = "does not strike back."


@register_finder
def find_waiting_strikes(act: Act) -> list[Debt]:
    """Return Ferocious models that haven't yet decided to strike back. Rules: CB-FEAT-27."""
    debts = []
    for row, key, value in list_counters(act.encounter, STRIKES):
        attacker = act.encounter.model(STRIKES.number(key))
        is_possible = not fighter(act.encounter, row).is_incapacitated and attacker.status != GONE
        if value // TURN_PLACE != max(1, act.encounter.row.turn) or not is_possible:
            continue
        buttons = (
            Button("Strike back", StrikeBack(row.id, attacker.id, value % TURN_PLACE), "main", anytime=True),
            Button("Don't strike back", Waive(row.id, STRIKES.of(attacker.id)), anytime=True),
        )
        debts.append(Debt(row.side, f"{row.name} can strike back at {attacker.name}.", buttons))
    return debts


@register_offer("strike_back", odds=True, lasting=True)
def _strike_button(proposal: Propose) -> tuple[str, Action]:
    details = dict(proposal.details)
    action = StrikeBack(proposal.model, int(details["attacker"]), int(details["tenths"]))
    target_name = details.get("whom", "")
    return f"Strike back at {target_name}" if target_name else "Strike back", action


@register_offer("no_strike_back", lasting=True)
def _no_strike_button(proposal: Propose) -> tuple[str, Action]:
    details = dict(proposal.details)
    target_name = details.get("whom", "")
    waive_action = Waive(proposal.model, STRIKES.of(int(details["attacker"])))
    return f"Don't strike back at {target_name}" if target_name else "Don't strike back", waive_action


@register_offer("knockback")
def _push_back_button(proposal: Propose) -> tuple[str, Action]:
    details = dict(proposal.details)
    return "Push back", DrivenBack(proposal.model, int(details["inches"]), int(details["by"]))


@register_offer("explode")
def _explode_button(proposal: Propose) -> tuple[str, Action]:
    return "Explode...", Explode(proposal.model)


@dataclass(frozen=True, slots=True)
class ReadyToStrike:
    """A free attack that is left."""

    model: int
    attacker: int
    blow: Melee


@in_steps(StrikeBack)
class StrikingBack(Lasting[StrikeBack, ReadyToStrike]):
    """Free, at once, against one that it just defended against; a free attack triggers none.

    Rules: CB-FEAT-27.
    """

    label = "Strike back"

    def prepare(self, act: ActView, action: StrikeBack) -> ReadyToStrike:
        """Return the strike of a model attacked this turn, once for each attacker. Raises Forbidden."""
        row = act.encounter.model(action.model)
        attacker = act.encounter.model(action.attacker)
        if row.counters.get(STRIKES.of(attacker.id), 0) // TURN_PLACE != max(1, act.encounter.row.turn):
            raise Forbidden(f"{row.name} can't strike back at {attacker.name} now.", "CB-FEAT-27")
        if not act.action.looks:
            act.require_model(row)
        pairing = Pairing(row.id, attacker.id, tenths=action.tenths)
        return ReadyToStrike(row.id, attacker.id, Melee("back", flatten_pairings([pairing])))

    def do(self, act: Act, action: StrikeBack, ready: ReadyToStrike) -> Reply:
        set_counter(act.encounter.model(ready.model).counters, STRIKES.of(ready.attacker), 0)
        return fight_out(act, Telling(), ready.blow)

    def chances(self, act: ActView, action: StrikeBack, ready: ReadyToStrike) -> Chances:
        return Chances(tuple(blow_odds(act, ready.blow)))


@handles(DrivenBack)
def push_back(act: Act, action: DrivenBack) -> Reply:
    """End its engagements, and ask about anything that it hits on its way.

    Rules: CB-FEAT-35, CB-COND-03.
    """
    model = fighter(act.encounter, act.encounter.model(action.model))
    enemies = list_engaged_enemies(act, model)
    for enemy in enemies:
        mark_separated(act, model, enemy)
    forget_sightings(act.encounter, model.id)
    source = f" from {join_names(enemies)}" if enemies else ""
    impact_button = Button(
        "It hits something...", KnockedInto(model.id, most=action.inches, by=action.by), form=IMPACT_FORM
    )
    return Reply((f"{model.name} is pushed back {action.inches} in{source}.",), buttons=(impact_button, UNDO))


@in_steps(KnockedInto)
class Knocking(Finishing[KnockedInto, Crash, Fall]):
    """Dice as for a fall over the inches really moved, on it and on every model it strikes.

    Rules: CB-FEAT-35, CB-FALL-03, CB-FALL-04, CB-SCORE-02.
    """

    def prepare(self, act: ActView, action: KnockedInto) -> Crash:
        """Return a place within the inches that it was driven. Raises InvalidInput."""
        model = fighter(act.encounter, act.encounter.model(action.model))
        require_between(action.inches, 0, action.most, "Distance (inches)")
        return crash_of(act, model, action.inches, action.struck)

    def asks(self, act: Act, action: KnockedInto, ready: Crash) -> Reply | None:
        if action.struck or action.sure:
            return None
        return ask_who_is_struck(act, action, ready, f"{ready.model.name} hits something")

    def whose(self, action: KnockedInto, ready: Crash) -> Thrower:
        return cast_crash(ready.model.name, ready.names, "impact")

    def rule(self, dice: Dice, ready: Crash) -> Fall:
        return fall(dice, ready.inches, Faller.of(ready.model), ready.below)

    def settle(self, act: Act, action: KnockedInto, ready: Crash, outcome: Fall) -> Telling:
        forget_sightings(act.encounter, ready.model.id)
        telling = Telling()
        add_wounds(act, telling, ready.model, outcome.faller, "from the impact", by=action.by)
        for struck_model, wounds in zip(ready.struck, outcome.struck, strict=True):
            add_wounds(act, telling, struck_model, wounds, by=action.by)
        dice_count = distance_dice(action.inches)
        telling.dice = [f"{times(dice_count, 'die', 'dice')} for moving {action.inches:g} in (no shields)"]
        return telling

    def chances(self, act: ActView, action: KnockedInto, ready: Crash) -> Chances:
        headline = f"{ready.model.name} hits something after moving {ready.inches:g} in"
        return crash_chances(act, ready, headline)


@dataclass(frozen=True, slots=True)
class ReadyBlast:
    """An explosion, and everyone in it. asks: the explosion of the model by its number."""

    model: Fighter
    asks: Explode
    cast: Cast
    victims: tuple[PreparedVictim, ...]
    due: tuple[Effect, ...]


N = TypeVar("N", bound=Action)


class Blasting(Weighed[N, ReadyBlast], Generic[N]):
    """Attacks everyone within reach, including friends; the model is gone. Rules: CB-FEAT-16."""

    label = "Explode"

    def asks(self, act: ActView, action: N, ready: ReadyBlast) -> Reply | None:
        model = ready.model
        if ready.asks.is_said:
            return None
        others = [other for other in fighters(act.encounter) if other.id != model.id]
        return ask_near(act, ready.asks, model, blast_inches(model), others)

    def odds(self, act: ActView, action: N, ready: ReadyBlast) -> Reply:
        return self.asks(act, action, ready) or super().odds(act, action, ready)

    def do(self, act: Act, action: N, ready: ReadyBlast) -> Reply:
        model, cast = ready.model, ready.cast
        carry_through(act, ready.due)
        telling = Telling([f"{model.name} explodes."])
        rollers = each(*(at(model.name, victim.target.name) for victim in ready.victims))
        results = act.roll(rollers, blast, tuple(victim.victim for victim in ready.victims))
        turn = max(1, act.encounter.row.turn)
        for prepared_victim, suffered in zip(ready.victims, results, strict=True):
            target = again(act, prepared_victim.target)
            effects = after_engulfing(cast, target, suffered, turn)
            apply_attack(act, telling, model, target, cast.weapon, suffered, effects)
            telling.why += [f"{target.name}:", *why_impact(prepared_victim.impact)]
        telling.follow(act, (Leave(model.id, CASUALTY),))
        telling.lines += ["", *trace_lines(act.dice.trace), *telling.proposal_lines()]
        return Reply(tuple(telling.lines), buttons=telling.buttons(act, UNDO), why=tuple(telling.why))

    def chances(self, act: ActView, action: N, ready: ReadyBlast) -> Chances:
        odds_by_victim = [
            (victim.target, act.solve(engulf_wounds, victim.victim, MAX_WOUNDS)) for victim in ready.victims
        ]
        return hurt_chances(f"{ready.model.name} explodes", odds_by_victim)


@in_steps(Explode)
class Exploding(Blasting[Explode]):
    """One that is asked for by its number."""

    def prepare(self, act: ActView, action: Explode) -> ReadyBlast:
        return ready_blast(act, action)


@in_steps(ExplodeNow)
class ExplodingNow(Blasting[ExplodeNow]):
    """The explosion of the model that is named, which is what is kept of it."""

    def prepare(self, act: ActView, action: ExplodeNow) -> ReadyBlast:
        numbers = tuple(model.id for model in action.near)
        explosion = Explode(action.model.id, near=numbers, attack=True, odds=action.odds)
        act.canonical = as_done(explosion)
        return ready_blast(act, explosion)


def ready_blast(act: ActView, action: Explode) -> ReadyBlast:
    """Return a Combustible model that attacks so, or has fallen. Raises InvalidInput, Forbidden."""
    model = fighter(act.encounter, act.encounter.model(action.model))
    if not model.has_feature("combustible"):
        raise Forbidden(f"{model.name} is not Combustible, so it can't explode.", "CB-FEAT-16")
    if action.attack and not act.action.looks:
        act.require_model(act.encounter.model(action.model))
    elif not action.attack and not model.is_down and act.encounter.model(model.id).status != GONE:
        raise Forbidden(f"{model.name} is still in play. To blow it up, use /gear explode.", "CB-FEAT-16")
    cast = Cast(model, explosion(model), vacuum=bool(EncounterState(act.encounter.row).vacuum))
    numbers = action.everybody
    unders = tuple(Under(fighter(act.encounter, act.encounter.model(number))) for number in numbers)
    victims = prepare_blast(cast, unders, settings(act)) if action.is_said else ()
    costs = due(act, model, "burst", order=False) if action.attack else ()
    return ReadyBlast(model, action, cast, victims, costs)
