"""What actions of campaigns share: which campaign and crew they are about, and what their fields suggest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.actions import Action
from bot.store.campaign_rows import CampaignRow, EntrantRow, LedgerRow, VeteranRow
from bot.store.rows import ProfileRow
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking, Names
from bot.table.campaign.campaign_book import FIT
from bot.table.campaign.campaign_rules import CAMPAIGN_SETTINGS
from bot.table.game import GAMES, Equips, Game, Setting, settings_of
from bot.table.rosters.statblocks import statblocks
from bot.table.session.settings import RANGE, words

# ------------------------------------------------------------------------------------ what is suggested


def _game(asking: Asking) -> Game | None:
    row = asking.act.book.get(CampaignRow)
    return GAMES.get(row.system) if row else None


def any_entrant(asking: Asking) -> Sequence[str]:
    """Crews that take part, one's own first."""
    user = asking.act.actor.user_id
    rows = [row for row in asking.act.book.all(EntrantRow) if row.status == "in"]
    return [row.name for row in sorted(rows, key=lambda row: row.owner_id != user)]


def own_veterans(asking: Asking) -> list[VeteranRow]:
    """The fit members of the crews of the person who asks."""
    book, user = asking.act.book, asking.act.actor.user_id
    mine = {row.id for row in book.all(EntrantRow) if row.owner_id == user}
    return [row for row in book.all(VeteranRow) if row.entrant in mine and row.status == FIT]


def any_veteran(asking: Asking) -> Sequence[str]:
    """Members of one's own crew."""
    return [row.name for row in own_veterans(asking)]


def any_fielded(asking: Asking) -> Sequence[str]:
    """The fit members of all crews."""
    return [row.name for row in asking.act.book.all(VeteranRow) if row.status == FIT and not row.benched]


def any_account(asking: Asking) -> Iterable[str]:
    """Balances that have ever changed."""
    return dict.fromkeys(row.account for row in asking.act.book.all(LedgerRow))


def any_statblock(asking: Asking) -> Sequence[str]:
    """Whom crews can buy, the server's own last."""
    played, around = _game(asking), asking.act.extra
    own: Iterable[ProfileRow] = around.own if around is not None else ()
    return [one.name for one in statblocks(played, own)] if played else []


def any_equipment(asking: Asking) -> Iterable[str]:
    """What members can be given."""
    played = _game(asking)
    return played.equipment() if isinstance(played, Equips) else ()


def _settings(asking: Asking) -> Sequence[Setting]:
    played = _game(asking)
    return (*CAMPAIGN_SETTINGS, *settings_of(played)) if played else ()


def any_setting(asking: Asking) -> Sequence[str]:
    """Settings of the campaign's game."""
    return [words(key) for key, *_ in _settings(asking)]


def setting_value(asking: Asking) -> Sequence[str]:
    """Values of the setting that was said."""
    wanted = words(asking.so_far["setting"] or "").casefold()
    values = next((values for key, values, _ in _settings(asking) if words(key) == wanted), ())
    return [words(value) for value in values if not RANGE.fullmatch(value)]


# ------------------------------------------------------------------------------------ what is asked


@dataclass(frozen=True, slots=True)
class InCampaign(Action):
    """What is asked of a campaign: of the one that runs, where none is named."""

    campaign: int = fields.campaign("Which campaign, if several run", behind=2)


@dataclass(frozen=True, slots=True)
class OfEntrant(InCampaign):
    """What is asked of a crew in a campaign: of one's own, where none is named."""

    crew: str = fields.words("The crew, if not yours", any_entrant, behind=1)


def entrant_named(about: str, **more: Any) -> Any:
    """A crew that takes part, by its name."""
    return fields.words(about, any_entrant, **more)


def own_veteran(about: str, **more: Any) -> Any:
    """A member of one's own crew, by its name."""
    return fields.words(about, any_veteran, **more)


def statblock(about: str) -> Any:
    """Whom a crew may have, by its statblock's name."""
    return fields.words(about, any_statblock, needed=True)


several_veterans: Names = offering.completing(any_veteran)
several_fielded: Names = offering.completing(any_fielded)
several_pieces: Names = offering.completing(any_equipment)
