"""A proposed Upkeep and the table it was made for."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from bot.games.counterblast.core.common import carry_through, losses_this_turn, read_bag, settings
from bot.games.counterblast.core.crews import SUCCESSION_KINDS
from bot.games.counterblast.state.ground import fire_names, grow_fire, read_fire
from bot.games.counterblast.state.models import fighters, settings_of, traits_of
from bot.games.counterblast.state.sight import list_spent_clouds
from bot.games.counterblast.state.table_state import EncounterState, SideState
from bot.store.book import Book
from bot.store.rows import ThingRow
from bot.table.act import Act, ActView, no_dice
from bot.table.encounter import Encounter, EncounterView
from rules.dice import Entered, Entry, Roller
from rules.systems.counterblast.building.crew import LEADER, UNLED
from rules.systems.counterblast.core.burning import Fire
from rules.systems.counterblast.core.checks import PreparedCheck, Throw
from rules.systems.counterblast.core.fighter import Until
from rules.systems.counterblast.core.panic import PanicResult, panic_test
from rules.systems.counterblast.turn.upkeep import (
    Corrections,
    Crew,
    PanicTest,
    Scene,
    UpkeepProposal,
    flights,
    propose,
    results_of,
)


def build_scene(
    encounter: EncounterView, commanded: frozenset[int] = frozenset(), ordered: frozenset[int] = frozenset()
) -> Scene:
    """Return the models, losses, bag and timers. commanded: who is in Command Range; ordered: for
    whose test an order token is spent.
    """
    return Scene(
        encounter.row.turn,
        tuple(
            Crew(
                side.id,
                traits_of(side),
                SideState(side).more_tokens,
                bool(side.counters.get(UNLED)) and not side.counters.get(LEADER),
            )
            for side in encounter.sides()
        ),
        fighters(encounter),
        read_bag(encounter),
        losses_this_turn(encounter),
        commanded,
        expiring=tuple(
            (model.id, row.kind)
            for model in encounter.models()
            for row in encounter.conditions(model.id)
            if row.until == Until.UPKEEP
        ),
        ordered=ordered,
    )


def copy_act(act: ActView) -> Act:
    """Return the act on a copy of the rows: what is done there is seen, and nothing of it is kept."""
    return Act(Book(act.book.scope, act.book.snapshot()), act.actor, act.action, no_dice)


UPKEEP_KIND = "upkeep"
"""Kind of that row."""

OF_SIDE, OF_MODEL = ("level", "score", "bag"), ("keep", "test", "spare", "result", "timer")
"""The corrections that belong to a side, and to a model; what else is corrected belongs to all players."""

OUTCOMES = {
    "holds": PanicResult(False),
    "panics": PanicResult(True),
    "shaken": PanicResult(True, shaken=True),
}
"""Results to which a panic test can be corrected; shaken: its next INT check is at disadvantage too."""


@dataclass(frozen=True, slots=True)
class Note:
    """A correction: its kind, its model, side or fire, and its value; its author and reason."""

    kind: str
    about: str
    value: str
    by: str
    reason: str

    @property
    def number(self) -> int:
        """Return the number of the model or side that it is about."""
        return int(self.about)


@dataclass(frozen=True, slots=True)
class Rolled:
    """A panic test that was rolled: its dice as they fell, whatever is corrected afterwards.

    lender: the leader whose INT was used, 0 for its own.
    """

    pool: int
    modifier: int
    critical_from: int
    dependable: bool
    lender: int
    faces: tuple[int, ...]

    def throw(self, target: int) -> Throw:
        """Return these dice against a target."""
        return Throw(self.pool, self.modifier, target, self.critical_from, self.dependable)


@dataclass(slots=True)
class UpkeepDraft:
    """The entries of an Upkeep's players, the dice rolled in it, and the corrections in their order.

    near: models in Command Range; fled: models that ran off the table; leaders: the chosen ones; unled: sides
    that name no one; ordered: models whose test gets an order token. rolled: by number of the model. fires:
    the face for each area. agreed: the sides that have confirmed it as it is.
    """

    near: list[int] = field(default_factory=list)
    fled: list[int] = field(default_factory=list)
    leaders: list[int] = field(default_factory=list)
    unled: list[int] = field(default_factory=list)
    ordered: list[int] = field(default_factory=list)
    rolled: dict[int, Rolled] = field(default_factory=dict)
    fires: dict[str, int] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    agreed: list[int] = field(default_factory=list)

    def said(self, kind: str) -> list[Note]:
        """Return the corrections of one kind."""
        return [note for note in self.notes if note.kind == kind]

    def corrections(self) -> Corrections:
        """Return the changes of the rules' proposal."""
        return Corrections(
            frozenset(self.fled),
            frozenset(self.leaders),
            tuple((note.number, int(note.value)) for note in self.said("keep")),
            tuple((note.number, int(note.value)) for note in self.said("level")),
            frozenset(note.number for note in self.said("test")),
            frozenset(note.number for note in self.said("spare")),
            tuple((note.number, OUTCOMES[note.value]) for note in self.said("result")),
            frozenset((note.number, note.value) for note in self.said("timer")),
            tuple((note.number, int(note.value)) for note in self.said("bag")),
            next((note.number for note in self.said("drawer")), 0),
            frozenset(self.unled),
        )


def open_draft(encounter: Encounter) -> None:
    """Begin a proposal with nothing said yet."""
    book = encounter.book
    row = book.add(ThingRow(book.scope, book.next_id(ThingRow), UPKEEP_KIND))
    EncounterState(encounter.row).upkeep = row.id
    write_draft(encounter, UpkeepDraft())


def close_draft(encounter: Encounter) -> None:
    """Close the proposal once it is carried out."""
    encounter.book.remove(_get_row(encounter))
    EncounterState(encounter.row).upkeep = 0


def read_draft(encounter: EncounterView) -> UpkeepDraft:
    """Return the proposal that is open."""
    content: dict[str, Any] = json.loads(_get_row(encounter).content)
    rolled = {
        int(model): Rolled(**{**values, "faces": tuple(values["faces"])})
        for model, values in content.pop("rolled").items()
    }
    notes = [Note(**values) for values in content.pop("notes")]
    return UpkeepDraft(**content, rolled=rolled, notes=notes)


def write_draft(encounter: Encounter, draft: UpkeepDraft) -> None:
    """Store the proposal as it is now, which cancels earlier confirmations."""
    draft.agreed = []
    _store_draft(encounter, draft)


def agree(encounter: Encounter, sides: Iterable[int]) -> None:
    """Store which sides have confirmed the proposal."""
    draft = read_draft(encounter)
    draft.agreed = sorted({*draft.agreed, *sides})
    _store_draft(encounter, draft)


def _store_draft(encounter: Encounter, draft: UpkeepDraft) -> None:
    content = json.dumps(asdict(draft), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    _get_row(encounter).content = content


def _get_row(encounter: EncounterView) -> ThingRow:
    row = encounter.book.get(ThingRow, EncounterState(encounter.row).upkeep)
    assert row is not None, "an Upkeep is open"
    return row


def list_leaderless_sides(encounter: Encounter) -> list[int]:
    """Return the sides of which it has to be said who leads them before the Upkeep that is open goes on."""
    corrections = read_draft(encounter).corrections()
    return [gap.side for gap in propose(build_scene(encounter), corrections, settings_of(encounter)).vacant]


@dataclass(frozen=True, slots=True)
class Tested:
    """A panic test whose dice have fallen: what they came to, and what counts after corrections."""

    test: PanicTest
    prepared: PreparedCheck
    rolled: Rolled
    result: PanicResult
    trace: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Upkeep:
    """An open Upkeep: what was said, and what comes of it. follows: what the removals bring with them."""

    encounter: EncounterView
    draft: UpkeepDraft
    proposal: UpkeepProposal
    follows: tuple[str, ...] = ()

    @classmethod
    def of(cls, act: ActView) -> Upkeep:
        """Return the one that is open in the act's encounter.

        The later steps look at the table as it is once the removals are carried out, on a copy: a wreck takes
        along who rides in it, an owner's loss scares its Watchdog.
        """
        draft, rules = read_draft(act.encounter), settings(act)
        corrections = draft.corrections()
        first_proposal = propose(build_scene(act.encounter), corrections, rules)
        copy = copy_act(act)
        follow_ups = carry_through(copy, (*first_proposal.healed, *first_proposal.leaving))
        scene = build_scene(copy.encounter, frozenset(draft.near), frozenset(draft.ordered))
        later_proposal = propose(scene, corrections, rules)
        reasons = dict.fromkeys(
            follow_up.reason for follow_up in follow_ups if follow_up.action not in SUCCESSION_KINDS
        )
        proposal = replace(later_proposal, healed=first_proposal.healed, leaving=first_proposal.leaving)
        return cls(act.encounter, draft, proposal, tuple(reasons))

    @property
    def unrolled(self) -> tuple[PanicTest, ...]:
        """Return tests whose dice have not fallen."""
        return tuple(test for test in self.proposal.tests if test.model not in self.draft.rolled)

    @property
    def unrolled_fires(self) -> list[str]:
        """Return areas for which no die has fallen."""
        return [name for name in fire_names(self.encounter) if name not in self.draft.fires]

    @property
    def needs_dice(self) -> bool:
        """Return whether something is still to be rolled."""
        return bool(self.unrolled or self.unrolled_fires)

    @property
    def to_roll(self) -> list[int]:
        """Return the sides whose tests have not been rolled, in order."""
        return list(dict.fromkeys(self.encounter.model(test.model).side for test in self.unrolled))

    @property
    def is_ready(self) -> bool:
        """Return whether it can be confirmed."""
        return not self.needs_dice and not self.proposal.vacant

    @property
    def undecided(self) -> list[int]:
        """Return the sides that have something to decide here, and have not confirmed it.

        Their models test, or may have run off the table; a correction is for every side to see.
        """
        proposal, draft, encounter = self.proposal, self.draft, self.encounter
        models = {test.model for test in proposal.tests} | set(flights(proposal.scene))
        sides = {encounter.model(number).side for number in models}
        if draft.notes:
            sides |= {side.id for side in encounter.sides() if encounter.players(side.id)}
        return sorted(sides - {*draft.agreed})

    def tested(self) -> list[Tested]:
        """Return the tests that count, from the dice as they fell, against the Panic Level as it is now."""
        tests = []
        for test in self.proposal.tests:
            rolled = self.draft.rolled.get(test.model)
            if rolled is None:
                continue
            prepared = test.borrowed if rolled.lender and test.borrowed else test.own
            throw = rolled.throw(prepared.throw.target)
            dice = Roller(Entered(rolled.faces))
            result = panic_test(dice, (throw,))
            ready = replace(prepared, throw=throw)
            tests.append(Tested(test, ready, rolled, result, tuple(dice.trace)))
        return tests

    def results(self) -> dict[int, PanicResult]:
        """Return the counted result of every test, by number of the model."""
        results = ((test.test.model, test.result) for test in self.tested())
        return dict(results_of(self.proposal, results, self.draft.corrections()))

    def panicked(self) -> list[int]:
        """Return who will be Panicked: those that are, and those whose test failed."""
        results, running = self.results(), flights(self.proposal.scene)
        return [
            model.id
            for model in self.proposal.scene.models
            if model.id in running or (model.id in results and results[model.id].panicked)
        ]

    def fires(self) -> dict[str, tuple[Fire | None, str]]:
        """Return every area with a rolled die as it is next turn, and the line that says so."""
        entered_sizes = {note.about: int(note.value) for note in self.draft.said("fire")}
        fire_lines = {}
        for name in fire_names(self.encounter):
            if name not in self.draft.fires:
                continue
            next_fire, line = grow_fire(self.encounter, name, self.draft.fires[name])
            if name in entered_sizes:
                inches, face = entered_sizes[name], self.draft.fires[name]
                current_fire = read_fire(self.encounter, name)
                next_fire = replace(current_fire, inches=inches, fought=False) if inches else None
                line = f"{name} {f'is R{inches}' if inches else 'is out'} (corrected, d10 {face})"
            fire_lines[name] = (next_fire, line)
        return fire_lines

    def clouds(self) -> list[str]:
        """Return the clouds that are gone with the turn, but for those that the players let stay."""
        staying = {note.about for note in self.draft.said("cloud")}
        spent = list_spent_clouds(self.encounter, self.encounter.row.turn)
        return [name for name in spent if name not in staying]

    def name(self, number: int) -> str:
        """Return a model's name."""
        return self.encounter.model(number).name


def read_current_upkeep(encounter: Encounter) -> Upkeep:
    """Return the open Upkeep without what the removals bring with them."""
    draft = read_draft(encounter)
    scene = build_scene(encounter, frozenset(draft.near), frozenset(draft.ordered))
    return Upkeep(encounter, draft, propose(scene, draft.corrections(), settings_of(encounter)))
