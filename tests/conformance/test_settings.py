"""Every setting of a game's rules can be chosen, and reads as sentences with the default first."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import get_args, get_type_hints

import pytest

from bot.replies.fit import MAX_LABEL_LENGTH
from bot.table.game import game, list_settings
from bot.table.ledger.campaign_rules import CAMPAIGN_SETTINGS
from bot.table.setting import Setting
from rules.systems.counterblast.core import settings as counterblast
from rules.systems.fracd_earth import settings as fracd_earth
from rules.systems.infinity import settings as infinity
from rules.systems.soluna import settings as soluna
from rules.systems.warzone import settings as warzone

RULES = {
    "counterblast": counterblast.Settings(),
    "fracd_earth": fracd_earth.DEFAULTS,
    "infinity": infinity.DEFAULT,
    "soluna": soluna.DEFAULT,
    "warzone": warzone.Settings(),
}
CHOSEN_ELSEWHERE = {"turns", "deck", "effects", "edges", "morph"}
"""Fields that are chosen by actions of their own, not as a setting."""
TABLES = {"ko_table", "cloud_directions"}
"""Fields that are tables, each chosen by a word for the whole table."""
LONGEST_TITLE, LONGEST_SENTENCE = 45, 110

ALL = [
    *((key, one) for key in RULES for one in list_settings(game(key))),
    *(("campaign", one) for one in CAMPAIGN_SETTINGS),
]


@pytest.mark.parametrize("key", RULES)
def test_every_field_of_the_rules_can_be_chosen(key: str) -> None:
    settings = {one.key: one for one in game(key).settings()}
    rules = RULES[key]
    hints = get_type_hints(type(rules))
    for field in fields(rules):
        if field.name in CHOSEN_ELSEWHERE:
            continue
        setting, default = settings[field.name], getattr(rules, field.name)
        if field.name in TABLES:
            continue
        if isinstance(default, bool):
            assert set(setting.values) in ({"on", "off"}, {"yes", "no"})
            assert (setting.default in ("on", "yes")) is default, field.name
            continue
        assert setting.default == str(default), field.name
        words = {
            word for word in map(str, get_args(hints[field.name])) if "." not in word and "<" not in word
        }
        assert words <= set(setting.values), field.name


@pytest.mark.parametrize("setting", [pytest.param(one, id=f"{key}-{one.key}") for key, one in ALL])
def test_a_setting_reads_as_sentences(setting: Setting) -> None:
    sentences = [setting.about, *(says for _, says in setting.choices)]
    assert len(setting.title) <= LONGEST_TITLE
    assert not setting.title[0].islower()
    for sentence in sentences:
        assert not sentence[0].islower()
        assert sentence.endswith(".")
        assert len(sentence) <= LONGEST_SENTENCE
        assert not re.search(r"[A-Z]{2,3}-[A-Z]+-\d\d|_", sentence)
    assert all(len(says) <= MAX_LABEL_LENGTH + 1 for _, says in setting.choices)
    assert setting.group
