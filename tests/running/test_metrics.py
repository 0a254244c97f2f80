"""Metrics as Prometheus fetches them, and logs that carry the interaction: never a name, never a secret."""

from __future__ import annotations

import ast
import asyncio
import io
import json
import logging
import re
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from typing import get_args

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot import logs, meter, programs
from bot.config import Config, ConfigError, load
from bot.error_guard import guard_errors
from bot.local.faults import ANSWERS, Trouble
from bot.metrics import Metrics, served
from bot.store.errors import Lost
from bot.table.desk import Desk
from tests.bot.house import House, read
from tests.source import ROOT, about


@pytest.fixture
async def house(file: Path) -> AsyncIterator[House]:
    async with House.open(file) as house:
        yield house


@pytest.fixture
def metrics(file: Path) -> Iterator[Metrics]:
    with served("127.0.0.1", 0, file) as metrics:
        yield metrics


async def scraped(metrics: Metrics) -> str:
    url = f"http://127.0.0.1:{metrics.port}/metrics"
    reply = await asyncio.to_thread(urllib.request.urlopen, url)
    return bytes(reply.read()).decode()


def samples(text: str) -> dict[tuple[str, ...], float]:
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_what_happens_is_counted_and_names_nobody(
    metrics: Metrics, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    metrics.watch(house.client)
    await house.slash("demo")
    await house.slash("crew create", name="The Unspeakable")
    await house.slash("undo", who=house.bo)
    with monkeypatch.context() as patch:

        async def fails(*_: object) -> None:
            raise RuntimeError("secret words of Anna")

        patch.setattr(Desk, "perform", fails)
        await house.slash("log")
    await house.quiet()
    text = await scraped(metrics)
    found = samples(text)
    assert found["adjutant_commands_total", "demo", "done"] == 1
    assert found["adjutant_commands_total", "undo", "refused"] == 1
    assert sum(value for key, value in found.items() if key[0] == "adjutant_refusals_total") == 1
    assert found["adjutant_faults_total", "answering"] == 1
    assert found[("adjutant_answer_seconds_count",)] == 4
    assert found[("adjutant_commit_seconds_count",)] == 2
    assert found[("adjutant_commits_waiting",)] == 0
    assert found[("adjutant_interactions_under_way",)] == 0
    assert found[("adjutant_servers",)] == 1
    assert found[("adjutant_connected",)] == 1
    assert found[("adjutant_shards",)] <= 1
    assert found[("adjutant_database_bytes",)] > 100_000
    assert found[("process_resident_memory_bytes",)] > 0
    loaded = await house.desk.store.load(1)
    assert loaded is not None
    secrets = (
        loaded.seed.hex(), house.server.token, "Anna", "Bo", "Unspeakable", "Cellar", "secret words",
        str(house.anna.user.id), str(loaded.scope.guild_id), str(loaded.scope.channel_id),
    )  # fmt: skip
    assert [secret for secret in secrets if secret in text] == []


async def test_what_the_docs_name_is_there_from_the_start(metrics: Metrics) -> None:
    """A counter that appears with its first fault does not increase: nobody would be woken."""
    found = samples(await scraped(metrics))
    docs = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\badjutant_\w+", docs))
    assert len(named) >= 4
    assert named <= {key[0] for key in found}
    kinds = {key[1]: value for key, value in found.items() if key[0] == "adjutant_faults_total"}
    assert kinds == dict.fromkeys(get_args(meter.Where), 0.0)


def test_every_fault_that_is_logged_is_counted() -> None:
    uncounted = [
        f"{file.name}:{handler.lineno}"
        for file, source in about(r"log\.exception\(", ROOT / "bot").items()
        for handler in source.every(ast.ExceptHandler)
        if "log.exception(" in ast.unparse(handler) and "failed(" not in ast.unparse(handler)
    ]
    assert uncounted == []


async def test_a_database_that_is_away_is_no_fault_of_the_program(
    metrics: Metrics, caplog: pytest.LogCaptureFixture
) -> None:
    log = logging.getLogger("bot.test")
    with guard_errors(log, "reminding", "could not send reminders"):
        raise Lost
    with guard_errors(log, "reminding", "could not send reminders", guild=7):
        raise RuntimeError
    assert [one.levelname for one in caplog.records] == ["WARNING", "ERROR"]
    assert samples(await scraped(metrics))["adjutant_faults_total", "reminding"] == 1


async def test_they_are_off_by_default_and_bound_to_this_machine(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (Config().metrics_port, Config().metrics_host) == (0, "127.0.0.1")
    assert meter.listener() is None
    await house.slash("demo")
    with programs._metrics(Config()) as watched:
        assert watched(house.client) is house.client
        assert meter.listener() is None


def test_they_are_served_where_they_are_bound_and_nowhere_else() -> None:
    """Another address of this machine stands for the network."""
    with served("127.0.0.1", 0, None) as metrics:
        with socket.create_connection(("127.0.0.1", metrics.port), timeout=5):
            pass
        with pytest.raises(ConnectionError):
            socket.create_connection(("127.0.0.2", metrics.port), timeout=5)


def test_what_keeps_them_from_being_served_is_told(
    metrics: Metrics, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=f"can't be served at 127.0.0.1:{metrics.port}"):
        served("127.0.0.1", metrics.port, None).__enter__()
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(
        ConfigError,
        match="Install the package for metrics",
    ):
        Metrics()
    file = tmp_path / "config.toml"
    file.write_text("metrics_port = 70000")
    with pytest.raises(ConfigError, match="must be a number from"):
        load(file)


def test_nobody_who_does_without_loads_the_library() -> None:
    program = (
        "import sys, bot.programs, bot.app; sys.exit(bool({'prometheus_client', 'tqdm'} & {*sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


async def test_a_fault_of_the_database_tells_no_names_and_no_words(
    house: House, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What a statement was given would stand in the words of its fault."""
    await house.slash("demo")
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TRIGGER no BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'no'); END")
    told = await house.slash("crew create", name="Unspeakable")
    assert told.content.startswith("Something went wrong")
    await house.quiet()
    logged = "\n".join(logs.JsonLines().format(one) for one in caplog.records)
    assert "INSERT INTO journal" in logged
    assert [word for word in ("parameters: ", "Unspe", "Anna", "manages") if word in logged] == []


def test_every_engine_hides_what_statements_are_given() -> None:
    made = [
        (file.name, call)
        for file, source in about(r"create_(async_)?engine\(", ROOT / "bot").items()
        for call in map(ast.unparse, source.every(ast.Call))
        if re.match(r"create_(async_)?engine\(", call)
    ]
    assert len(made) >= 4
    assert [one for one in made if "hide_parameters=True" not in one[1]] == []


async def test_every_line_of_an_answer_carries_its_interaction(house: House) -> None:
    stream = io.StringIO()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logs.set_up("info", "json", stream)
    try:
        await house.slash("demo")
        house.server.faults.arm(Trouble.DROP_BEFORE, ANSWERS)
        outcome = await house.typed("log")
        read(await outcome.message())
        await house.quiet()
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    answered = [line for line in lines if line["message"] == "answered"]
    assert [(line["command"], line["outcome"]) for line in answered] == [("demo", "done"), ("log", "shown")]
    assert answered[1]["interaction"] == outcome.interaction_id
    assert len({line["interaction"] for line in answered}) == 2
    lost = next(line for line in lines if line["message"] == "could not send the answer")
    assert lost["interaction"] == outcome.interaction_id
    assert "Anna" not in stream.getvalue()
