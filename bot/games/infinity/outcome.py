"""An Order resolved: its dice thrown together, wounds carried through, what is owed afterwards.

Owns the throwing and the telling of duels, the Dodge against several attacks, and the end of an Order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.games.infinity import concealment, troops
from bot.games.infinity.debts import offer_fall, owe_guts
from bot.games.infinity.duels import EVASIONS, Pair
from bot.games.infinity.narration import (
    Telling,
    attribute_of,
    condition_name,
    describe_state,
    dodge_lines,
    normal_lines,
    opposed_lines,
    roll_line,
    save_lines,
    why_lines,
)
from bot.games.infinity.order_rows import Order
from bot.games.infinity.troops import reload_trooper, settings_for
from bot.table.act import Act
from bot.table.board.routes import into_contact, turn_to
from bot.table.throw_purposes import Whose, counted, hands
from rules.dice import Compared, Entry, Thrown
from rules.effects import Gain, Lose
from rules.systems.infinity.armour import Save, wounds
from rules.systems.infinity.duel import Combatant, Does, notes_of
from rules.systems.infinity.profile import Skill
from rules.systems.infinity.reactions import after_engage, dodge_inches, guts_due
from rules.systems.infinity.rolls import (
    CRITICAL_RANK,
    NO_HITS,
    Hits,
    Side,
    dodge_all,
    dodge_landed,
    face_to_face,
    landed,
    normal_rolls,
    rank,
)
from rules.systems.infinity.states import after_wounds, fall_choices, state_of
from rules.systems.infinity.trooper import (
    Condition,
    Handicap,
    Trooper,
    after_surprise_shot,
    answers_unseen,
    ignores,
)
from rules.wording import join_with_and, possessive, times


@dataclass(slots=True)
class Blow:
    """The losses of one trooper in an Order: points, attacks that hit it, and who took most off it."""

    before: Trooper
    lost: int = 0
    hits: int = 0
    by: int = 0


@dataclass(frozen=True, slots=True)
class Strike:
    """One attack in the result: who hit whom, how often, what was saved and lost."""

    by: Trooper
    target: Trooper
    hits: Hits = NO_HITS
    saved: int = 0
    lost: int = 0


@dataclass(slots=True)
class Tally:
    """All losses in an Order. evaded: those who got away by a Dodge; melee: those in base contact."""

    blows: dict[int, Blow] = field(default_factory=dict)
    strikes: list[Strike] = field(default_factory=list)
    evaded: set[int] = field(default_factory=set)
    melee: set[int] = field(default_factory=set)

    def take(self, strike: Strike) -> None:
        """Add what one attack did."""
        self.strikes.append(strike)
        if strike.hits:
            blow = self.blows.setdefault(strike.target.id, Blow(strike.target))
            blow.lost += strike.lost
            blow.hits += 1
            wounding_strikes = [hit for hit in self.strikes if hit.target.id == strike.target.id and hit.lost]
            blow.by = (
                max(wounding_strikes, key=lambda wounding: wounding.lost).by.id if wounding_strikes else 0
            )


def roll_title(combatant: Combatant, side: Side) -> str:
    """Return who rolls what."""
    return f"{combatant.trooper.current.name}, {roll_line(combatant, side)}"


def used_weapon_name(combatant: Combatant) -> str:
    """Return what a trooper uses, for the line below its dice."""
    return combatant.used_weapon().name if combatant.attacks else condition_name(combatant.does)


def _roll_purpose(roller: Combatant, side: Side, foe: str) -> Whose:
    return Whose(
        roller.trooper.current.name, used_weapon_name(roller), f"against {foe}, {side.value} or less"
    )


def throw_duel(act: Act, telling: Telling, tally: Tally, pair: Pair) -> tuple[int, ...]:
    """Roll one duel, Face to Face or separately, add it to the tally and tell it.

    Gives the ranks of the active trooper's dice that hit, for who else is under its template.
    """
    duel = pair.duel
    duel_start = len(act.dice.trace)
    active, enemy = pair.active, pair.enemy
    if Does.FIGHT in (active.does, enemy.does):
        tally.melee |= {active.trooper.id, enemy.trooper.id}
    names = active.trooper.current.name, enemy.trooper.current.name
    if duel.opposed:
        trace_start = len(act.dice.trace)
        purposes = hands(_roll_purpose(active, duel.a, names[1]), _roll_purpose(enemy, duel.b, names[0]))
        hits = act.roll(purposes, face_to_face, duel.a, duel.b, label=f"{names[0]}, then {names[1]}")
        trace = act.dice.trace[trace_start:]
        telling.dice += opposed_lines(
            trace, (roll_title(active, duel.a), duel.a), (roll_title(enemy, duel.b), duel.b)
        )
        hits_a, hits_b = hits.a, hits.b
    else:
        hits_a = _roll_alone(act, telling, active, duel.a, names[1])
        hits_b = _roll_alone(act, telling, enemy, duel.b, names[0])
    ranks = _hit_ranks(pair, act.dice.trace[duel_start:])
    _explain_duel(act, telling, pair)
    _roll_saves(act, telling, tally, active, enemy, hits_a, duel.save_b)
    _roll_saves(act, telling, tally, enemy, active, hits_b, duel.save_a)
    _strike_others_under_template(act, telling, tally, pair, hits_b)
    _settle_evasion(act, telling, tally, (active, enemy), (hits_a, hits_b), reactive=False)
    _settle_evasion(act, telling, tally, (enemy, active), (hits_b, hits_a), reactive=True)
    return ranks


def _hit_ranks(pair: Pair, trace: Sequence[Entry]) -> tuple[int, ...]:
    """Return the ranks of the active trooper's dice that hit, from what fell."""
    rolled_hands: list[tuple[int, ...]] = []
    for entry in trace:
        if isinstance(entry, Compared):
            rolled_hands += [faces for _, faces in entry.hands]
        elif isinstance(entry, Thrown):
            rolled_hands.append(entry.waves[0])
    duel = pair.duel
    if not (pair.active.attacks and duel.a.thrown and rolled_hands):
        return ()
    best_enemy_rank = 0
    if duel.opposed and duel.b.thrown and len(rolled_hands) > 1:
        best_enemy_rank = max((rank(duel.b.value, face) for face in rolled_hands[1]), default=0)
    return landed(duel.a.value, rolled_hands[0], best_enemy_rank)


def _strike_others_under_template(act: Act, telling: Telling, tally: Tally, pair: Pair, hits: Hits) -> None:
    """Roll the saves of others under the template of an ARO; in their own turn they have no Dodge.

    Rules: INF-BS-08.
    """
    for combatant, save in pair.touched if hits else ():
        _show_figure(act, telling, combatant.trooper.id)
        telling.why.append("In the core rules, everyone under a template is hit. INF-BS-08")
        _roll_saves(act, telling, tally, pair.enemy, combatant, hits, save)


def _show_figure(act: Act, telling: Telling, model_id: int) -> None:
    """Put the figure in the place of a Marker that a template hits."""
    row = act.encounter.model(model_id)
    if concealment.is_marker(act.encounter, model_id):
        marker_name = row.name
        telling.after.append(
            f"{marker_name} is revealed as {concealment.unveil(act.encounter, model_id).name}."
        )


def throw_template(
    act: Act, telling: Telling, tally: Tally, template_pairs: tuple[Pair, ...], ranks: tuple[int, ...]
) -> None:
    """Roll for others under a template: declared Dodges, then the saves.

    ranks: what the roll at its target left; with none the template has not landed. Rules: INF-BS-08.
    """
    if template_pairs:
        telling.why.append("In the core rules, everyone under a template is hit. INF-BS-08")
    for pair in template_pairs:
        combatant, duel = pair.enemy, pair.duel
        if ranks:
            _show_figure(act, telling, combatant.trooper.id)
        hits = count_hits(ranks)
        if combatant.does is not Does.NOTHING:
            trace_start = len(act.dice.trace)
            purpose = _roll_purpose(combatant, duel.b, pair.active.trooper.current.name)
            dodge_result = act.roll(purpose, dodge_landed, duel.b.value, ranks)
            hits = dodge_result.hits[0]
            telling.dice += dodge_lines(
                act.dice.trace[trace_start:], roll_title(combatant, duel.b), duel.b.value
            )
            evader_hits = Hits(1) if dodge_result.clean else NO_HITS
            _settle_evasion(act, telling, tally, (combatant, pair.active), (evader_hits, hits), reactive=True)
        if ranks:
            telling.why.append(_explain_save(combatant, pair.active, duel.save_b))
            _roll_saves(act, telling, tally, pair.active, combatant, hits, duel.save_b)


def count_hits(ranks: Sequence[int]) -> Hits:
    """Return attack dice that hit, as plain ones and Criticals."""
    critical_ranks = [rank for rank in ranks if rank == CRITICAL_RANK]
    return Hits(len(ranks) - len(critical_ranks), len(critical_ranks))


def _roll_alone(act: Act, telling: Telling, combatant: Combatant, side: Side, foe: str) -> Hits:
    if not side.burst:
        return Hits()
    trace_start = len(act.dice.trace)
    label = combatant.trooper.current.name
    hits = act.roll(_roll_purpose(combatant, side, foe), normal_rolls, side.burst, side.value, label=label)
    telling.dice += normal_lines(act.dice.trace[trace_start:], roll_title(combatant, side), side.value)
    return hits


def _explain_skills(act: Act, pair: Pair) -> list[str]:
    """Skills that decided who may do what, beside the MODs they change."""
    enemy, settings = pair.enemy, settings_for(act)
    lines = []
    has_total_reaction = bool(enemy.trooper.levels(Skill.TOTAL_REACTION, settings))
    if enemy.does is Does.SHOOT and has_total_reaction and pair.duel.b.burst > 1:
        lines.append("Total Reaction: the trooper uses its full Burst in ARO. INF-TRX-01")
    levels = enemy.trooper.levels(Skill.SIXTH_SENSE, settings)
    is_unseen_attack = enemy.attacks and not enemy.line_of_fire
    if is_unseen_attack and answers_unseen(levels, pair.inches, attacked=pair.active.attacks):
        lines.append(f"Sixth Sense L{max(levels)}: the trooper reacts to an unseen enemy. INF-SIX-02")
    meets_surprise_shot = pair.active.surprise and pair.active.does is Does.SHOOT and pair.duel.opposed
    if meets_surprise_shot and ignores(levels, Handicap.SURPRISE_SHOT, pair.inches):
        lines.append(f"Sixth Sense L{max(levels)}: the Surprise Shot gives no MOD. INF-SIX-04")
    return lines


def _explain_duel(act: Act, telling: Telling, pair: Pair) -> None:
    duel = pair.duel
    parts = ((pair.active, duel.a, duel.modifiers_a), (pair.enemy, duel.b, duel.modifiers_b))
    for fighter, side, modifiers in parts:
        if side.burst:
            name, base = attribute_of(fighter)
            head = f"{fighter.trooper.current.name}, {used_weapon_name(fighter)}, {name}"
            telling.why += why_lines(head, modifiers, base, side.value)
    for fighter, is_active in ((pair.active, True), (pair.enemy, False)):
        notes = notes_of(fighter, active=is_active, settings=settings_for(act))
        telling.why += [f"{note} INF-CCS-09" for note in notes]
    telling.why += _explain_skills(act, pair)
    roll_kind = "Face to Face" if duel.opposed else "Normal Rolls"
    telling.why.append(f"{roll_kind} INF-F2F-01")
    for fighter, foe, save in (
        (pair.enemy, pair.active, duel.save_b),
        (pair.active, pair.enemy, duel.save_a),
    ):
        if foe.attacks:
            telling.why.append(_explain_save(fighter, foe, save))


def _save_attribute(attacker: Combatant) -> str:
    return "BTS" if attacker.used_weapon().bts else "ARM"


def _explain_save(combatant: Combatant, attacker: Combatant, save: Save) -> str:
    name, attribute = combatant.trooper.current.name, _save_attribute(attacker)
    needed_text = f"more than {save.limit} (Damage {save.damage} - {attribute} {save.armour})"
    return f"{name} needs {needed_text} to save. INF-ARM-01"


def _roll_saves(
    act: Act, telling: Telling, tally: Tally, attacker: Combatant, foe: Combatant, hits: Hits, save: Save
) -> None:
    if not attacker.attacks:
        return
    name, target = attacker.trooper.current.name, foe.trooper.current.name
    if not hits:
        tally.take(Strike(attacker.trooper, foe.trooper))
        return
    trace_start = len(act.dice.trace)
    attribute = _save_attribute(attacker)
    purpose = Whose(target, f"{attribute} Rolls", f"against {possessive(name)} {used_weapon_name(attacker)}")
    points_lost = act.roll(purpose, wounds, hits, save, label=f"{possessive(target)} saves")
    telling.dice += save_lines(act.dice.trace[trace_start:], target, save, attribute)
    tally.take(
        Strike(attacker.trooper, foe.trooper, hits, hits.total * save.rolls - points_lost, points_lost)
    )


def _settle_evasion(
    act: Act,
    telling: Telling,
    tally: Tally,
    pair: tuple[Combatant, Combatant],
    hits: tuple[Hits, Hits],
    *,
    reactive: bool,
) -> None:
    evader, foe = pair
    evader_hits, foe_hits = hits
    if evader.does not in EVASIONS and not (evader.does is Does.RESET and foe.does is Does.HACK):
        return
    name = evader.trooper.current.name
    success = bool(evader_hits) and not foe_hits
    if not success:
        telling.head.append(f"{possessive(name)} {condition_name(evader.does).title()} fails.")
        return
    if evader.does is Does.ENGAGE:
        telling.follow(act, after_engage(evader.trooper, foe.trooper, success=True))
        into_contact(act.encounter, evader.trooper.id, foe.trooper.id)
        telling.head.append(f"{name} engages {foe.trooper.current.name}.")
    elif evader.does is Does.RESET:
        telling.head.append(f"{possessive(name)} Reset succeeds.")
    elif evader.does is Does.CHANGE_FACING:
        turn_to(act.encounter, evader.trooper.id, foe.trooper.id)
        telling.head.append(f"{name} turns to face {foe.trooper.current.name}.")
    else:
        tally.evaded.add(evader.trooper.id)
        inches = dodge_inches(success=True, reactive=reactive, ground=evader.ground)
        telling.head.append(f"{name} dodges{f' and can move up to {inches} in' if inches else ''}.")


def throw_dodge(act: Act, telling: Telling, tally: Tally, pairs: tuple[Pair, ...]) -> None:
    """Roll the active trooper's one Dodge against every attack. Rules: INF-DOD-01, INF-F2F-08."""
    dodger = pairs[0].active
    value = min(pair.duel.a.value for pair in pairs)
    attacks = [pair for pair in pairs if pair.enemy.attacks]
    trace_start = len(act.dice.trace)
    dodger_name = dodger.trooper.current.name
    attack_purposes = [_roll_purpose(pair.enemy, pair.duel.b, dodger_name) for pair in attacks]
    against_text = (
        f"against {join_with_and([foe.by for foe in attack_purposes])}"
        if attack_purposes
        else "with no attack against it"
    )
    dodge_purpose = Whose(dodger_name, condition_name(dodger.does), f"{against_text}, {value} or less")
    purposes = counted(dodge_purpose, *attack_purposes)
    dodge_result = act.roll(purposes, dodge_all, value, tuple(pair.duel.b for pair in attacks))
    trace = act.dice.trace[trace_start:]
    side = Side(1, value, attacks=False)
    telling.dice += dodge_lines(trace, roll_title(dodger, side), value)
    attack_rolls = [entry for entry in trace if not hasattr(entry, "face")]
    for pair, hits, entry in zip(attacks, dodge_result.hits, attack_rolls, strict=True):
        telling.dice += normal_lines([entry], roll_title(pair.enemy, pair.duel.b), pair.duel.b.value)
        _explain_duel(act, telling, pair)
        _roll_saves(act, telling, tally, pair.enemy, dodger, hits, pair.duel.save_a)
        _strike_others_under_template(act, telling, tally, pair, hits)
    name = dodger.trooper.current.name
    telling.head.append(f"{name} dodges." if dodge_result.clean else f"{possessive(name)} Dodge fails.")
    for pair in pairs:
        if not pair.enemy.attacks and pair.enemy.does is not Does.NOTHING:
            hits = _roll_alone(act, telling, pair.enemy, pair.duel.b, name)
            _settle_evasion(act, telling, tally, (pair.enemy, dodger), (hits, Hits()), reactive=True)


# ------------------------------------------------------------------------------------ what follows


def settle(act: Act, telling: Telling, tally: Tally) -> None:
    """Carry out all wounds of an Order together at its end, and tell who hit whom."""
    for blow in sorted(tally.blows.values(), key=lambda blow: -blow.lost):
        _settle_blow(act, telling, blow, in_contact=blow.before.id in tally.melee)
    verdicts: list[str] = []
    for strike in sorted(tally.strikes, key=lambda strike: -strike.lost):
        verdicts += _describe_strike(act, strike)
    telling.head[:0] = verdicts


def _describe_strike(act: Act, strike: Strike) -> list[str]:
    attacker, target, hits = strike.by.current.name, strike.target.current.name, strike.hits
    if not hits:
        return [f"{attacker} misses {target}."]
    if not strike.lost:
        sentence = f"{attacker} hits {target} but causes no wound."
    else:
        state = describe_state(reload_trooper(act, strike.target))
        sentence = f"{attacker} hits {target}: {times(strike.lost, 'wound')}{f', {state}' if state else ''}."
    parts = [times(hits.total, "hit")]
    parts += [f"{hits.critical} critical"] if hits.critical else []
    parts += [f"{strike.saved} saved"] if strike.saved else []
    return [sentence, ", ".join(parts)]


def _settle_blow(act: Act, telling: Telling, blow: Blow, *, in_contact: bool) -> None:
    trooper, settings = blow.before, settings_for(act)
    trooper_before = reload_trooper(act, trooper)
    choices = fall_choices(trooper_before, blow.lost, settings)
    wip = trooper_before.current.wip
    telling.follow(act, after_wounds(trooper_before, blow.lost, None, settings), by=blow.by)
    trooper_after = reload_trooper(act, trooper)
    name = trooper.current.name
    if trooper_after.has(Condition.TRANSMUTED) and not trooper_before.has(Condition.TRANSMUTED):
        telling.head.append(f"{name} switches to its other profile.")
    _leave_melee_if_down(act, trooper_after)
    row = act.encounter.model(trooper.id)
    hits_survived = 0 if in_contact else blow.hits
    if len(choices) > 1 and act.encounter.row.turn:
        was_standing = not trooper_before.has(Condition.PRONE)
        offer_fall(
            act,
            telling,
            row,
            choices,
            was_standing=was_standing,
            wip=wip if guts_due(trooper_before, hits_survived) else 0,
        )
    if guts_due(trooper_before, hits_survived, state_of(trooper_after)):
        owe_guts(telling, row, trooper_after, wip, settings)


def _leave_melee_if_down(act: Act, trooper: Trooper) -> None:
    if not trooper.is_null:
        return
    conditions = {
        row.id: act.encounter.condition(row.id, Condition.CLOSE_COMBAT) for row in act.encounter.models()
    }
    melee_foes = {
        number: condition.value for number, condition in conditions.items() if condition is not None
    }
    if melee_foes.pop(trooper.id, None) is not None:
        act.encounter.apply([Lose(trooper.id, Condition.CLOSE_COMBAT)])
    for number in [number for number, foe in melee_foes.items() if foe == trooper.id]:
        other_foe = next((holder for holder, foe in melee_foes.items() if foe == number), 0)
        effect = (
            Gain(number, Condition.CLOSE_COMBAT, other_foe)
            if other_foe
            else Lose(number, Condition.CLOSE_COMBAT)
        )
        act.encounter.apply([effect])


def record_melee(act: Act, tally: Tally, pairs: tuple[Pair, ...]) -> None:
    """Put both into contact after a CC Attack, if neither fell and the enemy did not dodge out of it."""
    for pair in pairs:
        if pair.active.does is not Does.FIGHT:
            continue
        trooper, enemy = reload_trooper(act, pair.active.trooper), reload_trooper(act, pair.enemy.trooper)
        if enemy.id in tally.evaded:
            _separate(act, trooper, enemy)
        elif not (trooper.is_null or enemy.is_null):
            act.encounter.apply([Gain(trooper.id, Condition.CLOSE_COMBAT, enemy.id)])
            act.encounter.apply([Gain(enemy.id, Condition.CLOSE_COMBAT, trooper.id)])


def _separate(act: Act, first: Trooper, other: Trooper) -> None:
    for trooper, foe in ((first, other), (other, first)):
        contact = act.encounter.condition(trooper.id, Condition.CLOSE_COMBAT)
        if contact is not None and contact.value in (0, foe.id):
            act.encounter.apply([Lose(trooper.id, Condition.CLOSE_COMBAT)])


def spend_surprise(act: Act, order: Order) -> None:
    """Spend a Surprise Shot until its user is a Marker again. Rules: INF-SS-04."""
    trooper = troops.by_id(act.encounter, order.model)
    if order.surprise and not trooper.has(Condition.DEAD):
        concealment.apply_effects(act.encounter, after_surprise_shot(trooper))
