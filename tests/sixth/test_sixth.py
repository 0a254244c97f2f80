"""A sixth game is two packages and one line: whole it passes everything, and each part left out is named.

Each run has a process of its own, so that no other test sees the game.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from bot.games import PLAYED
from tests.started import Ended, program

HERE = Path(__file__).parent

CONFORMANCE = (
    "tests/conformance",
    "tests/bot/test_who_may.py",
    "tests/bot/test_pressing.py",
    "tests/bot/test_joining.py",
    "tests/bot/test_ending.py",
    "tests/bot/test_guide.py",
    "tests/bot/test_what_is_printed.py",
    "tests/bot/campaign/test_other_games.py",
)
"""Tests that hold for every game: each finds the games by itself."""


LOADED = ("pytest", "bot.client", "bot.commands.typed", "bot.commands.do_command", "bot.table.complete")
"""What no game is part of."""

BESIDE = (*LOADED, "tests.words_read", *(f"bot.games.{key}" for key in PLAYED))
"""That, what every program reads for itself, and the other games."""

WITHOUT = ("cacheprovider", "hypothesispytest", "xdist")
"""What pytest loads and no test of the game needs."""


def run_of(*words: str, **said: str) -> Ended:
    """Tests with the sixth game registered beside the others."""
    own = ("-m", "pytest", "-p", "tests.sixth.with_sixth", "-o", "addopts=")
    without = (f"-pno:{plugin}" for plugin in WITHOUT)
    return program(*own, *without, *words, loaded=BESIDE, **said)


def started(folder: Path) -> Ended:
    """The bot, put together with the packages in that folder."""
    put_together = "import tests.sixth.with_sixth, bot.app"
    return program("-c", put_together, loaded=LOADED, BLADES=str(folder), BLADES_ALONE="1")


def copy_of_the_game(folder: Path) -> Path:
    """The game's packages in a folder, which is given back."""
    for part in ("games", "rules"):
        shutil.copytree(HERE / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The game's packages, to leave something out of."""
    return copy_of_the_game(tmp_path)


# ------------------------------------------------------------------------------------ whole


def test_it_is_played_to_its_end() -> None:
    done = run_of("tests/sixth/played.py")
    assert done.returncode == 0, done.stdout[-3000:]


def test_what_holds_for_every_game_finds_it_by_itself() -> None:
    done = run_of(*CONFORMANCE, "-k", "blades or Blades or one_row")
    assert done.returncode == 0, done.stdout[-3000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None
    assert int(passed[1]) > 30


def test_no_other_test_sees_it() -> None:
    import bot.games

    assert "blades" not in bot.games.PLAYED


# ------------------------------------------------------------------------------------ a part left out

GAME = "games/blades/game.py"
PLAY = "games/blades/strike_play.py"
WORDS = "games/blades/__init__.py"
RULE = "rules/blades/blow.py"
LEFT_OUT = {
    "no sample crews": (GAME, "def sample_crews", "def _crews", "blades has no `sample_crews`."),
    "crews of nobody": (GAME, '("sabre",)', "()", "blades needs two sample crews with recruits."),
    "a crew of strangers": (
        GAME,
        '("sabre",)',
        '("axe",)',
        "includes axe, which isn't one of that game's recruits.",
    ),
    "no ending": (GAME, "def ending", "def _over", "blades has no `ending`."),
    "no panel": (GAME, "def panel", "def _shown", "blades has no `panel`."),
    "nobody acts": (GAME, "def acting", "def _acting", "blades has no `acting`."),
    "nothing is likely": (GAME, "    likely = ", "    _likely = ", "blades has no `likely`."),
    "likely what is not": (
        GAME,
        '"blades.guard")',
        '"blades.duck")',
        "lists blades.duck in `likely`",
    ),
    "no help": (GAME, "    pages = PAGES", "    pages = {}", "blades needs a page of /help."),
    "another key": (GAME, 'key = "blades"', 'key = "swords"', "swords has to be in bot/games/swords."),
    "no handler": (PLAY, "@handles(Guard)\n", "", "blades.guard has no handler."),
    "no description": (
        PLAY,
        '    """Strike nobody, and be harder to hit."""\n',
        "",
        "blades.guard has no description",
    ),
    "no suggestion": (
        PLAY,
        'fields.own_model("Who guards", mine=True, needed=True)',
        'fields.text("Who guards", needed=True)',
        "blades.guard suggests no model for `model`",
    ),
    "no chances": (PLAY, "    def chances", "    def _chances", "chances"),
    "no words of the group": (
        WORDS,
        'group("blades", "Blades", whole_game=True)\n',
        "",
        "The group /blades has no description",
    ),
    "no game": (WORDS, "GAME = Blades()", "THAT = Blades()", "has no attribute 'GAME'"),
}


@pytest.mark.parametrize("part", LEFT_OUT)
def test_a_part_that_is_left_out_stops_the_bot_and_is_named(copy: Path, part: str) -> None:
    where, what, instead, sentence = LEFT_OUT[part]
    source = copy / where
    text = source.read_text(encoding="utf-8")
    assert text.count(what) == 1
    source.write_text(text.replace(what, instead), encoding="utf-8")
    done = started(copy)
    assert done.returncode != 0
    assert sentence in done.stderr.splitlines()[-1]


def test_the_whole_game_starts(copy: Path) -> None:
    done = started(copy)
    assert (done.returncode, done.stderr) == (0, "")


def test_rules_that_are_left_out_are_named(copy: Path) -> None:
    shutil.rmtree(copy / "rules")
    assert "rules.systems.blades" in started(copy).stderr.splitlines()[-1]


# ------------------------------------------------------------------------------------ a part done wrong


@pytest.fixture(scope="module")
def flawed(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """What the tests say of a copy in which four things are wrong: for each there is another test."""
    copied = copy_of_the_game(tmp_path_factory.mktemp("flawed"))
    for source, line in (
        (copied / PLAY, "from bot.games.infinity import GAME\n"),
        (copied / RULE, "from rules.systems.soluna import faces\n"),
    ):
        text = source.read_text(encoding="utf-8")
        source.write_text(text.replace("\nfrom ", f"\n{line}from ", 2).replace(line, "", 1), encoding="utf-8")
    text = (copied / RULE).read_text(encoding="utf-8").replace(" Rules: BL-BLOW-02.", "")
    unreached = 'def parry() -> int:\n    """Nothing."""\n    return 0\n'
    (copied / RULE).write_text(f"{text}\n\n{unreached}", encoding="utf-8")
    tests = ("test_apart", "test_systems", "test_reach")
    text = (copied / PLAY).read_text(encoding="utf-8")
    unowned = text.replace('"Who guards", mine=True, needed=True', '"Who guards", needed=True')
    (copied / PLAY).write_text(unowned, encoding="utf-8")
    files = (*(f"tests/conformance/{name}.py" for name in tests), "tests/bot/test_who_may.py")
    return run_of(*files, "-k", "blades or declares_its_owner", BLADES=str(copied))


def test_an_action_without_an_owner_is_named(flawed: Ended) -> None:
    assert flawed.returncode == 1
    assert "FAILED tests/bot/test_who_may.py::test_every_action_declares_its_owner" in flawed.stdout
    assert "blades.guard" in flawed.stdout


def test_an_import_of_another_game_is_named(flawed: Ended) -> None:
    assert "strike_play.py of blades imports bot.games.infinity.GAME" in flawed.stdout
    assert "blow.py of blades imports rules.systems.soluna.faces" in flawed.stdout


def test_a_blow_without_its_rule_items_is_named(flawed: Ended) -> None:
    assert "no ledger id in: strike" in flawed.stdout


def test_a_rule_that_nobody_reaches_is_named(flawed: Ended) -> None:
    assert "blow.parry" in flawed.stdout
