"""Fields that actions of campaigns share: the campaign and the crew they are about, and what is suggested."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.actions import Action
from bot.store.row_types import EntrantRow, FixtureRow, LedgerRow, VeteranRow
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking
from bot.table.game import Game, game
from bot.table.ledger.campaign_book import FIT, Campaign, CampaignView

# ------------------------------------------------------------------------------------ what is suggested


def list_entrant_names(context: Asking) -> Sequence[str]:
    """Return crews that take part, one's own first."""
    user = context.act.actor.user_id
    rows = [row for row in context.act.book.all(EntrantRow) if row.status == "in"]
    return [row.name for row in sorted(rows, key=lambda row: row.owner_id != user)]


def list_own_veterans(context: Asking) -> list[VeteranRow]:
    """Return the fit members of the crews of the person who asks."""
    book, user = context.act.book, context.act.actor.user_id
    mine = {row.id for row in book.all(EntrantRow) if row.owner_id == user}
    return [row for row in book.all(VeteranRow) if row.entrant in mine and row.status == FIT]


def list_own_member_names(context: Asking) -> Sequence[str]:
    """Return members of one's own crew."""
    return [row.name for row in list_own_veterans(context)]


def list_accounts(context: Asking) -> Iterable[str]:
    """Return balances that have ever changed."""
    return dict.fromkeys(row.account for row in context.act.book.all(LedgerRow))


# ------------------------------------------------------------------------------------ what is asked


@dataclass(frozen=True, slots=True)
class InCampaign(Action):
    """What is asked of a campaign: of the one that runs, where none is named."""

    campaign: int = fields.campaign("Campaign (if there are several)", behind=2)


def _find_entrant(context: Asking, text: str) -> EntrantRow:
    return CampaignView(context.act).find_entrant(text)


def _find_crew(context: Asking, text: str) -> EntrantRow:
    return CampaignView(context.act).find_entrant(text, left=True)


def _require_own(context: Asking, row: EntrantRow) -> EntrantRow:
    CampaignView(context.act).require_owner(row)
    return row


def _find_veteran(context: Asking, text: str) -> VeteranRow:
    return CampaignView(context.act).find_veteran(context.before("crew").id, text)


def _name(row: EntrantRow) -> str:
    return row.name


def _format_number(row: VeteranRow | FixtureRow) -> str:
    return f"#{row.id}"


def list_crew_names(context: Asking) -> Sequence[str]:
    """Return the crews that take part, then those that left."""
    former_names = [row.name for row in context.act.book.all(EntrantRow) if row.status != "in"]
    return list(dict.fromkeys((*list_entrant_names(context), *former_names)))


def crew_field(description: str, **options: Any) -> Any:
    """Return a field for a crew of the campaign, as its row; also one that left."""
    return entrant_field(description, names=list_crew_names, find=_find_crew, **options)


def entrant_field(description: str, **options: Any) -> Any:
    """Return a crew that takes part, as its row."""
    return fields.sought(
        description, **{"names": list_entrant_names, "find": _find_entrant, "written": _name, **options}
    )


def own_entrant_field(description: str, **options: Any) -> Any:
    """Return a crew that takes part, as its row: one's own where none is named."""
    return entrant_field(description, default=lambda context: Campaign(context.act).own_entrant(), **options)


@dataclass(frozen=True, slots=True)
class OfEntrant(InCampaign):
    """What is asked of a crew in a campaign: of one's own, where none is named."""

    crew: EntrantRow = own_entrant_field("Crew (leave blank for yours)", behind=1)


@dataclass(frozen=True, slots=True)
class ForEntrant(InCampaign):
    """What is done for a crew in a campaign, by its player; an organiser gives a reason."""

    crew: EntrantRow = entrant_field(
        "Crew (leave blank for yours)",
        find=lambda asking, text: _require_own(asking, Campaign(asking.act).find_entrant(text)),
        default=lambda asking: _require_own(asking, Campaign(asking.act).own_entrant()),
        behind=1,
    )


def member_field(description: str, **options: Any) -> Any:
    """Return a member of the crew that was said, as its row."""
    return fields.sought(
        description,
        **{"names": list_own_member_names, "find": _find_veteran, "written": _format_number, **options},
    )


def members_field(description: str, **options: Any) -> Any:
    """Return several members of the crew that was said, as their rows."""
    return fields.several(
        description,
        offering.completing(list_own_member_names),
        _find_veteran,
        written=_format_number,
        **options,
    )


def fixture_field(get_campaign: Callable[[Asking], CampaignView]) -> Any:
    """Return a field for a fixture by the name of a crew; the person's own by default."""
    return fields.sought(
        "Crew (leave blank for yours)",
        lambda context: [entrant.name for entrant in get_campaign(context).entrants()],
        lambda context, text: get_campaign(context).find_fixture(text),
        written=_format_number,
        default=lambda context: get_campaign(context).own_fixture(),
    )


def get_game(context: Asking) -> Game:
    """Return the game of the campaign. Raises InvalidInput where there is none."""
    return game(CampaignView(context.act).row.system)
