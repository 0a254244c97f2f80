"""What is chosen after a psionic roll: what a Probe takes, a free attack, where a portal or a throw ends."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.building.draft_texts import trait_words
from bot.games.counterblast.core.common import again, carry_through, fighter_of, orders_of, settings
from bot.games.counterblast.core.contact import mark_engaged
from bot.games.counterblast.core.fields import first_firearm
from bot.games.counterblast.core.narration import (
    Telling,
    finish,
    model_choices,
    register_offer,
    require_between,
)
from bot.games.counterblast.core.wording import dice_words, power_title, why_check, why_impact
from bot.games.counterblast.melee.attacks import blow_odds
from bot.games.counterblast.melee.melee_resolution import fight_out
from bot.games.counterblast.melee.melees import Melee, Pairing, flatten_pairings
from bot.games.counterblast.shooting.shot_results import (
    friends_in_melee,
    stray_risk_lines,
    strike_volley,
    throw_volley,
)
from bot.games.counterblast.shooting.shots import shot_odds
from bot.games.counterblast.shooting.volleys import Shoot, declared
from bot.games.counterblast.state.models import fighter, fighters
from bot.games.counterblast.state.table_state import ModelState
from bot.replies.reply import Blank, Button, Choice, Menu, Reply, form
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.encounter import set_counter
from bot.table.handlers import handles
from bot.table.owners import player_of, side_of
from bot.table.steps import Chances, Weighed, in_steps
from rules.counters import PerNumber
from rules.effects import Propose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.building.crew import find_leader
from rules.systems.counterblast.core.checks import CheckResult
from rules.systems.counterblast.core.conditions import end_attacker_conditions
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.psionics.powers import (
    Portal,
    Taking,
    after_portal,
    after_probe,
    feature_key,
    floored,
)
from rules.systems.counterblast.shooting.shooting import PreparedVolley, attack_rolls, prepare_volley
from rules.wording import possessive, times

FREE_ATTACK = PerNumber("free attack on:")
PROBED = PerNumber("may take from:")


WAY = form(
    "cb.psi.free",
    "Free shot",
    Blank("inches", "Distance to the psionic (inches)", longest=5),
    Blank("cover", "Cover of the psionic (0 to 3)", "0", longest=1),
)


@dataclass(frozen=True, slots=True)
class OrderTokenTaken(Action):
    """A Probe takes an Order token."""

    command = "cb.psi.order"
    decision_of = player_of("taker")

    taker: int = 0
    loser: int = 0


@dataclass(frozen=True, slots=True)
class PowerTaken(Action):
    """A Probe borrows a power; without its key: ask which."""

    command = "cb.psi.power"
    decision_of = player_of("taker")

    taker: int = 0
    loser: int = 0
    key: str = ""


@dataclass(frozen=True, slots=True)
class FeatureTaken(Action):
    """A Probe borrows a Feature; without its key: ask which."""

    command = "cb.psi.feature"
    decision_of = player_of("taker")

    taker: int = 0
    loser: int = 0
    key: str = ""


@dataclass(frozen=True, slots=True)
class FreeAttack(Action):
    """The target of a botched Calm attacks the psionic at once: shoots from so far, or fights it.

    friend: the model whom misses hit in a melee, or 0 for the only one there.
    """

    command = "cb.psi.free"
    facts = frozenset({"inches", "cover", "friend"})
    decision_of = player_of("model")

    model: int = 0
    psionic: int = 0
    inches: float = 0.0
    fights: bool = False
    cover: int = 0
    odds: bool = False
    friend: int = 0


@dataclass(frozen=True, slots=True)
class AskFreeAttack(Action):
    """Ask how the free attack is made."""

    command = "cb.psi.how"
    decision_of = player_of("model")

    model: int = 0
    psionic: int = 0


@dataclass(frozen=True, slots=True)
class PortalLost(Action):
    """End a portal that went astray in a place where no one can stand."""

    command = "cb.psi.lost"
    decision_of = side_of("model")

    model: int = 0


@dataclass(frozen=True, slots=True)
class FloorAll(Action):
    """Knock down everyone else in range of a critical Power Blast; ask if no one is named."""

    command = "cb.psi.floor"
    decision_of = player_of("psionic")

    psionic: int = 0
    models: tuple[int, ...] = fields.unordered()


# ------------------------------------------------------------------------------------------- Probe


def _require_claim(
    act: Act, action: OrderTokenTaken | PowerTaken | FeatureTaken
) -> tuple[Fighter, Fighter, int]:
    taker_row, loser_row = act.encounter.model(action.taker), act.encounter.model(action.loser)
    act.require_model(taker_row)
    successes = taker_row.counters.get(PROBED.of(loser_row.id), 0)
    if not successes:
        raise Forbidden(f"{taker_row.name} can't take anything from {loser_row.name} now.", "CB-PSI-19")
    return fighter(act.encounter, taker_row), fighter(act.encounter, loser_row), successes


def _carry_out_taking(act: Act, taker: Fighter, loser: Fighter, taking: Taking, successes: int) -> None:
    result = CheckResult(successes)
    rules = replace(settings(act), psi_text="summary")
    if taking.spoil == "order" and successes > 1:
        rules, result = settings(act), CheckResult(successes + loser.profile.intellect.value)
    carry_through(act, after_probe(taker, loser, result, taking, rules))
    set_counter(act.encounter.model(taker.id).counters, PROBED.of(loser.id), 0)


@handles(OrderTokenTaken)
def take_order(act: Act, action: OrderTokenTaken) -> Reply:
    """Move it from the leader's crew to the taker's. Rules: CB-PSI-19, CB-PSI-20, CB-ORDER-02."""
    taker, loser, successes = _require_claim(act, action)
    side, rival_side = act.encounter.side(taker.side), act.encounter.side(loser.side)
    leader = find_leader(taker.side, fighters(act.encounter, taker.side))
    rival_orders_before = orders_of(rival_side)
    _carry_out_taking(
        act, taker, loser, Taking("order", "", orders_of(rival_side), orders_of(side), leader), successes
    )
    orders_now = f"{side.name} {orders_of(side)}, {rival_side.name} {orders_of(rival_side)}"
    taken = rival_orders_before - orders_of(rival_side)
    taken_text = "an order token" if taken == 1 else times(taken, "order token")
    return finish(act, Telling([f"{taker.name} takes {taken_text}.", f"Order tokens: {orders_now}"]))


@handles(PowerTaken)
def take_power(act: Act, action: PowerTaken) -> Reply:
    """Borrow it until the end of the taker's next activation. Rules: CB-PSI-19."""
    taker, loser, successes = _require_claim(act, action)
    if not action.key:
        choices = tuple(Choice(power_title(key), key) for key in loser.profile.powers)
        return _ask_which("Borrow a power", action, choices)
    _carry_out_taking(act, taker, loser, Taking("power", action.key), successes)
    return _tell_borrowed(act, taker, power_title(action.key))


@handles(FeatureTaken)
def take_feature(act: Act, action: FeatureTaken) -> Reply:
    """Borrow it until the end of the taker's next activation. Rules: CB-PSI-19."""
    taker, loser, successes = _require_claim(act, action)
    if not action.key:
        keys = {feature_key(trait): trait_words(trait) for trait in loser.profile.features}
        return _ask_which("Borrow a Feature", action, tuple(Choice(name, key) for key, name in keys.items()))
    _carry_out_taking(act, taker, loser, Taking("feature", action.key), successes)
    names = {feature_key(trait): trait_words(trait) for trait in loser.profile.features}
    return _tell_borrowed(act, taker, names[action.key])


def _ask_which(prompt: str, action: PowerTaken | FeatureTaken, choices: tuple[Choice, ...]) -> Reply:
    menu = Menu(prompt, action, "key", choices, anytime=True)
    return Reply((prompt,), private=True, menus=(menu,))


def _tell_borrowed(act: Act, taker: Fighter, name: str) -> Reply:
    return finish(act, Telling([f"{taker.name} has {name} until the end of its next activation."]))


# ------------------------------------------------------------------------------------------- free attack


@register_offer("free_attack")
def _free_attack_button(proposal: Propose) -> tuple[str, Action]:
    return "Attack now...", AskFreeAttack(proposal.model, int(dict(proposal.details)["target"]))


@handles(AskFreeAttack)
def ask_free_attack(act: Act, action: AskFreeAttack) -> Reply:
    """Ask whether the free attack is a shot or a fight. Rules: CB-PSI-08."""
    row = act.encounter.model(action.model)
    act.require_model(row)
    free_attack = FreeAttack(action.model, action.psionic)
    name = act.encounter.model(action.psionic).name
    return Reply(
        (f"{row.name} can attack {name} now.",),
        private=True,
        buttons=(
            Button("Shoot...", free_attack, "main", form=WAY),
            Button("Fight", replace(free_attack, fights=True), "main"),
            Button("Odds if it shoots...", replace(free_attack, odds=True), form=WAY),
            Button("Odds if it fights", replace(free_attack, fights=True, odds=True)),
        ),
    )


@dataclass(frozen=True, slots=True)
class ReadyFreeAttack:
    """A free attack that is left. shot: the shot; None for a fight. beside: the friend whom misses may
    hit.
    """

    model: Fighter
    target: Fighter
    shot: PreparedVolley | None = None
    beside: tuple[Fighter, ...] = ()

    @property
    def blow(self) -> Melee:
        """Return the blow."""
        return Melee("back", flatten_pairings([Pairing(self.model.id, self.target.id)]))


@in_steps(FreeAttack)
class AttackingFree(Weighed[FreeAttack, ReadyFreeAttack]):
    """One attack without an activation, at the psionic that botched. Rules: CB-PSI-08."""

    def prepare(self, act: ActView, action: FreeAttack) -> ReadyFreeAttack:
        """Return the one free attack, in the turn of the botched Calm. Raises InvalidInput, Forbidden."""
        row = act.encounter.model(action.model)
        if not act.action.looks:
            act.require_model(row)
        if row.counters.get(FREE_ATTACK.of(action.psionic), 0) != max(1, act.encounter.row.turn):
            raise Forbidden(f"{row.name} has no free attack left.", "CB-PSI-08")
        model = fighter(act.encounter, row)
        target = fighter(act.encounter, act.encounter.model(action.psionic))
        bystanders = () if action.fights or action.friend else friends_in_melee(act, model, target)
        if action.fights or len(bystanders) > 1:
            return ReadyFreeAttack(model, target, beside=tuple(bystanders))
        return ReadyFreeAttack(model, target, _prepare_free_shot(act, action, model, target))

    def asks(self, act: ActView, action: FreeAttack, ready: ReadyFreeAttack) -> Reply | None:
        if len(ready.beside) < 2:
            return None
        menu = Menu("Which friend is hit by shots that miss?", action, "friend", model_choices(ready.beside))
        return Reply((f"{ready.target.name} is in a melee with your friends.",), private=True, menus=(menu,))

    def odds(self, act: ActView, action: FreeAttack, ready: ReadyFreeAttack) -> Reply:
        return self.asks(act, action, ready) or super().odds(act, action, ready)

    def do(self, act: Act, action: FreeAttack, ready: ReadyFreeAttack) -> Reply:
        model, target, shot = ready.model, ready.target, ready.shot
        set_counter(act.encounter.model(model.id).counters, FREE_ATTACK.of(action.psionic), 0)
        if shot is None:
            if not model.is_engaged_with(target):
                mark_engaged(act, model, target)
            return fight_out(act, Telling(), ready.blow)
        telling, first_shot = Telling(), shot.shots[0]
        for _ in range(attack_rolls(first_shot.weapon)):
            strike_volley(act, telling, model, shot, throw_volley(act, model, shot, aimed=False))
        telling.why += [
            *why_check(first_shot.parts[0], f"{possessive(model.name)} free attack"),
            *why_impact(first_shot.impact),
        ]
        telling.follow(act, end_attacker_conditions(again(act, model)))
        return finish(act, telling, [f"{dice_words(first_shot.parts[0], 'AGL')}, {first_shot.weapon.name}"])

    def chances(self, act: ActView, action: FreeAttack, ready: ReadyFreeAttack) -> Chances:
        if ready.shot is None:
            return Chances(tuple(blow_odds(act, ready.blow)))
        shot = ready.shot
        lines = [line for prepared_shot in shot.shots for line in shot_odds(act, ready.model, prepared_shot)]
        lines += stray_risk_lines(act, [shot] * attack_rolls(shot.shots[0].weapon), aimed=False)
        return Chances(tuple(lines))

    def labelled(self, plain: FreeAttack, ready: ReadyFreeAttack) -> str:
        return "Fight" if plain.fights else "Shoot"


def _prepare_free_shot(act: ActView, action: FreeAttack, model: Fighter, target: Fighter) -> PreparedVolley:
    require_between(action.inches, 0, 200, "Distance (inches)")
    bystanders = (fighter_of(act, action.friend),) if action.friend else ()
    weapon = first_firearm(model, action.inches)
    shot = Shoot(model, target, action.inches, action.cover, weapon, friend=bystanders, straight=False)
    return prepare_volley(declared(act, shot).volley, settings(act))


# ------------------------------------------------------------------------------------------- portal, throw


@handles(PortalLost)
def lose_portal(act: Act, action: PortalLost) -> Reply:
    """Lose a portal that ended on a model, terrain or beyond the edge. Rules: CB-PSI-10."""
    row = act.encounter.model(action.model)
    if not ModelState(row).portal_turn:
        raise Forbidden(
            f"{row.name} can't be lost in the Deep, because its portal didn't go astray.", "CB-PSI-10"
        )
    ModelState(row).portal_turn = 0
    model = fighter(act.encounter, row)
    telling = Telling([f"{model.name} is lost in the Deep."])
    telling.follow(act, after_portal(model, Portal("astray"), "blocked"))
    return finish(act, telling)


@handles(FloorAll)
def floor_all(act: Act, action: FloorAll) -> Reply:
    """Knock down friend and foe, hurt or not. Rules: CB-PSI-06, CB-PSI-22."""
    row = act.encounter.model(action.psionic)
    act.require_model(row)
    if ModelState(row).floors_turn != max(1, act.encounter.row.turn):
        raise Forbidden(
            f"To knock down every model in range, {row.name} needs a new critical success with Power Blast.",
            "CB-PSI-22",
        )
    if not action.models:
        standing_models = [
            model
            for model in fighters(act.encounter)
            if model.id != row.id and not model.has(Condition.PRONE)
        ]
        if not standing_models:
            raise InvalidInput("No other model can be knocked down, because all are Prone.")
        menu = Menu(
            f"Which models are within 12 in of {row.name}?",
            action,
            "models",
            model_choices(standing_models),
            1,
            len(standing_models),
        )
        return Reply(
            ("A critical success with Power Blast knocks down every model in range.",),
            private=True,
            menus=(menu,),
        )
    ModelState(row).floors_turn = 0
    telling = Telling()
    for number in action.models:
        model = fighter(act.encounter, act.encounter.model(number))
        telling.follow(act, floored(model, "Power Blast"))
        telling.lines.append(f"{model.name} is knocked down.")
    return finish(act, telling)
