"""The sections that players look rules up in: every id that the program names has one."""

from __future__ import annotations

import re
from pathlib import Path

from rules.sections import RULE_ID, SECTIONS, add_sections, cite_rule, remove_rules

ROOT = Path(__file__).parents[2]


def test_every_rule_that_the_program_names_has_a_section() -> None:
    named = {
        found[1]
        for folder in ("bot", "rules")
        for file in (ROOT / folder).rglob("*.py")
        for found in RULE_ID.finditer(
            re.sub(r'""".*?"""', "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        )
    }
    assert len(named) > 90
    assert not named - SECTIONS.keys()


def test_a_section_stands_before_the_ids() -> None:
    assert cite_rule("CB-ACT-01") == "Actions (pages 11 and 12; CB-ACT-01)"
    assert add_sections("+1 Quick CB-FEAT-44") == "+1 Quick (Features, pages 27 to 34; CB-FEAT-44)"
    assert (
        add_sections("1 damage. CB-WEAP-23, CB-FEAT-20")
        == "1 damage (weapons, pages 39 to 44; Features, pages 27 to 34; CB-WEAP-23, CB-FEAT-20)"
    )
    assert add_sections("STR 2D vs 8") == "STR 2D vs 8"
    assert remove_rules("It is out. CB-FEAT-13, CB-ACT-01") == "It is out."
    assert remove_rules("-2 going underground CB-FEAT-13") == "-2 going underground"
