# `make play`, `make table` and `make test` set everything up first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: play table test run bench faults check clean

play: $(VENV)/run.stamp
	@$(BIN)/python -m bot play $(ARGS)

table: $(VENV)/run.stamp
	@$(BIN)/python -m bot table $(ARGS)

run: $(VENV)/run.stamp
	@$(BIN)/python -m bot run

test: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder $(ARGS)

bench: $(VENV)/dev.stamp
	$(BIN)/python -m bench $(ARGS)

faults: $(VENV)/dev.stamp
	$(BIN)/python -m tests.faults.campaign $(ARGS)

$(VENV)/made.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 14) else "Adjutant needs Python 3.11, 3.12 or 3.13: make PYTHON=python3.12 ...")'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/run.stamp: $(VENV)/made.stamp requirements/run.txt
	@echo "Setting up (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/run.txt
	@touch $@

$(VENV)/dev.stamp: $(VENV)/made.stamp requirements/run.txt requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	@touch $@ $(VENV)/run.stamp

clean:
	rm -rf $(VENV) build dist *.egg-info
