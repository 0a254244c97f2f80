"""The gate: every crew that joins a game or a campaign is checked, with the same check as /crew check.

The player is told what is wrong. An organiser may allow an illegal crew with a reason that everyone can read.
A player who is not the organiser asks for that; the request is stored until it is answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from bot.actions import Action, from_json, to_json
from bot.replies.reply import Button, Reply, say
from bot.store.rows import AskRow, CrewRow, MemberRow
from bot.table.act import Act, Barred
from bot.table.game import SECRET_CREWS, game
from bot.table.handlers import Place, handles
from bot.table.owners import organiser
from bot.table.request import OVERRIDE_FORM
from bot.table.rosters.crew_state import limit_of
from rules.refusals import InvalidInput
from rules.wording import possessive

BRING_REQUEST = "bring"
"""Kind of the rows that hold a request to bring a crew that is not legal."""

ALLOWED_PREFIX = "allowed "
"""Prefix of the stored digest once an organiser has allowed the crew."""

MAX_FAULTS_NAMED = 8
"""Faults that a refusal names one by one."""


@dataclass(frozen=True, slots=True)
class LetCrewPass(Action):
    """Answer a player who wants to bring an illegal crew.

    ask: the number of the request. yes: let it pass.
    """

    command = "crew.pass"
    decision_of = organiser("decide about an illegal crew")

    ask: int = 0
    yes: bool = True


def find_faults(crew: CrewRow, members: Sequence[MemberRow], agreed_limit: int = 0) -> Sequence[str]:
    """Return everything that makes a crew illegal, each with its reason.

    agreed_limit: points that it is held to, 0 for its own limit. A campaign's copy has none of its own.
    """
    return game(crew.system).crew_faults(crew, members, agreed_limit or limit_of(crew))


def require_legal(
    act: Act, crew: CrewRow, members: Sequence[MemberRow], request_action: Action | None = None
) -> None:
    """Refuse an illegal crew unless an organiser gave a reason, now or when the player asked. Raises Barred.

    request_action: asks the organisers to allow it; None if only an organiser can bring it here.
    """
    faults = find_faults(crew, members) if members else ()  # without members there is nothing to bring
    request = _find_request(act)
    if not faults or (request is not None and request.of == ALLOWED_PREFIX + _digest(crew, members, faults)):
        if request is not None:
            act.book.remove(request)
        return
    may_ask = request_action is not None and not act.is_organiser
    buttons = (
        [Button("Ask the organiser", request_action, anytime=True)] if may_ask and request_action else []
    )
    with act.overridable():
        raise Barred(describe_faults(crew, faults), "", *buttons)


def _find_request(act: Act) -> AskRow | None:
    row = act.book.get(AskRow, act.actor.user_id)
    return row if row is not None and row.kind == BRING_REQUEST else None


def ask_organiser(act: Act, crew: CrewRow, members: Sequence[MemberRow], action: Action) -> Reply:
    """Store a player's request to bring an illegal crew, and ask the organisers. Raises InvalidInput.

    action: brings the crew once it is allowed.
    """
    faults = find_faults(crew, members)
    request = act.book.get(AskRow, act.actor.user_id)
    if request is not None and request.kind == BRING_REQUEST and request.of == _digest(crew, members, faults):
        outcome = (
            "was not allowed. Correct"
            if request.refused
            else "is waiting for the organiser's decision. You can also correct"
        )
        raise InvalidInput(f"{crew.name} {outcome} the crew (see /crew check) and join again.")
    if request is not None:
        act.book.remove(request)
    row = AskRow(
        act.book.scope,
        act.actor.user_id,
        act.actor.name,
        BRING_REQUEST,
        f"{action.command} {to_json(action)}",
        act.entry,
        crew.scope,
        _digest(crew, members, faults),
    )
    act.book.add(row)
    allow_action, refuse_action = LetCrewPass(row.entry), LetCrewPass(row.entry, yes=False)
    return say(
        f"{row.name} wants to bring {crew.name}. The organiser has to decide.",
        *describe_faults(crew, faults).split("\n"),
        buttons=[
            Button("Allow the crew...", allow_action, "main", anytime=True, form=OVERRIDE_FORM),
            Button("Don't allow the crew", refuse_action, anytime=True),
        ],
    ).aside()


def describe_faults(crew: CrewRow, faults: Sequence[str]) -> str:
    """Return what is wrong with a crew; if its list is secret, only how many things are."""
    if crew.system in SECRET_CREWS:
        problems = f"Problems found: {len(faults)}. The owner can see them with /crew check."
        return f"{crew.name} isn't legal. {problems}"
    more_words = [f"and {len(faults) - MAX_FAULTS_NAMED} more"] if len(faults) > MAX_FAULTS_NAMED else []
    return "\n".join([f"{crew.name} isn't legal (see /crew check):", *faults[:MAX_FAULTS_NAMED], *more_words])


def _digest(crew: CrewRow, members: Sequence[MemberRow], faults: Sequence[str]) -> str:
    """Return a digest of the question: this crew, with these members and these faults."""
    names = [f"{member.id} {member.profile}" for member in members]
    return sha256("\n".join([str(crew.scope), *names, *faults]).encode()).hexdigest()


@handles(LetCrewPass, Place.HISTORY)
def let_crew_pass(act: Act, action: LetCrewPass) -> Reply:
    """Allow the crew as it is now, with a reason; once it is changed, it is checked again."""
    row = next((ask for ask in act.book.all(AskRow) if ask.entry == action.ask), None)
    if row is None or row.kind != BRING_REQUEST:
        raise InvalidInput("That request has already been answered.")
    if not action.yes:
        row.refused = True
        return say(f"{act.actor.name} decided that {row.name} may not play with this crew.").aside()
    act.require(False, f"{possessive(row.name)} crew isn't legal. Enter a reason for allowing it.")
    row.refused = False
    if not row.of.startswith(ALLOWED_PREFIX):
        row.of = ALLOWED_PREFIX + row.of
    command, text = row.action.split(" ", 1)
    join_button = Button("Join with this crew", from_json(command, text), "main", anytime=True)
    return say(f"{row.name} may play with this crew.", buttons=[join_button]).aside()
