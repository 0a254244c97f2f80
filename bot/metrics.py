"""Metrics for Prometheus, by its own client library: served over HTTP where the settings name a port.

Labels are names of commands and kinds of refusals alone: no person, no channel, no server, nothing that was
typed or rolled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, get_args

import discord

from bot import meter
from bot.config import ConfigError
from bot.meter import Outcome, Where

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0)
"""Bounds of the histograms: Discord takes an answer for three seconds."""

MISSING = 'Install the package for metrics (pip install "prometheus-client"), or set metrics_port = 0.'


class Metrics:
    """The counters, and the values that are looked up on request. Raises ConfigError without the package."""

    def __init__(self) -> None:
        try:
            import prometheus_client as prometheus
        except ImportError:
            raise ConfigError(MISSING) from None
        self.registry = prometheus.CollectorRegistry()
        options: dict[str, Any] = {"registry": self.registry, "namespace": "adjutant"}
        self._commands = prometheus.Counter(
            "commands", "Actions that were answered.", ("command", "outcome"), **options
        )
        self._seconds = prometheus.Histogram(
            "answer_seconds", "Time from an interaction to its answer.", buckets=SECONDS, **options
        )
        self._by_command = prometheus.Summary(
            "command_seconds", "Time from an interaction to its answer, by command.", ("command",), **options
        )
        self._refusals = prometheus.Counter("refusals", "Actions that were refused.", ("kind",), **options)
        self._faults = prometheus.Counter("faults", "Errors in the program.", ("where",), **options)
        for where in get_args(Where):
            self._faults.labels(where)  # there from the start: the first fault of its kind is an increase too
        self._lost = prometheus.Counter("answers_lost", "Answers that did not arrive.", **options)
        self._writing = prometheus.Gauge("commits_waiting", "Commits waiting or being written.", **options)
        self._wrote = prometheus.Histogram(
            "commit_seconds", "Time from asking for a commit until it is written.", buckets=SECONDS, **options
        )
        self._unwritten = prometheus.Counter("commits_failed", "Commits that failed.", ("kind",), **options)
        self._gauge: Callable[..., Any] = lambda name, words: prometheus.Gauge(name, words, **options)
        self._shards = prometheus.Gauge(
            "shard_latency_seconds", "Time from a heartbeat to its acknowledgement.", ("shard",), **options
        )
        self._client: discord.Client | None = None
        self.port = 0
        self._look_up()
        prometheus.ProcessCollector(registry=self.registry)
        prometheus.PlatformCollector(registry=self.registry)
        prometheus.GCCollector(registry=self.registry)

    def _look_up(self) -> None:
        """What is asked of the client and of the disk when it is scraped."""
        self._gauge("interactions_under_way", "Interactions being answered.").set_function(
            lambda: len(getattr(self._client, "under_way", ()))
        )
        self._gauge("servers", "Servers that the bot is in.").set_function(
            lambda: len(self._client.guilds) if self._client else 0
        )
        self._gauge("connected", "1 while the gateway is connected and ready, otherwise 0.").set_function(
            lambda: float(bool(self._client and self._client.is_ready() and not self._client.is_closed()))
        )
        self._gauge("shards", "Shards of this process.").set_function(lambda: len(self._latencies()))

    def watch(self, client: discord.Client) -> None:
        """Look things up at this client from now on."""
        self._client = client
        self._shards.clear()

    def _latencies(self) -> list[tuple[int, float]]:
        """Return the latency of each shard, as far as it is known."""
        if self._client is None:
            return []
        latencies = getattr(self._client, "latencies", None) or [
            (self._client.shard_id or 0, self._client.latency)
        ]
        return [(number, seconds) for number, seconds in latencies if math.isfinite(seconds)]

    def database(self, file: Path | None) -> None:
        """Report the size of the database's file and of its write-ahead log."""
        if file is None:
            return

        def size() -> int:
            total = 0
            for end in ("", "-wal"):
                with suppress(OSError):
                    total += file.with_name(file.name + end).stat().st_size
            return total

        self._gauge("database_bytes", "Size of the database.").set_function(size)

    # ------------------------------------------------------------------------------------ what is told

    def answered(self, command: str, outcome: Outcome, refusal: str, seconds: float) -> None:
        """See `Listener`."""
        self._commands.labels(command, outcome).inc()
        self._seconds.observe(seconds)
        self._by_command.labels(command).observe(seconds)
        if refusal:
            self._refusals.labels(refusal).inc()

    def fault(self, where: Where) -> None:
        """See `Listener`."""
        self._faults.labels(where).inc()

    def lost(self) -> None:
        """See `Listener`."""
        self._lost.inc()

    def writing(self, change: int) -> None:
        """See `Listener`."""
        self._writing.inc(change)

    def wrote(self, seconds: float, error: str) -> None:
        """See `Listener`."""
        self._wrote.observe(seconds)
        if error:
            self._unwritten.labels(error).inc()

    def before_scrape(self) -> None:
        """Update the values that have no function of their own."""
        for number, seconds in self._latencies():
            self._shards.labels(str(number)).set(seconds)


@contextmanager
def served(host: str, port: int, file: Path | None) -> Iterator[Metrics]:
    """Count, and serve what is counted. Raises ConfigError where that is impossible."""
    metrics = Metrics()
    metrics.database(file)
    from prometheus_client import start_http_server
    from prometheus_client.registry import CollectorRegistry

    class Fresh(CollectorRegistry):
        """The registry, brought up to date by who asks."""

        def collect(self) -> Any:
            """See CollectorRegistry."""
            metrics.before_scrape()
            return metrics.registry.collect()

        def restricted_registry(self, names: Any) -> Any:
            """See CollectorRegistry."""
            metrics.before_scrape()
            return metrics.registry.restricted_registry(names)

    try:
        server, thread = start_http_server(port, addr=host, registry=Fresh())
    except OSError as error:
        raise ConfigError(f"Metrics can't be served at {host}:{port}: {error.strerror}.") from None
    meter.listen(metrics)
    metrics.port = server.server_port
    try:
        yield metrics
    finally:
        meter.listen(None)
        server.shutdown()
        server.server_close()
        thread.join()
