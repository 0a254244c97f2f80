"""The files by which the bot is run: compose, systemd, container."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot import __main__ as command_line
from bot.config import DATABASE_VARIABLE, TOKEN_VARIABLE, Config, load, with_environment
from bot.version import NUMBER

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted([*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")])
ANALYSE = shutil.which("systemd-analyze")


def bot_commands(text: str) -> list[list[str]]:
    """Every call of the program in a text, as words."""
    found = re.findall(r"python3? -m bot((?: [^\s`;|&)]+)*)", text)
    return [words.split() for words in found]


A_DAY = ("python -m bot backup --keep 7 /backups", "sleep 86400")


def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8")))


def test_compose_has_the_bot_alone_and_with_postgresql() -> None:
    services = compose()["services"]
    always = {name for name, service in services.items() if "profiles" not in service}
    assert always == {"bot", "backup"}
    assert services["postgres"]["profiles"] == ["postgres"]
    bot = services["bot"]
    assert bot["depends_on"]["postgres"] == {"condition": "service_healthy", "required": False}
    assert set(bot["environment"]) == {TOKEN_VARIABLE, DATABASE_VARIABLE}
    for name in always:
        service = services[name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["restart"] == "unless-stopped"
        assert "ports" not in service
    named = {volume.split(":")[0] for service in services.values() for volume in service.get("volumes", ())}
    assert named == set(compose()["volumes"])


def test_the_container_keeps_what_compose_mounts_and_its_settings_are_ours(tmp_path: Path) -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    (settings,) = re.findall(r"printf '(.*)' > config.toml", text)
    file = tmp_path / "config.toml"
    file.write_text(settings.replace("\\n", "\n"))
    config = load(file)
    assert config.database == "/data/adjutant.db"
    assert "VOLUME /data\n" in text
    assert "install -d -o adjutant /data /backups\n" in text
    assert compose()["services"]["backup"]["environment"][DATABASE_VARIABLE] == config.database
    for volume in ("adjutant:/data", "backups:/backups"):
        assert volume in compose()["services"]["backup"]["volumes"]


@pytest.mark.parametrize(
    ("backup", "done"),
    [
        ("yes", ["python -m bot backup --keep 7 /backups", "sleep 300"] + 2 * [*A_DAY]),
        ("no", ["sleep infinity"]),
    ],
)
def test_a_backup_a_day_is_made_beside_the_bot_and_seven_stay(
    backup: str, done: list[str], tmp_path: Path
) -> None:
    """Its loop as the shell runs it: the first start finds no database yet; PostgreSQL is not copied so."""
    service = compose()["services"]["backup"]
    assert service["network_mode"] == "none"
    assert service["environment"]["BACKUP"] == "${BACKUP:-yes}"
    log, waits = tmp_path / "log", shutil.which("sleep")
    stubs = {
        "python": f'echo python "$@" >> {log}; [ $(wc -l < {log}) -gt 1 ]',
        "sleep": f'echo sleep "$@" >> {log}; [ $(wc -l < {log}) -lt {len(done)} ] || exec {waits} 60',
    }
    for name, does in stubs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    *shell, script = service["command"]
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "BACKUP": backup}
    with subprocess.Popen(
        [*shell, script.replace("$$", "$")], env=environment, start_new_session=True
    ) as running:
        try:
            for _ in range(1000):
                said = log.read_text().splitlines() if log.exists() else []
                if len(said) >= len(done) or running.poll() is not None:
                    break
                time.sleep(0.01)
        finally:
            os.killpg(running.pid, signal.SIGKILL)
    assert said == done


def test_what_is_told_of_compose_is_in_it() -> None:
    """The settings that its head names are read; the commands of the docs name services that are there."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    head, _, body = text.partition("\nx-hardened")
    told = set(re.findall(r"^#   ([A-Z_]+)=", head, re.MULTILINE)) - {"COMPOSE_PROFILES"}
    assert told >= {DATABASE_VARIABLE, "POSTGRES_PASSWORD", "BACKUP"}
    assert told | {TOKEN_VARIABLE} == set(re.findall(r"(?<!\$)\$\{(\w+)", body))
    docs = (ROOT / "docs" / "running.md").read_text(encoding="utf-8") + text
    named = re.findall(r"docker compose (?:run --rm|exec -T|stop|start|logs -f) (\S+)", docs)
    assert len(named) > 5
    assert set(named) <= set(compose()["services"])


@pytest.mark.parametrize(
    "file",
    [ROOT / "compose.yaml", *UNITS, ROOT / "Dockerfile", ROOT / "README.md", ROOT / "docs" / "running.md"],
    ids=lambda path: path.name,
)
def test_every_call_of_the_program_is_one_it_takes(file: Path) -> None:
    for words in bot_commands(file.read_text(encoding="utf-8")):
        given = ["x" if word.startswith(("...", "$")) or word.isupper() else word for word in words]
        while given and given[0] == "--config":
            given = given[2:]
        if given:
            command_line.build_parser().parse_args(given)


def test_the_package_the_program_and_the_changelog_are_of_one_version() -> None:
    package = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (newest, *_) = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert package["version"] == NUMBER == newest


def test_the_database_is_named_by_the_environment() -> None:
    assert with_environment(Config(), {}) == Config()
    assert with_environment(Config(), {DATABASE_VARIABLE: " x.db "}).database == "x.db"


def test_the_units_settings_are_read() -> None:
    config = load(DEPLOY / "config.toml")
    assert config.log_format == "json"
    unit = (DEPLOY / "adjutant.service").read_text(encoding="utf-8")
    assert config.token_file == "/run/credentials/adjutant.service/token"
    assert "LoadCredential=token:" in unit
    assert "StateDirectory=adjutant\n" in unit
    assert config.database.startswith("/var/lib/adjutant/")


@pytest.mark.parametrize("name", ["adjutant.service", "adjutant-backup.service"])
def test_the_units_run_as_the_bots_own_user_and_write_into_its_own_folder(name: str) -> None:
    unit = (DEPLOY / name).read_text(encoding="utf-8")
    for line in ("User=adjutant", "Group=adjutant", "StateDirectory=adjutant", "StateDirectoryMode=0700"):
        assert f"\n{line}\n" in unit


def test_systemd_makes_a_backup_a_day_and_seven_stay() -> None:
    unit = (DEPLOY / "adjutant-backup.service").read_text(encoding="utf-8")
    assert "bot --config /etc/adjutant/config.toml backup --keep 7 /var/lib/adjutant/backups\n" in unit
    timer = (DEPLOY / "adjutant-backup.timer").read_text(encoding="utf-8")
    assert re.search(r"^OnCalendar=\*-\*-\* \d\d:\d\d$", timer, re.MULTILINE)
    assert "\nPersistent=true\n" in timer


@pytest.mark.skipif(ANALYSE is None, reason="systemd-analyze is not on this machine")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        text = unit.read_text(encoding="utf-8").replace("/opt/adjutant/.venv/bin/python", sys.executable)
        (tmp_path / unit.name).write_text(
            text.replace("Documentation=file:/opt/adjutant", "Documentation=file:")
        )
    assert ANALYSE is not None
    done = subprocess.run(
        [ANALYSE, "verify", "--man=no", *sorted(str(path) for path in tmp_path.iterdir())],
        capture_output=True,
        text=True,
        check=False,
    )
    ours = [line for line in done.stderr.splitlines() if "adjutant" in line]
    assert ours == []


@pytest.mark.skipif(ANALYSE is None, reason="systemd-analyze is not on this machine")
@pytest.mark.parametrize("name", ["adjutant.service", "adjutant-backup.service"])
def test_the_units_are_hardened(name: str) -> None:
    assert ANALYSE is not None
    done = subprocess.run(
        [ANALYSE, "security", "--offline=true", "--no-pager", str(DEPLOY / name)],
        capture_output=True,
        text=True,
        check=False,
    )
    level = re.search(r"Overall exposure level for .*: ([\d.]+)", done.stdout)
    if level is None:
        pytest.skip(f"systemd-analyze tells no level here: {done.stderr.strip()[:100]}")
    assert float(level[1]) < 2.5


@pytest.mark.parametrize("name", ["run", "dev"])
def test_every_dependency_is_pinned_by_hash(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").replace("\\\n", "")
    pins = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert len(pins) > 25
    assert [pin for pin in pins if "==" not in pin or "--hash=sha256:" not in pin] == []


def test_the_base_image_is_pinned_by_digest() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    images = re.findall(r"^FROM (\S+)", text, flags=re.MULTILINE)
    assert images
    assert all(re.search(r"@sha256:[0-9a-f]{64}$", image) for image in images)
