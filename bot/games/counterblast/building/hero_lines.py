"""Who is being built, in words: statblock, what is spent and left, and what the crew comes to."""

from __future__ import annotations

from bot.games.counterblast.building.draft_texts import items_of, trait_words
from bot.games.counterblast.building.hero_kept import Measure
from bot.games.counterblast.building.hero_steps import added, offered
from bot.games.counterblast.psionics.psi_knowledge import power_title
from rules.systems.counterblast.building.crew import powers_allowed
from rules.systems.counterblast.building.draft import ModelDraft, profile_of, spent, upgrade_points
from rules.systems.counterblast.building.equipment import free_slots, gear_slots, slots_of, weapon_slots
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Profile


def figures(profile: Profile) -> list[str]:
    """A statblock in figures."""
    first = f"Mv {profile.mv}, STR {profile.strength}, AGL {profile.agility}"
    second = f"INT {profile.intellect}" + (f", PSI {profile.psionic}" if profile.psionic else "")
    return [first, second, f"Def {profile.defense}, Life {profile.life}, Shield {profile.shield}D"]


def draft_lines(name: str, draft: ModelDraft) -> list[str]:
    """A draft with what is spent and what is left."""
    profile = profile_of(draft)
    weapons, gear = items_of(draft)
    whole = slots_of(profile, mekkus=draft.mekkus)
    left = free_slots(profile, weapons, gear, mekkus=draft.mekkus)
    kind = load().templates[draft.template].name if draft.template else draft.base.name
    if draft.template and profile.is_vehicle:
        kind += f" ({next(one for one in profile.types if one != 'vehicle')})"
    arms = ", ".join(item.name for item in weapons) or "none"
    things = ", ".join(item.name for item in gear) or "none"
    lines = [
        f"{name}: {kind}, base {profile.size}, {profile.points} points",
        f"Upgrade Points: {spent(draft)} of {upgrade_points(draft)} spent",
        *figures(profile),
        f"Features: {', '.join(map(trait_words, profile.features)) or 'none'}",
    ]
    if whole.mixed:
        lines += [f"Weapons: {arms}", f"Gear: {things}", f"Slots: {left.mixed} of {whole.mixed} free"]
    else:
        lines += [
            f"Weapons ({weapon_slots(weapons)} of {whole.weapons}): {arms}",
            f"Gear ({gear_slots(gear)} of {whole.gear}): {things}",
        ]
    allowed = powers_allowed(profile, gear, draft.crew)
    if allowed:
        known = ", ".join(map(power_title, draft.powers)) or "none"
        lines.append(f"Powers ({len(draft.powers)} of {allowed}): {known}")
    return lines


def affordable_first(
    measure: Measure, draft: ModelDraft, member: int, step: str
) -> list[tuple[str, str, str]]:
    """What may be chosen in a step, by key, in words, with its note: first what leaves the crew affordable.

    Behind it what is too dear for a campaign whose points the crew keeps to so far; its note says so.
    """
    whole = measure.whole(draft, member)
    within: list[tuple[str, str, str]] = []
    over: list[tuple[str, str, str]] = []
    for one in offered(draft, step):
        after = measure.whole(added(draft, one.step, one.key)[0], member)
        dear = ", ".join(campaign for campaign, points in measure.rooms if whole <= points < after)
        note = f"{one.note}; too dear for {dear}" if dear else one.note
        (over if dear else within).append((one.key, one.label, note))
    return [*within, *over]


def crew_lines(measure: Measure, name: str, draft: ModelDraft, member: int) -> list[str]:
    """What the crew costs with the draft in it, and what campaigns that are open let it cost.

    In a campaign: what the draft costs there, and what is left of the purse. member: the number of the member
    that it was, or 0.
    """
    if measure.campaign:
        if member:
            return [f"A member is improved in {measure.rooms[0][0]}: /spoils improve, /campaign equip."]
        price, where = measure.price(draft), measure.rooms[0][0]
        return [f"{where}: {price} of {measure.purse} requisition points, {_left(measure.purse - price)}"]
    whole = measure.whole(draft, member)
    lines = [f"{name} with it: {whole} points"]
    return [
        *lines,
        *(f"{one} starts with {points}: {_left(points - whole)}" for one, points in measure.rooms),
    ]


def _left(points: int) -> str:
    return f"{-points} too many" if points < 0 else f"{points} left"
