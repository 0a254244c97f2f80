"""Area attacks: the Check at a point of ground, and where the area comes to lie."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth import hide_tokens, suggestions
from bot.games.fracd_earth.area_resolution import area_of, ask_who_is_caught
from bot.games.fracd_earth.attack_situation import (
    collect_activations,
    is_main_action,
    require_allies,
    require_helping,
    require_may_attack,
)
from bot.games.fracd_earth.drawing import Drawing, check_chances
from bot.games.fracd_earth.exchange import Exchange, Facts, require_current
from bot.games.fracd_earth.fields import (
    acting_figure,
    away_field,
    blind_sides_field,
    moving_field,
    platform_field,
    teamwork_field,
    weapon_field,
)
from bot.games.fracd_earth.figures import (
    activation_of,
    explain_not_acting,
    figure_of,
    keep_activations,
    require_acting,
)
from bot.games.fracd_earth.narration import Narration, inches, side_words, why_lines
from bot.games.fracd_earth.players import deck_of, name_of, player_of, player_rows, require_holder
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.steps import (
    DECISIONS,
    LATE_DECISIONS,
    ask_next,
    begin_check,
    proceed,
    register_outcome,
)
from bot.replies.reply import Blank, Button, Reply, form
from bot.store.rows import ModelRow, SideRow
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.handlers import handles
from bot.table.owners import in_play
from bot.table.steps import Chances, in_steps
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import area
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.area import Pulse
from rules.systems.fracd_earth.combat import Manner
from rules.systems.fracd_earth.deck import Prepared
from rules.systems.fracd_earth.profile import Figure
from rules.systems.fracd_earth.turns import Activation
from rules.systems.fracd_earth.weapons import Weapon, read_weapon


def _pick_default_weapon(context: Asking, figure: Figure) -> Weapon:
    """Return the first weapon that reaches the ground farther off. Raises InvalidInput."""
    ranged_weapons = [weapon for weapon in figure.profile.weapons if weapon.range_inches is not None]
    if context.so_far["delivery"] == "power":
        ranged_weapons = [weapon for weapon in ranged_weapons if weapon.suit] or ranged_weapons
    if not ranged_weapons:
        name = context.so_far["attacker"].name
        raise InvalidInput(f"Choose another figure. {name} has no ranged weapon for an area attack.")
    return ranged_weapons[0]


@dataclass(frozen=True, slots=True)
class AreaAttack(Action):
    """Attack an area on the ground.

    size: diameter, a cone's length, a pulse's radius; width: of a cone's end;
    unseen: sides that do not see a hidden attacker; sight: that was asked; away: allies who have the point
    out of range and reach.
    """

    facts = frozenset({"sight"})

    command = "fe.area"
    typed = "fe area"
    titled = "Attack an area"

    attacker: ModelRow = acting_figure("Figure that attacks")
    distance: float = fields.inches(
        "Distance to the target point (inches)",
        0.0,
        200.0,
        default=0.0,
        needed=True,
        bands=suggestions.ground_bands,
        fact=True,
    )
    size: float = fields.inches(
        "Blast width, cone length or pulse radius (inches)", 0.0, 200.0, default=4.0, needed=True, fact=True
    )
    shape: str = fields.one_of("Shape of the area", ("blast", "cone", "pulse", "half pulse"), default="blast")
    width: float = fields.inches("Width of the cone's far end (inches)", 0.0, 200.0, default=3.0, fact=True)
    delivery: area.Delivery = fields.one_of(
        "Power, grenade or thrown object (aerodynamic or lifted)",
        ("power", "grenade", "aerodynamic", "lifted"),
        default="power",
    )
    weapon: Weapon = weapon_field(
        "Weapon or power", "attacker", _pick_default_weapon, suggestions.suggest_ranged_weapons
    )
    manner: Manner = fields.one_of("Kind of attack", ("basic", "focused", "quick"), default="basic")
    support: tuple[ModelRow, ...] = teamwork_field()
    moving: bool = moving_field()
    platform: bool = platform_field()
    odds: bool = fields.odds()
    unseen: tuple[SideRow, ...] | None = blind_sides_field()
    away: tuple[ModelRow, ...] = away_field()
    sight: bool = False


@dataclass(frozen=True, slots=True)
class Shift(Action):
    """Shift the point of a missed attack by x, y inches, or a cone's end by whole inches x."""

    command = "fe.shift"
    decision_of = in_play("the player who holds the cards")

    at: int = 0
    x: float = 0.0
    y: float = 0.0
    step: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class ReadyArea:
    """An attack at the ground before it is declared. facts: as they are kept.

    blind: sides that do not see the attacker; used: everyone's actions after it.
    """

    attacker: int
    player: int
    facts: Facts
    mine: Prepared
    weapon: Weapon
    blind: list[int]
    used: list[tuple[ModelRow, Activation]]


@in_steps(AreaAttack, bot_dice=True, may=require_may_attack)
class AreaSteps(Drawing[AreaAttack, ReadyArea]):
    """The Check at the ground. Rules: FE-AOE-01 to FE-AOE-06."""

    def prepare(self, act: ActView, action: AreaAttack) -> ReadyArea:
        encounter = act.encounter
        exchanges.refuse_while_busy(encounter)
        row, weapon = action.attacker, action.weapon
        require_allies(act, row, action.support)
        require_helping(action.away, action.support)
        prepared = _prepare(act, action)
        facts = _area_facts(action, prepared)
        blind_sides = hide_tokens.require_hidden_from(encounter, row, action.unseen or ())
        area_of(facts)
        activations = collect_activations(encounter, row, action.manner, action.support, action.away)
        if is_main_action(action.manner) and not act.action.looks:
            require_acting(act, row)
        return ReadyArea(row.id, player_of(encounter, row), facts, prepared, weapon, blind_sides, activations)

    def chances(self, act: ActView, action: AreaAttack, ready: ReadyArea) -> Chances:
        """Return the chances before it is declared, for the attacker's player alone. Rules: FE-AOE-05."""
        row = act.encounter.model(ready.attacker)
        min_total = settings_of(act.encounter).aoe_hit_at
        return check_chances(
            act,
            ready.player,
            ready.mine,
            min_total - 1,
            all_or_nothing=True,
            edges=False,
            tn_text=f"TN {area.ATTACK_TN} (all or nothing), hits on {min_total} or more",
            not_yet=explain_not_acting(act.encounter, row) if is_main_action(action.manner) else "",
        )

    def asks(self, act: Act, action: AreaAttack, ready: ReadyArea) -> Reply | None:
        """Ask which sides don't see the attacker. Rules: FE-DET-03."""
        return hide_tokens.ask_sight(act, action, action.attacker)

    def do(self, act: Act, action: AreaAttack, ready: ReadyArea) -> Reply:
        encounter, prepared = act.encounter, ready.mine
        row = encounter.model(ready.attacker)
        keep_activations(ready.used)
        first_line = f"{row.name} attacks an area with {ready.weapon.title}."
        distance_text = f"Distance {inches(_throw_distance(action))}, " if _throw_distance(action) else ""
        narration = Narration(
            [first_line, f"{distance_text}TN {area.ATTACK_TN} (all or nothing): {side_words(prepared)}"]
        )
        narration.why += why_lines(row.name, prepared)
        narration.lines += hide_tokens.reveal_attacker(encounter, row, ready.blind)
        seat = seats.sit(ready.player, prepared, deck_of(encounter, ready.player))
        check = begin_check(
            act, narration, Exchange("area", ready.facts), seat, area.ATTACK_TN, all_or_nothing=True
        )
        return proceed(act, narration, check)


def _throw_distance(action: AreaAttack) -> float:
    return action.distance if action.shape == "blast" else 0.0


def _prepare(act: ActView, action: AreaAttack) -> Prepared:
    return area.prepare_attack(
        figure_of(act.encounter, action.attacker),
        action.weapon,
        action.delivery,
        _throw_distance(action),
        settings_of(act.encounter),
        manner=action.manner,
        moving=action.moving,
        ran=activation_of(action.attacker).pace == "run",
        platform=action.platform,
        supporters=len(action.support),
    )


def _area_facts(action: AreaAttack, prepared: Prepared) -> Facts:
    return {
        "attacker": action.attacker.id,
        "weapon": str(action.weapon),
        "names": [action.attacker.name],
        "distance": action.distance,
        "size": action.size,
        "width": action.width,
        "shape": action.shape,
        "manner": action.manner,
        "effect_shifts": prepared.effect_shifts,
        "traits": [area.trait_and_skill(action.delivery)[0].capitalize()],
        "shift": [0.0, 0.0],
    }


@register_outcome("area")
def area_outcome(act: Act, narration: Narration, exchange: Exchange) -> None:
    """Put the area on the point, or miss by so much. Rules: FE-AOE-05, FE-AOE-07, FE-AOE-08, FE-AOE-09."""
    encounter, settings = act.encounter, settings_of(act.encounter)
    facts = dict(exchange.facts)
    result = area.attack_result(seats.total(exchange.check.seat, settings), settings)
    facts |= {"mos": result.success_margin, "mof": result.failure_margin}
    exchanges.close(encounter, exchange)
    name = facts["names"][0]
    shape = area_of(facts)
    if result.on_point:
        spare_text = f"{result.success_margin or 'nothing'} to spare"
        narration.lines.insert(0, f"{name} hits the target point with {spare_text}.")
        ask_who_is_caught(act, exchange, facts)
        return
    reason_text = f"because the total is {result.failure_margin} too low"
    narration.lines.insert(0, f"{name} misses the target point, {reason_text}.")
    limit = _shift_limit(act, facts)
    if not area.may_scatter(shape) or limit <= 0:
        narration.lines.append(
            "A pulse doesn't scatter." if isinstance(shape, Pulse) else "The area doesn't scatter."
        )
        ask_who_is_caught(act, exchange, facts)
        return
    side = encounter.model(facts["attacker"]).side
    enemy_players = tuple(row.id for row in player_rows(encounter) if row.side != side)
    waiting_players = enemy_players[:1] or (player_of(encounter, encounter.model(facts["attacker"])),)
    exchanges.save_exchange(
        encounter, Exchange("area", facts, None, "shift", waiting_players, exchange.id, act.entry)
    )


def _shift_limit(act: Act, facts: Facts) -> float:
    if facts["shape"] == "cone":
        return float(facts["mof"] // 2)
    range_inches = float(read_weapon(facts["weapon"]).range_inches or 0)
    return area.scatter_limit(facts["mof"], facts["distance"], range_inches, settings_of(act.encounter))


SHIFT_FORM = form(
    "fe.shift",
    "Shift the area",
    Blank("x", "Right (inches, below 0 for left)", default="0"),
    Blank("y", "Forwards (inches, below 0 for back)", default="0"),
)


def _ask_shift(act: Act, narration: Narration, exchange: Exchange) -> None:
    name = name_of(act.encounter, exchange.waits[0])
    part = "the end of the cone" if exchange.facts["shape"] == "cone" else "the target point"
    narration.lines.append(f"{name} may shift {part} by up to {inches(_shift_limit(act, exchange.facts))}.")
    no_shift = Shift(exchange.id, step=exchange.entry)
    narration.buttons.append(Button("Shift...", no_shift, "main", anytime=True, form=SHIFT_FORM))
    narration.buttons.append(Button("Don't shift it", no_shift, anytime=True))


DECISIONS["shift"] = _ask_shift


@handles(Shift)
def shift(act: Act, action: Shift) -> Reply:
    """Shift the point by the defender, within the limit. Rules: FE-AOE-07, FE-AOE-08."""
    exchange = require_current(act.encounter, action.at, action.step)
    if exchange.stage != "shift":
        raise InvalidInput("There is no area to shift right now.")
    require_holder(act, exchange.waits[0])
    facts = dict(exchange.facts)
    limit = _shift_limit(act, facts)
    shape = area_of(facts)
    if isinstance(shape, area.Cone):
        if action.x != int(action.x):
            raise InvalidInput("Enter whole inches to shift the end of a cone.")
        if action.y:
            raise InvalidInput(
                "Leave the inches forwards at 0, because the end of a cone moves only sideways."
            )
        area.scatter_cone(shape, int(action.x), facts["mof"])
    elif isinstance(shape, area.Blast):
        area.scatter(shape, (action.x, action.y), limit)
    facts["shift"] = [action.x, action.y]
    shifted_inches = (action.x**2 + action.y**2) ** 0.5
    narration = Narration(
        [
            f"The area shifts by {inches(round(shifted_inches, 2))}."
            if shifted_inches
            else "The area doesn't shift."
        ]
    )
    ask_who_is_caught(act, exchange, facts)
    return ask_next(act, narration)


def _late_shift(act: Act, narration: Narration, exchange: Exchange) -> None:
    narration.lines.append("The area doesn't shift.")
    ask_who_is_caught(act, exchange, dict(exchange.facts))


LATE_DECISIONS["shift"] = _late_shift
