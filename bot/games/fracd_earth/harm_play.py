"""Hits resisted: Protection and Resistance Checks, and what they let through to the figure."""

from __future__ import annotations

from typing import Any

from bot.games.fracd_earth import exchange as exchanges
from bot.games.fracd_earth.exchange import Exchange, Facts
from bot.games.fracd_earth.figures import figure_of, life_words
from bot.games.fracd_earth.players import deck_of, player_of
from bot.games.fracd_earth.readings import settings_of
from bot.games.fracd_earth.situations import best_marks
from bot.games.fracd_earth.steps import DUES, begin_check, outcome
from bot.games.fracd_earth.telling import Telling, modifier_words, side_words, why_lines
from bot.games.fracd_earth.veils import forget
from bot.table.act import Act
from bot.table.encounter import GONE
from rules.systems.fracd_earth import checks, protection
from rules.systems.fracd_earth import seat as seats
from rules.systems.fracd_earth.outcome import AttackResult
from rules.systems.fracd_earth.protection import Hit
from rules.systems.fracd_earth.weapons import read_weapon


def hit_of(facts: dict[str, Any]) -> Hit:
    """The hit as the rules see it."""
    weapon = read_weapon(facts["weapon"])
    return protection.hit_of(
        weapon,
        AttackResult(hit=True, column_shift=facts["shift"]),
        abuse=facts["abuse"],
        armour=facts["armour"],
        effect_shifts=facts["effect_shifts"],
        group=facts.get("column", 0),
        second_track=any("second" in text.casefold() for text in weapon.abilities),
    )


def begin(act: Act, telling: Telling, facts: Facts) -> None:
    """The target draws against 10 + Force, together with those who defended with it.

    Rules: FE-PRO-01, FE-PRO-02, FE-WPN-03, FE-CREW-01, FE-DECK-09, FE-TEAM-03.
    """
    encounter = act.encounter
    row = encounter.model(facts["target"])
    if row.status == GONE:
        telling.lines.append(f"{row.name} is out of play: no further Check.")
        return
    figure = figure_of(encounter, row)
    weapon = read_weapon(facts["weapon"])
    hit = hit_of(facts)
    group = facts.get("group", [])
    ready = protection.prepare_check(
        figure,
        weapon,
        settings_of(encounter),
        cover=facts["cover"],
        ducked=facts["ducked"],
        marks=best_marks(encounter, (row.id, *group), weapon.versus),
    )
    tn = protection.target_number(weapon.force)
    strictly = protection.is_all_or_nothing(figure, hit)
    number = player_of(encounter, row)
    what = protection.kind_of_check(weapon)
    facts = facts | {"names": [row.name], "traits": [weapon.versus], "id": row.id}
    telling.lines.append(f"{row.name}: {what} {weapon.versus}, TN {tn}{' (AoN)' if strictly else ''}")
    telling.lines.append(f"  {side_words(ready)}")
    telling.why += why_lines(row.name, ready)
    seat = seats.sit(number, ready, deck_of(encounter, number), combined=bool(group))
    started = Exchange("protect", facts, id=act.entry, entry=act.entry)
    begun = begin_check(act, telling, started, seat, tn, strictly=strictly)
    exchanges.keep(encounter, begun)


DUES["protect"] = begin


@outcome("protect")
def protect_outcome(act: Act, telling: Telling, exchange: Exchange) -> None:
    """Avoided, or points lost by the Effects Table. Rules: FE-PRO-01, FE-PRO-03 to FE-PRO-08, FE-CREW-01."""
    encounter, facts = act.encounter, exchange.facts
    settings = settings_of(encounter)
    row, striker = encounter.model(facts["id"]), encounter.model(facts["by"])
    figure = figure_of(encounter, row)
    hit = hit_of(facts)
    result = checks.resolve(exchange.check, settings)
    harmed = protection.harm(result, hit, figure, settings)
    exchanges.close(encounter, exchange)
    telling.why += [f"  column {modifier_words(shift)}" for shift in hit.column_shifts]
    if harmed.avoided:
        telling.lines.insert(0, f"{row.name} resists {striker.name}: no effect.")
        return
    if harmed.applies:
        telling.lines.insert(0, f"{row.name} is under {read_weapon(facts['weapon']).title}.")
        return
    effects = protection.after_harm(figure, harmed, second_track=hit.second_track, source=striker.name)
    encounter.apply(effects, by=striker.id)
    now = figure_of(encounter, row)
    gone = row.status == GONE
    if gone:
        forget(encounter, row.id)
    left = "out of action" if gone else life_words(now)
    telling.lines.insert(0, f"{row.name} loses {harmed.damage}: {left}.")
    how = "Overkill, " if harmed.overkill else ""
    house = " (house table)" if harmed.house else ""
    telling.lines.append(f"{how}level {harmed.level}, column {harmed.column}{house}")
    kinds = [f"{kind}{f' {grade}' if grade else ''}" for kind, grade in harmed.conditions]
    if kinds and not gone:
        telling.lines.append(f"{row.name} is {', '.join(kinds)}.")
