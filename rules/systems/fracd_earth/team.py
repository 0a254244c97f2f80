"""Working together: Teamwork support, alternating attacks, Combined attack and defence.

Owns what a group adds. Who may support is the business of `actions`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput

MOST_SUPPORT = 3


def support(supporters: int) -> Modifier:
    """Cards for the primary attacker: one for each supporter, at most three. Raises InvalidInput.

    Rules: FE-TEAM-01, FE-CMB-09.
    """
    if not 0 <= supporters <= 50:
        raise InvalidInput("0 to 50 figures support an attack.")
    return Modifier(min(supporters, MOST_SUPPORT), f"teamwork of {supporters}", "FE-TEAM-01")


def alternating(edges: int, members: tuple[int, ...], further: tuple[int, ...]) -> int:
    """Spread further attacks over the team after the primary hit; gives the Edges left, one spent for each.

    members: the team, primary attacker included. further: who strikes each further attack. Raises Forbidden
    for more attacks than Edges, InvalidInput for a figure outside the team. Rules: FE-TEAM-02.
    """
    if any(figure not in members for figure in further):
        raise InvalidInput("Only members of the team share its attacks.")
    if len(further) > edges:
        raise Forbidden(f"{edges} Edges pay {edges} further attacks, not {len(further)}.", "FE-TEAM-02")
    return edges - len(further)


@dataclass(frozen=True, slots=True)
class Share:
    """What one member of a group brings to a Combined attack or defence."""

    force: int = 0
    marks: int = 0
    column_shift: int = 0
    row_shift: int = 0


def combined(shares: tuple[Share, ...]) -> Share:
    """The best of each value found in the group; nothing is added up. Raises InvalidInput for no members.

    Rules: FE-TEAM-03.
    """
    if not shares:
        raise InvalidInput("A group has at least one member.")
    return Share(
        force=max(share.force for share in shares),
        marks=max(share.marks for share in shares),
        column_shift=max(share.column_shift for share in shares),
        row_shift=max(share.row_shift for share in shares),
    )
