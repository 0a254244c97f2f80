"""A Hero or a vehicle of one's own for a crew in a campaign: built as at home, bought where it is kept."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.building.draft_texts import draft_of, row_text
from bot.games.counterblast.building.hero_kept import BOUGHT, SYSTEM, dog_of, kept, mark_of
from bot.games.counterblast.core.fighters import traits_in
from bot.replies.reply import Reply, say
from bot.store.row_types import EntrantRow
from bot.store.rows import CrewRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.campaign.campaign_asked import InCampaign
from bot.table.campaign.campaign_book import Campaign
from bot.table.campaign.campaign_crews import MOST_MEMBERS, left, spend
from bot.table.campaign.campaign_games import Around, begun
from bot.table.campaign.campaign_rules import rules_of
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.building.builder import draft_faults
from rules.systems.counterblast.building.draft import profile_of, spent, upgrade_points


@dataclass(frozen=True, slots=True)
class BuyBuilt(InCampaign):
    """Spend requisition points on who is being built for your crew."""

    command = "hero.buy"


@dataclass(frozen=True, slots=True)
class Built(Around):
    """What surrounds a campaign, and the asker's own crew as it is kept at home: there is what is built."""

    home: CrewRow | None = None


async def _built(store: Store, actor: Actor, action: Action) -> Built:
    around = await begun(store, actor, action)
    camp = await store.load(int(getattr(action, "campaign", 0)))
    rows = camp.book().all(EntrantRow) if camp is not None else []
    mine = [one.crew for one in rows if one.owner_id == actor.user_id and one.status == "in"]
    crew = await store.load(mine[0]) if mine else None
    return Built(around.begun, around.own, crew.book().get(CrewRow) if crew is not None else None)


@handles(BuyBuilt, Place.CAMPAIGN, beforehand=_built)
def buy_built(act: Act, action: BuyBuilt) -> Reply:
    """Nothing may be wrong with it, as the campaign's crew has its traits; once as it stands.

    Rules: CB-BUILD-01, CB-CAMP-05, CB-CREW-01.
    """
    camp, built = Campaign(act), act.extra
    entrant = camp.own_entrant()
    camp.require_quiet()
    camp.require_between(entrant)
    if built.home is None or built.home.owner_id != act.actor.user_id or built.home.system != SYSTEM:
        raise InvalidInput("Nobody is being built for your crew: /hero new.")
    name, drawn, member = kept(built.home)
    if member:
        raise InvalidInput(f"{name} is a member already: /spoils improve, /campaign equip.")
    if mark_of(built.home.traits) == entrant.traits.get(BOUGHT):
        raise InvalidInput(f"{name} is bought as it stands: change it, or begin another, /hero new.")
    text = row_text(drawn)
    draft = draft_of(text, traits_in(entrant.traits), entrant.traits.get("affiliation", ""))
    for fault in draft_faults(draft):
        raise Forbidden(fault.sentence, fault.rule)
    bought = [(name, draft)]
    bought += [(dog_of(name), draft.watchdog)] if draft.watchdog is not None else []
    if len(camp.veterans(entrant.id)) + len(bought) > MOST_MEMBERS:
        raise InvalidInput(f"A crew has at most {MOST_MEMBERS} members.")
    rules, lines = rules_of(camp.row.system), []
    with act.overridable():
        rules.require_had(camp, entrant, name, text, text)
    for called, model in bought:
        points = profile_of(model).points
        price = spend(camp, entrant, rules.price(camp, entrant, points), called)
        row = camp.enrol(entrant, called, row_text(model), points, f"bought for {price}")
        lines.append(f"{row.name} joins {entrant.name} for {price}.")
    lapse = upgrade_points(draft) - spent(draft)
    lines += [f"{lapse} Upgrade Points lapse."] if lapse else []
    entrant.traits = {**entrant.traits, BOUGHT: mark_of(built.home.traits)}
    return say(*lines, left(camp, entrant), buttons=[UNDO])
