"""The command line. The health check runs every half minute, so it loads nothing else."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from bot.arguments import FAULT, STOPPED, UNREAD, build_parser
from bot.config import Config, ConfigError, load, with_environment
from bot.health import is_alive
from bot.store.errors import StoreError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    namespace = build_parser().parse_args(arguments)
    try:
        config = with_environment(load(_config_path(namespace.config)))
        if namespace.command == "health":
            return _health(config)
        if namespace.command == "table":  # what follows takes seconds to load
            print("Opening the table. The address and a code for phones will appear in a moment.", flush=True)
        from bot.programs import carry_out

        status = carry_out(namespace, config)
        sys.stdout.flush()
        return status
    except (ConfigError, StoreError) as error:
        print(error, file=sys.stderr)
        return FAULT
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:  # the reader has closed the pipe, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD


def _config_path(path: Path | None) -> Path | None:
    if path is not None:
        return path
    usual = Path("config.toml")
    return usual if usual.exists() else None


def _health(config: Config) -> int:
    if not config.health_file:
        print("Set health_file in the settings to check whether the bot is running.", file=sys.stderr)
    return 0 if is_alive(config.health_file) else FAULT


if __name__ == "__main__":
    sys.exit(main())
