"""The settings of one bot: from a TOML file and the environment, checked, then frozen.

The token is never in the file: it comes from the environment, or from a file that the settings name.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

TOKEN_VARIABLE = "ADJUTANT_TOKEN"  # noqa: S105  the variable's name, not a token


BOUNDS = {
    "panel_minutes": (1, 59),
    "metrics_port": (0, 65_535),
    "forget_servers_days": (0, 3650),
    "forget_people_days": (0, 3650),
    "forget_copies_days": (0, 3650),
    "shards": (0, 1_000_000),
}
"""The least and the most of each setting that is a number."""

LIST_BOUNDS = {"guilds": (1, "[123456789012345678]"), "shard_ids": (0, "[0, 1]")}
"""The least of each setting that is a list of numbers, and an example."""

DATABASE_VARIABLE = "ADJUTANT_DATABASE"
"""Overrides the setting `database`, whose URL may contain a password."""


class ConfigError(Exception):
    """A setting is wrong or missing; the message says which, and what would be right."""


@dataclass(frozen=True, slots=True)
class Config:
    """All settings, each with a working default. `config.example.toml` explains them one by one."""

    database: str = "adjutant.db"
    token_file: str = ""
    guilds: tuple[int, ...] = ()
    log_level: str = "info"
    log_format: str = "text"
    health_file: str = ""
    panel_minutes: int = 50
    metrics_port: int = 0
    metrics_host: str = "127.0.0.1"
    forget_servers_days: int = 30
    forget_people_days: int = 0
    forget_copies_days: int = 30
    shards: int = 1
    shard_ids: tuple[int, ...] = ()
    source: str = field(default="", compare=False)


def load(path: Path | None) -> Config:
    """Return the settings in a TOML file; all defaults without one. Raises ConfigError."""
    if path is None:
        return Config()
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"Copy config.example.toml to {path}, because {path} doesn't exist.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} can't be read: {error}.") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}.") from None
    return _check_values(values, path)


def with_environment(config: Config, environment: Mapping[str, str] = os.environ) -> Config:
    """Return the settings, with the database that the environment names."""
    url = environment.get(DATABASE_VARIABLE, "").strip()
    return replace(config, database=url) if url else config


def _check_values(values: Mapping[str, Any], path: Path) -> Config:
    kinds = {part.name: part.type for part in fields(Config) if part.name != "source"}
    if "token" in values:
        raise ConfigError(
            f"{path}: remove the token from this file. Set {TOKEN_VARIABLE} or token_file instead."
        )
    unknown = sorted(set(values) - set(kinds))
    if unknown:
        raise ConfigError(f"{path}: there is no setting {unknown[0]}. You can use {', '.join(kinds)}.")
    settings: dict[str, Any] = {}
    for name, value in values.items():
        kind = kinds[name]
        if kind == "tuple[int, ...]":
            least, example = LIST_BOUNDS[name]
            if not isinstance(value, list) or not all(type(item) is int and item >= least for item in value):
                raise ConfigError(f"{path}: {name} must be a list of ids, for example {example}.")
            settings[name] = tuple(value)
        elif kind == "int":
            least, highest = BOUNDS[name]
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= highest:
                raise ConfigError(f"{path}: {name} must be a number from {least} to {highest}.")
            settings[name] = value
        elif not isinstance(value, str):
            raise ConfigError(f"{path}: {name} must be text in quotes.")
        else:
            settings[name] = value
    config = Config(**settings, source=str(path))
    _check_shards(path, config)
    _require_one_of(path, "log_level", config.log_level, ("debug", "info", "warning", "error"))
    _require_one_of(path, "log_format", config.log_format, ("text", "json"))
    return config


def _check_shards(path: Path, config: Config) -> None:
    """Require different shard ids below the number of shards. Raises ConfigError."""
    shard_ids = config.shard_ids
    if len(set(shard_ids)) != len(shard_ids) or any(number >= config.shards for number in shard_ids):
        advice = f"different numbers from 0 to {config.shards - 1}" if config.shards else "empty"
        raise ConfigError(f"{path}: shard_ids must be {advice}, because shards is set to {config.shards}.")


def _require_one_of(path: Path, name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ConfigError(f"{path}: {name} must be one of {', '.join(choices)}.")


def read_token(config: Config, environment: Mapping[str, str] = os.environ) -> str:
    """Return the token. Raises ConfigError, which never contains it."""
    text = environment.get(TOKEN_VARIABLE, "").strip()
    if not text and config.token_file:
        try:
            text = Path(config.token_file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            raise ConfigError(f"The token file {config.token_file} can't be read.") from None
    if not text:
        raise ConfigError(
            f"There is no token for Discord. Set {TOKEN_VARIABLE} in the environment or token_file in the "
            "settings. To play without Discord, use python -m bot play."
        )
    if any(letter.isspace() for letter in text):
        raise ConfigError("Remove the space or line break from the token.")
    return text
