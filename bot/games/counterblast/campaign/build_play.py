"""Building a model from Salvage between encounters: who may, what it takes, the check and its odds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.games.counterblast.campaign.aftermath_lines import (
    FOREIGN,
    PLANS,
    as_fighter,
)
from bot.games.counterblast.campaign.spoils_play import mine, told
from bot.games.counterblast.core.fighters import block_text, read_block, settings_in
from bot.games.counterblast.core.throwers import together
from bot.games.counterblast.core.words import dice_words, times, why_check
from bot.replies.chances import exactness, percent
from bot.replies.reply import Button, Reply
from bot.store.campaign_rows import EntrantRow, VeteranRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.campaign.campaign_asked import OfEntrant, several_veterans, statblock
from bot.table.campaign.campaign_games import begun
from bot.table.handlers import Place, handles
from bot.table.names import find
from bot.table.rolling.throws import Cast
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Profile
from rules.systems.counterblast.gear.salvage import (
    TOKENS,
    after_building,
    build,
    plan,
    prepare_building,
    require_building,
)


@dataclass(frozen=True, slots=True)
class BuildModel(OfEntrant):
    """Build a model from Salvage."""

    command = "spoils.build"
    typed = "spoils build"

    who: str = statblock("Whom")
    builders: tuple[str, ...] = fields.listed(
        "One to three members, with commas", several_veterans, needed=True
    )
    foreign: bool = fields.switch("Of another faction, by Secret Plans")
    level: int = fields.whole("Its level, if not by its points", 0, 3, default=0)
    odds: bool = fields.odds("Only show the chance", behind=3)


@handles(BuildModel, Place.CAMPAIGN, beforehand=begun)
def build_model(act: Act, action: BuildModel) -> Reply:
    """One check of up to three; the tokens are used either way. Rules: CB-SALV-06 to CB-SALV-11."""
    camp, entrant = mine(act, action.crew)
    settings = settings_in(camp.row.settings)
    profile = find(action.who, tuple(load().profiles), lambda one: one.name, "statblock")
    rows = [camp.find_veteran(entrant.id, name) for name in action.builders]
    if len({row.id for row in rows}) < len(rows):
        raise InvalidInput("Name each builder once.")
    builders = tuple(as_fighter(camp, row) for row in rows)
    act.canonical = replace(
        action, crew=entrant.name, who=profile.name, builders=tuple(f"#{row.id}" for row in rows), odds=False
    )
    wanted = plan(profile, foreign=action.foreign, settings=settings, override=action.level)
    have = camp.balance(entrant.id, TOKENS)
    faction = "" if action.foreign else _faction(entrant, profile)
    require_building(
        profile,
        faction,
        have,
        wanted,
        plans=[profile.key] if action.foreign and _has_plans(entrant, profile.name, rows) else [],
        foreign_built=camp.balance(entrant.id, FOREIGN),
    )
    prepared = prepare_building(builders, wanted, settings)
    needs = f"{times(wanted.tokens, 'token')}, {times(wanted.successes, 'success', 'successes')} needed"
    lines = [dice_words(one, "INT") for one in prepared]
    if action.odds:
        odds = act.solve(build, tuple(one.throw for one in prepared), wanted)
        head = f"{entrant.name} builds {profile.name}: {percent(odds.chance(bool)).strip()}"
        rolls = Button("Build", act.canonical, "main")
        return Reply(
            (head, needs, *lines, exactness(odds), "Nothing is rolled."), private=True, buttons=(rolls,)
        )
    throws = tuple(one.throw for one in prepared)
    names = [row.name for row in rows]
    built = act.roll(_built_by(names, throws, profile.name, entrant.owner), build, throws, wanted)
    camp.apply(entrant.id, after_building(entrant.id, have, wanted), f"building {profile.name}")
    why = tuple(
        line
        for model, one in zip(builders, prepared, strict=True)
        for line in why_check(one, f"{model.name}, Engineering")
    )
    if not built:
        return told(act, f"{entrant.name} fails to build {profile.name}.", needs, *lines, why=why)
    if action.foreign:
        camp.post(entrant.id, FOREIGN, 1, f"built {profile.name}")
    row = camp.enrol(entrant, profile.name, block_text(profile.key), profile.points, "built from Salvage")
    return told(act, f"{row.name} is built and joins {entrant.name}.", needs, *lines, why=why)


def _built_by(names: list[str], throws: tuple[Throw, ...], what: str, player: str) -> Cast:
    """Whose dice go into what is built."""
    cast = together("Engineering", f"to build {what}", throws, names)
    return lambda throw: replace(cast(throw), player=player)


def _faction(entrant: EntrantRow, profile: Profile) -> str:
    """The crew's faction; where it named none, that of whom it builds. Rules: CB-SALV-06, CB-CREW-01."""
    return entrant.traits.get("affiliation", "") or next(iter(profile.affiliations), "")


def _has_plans(entrant: EntrantRow, name: str, rows: list[VeteranRow]) -> bool:
    """Whether plans taken with a captive detail that model, or a builder carries some.

    Rules: CB-MISS-10, CB-GEAR-48.
    """
    if entrant.counters.get(f"{PLANS}{name}"):
        return True
    return any(item.key == "secret_plans" for row in rows for item in read_block(row.profile).gear)
