# `make play`, `make table` and `make test` set everything up first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Compiled modules are kept apart from the sources, even if the system would not write any.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/compiled

.PHONY: play table test types tests run bench faults house clean

play: $(VENV)/run.stamp
	@$(BIN)/python -m bot play $(ARGS)

table: $(VENV)/run.stamp
	@$(BIN)/python -m bot table $(ARGS)

# Leave column numbers out of compiled code, to save memory.
run: $(VENV)/run.stamp
	@PYTHONNODEBUGRANGES=1 $(BIN)/python -m bot run

test: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(MAKE) --no-print-directory -j 2 types tests

# Compile the tests once beforehand; otherwise each worker would do it for itself.
tests:
	@$(BIN)/pytest --collect-only > /dev/null 2>&1 || true
	$(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder --durations 10 $(ARGS)

types:
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/dev.stamp
	$(BIN)/python -m bench $(ARGS)

house: $(VENV)/dev.stamp
	@$(BIN)/python -m tests.house.figures

faults: $(VENV)/dev.stamp
	$(BIN)/python -m tests.faults.campaign $(ARGS)

$(VENV)/made.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 14) else "Adjutant needs Python 3.11, 3.12 or 3.13: make PYTHON=python3.12 ...")'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/run.stamp: $(VENV)/made.stamp requirements/run.txt
	@echo "Setting up (once) ..."
	@$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -r requirements/run.txt
	@touch $@

$(VENV)/dev.stamp: $(VENV)/made.stamp requirements/run.txt requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -r requirements/dev.txt
	@touch $@ $(VENV)/run.stamp

clean:
	rm -rf $(VENV) build dist *.egg-info
