# A small image that contains only the bot, runs as an unprivileged user and keeps its data in a volume.
# Python 3.13.14 on Debian trixie, by the digest of its multi-platform index.
FROM python:3.13-slim@sha256:6771159cd4fa5d9bba1258caf0b82e6b73458c694d178ad97c5e925c2d0e1a91 AS build
COPY requirements/run.txt /tmp/run.txt
RUN python -m venv /opt/adjutant && /opt/adjutant/bin/pip install --no-cache-dir --disable-pip-version-check -r /tmp/run.txt

FROM python:3.13-slim@sha256:6771159cd4fa5d9bba1258caf0b82e6b73458c694d178ad97c5e925c2d0e1a91
ENV PATH=/opt/adjutant/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PYTHONNODEBUGRANGES=1
RUN useradd --uid 10001 --no-create-home --home-dir /data adjutant && install -d -o adjutant /data /backups
COPY --from=build /opt/adjutant /opt/adjutant
COPY rules /app/rules
COPY migrations /app/migrations
COPY bot /app/bot
WORKDIR /app
RUN python -m compileall -q /app
RUN printf 'database = "/data/adjutant.db"\nlog_format = "json"\nhealth_file = "/tmp/alive"\n' > config.toml
USER adjutant
VOLUME /data
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["python", "-m", "bot", "health"]
CMD ["python", "-m", "bot", "run"]
