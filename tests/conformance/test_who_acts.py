"""One word for who acts: the option that names it is called `model`, in every command of every game."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bot.actions import ACTIONS, parts
from bot.table.asking.descriptions import options_of
from bot.table.asking.reading import called
from bot.table.asking.table_kinds import Models
from bot.table.complete import WHO
from bot.table.handlers import HANDLERS, Place
from bot.table.offers.legal_actions import Looking
from bot.table.session.encounters import NextStep, StartDemo
from tests.bot.tables import Table
from tests.games import SYSTEMS

OTHER_WORDS: Mapping[str, str] = {
    "act": "several may act together",
    "cb.engage": "two models alike",
    "cb.gear.pair": "two models alike",
    "cb.melee": "all who strike",
    "cb.team": "several shoot",
    "mission.control": "several stand near",
    "mission.plans": "a robot, or a piece of equipment",
    "wz.activate": "a squad by its name",
    "wz.dire": "several stand there",
    "wz.explode": "a wreck, which acts no more",
    "wz.morale": "a squad by its name",
    "wz.squad": "a squad by its name",
    "sol.show": "a place on the board",
    "wz.volley": "several models of the squad that acts",
    "inf.heal": "who is tended must be said, and stands before who tends, who need not be",
}
"""Actions whose first option names somebody and keeps its own word, each with its reason."""


@pytest.mark.parametrize("system", SYSTEMS)
async def test_the_first_option_that_names_a_model_is_called_model(table: Table, system: str) -> None:
    await table.done("anna", StartDemo(system))
    await table.do("anna", NextStep())
    encounter, looking = await table.encounter(), Looking((await table.loaded()).book(), table.actor("anna"))
    names = {name for model in encounter.models() for name in (model.name, f"#{model.id}")}
    seen, wrong = 0, []
    for command, kind in ACTIONS.items():
        handler = HANDLERS.get(command)
        if handler is None or not kind.typed or handler.system not in ("", system):
            continue
        options = options_of(kind)
        if handler.place not in (Place.ENCOUNTER, Place.CHANNEL) or not options:
            continue
        offered = {str(offer.value) for offer in looking.offers(kind(), options[0].name)}
        if isinstance(options[0].kind, Models) or offered & names:
            seen += 1
            if called(options[0]) != WHO and command not in OTHER_WORDS:
                wrong.append(f"/{kind.typed} {called(options[0])}:")
    assert wrong == []
    assert seen > 10


def test_what_keeps_another_word_has_one() -> None:
    assert [one for one in OTHER_WORDS if called(options_of(ACTIONS[one])[0]) == WHO] == []


def test_no_command_has_two_options_of_one_name() -> None:
    for command in ACTIONS:
        names = [called(part) for part in parts(command) if part.kind.help]
        assert len(names) == len(set(names)), command
