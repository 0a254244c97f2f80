"""Attacks: declared, answered with Def or Manv, drawn for as a Challenge, and joined by friends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action, part_of, raw_of
from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth import suggestions
from bot.games.fracd_earth.area_actions import AreaAttack
from bot.games.fracd_earth.attack_situation import (
    collect_activations,
    cover_of,
    is_main_action,
    lenient_situation,
    prepare_attacker,
    prepare_defender,
    require_allies,
    require_defenders,
    require_group_weapons,
    require_helping,
    require_may_attack,
    situation_of,
)
from bot.games.fracd_earth.drawing import Answer, Drawing, Equal, check_chances, clash_chances
from bot.games.fracd_earth.exchange import Exchange, require_current
from bot.games.fracd_earth.fields import (
    acting_figure,
    allies,
    away_field,
    blind_sides_field,
    find_obstacle,
    in_hand_field,
    moving_field,
    platform_field,
    teamwork_field,
    weapon_field,
)
from bot.games.fracd_earth.figures import (
    activation_of,
    explain_not_acting,
    figure_of,
    keep_activation,
    keep_activations,
    pick_reaching_weapon,
    require_acting,
    require_own_weapon,
    trait_of,
)
from bot.games.fracd_earth.hide_tokens import ask_sight, is_hidden_from, require_hidden_from, reveal_attacker
from bot.games.fracd_earth.narration import (
    TRAIT_WORDS,
    Narration,
    draw_words,
    inches,
    joined_names,
    side_words,
    trait_word,
    why_lines,
)
from bot.games.fracd_earth.players import deck_of, name_of, player_of
from bot.games.fracd_earth.settings import settings_of
from bot.games.fracd_earth.steps import (
    DECISIONS,
    LATE_DECISIONS,
    TASK_WORDS,
    ask_next,
    begin_challenge,
    begin_check,
    proceed,
)
from bot.replies.reply import Button, Reply
from bot.store.rows import ModelRow, SideRow
from bot.table.act import Act, ActView
from bot.table.asking import fields, measuring, offering
from bot.table.asking.kinds import Asking, TableKind
from bot.table.asking.offering import completing
from bot.table.asking.reading import called
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.encounter import EncounterView
from bot.table.game import time_to_react
from bot.table.handlers import handles
from bot.table.offers.forms import SEVERAL_BY_COMMAND, Several
from bot.table.owners import in_play
from bot.table.reaction_windows import close_window, window_of
from bot.table.session.drafts import Draft, Picker, PickField, make_picker_draft, register_picker
from bot.table.steps import Chances, in_steps
from rules.refusals import InvalidInput
from rules.systems.fracd_earth import combat, movement, turns
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.combat import Situation
from rules.systems.fracd_earth.deck import Prepared
from rules.systems.fracd_earth.outcomes import usable_edges
from rules.systems.fracd_earth.profile import Figure
from rules.systems.fracd_earth.turns import Activation
from rules.systems.fracd_earth.weapons import Weapon, read_weapon
from rules.wording import possessive


def _measure_distance(context: Asking) -> Fact | None:
    """Return the inches on the board; a free strike falls where the mover passed, however far it went on."""
    if getattr(context.act.action, "manner", "") in ("quick", "wild"):
        return None
    return measuring.distance("attacker", "target")(context)


def _pick_default_weapon(context: Asking, figure: Figure) -> Weapon:
    return pick_reaching_weapon(figure, context.so_far["attacker"].name, context.so_far["distance"] or 0.0)


def _find_figures_in_line(context: Asking) -> Fact | None:
    """Return the figures over whose bases a shot passes, but those in contact. Rules: FE-ACT-07."""
    pair, weapon = measuring.both(context, "attacker", "target"), context.so_far.get("weapon")
    encounter = context.act.encounter
    bodies = facts.pair(encounter, *pair) if pair else None
    if bodies is None or pair is None or weapon is None or weapon.range_inches is None:
        return None
    crossed_ids = facts.on_line(encounter, bodies[0].at, bodies[1].at, bodies[0].bottom, pair)
    hindering_ids = [number for number in crossed_ids if not facts.in_contact(encounter, pair[0], number)]
    rows = tuple(encounter.model(number) for number in sorted(hindering_ids))
    return Fact(rows, "over " * bool(rows) + ", ".join(row.name for row in rows))


@dataclass(frozen=True, slots=True)
class Attack(Action):
    """Strike, shoot or cast at a figure.

    manner: basic, focused, quick, wild (a free strike at one passing by) or slam. support: allies who
    give their Main action; group: allies of a Combined attack; armour: columns that the target's armour
    shifts to the left; effective: the shooter's range, where it is not the weapon's; cover: the obstacle
    that the line crosses, beside: the attacker stands next to it and sees over; line: whose bases it
    crosses; against: what the target has in hand in a Fight; away: allies who have the target out of
    range and reach; unseen: sides that do not see a hidden attacker;
    sight: that was asked.
    """

    facts = frozenset({"sight"})

    command = "fe.attack"
    typed = "fe attack"

    attacker: ModelRow = acting_figure("Figure that attacks")
    target: ModelRow = fields.foe("Target", needed=True)
    distance: float = fields.inches(
        "Distance between bases (inches)",
        0.0,
        200.0,
        default=0.0,
        bands=suggestions.attack_bands,
        fact=True,
        measures=_measure_distance,
    )
    weapon: Weapon = weapon_field(
        "Weapon (leave blank for one that reaches the target)", "attacker", _pick_default_weapon
    )
    manner: str = fields.one_of(
        "Kind of attack (choose wild to strike at a figure passing by)",
        ("basic", "focused", "quick", "wild", "slam"),
        default="basic",
    )
    cover: str = fields.one_of(
        "Obstacle that the line of fire crosses",
        ("none", *movement.OBSTACLES),
        default="none",
        fact=True,
        measures=measuring.seen("attacker", "target", find_obstacle),
    )
    support: tuple[ModelRow, ...] = teamwork_field()
    group: tuple[ModelRow, ...] = allies(
        "Allies in a Combined attack, separated by commas", offering.several_friends
    )
    moving: bool = moving_field()
    platform: bool = platform_field()
    behind: bool = fields.switch("Attacks from the target's blind side", fact=True)
    above: bool = fields.switch("Attacker is on foot and above the target", fact=True)
    effective: float = fields.inches(
        "Effective range (inches, leave blank for the weapon's range)",
        0.0,
        200.0,
        default=0.0,
        called="range",
        fact=True,
    )
    armour: int = fields.whole(
        "Number of columns by which the target's armour shifts the effect left", 0, 4, default=0, fact=True
    )
    odds: bool = fields.odds()
    unseen: tuple[SideRow, ...] | None = blind_sides_field()
    line: tuple[ModelRow, ...] = allies(
        "Figures whose bases block the line of fire", fact=True, measures=_find_figures_in_line
    )
    away: tuple[ModelRow, ...] = away_field()
    beside: bool = fields.switch("Attacker is next to the obstacle and sees over it", fact=True)
    against: Weapon | None = in_hand_field("Target's weapon", "target")
    sight: bool = False
    by_hand: tuple[str, ...] = fields.by_hand()


DEFENCES: tuple[combat.DefenceTrait, ...] = ("def", "manv")


@dataclass(frozen=True, slots=True)
class Defend(Action):
    """Answer an attack with Def or Manv. group: allies of a Combined defence."""

    command = "fe.defend"
    titled = "Combined defence"
    decision_of = in_play("the player who holds the cards")

    at: int = 0
    trait: combat.DefenceTrait = fields.one_of(
        "Trait to defend with", DEFENCES, titles=TRAIT_WORDS, default="def"
    )
    step: int = 0
    group: tuple[ModelRow, ...] = allies(
        "Allies in a Combined defence", completing(suggestions.suggest_defenders)
    )


@dataclass(frozen=True, slots=True, eq=False)
class ReadyAttack:
    """An attack before it is declared. facts: as stored; used: everyone's actions after it."""

    facts: dict[str, Any]
    situation: Situation
    mine: Prepared
    used: list[tuple[ModelRow, Activation]]


@in_steps(Attack, bot_dice=True, may=require_may_attack)
class AttackSteps(Drawing[Attack, ReadyAttack]):
    """Declared; the defender chooses how to answer. Rules: FE-CHAL-01, FE-DEF-01, FE-DEF-02, FE-ACT-03."""

    label = "Attack"

    def prepare(self, act: ActView, action: Attack) -> ReadyAttack:
        encounter = act.encounter
        exchanges.refuse_while_busy(encounter)
        attacker, target, weapon = action.attacker, action.target, action.weapon
        if attacker.side == target.side:
            raise InvalidInput(f"Pick an enemy. {target.name} is on {possessive(attacker.name)} side.")
        friends = (*action.support, *action.group)
        require_allies(act, attacker, friends)
        require_group_weapons(act, action.group, weapon)
        require_helping(action.away, friends)
        require_own_weapon(act, target, action.against)
        situation, facts = _require_attack(
            act, _attack_facts(action) | _read_table_facts(act.encounter, action)
        )
        attack_side = prepare_attacker(encounter, facts)
        activations = collect_activations(encounter, attacker, action.manner, friends, action.away)
        if is_main_action(action.manner) and not act.action.looks:
            require_acting(act, attacker)
        for row in (attacker, target):
            player_of(encounter, row)
        return ReadyAttack(facts, situation, attack_side, activations)

    def chances(self, act: ActView, action: Attack, ready: ReadyAttack) -> Chances:
        """Return the chances for the attacker's player alone. Rules: FE-CHAL-03, FE-CMB-10, FE-DEF-02."""
        encounter, situation = act.encounter, ready.situation
        attacker, target = encounter.model(ready.facts["attacker"]), encounter.model(ready.facts["target"])
        not_yet = explain_not_acting(encounter, attacker) if is_main_action(ready.facts["manner"]) else ""
        all_or_nothing, defender = situation.weapon.all_or_nothing, situation.defender
        may_earn_edges = usable_edges(1, situation.attacker, defender) > 0
        is_combined = bool(ready.facts["group"])
        if not combat.may_defend(defender):
            strict_text = " (all or nothing)" if all_or_nothing else ""
            tn_text = f"{defender.name} is Inactive, so the TN is 10{strict_text}"
            number = player_of(encounter, attacker)
            return check_chances(
                act,
                number,
                ready.mine,
                10,
                all_or_nothing=all_or_nothing,
                edges=may_earn_edges,
                tn_text=tn_text,
                not_yet=not_yet,
            )
        tie_is_partial = not all_or_nothing and settings_of(encounter).tie_rule == "partial_hit"
        answers = [
            Answer(combat.defence(situation, trait, settings_of(encounter)), trait_word(trait))
            for trait in DEFENCES
        ]
        return clash_chances(
            act,
            attacker,
            target,
            ready.mine,
            answers,
            equal=Equal("partial hit" if tie_is_partial else "tie (held off)", tie_is_partial),
            edges=may_earn_edges,
            combined=is_combined,
            not_yet=not_yet,
        )

    def asks(self, act: Act, action: Attack, ready: ReadyAttack) -> Reply | None:
        """Ask which sides don't see the attacker. Rules: FE-DET-03."""
        return ask_sight(act, action, action.attacker)

    def do(self, act: Act, action: Attack, ready: ReadyAttack) -> Reply:
        window = window_of(act.encounter)
        if window is not None and (action.manner, action.attacker.id) == (
            window.cause.trigger.split(" ")[0],
            window.cause.target,
        ):
            close_window(act.encounter)  # the free strike that was waited for
        keep_activations(ready.used)
        return _declare(act, ready.facts, ready.situation, ready.mine)


_KEPT_FIELDS = (
    "distance",
    "manner",
    "moving",
    "platform",
    "behind",
    "above",
    "effective",
    "armour",
    "beside",
)
"""Fields of an attack that are kept as they are."""


def _attack_facts(action: Attack) -> dict[str, Any]:
    return {name: getattr(action, name) for name in _KEPT_FIELDS} | {
        "attacker": action.attacker.id,
        "target": action.target.id,
        "weapon": str(action.weapon),
        "support": [row.id for row in action.support],
        "group": [row.id for row in action.group],
        "names": [action.attacker.name, action.target.name],
        "trait": trait_of(action.weapon),
        "against": action.against.title if action.against is not None else "",
    }


def _read_table_facts(encounter: EncounterView, action: Attack) -> dict[str, Any]:
    attacker, target = action.attacker, action.target
    obstacle = next((kind for kind in movement.OBSTACLES if kind == action.cover), None)
    return {
        "ran": activation_of(attacker).pace == "run",
        "hidden": is_hidden_from(encounter, target.id, attacker.side),
        "cover": cover_of(obstacle, adjacent=action.beside),
        "obstacle": action.cover,
        "line": [row.name for row in action.line if row not in (attacker, target)],
        "blind": require_hidden_from(encounter, attacker, action.unseen or ()),
    }


def _require_attack(act: ActView, facts: dict[str, Any]) -> tuple[Situation, dict[str, Any]]:
    """The attack as the rules see it, and its facts; where an organiser let it pass, made possible."""
    situation = situation_of(act.encounter, facts)
    overridden_before = len(act.overridden)
    with act.overridable():
        combat.refuse_attack(situation)
    if len(act.overridden) > overridden_before:
        facts |= lenient_situation(situation)
    return situation_of(act.encounter, facts), facts


def _declare(act: Act, facts: dict[str, Any], situation: Situation, side: Prepared) -> Reply:
    encounter = act.encounter
    attacker, target = encounter.model(facts["attacker"]), encounter.model(facts["target"])
    weapon = read_weapon(facts["weapon"])
    verb = {"fight": "strikes at", "shoot": "shoots at", "cast": "casts at"}[facts["trait"]]
    first_line = f"{attacker.name} {verb} {target.name}."
    if facts["manner"] == "slam":
        first_line = f"{attacker.name} slams into {target.name}."
    narration = Narration(
        [first_line, f"{weapon.title}, {inches(situation.distance_inches)}: {draw_words(side)}"]
    )
    narration.why += why_lines(attacker.name, side)
    if facts["obstacle"] != facts["cover"]:
        reason = (
            "the attacker is next to it. FE-OBS-08"
            if facts["beside"]
            else "the players agreed that it gives none. FE-TER-07"
        )
        narration.why.append(f"  The {facts['obstacle']} obstacle gives no bonus, because {reason}")
    narration.lines += reveal_attacker(encounter, attacker, facts["blind"])
    facts["effect_shifts"] = side.effect_shifts
    if combat.may_defend(situation.defender):
        player = player_of(encounter, target)
        kind = "slam" if facts["manner"] == "slam" else "attack"
        exchange = Exchange(kind, facts, None, "defend", (player,), act.entry, act.entry)
        exchanges.save_exchange(encounter, exchange)
        return ask_next(act, narration)
    strict_text = ", all or nothing" if weapon.all_or_nothing else ""
    narration.lines.append(f"{target.name} is Inactive, so this is a Check (TN 10{strict_text}).")
    number = player_of(encounter, attacker)
    facts["traits"] = [facts["trait"].capitalize()]
    seat = seats.sit(number, side, deck_of(encounter, number), combined=bool(facts["group"]))
    kind = "slam" if facts["manner"] == "slam" else "helpless"
    check = begin_check(act, narration, Exchange(kind, facts), seat, 10, all_or_nothing=weapon.all_or_nothing)
    return proceed(act, narration, check)


def _ask_defender(act: Act, narration: Narration, exchange: Exchange) -> None:
    """Def or Manv, the target's choice. Rules: FE-CMB-10, FE-DEF-01."""
    encounter = act.encounter
    player_name = name_of(encounter, exchange.waits[0])
    target = figure_of(encounter, encounter.model(exchange.facts["target"]))
    narration.lines.append(f"{player_name}: {TASK_WORDS['defend']} ({time_to_react(encounter)}).")
    for trait in DEFENCES:
        label = f"{trait_word(trait)} {target.profile.trait(trait)}"
        answer = Defend(exchange.id, trait, exchange.entry)
        narration.buttons.append(Button(label, answer, "main", anytime=True))
    if len(encounter.models(encounter.model(exchange.facts["target"]).side)) > 1:
        combined_defence = Defend(exchange.id, step=exchange.entry)
        narration.buttons.append(Button("Together...", combined_defence, anytime=True, asks=True))


DECISIONS["defend"] = _ask_defender


@handles(Defend, bot_dice=True)
def defend(act: Act, action: Defend) -> Reply:
    """Ask the target's player; then both draw. Rules: FE-DEF-01, FE-CMB-10."""
    exchange = require_current(act.encounter, action.at, action.step)
    if exchange.stage != "defend":
        raise InvalidInput("You can't defend now. There is no attack to defend against.")
    target = act.encounter.model(exchange.facts["target"])
    act.require_model(target)
    require_defenders(act, target, action.group)
    narration = Narration()
    _begin_defence(act, narration, exchange, action.trait, action.group)
    return ask_next(act, narration)


def _begin_defence(
    act: Act,
    narration: Narration,
    exchange: Exchange,
    trait: combat.DefenceTrait,
    group: Sequence[ModelRow] = (),
) -> None:
    encounter = act.encounter
    facts = exchange.facts | {"defenders": [row.id for row in group]}
    attacker, target = encounter.model(facts["attacker"]), encounter.model(facts["target"])
    attack_side = prepare_attacker(encounter, facts)
    defence_side = prepare_defender(encounter, facts, trait)
    facts["traits"] = [facts["trait"].capitalize(), trait.capitalize()]
    for row in (target, *group):
        if encounter.row.turn:
            keep_activation(row, turns.react(activation_of(row)))
    numbers = player_of(encounter, attacker), player_of(encounter, target)
    active, reactive = (
        seats.sit(
            number,
            side,
            deck_of(encounter, number),
            combined=bool(facts["group"] if row is attacker else group),
            caster=is_caster(figure_of(encounter, row)),
        )
        for number, side, row in zip(numbers, (attack_side, defence_side), (attacker, target), strict=True)
    )
    all_or_nothing = read_weapon(facts["weapon"]).all_or_nothing
    narration.lines += [
        f"{target.name} defends with {trait_word(trait)}{_format_group(group)}.",
        f"{attacker.name}: {side_words(attack_side)}",
        f"{target.name}: {side_words(defence_side)}",
    ]
    narration.why += [*why_lines(attacker.name, attack_side), *why_lines(target.name, defence_side)]
    challenge = begin_challenge(
        act, narration, replace(exchange, facts=facts), active, reactive, all_or_nothing=all_or_nothing
    )
    exchanges.save_exchange(encounter, replace(challenge, entry=act.entry))


def _format_group(group: Sequence[ModelRow]) -> str:
    return f", together with {joined_names([row.name for row in group])}" if group else ""


def is_caster(figure: Figure) -> bool:
    """Return whether the figure may Morph. Rules: FE-CHAL-09."""
    return figure.profile.trait("cast") > 0


def _defend_late(act: Act, narration: Narration, exchange: Exchange) -> None:
    target = figure_of(act.encounter, act.encounter.model(exchange.facts["target"])).profile
    better_trait: combat.DefenceTrait = "manv" if target.trait("manv") > target.trait("def") else "def"
    _begin_defence(act, narration, exchange, better_trait)


LATE_DECISIONS["defend"] = _defend_late


TEAMWORK_ALLIES = PickField("support", "Allies who give Teamwork", "Teamwork")
COMBINED_ALLIES = PickField("group", "Allies in the Combined attack", "Combined")


def _attack_lines(act: Act, action: Attack) -> tuple[str, ...]:
    distance = inches(action.distance) if action.distance else "in contact"
    return (
        f"{action.attacker.name}: {action.weapon.title} at {action.target.name}",
        ", ".join((distance, *_list_other_terms(action, "distance", "weapon"))),
    )


def _area_lines(act: Act, action: AreaAttack) -> tuple[str, ...]:
    shown_fields = ("distance", "size", "shape", "weapon")
    return (
        f"{action.attacker.name}: {action.weapon.title}, {action.shape}",
        ", ".join(
            (
                f"size {inches(action.size)}, distance {inches(action.distance)}",
                *_list_other_terms(action, *shown_fields),
            )
        ),
    )


def _list_other_terms(action: Attack | AreaAttack, *shown_fields: str) -> Iterator[str]:
    skipped_fields = {
        *shown_fields,
        "attacker",
        "target",
        "odds",
        *(gathered.name for gathered in _ATTACK_ALLIES),
    }
    for name, raw in raw_of(action).items():
        part, value = part_of(action.command, name), getattr(action, name)
        if name in skipped_fields or not isinstance(part.kind, TableKind):
            continue
        yield called(part) if raw is True else f"{called(part)} {_format_value(value)}"


def _format_value(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(row.name for row in value)
    return (
        value.title if isinstance(value, Weapon) else f"{value:g}" if isinstance(value, float) else str(value)
    )


def _gather_away(*gathered_fields: str) -> PickField:
    return PickField(
        "away",
        "For which allies is the target out of range and reach?",
        "Out of range and reach",
        gathered_fields,
    )


_ATTACK_ALLIES = (COMBINED_ALLIES, TEAMWORK_ALLIES, _gather_away("group", "support"))
_AREA_ALLIES = (TEAMWORK_ALLIES, _gather_away("support"))

register_picker(Attack, Picker(lambda act: _ATTACK_ALLIES, _attack_lines, "Attack"))
register_picker(AreaAttack, Picker(lambda act: _AREA_ALLIES, _area_lines, "Attack"))


def _begin_draft(act: Act, action: Action) -> Draft | None:
    needed_fields = {"attacker", "target"} if isinstance(action, Attack) else {"attacker"}
    return make_picker_draft(action) if needed_fields <= raw_of(action).keys() else None


SEVERAL_BY_COMMAND[Attack.command] = Several(
    "Act together with allies",
    "Allies who join in",
    _begin_draft,
    frozenset(one.name for one in _ATTACK_ALLIES),
)
SEVERAL_BY_COMMAND[AreaAttack.command] = Several(
    "Act together with allies",
    "Allies who join in",
    _begin_draft,
    frozenset(one.name for one in _AREA_ALLIES),
)
