"""What a mission earns after its encounter: trades, bonuses for the next mission, penalties.

Owns what outlives the encounter; Objective Points are in `missions`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.library import load
from rules.wording import times


def trade(successes: int, wanted: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """What scouting successes buy for the next encounter; items may repeat, and the successes still score.

    wanted: keys of the chart "scouting_trade". Gives everything bought, added up by name. Raises Forbidden
    for more than the successes pay. Rules: CB-MISS-33.
    """
    rows = [load().charts["scouting_trade"].named(key) for key in wanted]
    price = sum(row.value("successes") for row in rows)
    if price > successes:
        raise Forbidden(
            f"That takes {times(price, 'success', 'successes')}; there are {successes}.", "CB-MISS-33"
        )
    bought: dict[str, int] = {}
    for row in rows:
        for name, amount in row.values:
            if name != "successes":
                bought[name] = bought.get(name, 0) + amount
    return tuple(bought.items())


@dataclass(frozen=True, slots=True)
class Follow:
    """What a mission earns in the next encounter.

    after: the mission played. role: "own" or "target" (the crew it was played against). next: missions one of
    which has to be chosen then. when: at its beginning, as it is completed whatever the result, or only on
    success. campaign_points, relic_rolls: what is earned. needs: what the first mission must have brought.
    frees: the abducted model comes back on success.
    """

    after: str
    role: Literal["own", "target"]
    next: tuple[str, ...]
    when: Literal["begin", "completed", "success"]
    campaign_points: int = 0
    relic_rolls: int = 0
    needs: Literal["", "won", "model", "equipment"] = ""
    frees: bool = False
    rule: str = ""


RESCUES = ("search_and_rescue", "recovery")
"""Search and Rescue is not printed; Recovery stands in for it. Rules: CB-MISS-11."""

FOLLOWS: tuple[Follow, ...] = (
    Follow("abduction", "own", ("escort",), "completed", 1, rule="CB-MISS-11"),
    Follow("abduction", "target", RESCUES, "completed", 1, frees=True, rule="CB-MISS-11"),
    Follow("escort", "own", ("colonize", "sabotage"), "success", 1, rule="CB-MISS-14"),
    Follow("invasion", "own", ("colonize",), "success", 1, needs="won", rule="CB-MISS-17"),
    Follow("invasion", "target", ("sabotage",), "success", 1, rule="CB-MISS-17"),
    Follow("recovery", "own", ("escort", "colonize"), "begin", 1, needs="model", rule="CB-MISS-25"),
    Follow(
        "recovery",
        "own",
        ("invasion", "sabotage"),
        "begin",
        relic_rolls=1,
        needs="equipment",
        rule="CB-MISS-25",
    ),
)
"""Bonuses for the next encounter. Rules: CB-MISS-06, CB-MISS-11, CB-MISS-14, CB-MISS-17, CB-MISS-25."""


def follow_ups(
    before: str,
    role: Literal["own", "target"],
    now: str,
    *,
    success: bool,
    brought: Iterable[str] = (),
) -> tuple[Follow, ...]:
    """The bonuses that the encounter just completed earns from the one before.

    before: the mission of the encounter before, by the crew itself (`role` "own") or against it. now: the
    mission chosen this time. success: whether that one scored. brought: what the earlier mission brought:
    "won", "model", "equipment". Rules: CB-MISS-06, CB-MISS-11, CB-MISS-14, CB-MISS-17, CB-MISS-25.
    """
    had = set(brought)
    return tuple(
        follow
        for follow in FOLLOWS
        if follow.after == before
        and follow.role == role
        and now in follow.next
        and (success or follow.when != "success")
        and (not follow.needs or follow.needs in had)
    )


def frees_captive(follows: Iterable[Follow], *, success: bool) -> bool:
    """Whether a model abducted in the encounter before returns to its crew: rescued by a success.

    Rules: CB-MISS-11.
    """
    return success and any(follow.frees for follow in follows)


def base_price() -> int:
    """Campaign Points that destroying a base costs. Rules: CB-MISS-17."""
    return -load().charts["mission_bonuses"].named("invasion_base").value("campaign_points")


def destroy_base(campaign_points: int) -> int:
    """Campaign Points left after a winning invader destroyed a base of that opponent, for 2.

    Raises Forbidden with fewer. Rules: CB-MISS-17.
    """
    price = base_price()
    if campaign_points < price:
        raise Forbidden(f"Destroying a base costs {price} Campaign Points.", "CB-MISS-17")
    return campaign_points - price


def invasion_penalty(key: str) -> tuple[tuple[str, int], ...]:
    """What a defeated invaded crew suffers next: casualty rolls, Initiative, dearer models or equipment.

    key: of the chart "invasion_penalties". Raises InvalidInput. Rules: CB-MISS-18.
    """
    try:
        return load().charts["invasion_penalties"].named(key).values
    except LookupError:
        raise InvalidInput("Choose casualty, initiative, reinforcements or equipment.") from None
