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
    dodge_lines,
    normal_lines,
    opposed_lines,
    roll_line,
    save_lines,
    state_word,
    why_lines,
)
from bot.games.infinity.order_rows import Order
from bot.games.infinity.troops import refreshed, settings_for
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
from rules.wording import possessive, times, together


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
            struck = [hit for hit in self.strikes if hit.target.id == strike.target.id and hit.lost]
            blow.by = max(struck, key=lambda wounding: wounding.lost).by.id if struck else 0


def title(combatant: Combatant, side: Side) -> str:
    """Return who rolls what."""
    return f"{combatant.trooper.current.name}, {roll_line(combatant, side)}"


def weapon_word(combatant: Combatant) -> str:
    """Return what a trooper uses, for the line below its dice."""
    return combatant.used_weapon().name if combatant.attacks else condition_name(combatant.does)


def _roller(roller: Combatant, side: Side, foe: str) -> Whose:
    return Whose(roller.trooper.current.name, weapon_word(roller), f"against {foe}, {side.value} or less")


def throw(act: Act, telling: Telling, tally: Tally, pair: Pair) -> tuple[int, ...]:
    """Roll one duel, Face to Face or separately, add it to the tally and tell it.

    Gives the ranks of the active trooper's dice that hit, for who else is under its template.
    """
    duel = pair.duel
    throw_start = len(act.dice.trace)
    a, b = pair.active, pair.enemy
    if Does.FIGHT in (a.does, b.does):
        tally.melee |= {a.trooper.id, b.trooper.id}
    names = a.trooper.current.name, b.trooper.current.name
    if duel.opposed:
        trace_start = len(act.dice.trace)
        casts = hands(_roller(a, duel.a, names[1]), _roller(b, duel.b, names[0]))
        hits = act.roll(casts, face_to_face, duel.a, duel.b, label=f"{names[0]}, then {names[1]}")
        trace = act.dice.trace[trace_start:]
        telling.dice += opposed_lines(trace, (title(a, duel.a), duel.a), (title(b, duel.b), duel.b))
        hits_a, hits_b = hits.a, hits.b
    else:
        hits_a = _alone(act, telling, a, duel.a, names[1])
        hits_b = _alone(act, telling, b, duel.b, names[0])
    ranks = _landed(pair, act.dice.trace[throw_start:])
    _why(act, telling, pair)
    _strike(act, telling, tally, a, b, hits_a, duel.save_b)
    _strike(act, telling, tally, b, a, hits_b, duel.save_a)
    _strike_touched(act, telling, tally, pair, hits_b)
    _evade(act, telling, tally, (a, b), (hits_a, hits_b), reactive=False)
    _evade(act, telling, tally, (b, a), (hits_b, hits_a), reactive=True)
    return ranks


def _landed(pair: Pair, trace: Sequence[Entry]) -> tuple[int, ...]:
    """Return the ranks of the active trooper's dice that hit, from what fell."""
    thrown: list[tuple[int, ...]] = []
    for entry in trace:
        if isinstance(entry, Compared):
            thrown += [faces for _, faces in entry.hands]
        elif isinstance(entry, Thrown):
            thrown.append(entry.waves[0])
    duel = pair.duel
    if not (pair.active.attacks and duel.a.thrown and thrown):
        return ()
    best = 0
    if duel.opposed and duel.b.thrown and len(thrown) > 1:
        best = max((rank(duel.b.value, face) for face in thrown[1]), default=0)
    return landed(duel.a.value, thrown[0], best)


def _strike_touched(act: Act, telling: Telling, tally: Tally, pair: Pair, hits: Hits) -> None:
    """Roll the saves of others under the template of an ARO; in their own turn they have no Dodge.

    Rules: INF-BS-08.
    """
    for combatant, save in pair.touched if hits else ():
        _show_figure(act, telling, combatant.trooper.id)
        telling.why.append("In the core rules, everyone under a template is hit INF-BS-08")
        _strike(act, telling, tally, pair.enemy, combatant, hits, save)


def _show_figure(act: Act, telling: Telling, number: int) -> None:
    """Put the figure in the place of a Marker that a template hits."""
    row = act.encounter.model(number)
    if concealment.is_marker(act.encounter, number):
        old_name = row.name
        telling.after.append(f"{old_name} is revealed as {concealment.unveil(act.encounter, number).name}.")


def throw_template(
    act: Act, telling: Telling, tally: Tally, touched: tuple[Pair, ...], ranks: tuple[int, ...]
) -> None:
    """Roll for others under a template: declared Dodges, then the saves.

    ranks: what the roll at its target left; with none the template has not landed. Rules: INF-BS-08.
    """
    if touched:
        telling.why.append("In the core rules, everyone under a template is hit INF-BS-08")
    for pair in touched:
        combatant, duel = pair.enemy, pair.duel
        if ranks:
            _show_figure(act, telling, combatant.trooper.id)
        hits = normal_hits(ranks)
        if combatant.does is not Does.NOTHING:
            trace_start = len(act.dice.trace)
            cast = _roller(combatant, duel.b, pair.active.trooper.current.name)
            dodged = act.roll(cast, dodge_landed, duel.b.value, ranks)
            hits = dodged.hits[0]
            telling.dice += dodge_lines(act.dice.trace[trace_start:], title(combatant, duel.b), duel.b.value)
            won = Hits(1) if dodged.clean else NO_HITS
            _evade(act, telling, tally, (combatant, pair.active), (won, hits), reactive=True)
        if ranks:
            telling.why.append(_save_reason(combatant, pair.active, duel.save_b))
            _strike(act, telling, tally, pair.active, combatant, hits, duel.save_b)


def normal_hits(ranks: Sequence[int]) -> Hits:
    """Return attack dice that hit, as plain ones and Criticals."""
    critical = [rank for rank in ranks if rank == CRITICAL_RANK]
    return Hits(len(ranks) - len(critical), len(critical))


def _alone(act: Act, telling: Telling, combatant: Combatant, side: Side, foe: str) -> Hits:
    if not side.burst:
        return Hits()
    trace_start = len(act.dice.trace)
    label = combatant.trooper.current.name
    hits = act.roll(_roller(combatant, side, foe), normal_rolls, side.burst, side.value, label=label)
    telling.dice += normal_lines(act.dice.trace[trace_start:], title(combatant, side), side.value)
    return hits


def _skill_reasons(act: Act, pair: Pair) -> list[str]:
    """Skills that decided who may do what, beside the MODs they change."""
    enemy, settings = pair.enemy, settings_for(act)
    lines = []
    total_reaction = bool(enemy.trooper.levels(Skill.TOTAL_REACTION, settings))
    if enemy.does is Does.SHOOT and total_reaction and pair.duel.b.burst > 1:
        lines.append("Total Reaction: the trooper uses its full Burst in ARO INF-TRX-01")
    levels = enemy.trooper.levels(Skill.SIXTH_SENSE, settings)
    unseen = enemy.attacks and not enemy.line_of_fire
    if unseen and answers_unseen(levels, pair.inches, attacked=pair.active.attacks):
        lines.append(f"Sixth Sense L{max(levels)}: the trooper reacts to an unseen enemy INF-SIX-02")
    met = pair.active.surprise and pair.active.does is Does.SHOOT and pair.duel.opposed
    if met and ignores(levels, Handicap.SURPRISE_SHOT, pair.inches):
        lines.append(f"Sixth Sense L{max(levels)}: the Surprise Shot gives no MOD INF-SIX-04")
    return lines


def _why(act: Act, telling: Telling, pair: Pair) -> None:
    duel = pair.duel
    parts = ((pair.active, duel.a, duel.modifiers_a), (pair.enemy, duel.b, duel.modifiers_b))
    for fighter, side, modifiers in parts:
        if side.burst:
            name, base = attribute_of(fighter)
            head = f"{fighter.trooper.current.name}, {weapon_word(fighter)}, {name}"
            telling.why += why_lines(head, modifiers, base, side.value)
    for fighter, active in ((pair.active, True), (pair.enemy, False)):
        notes = notes_of(fighter, active=active, settings=settings_for(act))
        telling.why += [f"{note} INF-CCS-09" for note in notes]
    telling.why += _skill_reasons(act, pair)
    meeting = "Face to Face" if duel.opposed else "Normal Rolls"
    telling.why.append(f"{meeting} INF-F2F-01")
    for fighter, foe, save in (
        (pair.enemy, pair.active, duel.save_b),
        (pair.active, pair.enemy, duel.save_a),
    ):
        if foe.attacks:
            telling.why.append(_save_reason(fighter, foe, save))


def _save_word(attacker: Combatant) -> str:
    return "BTS" if attacker.used_weapon().bts else "ARM"


def _save_reason(combatant: Combatant, attacker: Combatant, save: Save) -> str:
    name, word = combatant.trooper.current.name, _save_word(attacker)
    needed = f"more than {save.limit} (Damage {save.damage} - {word} {save.armour})"
    return f"{name} needs {needed} to save INF-ARM-01"


def _strike(
    act: Act, telling: Telling, tally: Tally, attacker: Combatant, foe: Combatant, hits: Hits, save: Save
) -> None:
    if not attacker.attacks:
        return
    name, target = attacker.trooper.current.name, foe.trooper.current.name
    if not hits:
        tally.take(Strike(attacker.trooper, foe.trooper))
        return
    trace_start = len(act.dice.trace)
    word = _save_word(attacker)
    cast = Whose(target, f"{word} Rolls", f"against {possessive(name)} {weapon_word(attacker)}")
    lost = act.roll(cast, wounds, hits, save, label=f"{target} saves")
    telling.dice += save_lines(act.dice.trace[trace_start:], target, save, word)
    tally.take(Strike(attacker.trooper, foe.trooper, hits, hits.total * save.rolls - lost, lost))


def _evade(
    act: Act,
    telling: Telling,
    tally: Tally,
    pair: tuple[Combatant, Combatant],
    hits: tuple[Hits, Hits],
    *,
    reactive: bool,
) -> None:
    evader, foe = pair
    won, foe_hits = hits
    if evader.does not in EVASIONS and not (evader.does is Does.RESET and foe.does is Does.HACK):
        return
    name = evader.trooper.current.name
    success = bool(won) and not foe_hits
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
    me = pairs[0].active
    value = min(pair.duel.a.value for pair in pairs)
    attacks = [pair for pair in pairs if pair.enemy.attacks]
    trace_start = len(act.dice.trace)
    dodger_name = me.trooper.current.name
    foes = [_roller(pair.enemy, pair.duel.b, dodger_name) for pair in attacks]
    names = together([foe.by for foe in foes]) if foes else "no attack"
    dodge = Whose(dodger_name, condition_name(me.does), f"against {names}, {value} or less")
    cast = counted(dodge, *foes)
    dodged = act.roll(cast, dodge_all, value, tuple(pair.duel.b for pair in attacks))
    trace = act.dice.trace[trace_start:]
    side = Side(1, value, attacks=False)
    telling.dice += dodge_lines(trace, title(me, side), value)
    thrown = [entry for entry in trace if not hasattr(entry, "face")]
    for pair, hits, entry in zip(attacks, dodged.hits, thrown, strict=True):
        telling.dice += normal_lines([entry], title(pair.enemy, pair.duel.b), pair.duel.b.value)
        _why(act, telling, pair)
        _strike(act, telling, tally, pair.enemy, me, hits, pair.duel.save_a)
        _strike_touched(act, telling, tally, pair, hits)
    name = me.trooper.current.name
    telling.head.append(f"{name} dodges." if dodged.clean else f"{possessive(name)} Dodge fails.")
    for pair in pairs:
        if not pair.enemy.attacks and pair.enemy.does is not Does.NOTHING:
            hits = _alone(act, telling, pair.enemy, pair.duel.b, name)
            _evade(act, telling, tally, (pair.enemy, me), (hits, Hits()), reactive=True)


# ------------------------------------------------------------------------------------ what follows


def settle(act: Act, telling: Telling, tally: Tally) -> None:
    """Carry out all wounds of an Order together at its end, and tell who hit whom."""
    for blow in sorted(tally.blows.values(), key=lambda blow: -blow.lost):
        _settle_one(act, telling, blow, in_contact=blow.before.id in tally.melee)
    verdicts: list[str] = []
    for strike in sorted(tally.strikes, key=lambda strike: -strike.lost):
        verdicts += _verdict(act, strike)
    telling.head[:0] = verdicts


def _verdict(act: Act, strike: Strike) -> list[str]:
    attacker, target, hits = strike.by.current.name, strike.target.current.name, strike.hits
    if not hits:
        return [f"{attacker} misses {target}."]
    if not strike.lost:
        sentence = f"{attacker} hits {target} but causes no wound."
    else:
        state = state_word(refreshed(act, strike.target))
        sentence = f"{attacker} hits {target}: {times(strike.lost, 'wound')}{f', {state}' if state else ''}."
    parts = [times(hits.total, "hit")]
    parts += [f"{hits.critical} critical"] if hits.critical else []
    parts += [f"{strike.saved} saved"] if strike.saved else []
    return [sentence, ", ".join(parts)]


def _settle_one(act: Act, telling: Telling, blow: Blow, *, in_contact: bool) -> None:
    trooper, settings = blow.before, settings_for(act)
    current = refreshed(act, trooper)
    choices = fall_choices(current, blow.lost, settings)
    wip = current.current.wip
    telling.follow(act, after_wounds(current, blow.lost, None, settings), by=blow.by)
    after = refreshed(act, trooper)
    name = trooper.current.name
    if after.has(Condition.TRANSMUTED) and not current.has(Condition.TRANSMUTED):
        telling.head.append(f"{name} switches to its other profile.")
    _leave_melee(act, after)
    row = act.encounter.model(trooper.id)
    survived = 0 if in_contact else blow.hits
    if len(choices) > 1 and act.encounter.row.turn:
        stood_up = not current.has(Condition.PRONE)
        offer_fall(
            act, telling, row, choices, was_standing=stood_up, wip=wip if guts_due(current, survived) else 0
        )
    if guts_due(current, survived, state_of(after)):
        owe_guts(telling, row, after, wip, settings)


def _leave_melee(act: Act, trooper: Trooper) -> None:
    if not trooper.is_null:
        return
    conditions = {
        row.id: act.encounter.condition(row.id, Condition.CLOSE_COMBAT) for row in act.encounter.models()
    }
    foes_held = {number: condition.value for number, condition in conditions.items() if condition is not None}
    if foes_held.pop(trooper.id, None) is not None:
        act.encounter.apply([Lose(trooper.id, Condition.CLOSE_COMBAT)])
    for number in [number for number, foe in foes_held.items() if foe == trooper.id]:
        other = next((holder for holder, foe in foes_held.items() if foe == number), 0)
        effect = (
            Gain(number, Condition.CLOSE_COMBAT, other) if other else Lose(number, Condition.CLOSE_COMBAT)
        )
        act.encounter.apply([effect])


def in_melee(act: Act, tally: Tally, pairs: tuple[Pair, ...]) -> None:
    """Put both into contact after a CC Attack, if neither fell and the enemy did not dodge out of it."""
    for pair in pairs:
        if pair.active.does is not Does.FIGHT:
            continue
        trooper, other = refreshed(act, pair.active.trooper), refreshed(act, pair.enemy.trooper)
        if other.id in tally.evaded:
            _part(act, trooper, other)
        elif not (trooper.is_null or other.is_null):
            act.encounter.apply([Gain(trooper.id, Condition.CLOSE_COMBAT, other.id)])
            act.encounter.apply([Gain(other.id, Condition.CLOSE_COMBAT, trooper.id)])


def _part(act: Act, first: Trooper, other: Trooper) -> None:
    for trooper, foe in ((first, other), (other, first)):
        contact = act.encounter.condition(trooper.id, Condition.CLOSE_COMBAT)
        if contact is not None and contact.value in (0, foe.id):
            act.encounter.apply([Lose(trooper.id, Condition.CLOSE_COMBAT)])


def spend_surprise(act: Act, order: Order) -> None:
    """Spend a Surprise Shot until its user is a Marker again. Rules: INF-SS-04."""
    trooper = troops.by_id(act.encounter, order.model)
    if order.surprise and not trooper.has(Condition.DEAD):
        concealment.carry(act.encounter, after_surprise_shot(trooper))
