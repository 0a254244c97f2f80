"""Settings: every wrong one is named with what would be right; the token is told to nobody."""

from __future__ import annotations

import gc
import io
import json
import logging
from pathlib import Path

import pytest

from bot import __main__ as command_line
from bot import logs
from bot.config import TOKEN_VARIABLE, Config, ConfigError, load, read_token
from bot.table.desk import Desk
from bot.table.request import Answer, Request
from tests.bot.house import House

SECRET = "MTA5.very.secret-token"


def written(folder: Path, text: str) -> Path:
    file = folder / "config.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_all_settings_have_defaults(tmp_path: Path) -> None:
    assert load(None) == Config() == load(written(tmp_path, ""))


def test_the_example_holds_every_setting_and_its_default() -> None:
    example = Path(command_line.__file__).parents[1] / "config.example.toml"
    assert load(example) == Config()
    for name in Config.__dataclass_fields__:
        assert name == "source" or name in example.read_text(encoding="utf-8")


def test_settings_are_read(tmp_path: Path) -> None:
    given = load(
        written(tmp_path, 'database = "a.db"\nguilds = [1, 2]\npanel_minutes = 5\nlog_format = "json"')
    )
    assert given == Config(database="a.db", guilds=(1, 2), panel_minutes=5, log_format="json")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("databse = 'x'", "no setting databse"),
        ("panel_minutes = 0", "must be a number from"),
        ("panel_minutes = 60", "must be a number from"),
        ("panel_minutes = true", "must be a number from"),
        ("panel_minutes = '5'", "must be a number from"),
        ("guilds = 5", "must be a list of ids, for example"),
        ("guilds = ['5']", "must be a list of ids, for example"),
        ("guilds = [true]", "must be a list of ids, for example"),
        ("guilds = [-5]", "must be a list of ids, for example"),
        ("database = 5", "database must be text"),
        ("log_level = 'loud'", "log_level must be one of debug"),
        ("log_format = 'xml'", "log_format must be one of text, json"),
        ("database = ", "is not valid TOML"),
        ("[bot]\ndatabase = 'x'", "no setting bot"),
        (f"token = '{SECRET}'", ": remove the token from this file. Set"),
        (f"Token = '{SECRET}'", "there is no setting"),
        (f"token = {SECRET}", "is not valid TOML"),
    ],
)
def test_wrong_settings_are_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said.replace("(", r"\(")) as refusal:
        load(written(tmp_path, text))
    assert SECRET not in str(refusal.value)
    assert "config.toml" in str(refusal.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="doesn't exist"):
        load(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="can't be read"):
        load(tmp_path)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="can't be read"):
        load(binary)


def test_the_token_comes_from_the_environment_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{SECRET}\n")
    assert read_token(Config(), {TOKEN_VARIABLE: f" {SECRET}\n"}) == SECRET
    assert read_token(Config(token_file=str(file)), {}) == SECRET
    assert read_token(Config(token_file=str(file)), {TOKEN_VARIABLE: "other"}) == "other"


def test_a_missing_or_broken_token_is_explained_and_not_shown(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=TOKEN_VARIABLE):
        read_token(Config(), {})
    with pytest.raises(ConfigError, match="can't be read"):
        read_token(Config(token_file=str(tmp_path)), {})
    file = tmp_path / "token"
    file.write_text("")
    with pytest.raises(
        ConfigError,
        match="There is no token",
    ):
        read_token(Config(token_file=str(file)), {})
    for text in (f"Bot {SECRET}", f"{SECRET}\n{SECRET}"):
        file.write_text(text)
        with pytest.raises(ConfigError, match="Remove the space or line break from the token") as refusal:
            read_token(Config(token_file=str(file)), {})
        assert SECRET not in str(refusal.value)
    file.write_bytes(b"\xff\xff")
    with pytest.raises(ConfigError, match="can't be read"):
        read_token(Config(token_file=str(file)), {})


def test_the_command_line_says_what_is_wrong_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    config = str(written(tmp_path, f"database = '{tmp_path / 'none' / 'x.db'}'"))
    assert command_line.main(["--config", config, "run"]) == 1
    assert capsys.readouterr().err.startswith("There is no token for Discord. Set ")
    monkeypatch.setenv(TOKEN_VARIABLE, SECRET)
    taken = str(written(tmp_path, f"database = '{tmp_path}'"))
    assert command_line.main(["--config", taken, "run"]) == 1
    assert SECRET not in capsys.readouterr().err
    assert gc.isenabled(), "a start that fails leaves the collector as it was"
    config = str(written(tmp_path, f"database = '{tmp_path / 'none' / 'x.db'}'"))
    assert command_line.main(["--config", config, "doctor"]) == 1
    assert "no database at" in capsys.readouterr().err
    assert command_line.main(["--config", str(tmp_path / "none.toml"), "migrate"]) == 1
    assert "none.toml doesn't exist" in capsys.readouterr().err
    assert command_line.main(["--config", config, "migrate"]) == 0
    assert "was set up at revision" in capsys.readouterr().out
    assert command_line.main(["--config", config, "migrate"]) == 0
    assert "already" in capsys.readouterr().out
    assert command_line.main(["--config", config, "doctor"]) == 0
    assert "Everything agrees with the journals." in capsys.readouterr().out
    assert command_line.main(["--config", config, "backup", str(tmp_path / "copy.db")]) == 0
    assert (tmp_path / "copy.db").exists()
    assert command_line.main(["--config", config, "verify", str(tmp_path / "copy.db")]) == 1
    assert command_line.main(["--config", config, "verify", str(tmp_path / "none.json")]) == 1
    assert "Traceback" not in capsys.readouterr().err
    assert command_line.main(["--config", config, "play", "--json"]) == 2


def record(**more: object) -> logging.LogRecord:
    made = logging.makeLogRecord(
        {"name": "bot", "levelno": 30, "levelname": "WARNING", "msg": "it is %s", **more}
    )
    made.args = ("so",)
    return made


def test_logs_are_lines_of_text_or_json() -> None:
    line = json.loads(logs.JsonLines().format(record(scope=7, error=ValueError("x"))))
    assert {
        "level": "warning",
        "logger": "bot",
        "message": "it is so",
        "scope": 7,
        "error": "x",
    }.items() <= line.items()
    assert logs.TextLines().format(record(scope=7)).endswith("warning it is so scope=7")


def test_what_a_player_typed_makes_no_line_of_its_own() -> None:
    forged = logs.TextLines().format(record(error="x\n12:00:00 error all is lost"))
    assert len(forged.splitlines()) == 1


async def test_the_token_is_in_no_log_of_a_whole_session(file: Path) -> None:
    stream = io.StringIO()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logs.set_up("debug", "json", stream)
    try:
        async with House.open(file) as house:
            await house.slash("demo")
            house.server.gateway.abort()
            await house.slash("encounter next")
            token = house.server.token
            loaded = await house.desk.store.load(1)
            assert loaded is not None
            seed = loaded.seed.hex()
            interactions = [one.token for one in house.server.interactions._by_id.values()]
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    assert "ready" in stream.getvalue()
    assert token not in stream.getvalue()
    assert seed not in stream.getvalue()
    assert interactions
    assert not any(secret in stream.getvalue() for secret in interactions)


async def test_what_is_logged_meanwhile_names_the_interaction(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command, a button and a form: whatever logs while they are answered says which of them it was."""
    stream = io.StringIO()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logs.set_up("info", "json", stream)
    perform = Desk.perform

    async def logged(desk: Desk, request: Request) -> Answer:
        logging.getLogger("bot").info("asked", extra={"meant": request.interaction})
        return await perform(desk, request)

    monkeypatch.setattr(Desk, "perform", logged)
    try:
        async with House.open(file) as house:
            start = await house.slash("demo")
            await house.press(start, "Begin")
            asked = await house.anna.press(await house.panel(), "More...")
            await asked.message()
            lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    told = [(line["interaction"], line["meant"]) for line in lines if line["message"] == "asked"]
    assert len({meant for _, meant in told}) == 3
    assert all(named == meant for named, meant in told)
