"""Who shoots together is offered as the group that acts, at the distances at which its shot changes."""

from __future__ import annotations

from bot.games.counterblast.shooting.team_shots import TeamShot
from bot.table.offers.legal_actions import Looking
from tests.bot.counterblast.ring import ANNA, Ring, active


async def test_the_group_that_acts_is_offered_whole(ring: Ring) -> None:
    await ring.arrange(active("Skip", "Wanda"))
    looking = Looking((await ring.table.loaded()).book(), ring.table.actor(ANNA))
    shooters = [offer.label for offer in looking.offers(TeamShot(), "shooters")]
    assert shooters == ["Skip Westmoreland, Wanda Whitestar"]
    bands = [offer.label for offer in looking.offers(TeamShot(shooters[0]), "distances")]
    assert bands == sorted(bands, key=lambda band: float(band.split()[1]))
    assert len(bands) >= 2
    legal = looking.legal(TeamShot)
    assert not legal.reason
    assert legal.action.shooters == shooters[0]  # type: ignore[attr-defined]


async def test_nobody_alone_shoots_together(ring: Ring) -> None:
    await ring.arrange(active("Skip"))
    looking = Looking((await ring.table.loaded()).book(), ring.table.actor(ANNA))
    assert looking.legal(TeamShot).reason
