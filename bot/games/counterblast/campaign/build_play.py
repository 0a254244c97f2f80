"""Building a model from Salvage between encounters: who may, what it takes, the check and its odds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.games.counterblast.campaign.gains import FOREIGN, PLANS, as_fighter
from bot.games.counterblast.campaign.spoils import between_games, told
from bot.games.counterblast.core.fighters import block_text, read_block, settings_in
from bot.games.counterblast.core.throwers import together
from bot.games.counterblast.core.words import dice_words, why_check
from bot.replies.chances import percent
from bot.replies.reply import Reply
from bot.store.row_types import EntrantRow, VeteranRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.campaign.campaign_asked import ForEntrant, members_named
from bot.table.campaign.campaign_book import Campaign
from bot.table.campaign.campaign_games import begun
from bot.table.handlers import Place
from bot.table.names import find
from bot.table.rolling.throws import Cast
from bot.table.steps import Chances, Weighed, in_steps
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import Prepared, Throw
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Profile
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.gear.salvage import (
    TOKENS,
    Plan,
    after_building,
    build,
    plan,
    prepare_building,
    require_building,
)
from rules.wording import times


def _buildable(asking: Asking) -> list[str]:
    """Whom the crew has the Salvage for and may build without plans; all others are typed."""
    crew, house = asking.before("crew"), settings_in(Campaign(asking.act).row.settings)
    return [one.name for one in load().profiles if _enough(crew, one, house)]


def _profile(asking: Asking, text: str) -> Profile:
    return find(text, tuple(load().profiles), lambda one: one.name, "statblock")


def _enough(entrant: EntrantRow, profile: Profile, house: Settings) -> bool:
    try:
        wanted = plan(profile, foreign=False, settings=house)
        require_building(profile, _faction(entrant, profile), entrant.counters.get(TOKENS, 0), wanted)
    except (Forbidden, InvalidInput):
        return False
    return True


@dataclass(frozen=True, slots=True)
class BuildModel(ForEntrant):
    """Build a model from Salvage."""

    command = "spoils.build"
    typed = "spoils build"
    titled = "Build"

    who: Profile = fields.sought("Whom", _buildable, _profile, written=lambda one: one.name, needed=True)
    builders: tuple[VeteranRow, ...] = members_named("One to three members, with commas", needed=True)
    foreign: bool = fields.switch("Of another faction, by Secret Plans")
    level: int = fields.whole("Its level, if not by its points", 0, 3, default=0)
    odds: bool = fields.odds("Only show the chance", behind=3)


@dataclass(frozen=True, slots=True)
class ReadyBuild:
    """A model that may be built: by whom, of how many tokens, with which dice."""

    profile: Profile
    builders: tuple[Fighter, ...]
    wanted: Plan
    have: int
    checks: tuple[Prepared, ...]

    @property
    def throws(self) -> tuple[Throw, ...]:
        """The dice of all builders."""
        return tuple(one.throw for one in self.checks)

    @property
    def told(self) -> tuple[str, ...]:
        """What it takes, and the dice, in words."""
        tokens = times(self.wanted.tokens, "token")
        needs = f"{tokens}, {times(self.wanted.successes, 'success', 'successes')} needed"
        return (needs, *(dice_words(one, "INT") for one in self.checks))


@in_steps(BuildModel, Place.CAMPAIGN, beforehand=begun)
class Building(Weighed[BuildModel, ReadyBuild]):
    """One check of up to three; the tokens are used either way. Rules: CB-SALV-06 to CB-SALV-11."""

    label = "Build"

    def prepare(self, act: Act, action: BuildModel) -> ReadyBuild:
        """Of the crew's Salvage, by up to three of its members. Raises InvalidInput, Forbidden."""
        entrant, profile, rows = action.crew, action.who, action.builders
        camp = between_games(act, entrant)
        house = settings_in(camp.row.settings)
        if len({row.id for row in rows}) < len(rows):
            raise InvalidInput("Name each builder once.")
        builders = tuple(as_fighter(camp, row) for row in rows)
        wanted = plan(profile, foreign=action.foreign, settings=house, override=action.level)
        have = camp.balance(entrant.id, TOKENS)
        plans = [profile.key] if action.foreign and _has_plans(entrant, profile.name, rows) else []
        require_building(
            profile,
            "" if action.foreign else _faction(entrant, profile),
            have,
            wanted,
            plans=plans,
            foreign_built=camp.balance(entrant.id, FOREIGN),
        )
        checks = tuple(prepare_building(builders, wanted, house))
        return ReadyBuild(profile, builders, wanted, have, checks)

    def do(self, act: Act, action: BuildModel, ready: ReadyBuild) -> Reply:
        """The check; who is built joins the crew."""
        camp, entrant = Campaign(act), action.crew
        name, throws = ready.profile.name, ready.throws
        whose = _built_by([one.name for one in ready.builders], throws, name, entrant.owner)
        built = act.roll(whose, build, throws, ready.wanted)
        camp.apply(entrant.id, after_building(entrant.id, ready.have, ready.wanted), f"building {name}")
        why = tuple(
            line
            for model, one in zip(ready.builders, ready.checks, strict=True)
            for line in why_check(one, f"{model.name}, Engineering")
        )
        if not built:
            return told(act, f"{entrant.name} fails to build {name}.", *ready.told, why=why)
        if action.foreign:
            camp.post(entrant.id, FOREIGN, 1, f"built {name}")
        points, key = ready.profile.points, ready.profile.key
        row = camp.enrol(entrant, name, block_text(key), points, "built from Salvage")
        return told(act, f"{row.name} is built and joins {entrant.name}.", *ready.told, why=why)

    def chances(self, act: Act, action: BuildModel, ready: ReadyBuild) -> Chances:
        """Whether it is built."""
        odds = act.solve(build, ready.throws, ready.wanted)
        chance = odds.chance(bool)
        head = f"{action.crew.name} builds {ready.profile.name}: {percent(chance).strip()}"
        return Chances((head, *ready.told), "is built", chance, (odds,))


def _built_by(names: list[str], throws: tuple[Throw, ...], what: str, player: str) -> Cast:
    """Whose dice go into what is built."""
    cast = together("Engineering", f"to build {what}", throws, names)
    return lambda throw: replace(cast(throw), player=player)


def _faction(entrant: EntrantRow, profile: Profile) -> str:
    """The crew's faction; where it named none, that of whom it builds. Rules: CB-SALV-06, CB-CREW-01."""
    return entrant.traits.get("affiliation", "") or next(iter(profile.affiliations), "")


def _has_plans(entrant: EntrantRow, name: str, rows: Sequence[VeteranRow]) -> bool:
    """Whether plans taken with a captive detail that model, or a builder carries some.

    Rules: CB-MISS-10, CB-GEAR-48.
    """
    if entrant.counters.get(PLANS.of(name)):
        return True
    return any(item.key == "secret_plans" for row in rows for item in read_block(row.profile).gear)
