"""Order tokens: how many a crew has, what they buy, and what is left after its leader is lost.

Owns the counting; a token's +1 joins a check through `order_token` of whoever prepares it, at most one.
"""

from __future__ import annotations

from rules.counters import CounterName
from rules.effects import Assign, Count, Effect, Lose
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.settings import DEFAULTS, Settings

ORDERS = CounterName("orders")
"""Counter of a side: order tokens it still has."""

SPENT = CounterName("orders spent")
"""Counter of a side: order tokens that it spent in this encounter."""

TOKENS_PER_INT = 2
TACTICIAN_TOKENS = 2


def starting_tokens(leader: Fighter) -> int:
    """Order tokens at the start: twice the leader's INT dice, 2 more for a Tactician.

    Rules: CB-ORDER-01, CB-FEAT-55, CB-STAT-04.
    """
    extra = TACTICIAN_TOKENS if leader.has_feature("tactician") else 0
    return TOKENS_PER_INT * leader.profile.intellect.value + extra


def token_limit(leader: Fighter | None) -> int:
    """The most tokens a crew may hold under its present leader; none without one.

    Rules: CB-ORDER-02, CB-CREW-06.
    """
    return starting_tokens(leader) if leader is not None else 0


def gained(tokens: int, gain: int, leader: Fighter | None) -> int:
    """Tokens after gaining some, within the limit; a crew keeps what it has. Rules: CB-ORDER-02."""
    return max(tokens, min(tokens + gain, token_limit(leader)))


def kept_after_succession(tokens: int, successor: Fighter | None, settings: Settings = DEFAULTS) -> int:
    """Tokens that stay when a new leader takes over: as many as its INT dice; none without a successor.

    Rules: CB-ORDER-08, CB-CREW-06.
    """
    if successor is None:
        return 0
    return min(tokens, settings.order_keep_multiplier * successor.profile.intellect.value)


def spend(side: int, tokens: int, count: int = 1) -> tuple[Effect, ...]:
    """Spend tokens; they do not come back, but one by an Ancient Text.

    tokens: what the crew has. Raises Forbidden when there are too few. Rules: CB-ORDER-03.
    """
    if count < 1:
        raise InvalidInput("Spend at least one order token.")
    if count > tokens:
        forbid(f"The crew has {tokens} order tokens, not {count}.", "CB-ORDER-03")
    spent = min(count, tokens)
    return (Count("side", side, ORDERS, -spent), Count("side", side, SPENT, spent))


def after_succession(
    side: int, tokens: int, successor: Fighter | None, settings: Settings = DEFAULTS
) -> tuple[Effect, ...]:
    """Trim the tokens to what the new leader may keep. Rules: CB-ORDER-08, CB-CREW-05."""
    kept = kept_after_succession(tokens, successor, settings)
    return (Assign("side", side, ORDERS, kept),) if kept != tokens else ()


def extra_lackeys(directing: Fighter, tokens: int) -> int:
    """Lackeys that spent tokens add to a group: the directing model's level for each. Rules: CB-ORDER-06."""
    if tokens < 0:
        raise InvalidInput("Spend 0 order tokens or more.")
    return directing.profile.level * tokens


def clear_panic(leader: Fighter, members: tuple[Fighter, ...], tokens: int) -> tuple[Effect, ...]:
    """The leader spends 1 action and 1 token: other members of its crew are Panicked no more.

    members: at most as many as the leader's INT dice. The action itself is accounted by `activation`.
    Raises Forbidden for more, for the leader itself, for others than its own Panicked crew, and without a
    token. Rules: CB-ORDER-07, CB-STAT-04.
    """
    most = leader.profile.intellect.value
    if not leader.leader:
        forbid(f"{leader.name} does not lead the crew.", "CB-ORDER-07")
    if not 1 <= len(members) <= most:
        forbid(f"{leader.name} steadies 1 to {most} models, not {len(members)}.", "CB-ORDER-07")
    for member in members:
        if member.id == leader.id:
            forbid(f"{leader.name} cannot steady itself: Rally.", "CB-ORDER-07")
        if member.side != leader.side or not member.has(Condition.PANICKED):
            forbid(f"{member.name} is no Panicked model of the crew.", "CB-ORDER-07")
    cleared = tuple(Lose(member.id, Condition.PANICKED) for member in members)
    return (*spend(leader.side, tokens), *cleared)
