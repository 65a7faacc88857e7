# The verbs of this repository. `make` alone lists them; everything happens inside $(VENV).

.POSIX:

PYTHON = python3
HOST = 127.0.0.1
PORT = 8000
VENV = .venv
TOOLS = .venv-tools

py = $(VENV)/bin/python
# Tests start many processes. Where bytecode is not kept, each one compiles the whole site again.
locally = UMAOKA_ENV=local PYTHONDONTWRITEBYTECODE=
# Tests bring their own database and never touch the one under var/.
on_sqlite = $(locally) DATABASE_URL=sqlite://:memory:
# Tests that share a world that is dear to make stay on one core (TOGETHER in tests/conftest.py).
in_parallel = --numprocesses auto
# What needs a program or minutes of its own has its own verb.
ordinary = not browser and not office and not faults
# Which lines the suite never runs: for information, not a gate. It takes two thirds more of the processor's time.
coverage = --cov clubsite --cov ratings --cov tournaments --cov-report term:skip-covered
measured =
pip = $(py) -m pip --quiet --disable-pip-version-check
# Debian's Python has venv but, without python3-venv, no pip to put into it; then its own pip puts one there.
make_venv = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	"Umaoka needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3")' && \
	if $(py) -m pip --version >/dev/null 2>&1; then :; \
	elif $(PYTHON) -c 'import ensurepip' 2>/dev/null; then $(PYTHON) -m venv --clear $(VENV); \
	else $(PYTHON) -m venv --clear --without-pip $(VENV) && $(PYTHON) -m pip --quiet --python $(py) install pip; fi
lock = $(TOOLS)/bin/uv pip compile --quiet --universal --generate-hashes --no-strip-extras --no-emit-index-url --upgrade \
	--custom-compile-command "make lock"

help:
	@echo "make run             set everything up and serve on http://$(HOST):$(PORT)/ (HOST=0.0.0.0 for the local network)"
	@echo "make test            the suite on SQLite, then migrations, lint and types"
	@echo "make coverage        the same suite, saying which lines it never ran"
	@echo "make test-browser    the suite that drives Chromium"
	@echo "make test-office     workbooks recalculated by LibreOffice: every check says OK"
	@echo "make test-postgres   the suite on a private PostgreSQL, started and removed again"
	@echo "make test-faults     crowds, kills, full disks, restarts on both engines: some minutes"
	@echo "make load            requests per second under a mixed load, as ratios measured in one run"
	@echo "make reliability     docs/reliability.md from what the last fault and load runs measured"
	@echo "make login           a new password for the user admin"
	@echo "make demo            put the demo clubs into the database"
	@echo "make lint            rules and format of Python (ruff) and of templates (djangofmt)"
	@echo "make types           mypy"
	@echo "make format          let ruff and djangofmt rewrite what they can"
	@echo "make bench           speed, as ratios measured in one run"
	@echo "make bench-seating   quality and speed of the seat schedules"
	@echo "make messages        collect new words into locale/ and compile the translations (needs gettext)"
	@echo "make lock            renew requirements.txt and requirements-dev.txt from pyproject.toml"
	@echo "make clean           remove environments and caches; the data in var/ stays"

run: $(VENV)/installed
	@$(py) manage.py start $(HOST):$(PORT)

login: $(VENV)/installed
	@$(py) manage.py migrate --verbosity 0
	@$(py) manage.py login

demo: $(VENV)/installed
	@$(py) manage.py migrate --verbosity 0
	@$(py) manage.py demo

# In this order: a red test is seen early. The rest runs when all of them pass.
test: suite migrations lint types

suite: $(VENV)/installed-dev
	$(on_sqlite) $(py) -m pytest $(in_parallel) $(measured) -m "$(ordinary)"

migrations: $(VENV)/installed-dev
	$(on_sqlite) $(py) manage.py makemigrations --check --dry-run

coverage:
	@$(MAKE) --no-print-directory test measured="$(coverage)"

test-browser: $(VENV)/installed-dev
	$(on_sqlite) $(py) -m pytest $(in_parallel) -m browser

test-office: $(VENV)/installed-dev
	$(on_sqlite) $(py) -m pytest -m office

test-postgres: $(VENV)/installed-dev
	$(locally) $(py) -m tests.with_postgres $(py) -m pytest $(in_parallel) -m "$(ordinary)"

# Brings its own PostgreSQL, Redis and nginx, and must not share the machine with itself.
test-faults: $(VENV)/installed-dev
	$(on_sqlite) $(py) -m pytest -m faults

load: $(VENV)/installed-dev
	UMAOKA_ENV=local $(py) -m tests.load

reliability: $(VENV)/installed-dev
	$(py) -m tests.faults.report

lint: $(VENV)/installed-dev
	$(py) -m ruff check
	$(py) -m ruff format --check
	$(VENV)/bin/djangofmt --check --quiet templates

types: $(VENV)/installed-dev
	$(on_sqlite) $(py) -m mypy

format: $(VENV)/installed-dev
	$(py) -m ruff check --fix
	$(py) -m ruff format
	$(VENV)/bin/djangofmt templates

bench: $(VENV)/installed-dev
	$(on_sqlite) $(py) -m tests.bench

bench-seating: $(VENV)/installed-dev
	$(on_sqlite) $(py) -m tests.bench.seating

lock: $(TOOLS)/installed
	$(lock) --output-file requirements.txt pyproject.toml
	$(lock) --group dev --output-file requirements-dev.txt pyproject.toml

messages: $(VENV)/installed
	$(on_sqlite) $(py) manage.py makemessages --locale ru --locale uk --locale pl --no-location --no-wrap --no-obsolete \
		--ignore "$(VENV)*" --ignore tests --ignore var
	$(on_sqlite) $(py) manage.py compilemessages --ignore "$(VENV)*" --verbosity 0

clean:
	rm -rf $(VENV) $(TOOLS) .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find clubsite ratings tournaments tests -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamps: a file newer than the lock means that the environment holds what the lock says.
$(VENV)/installed: requirements.txt
	@$(make_venv)
	@echo "Installing the pinned dependencies into $(VENV) ..."
	@$(pip) install --require-hashes -r requirements.txt
	@touch $@

$(VENV)/installed-dev: requirements-dev.txt
	@$(make_venv)
	@echo "Installing the pinned dependencies and the tools for tests into $(VENV) ..."
	@$(pip) install --require-hashes -r requirements-dev.txt
	@touch $@

$(TOOLS)/installed:
	$(PYTHON) -m venv --clear $(TOOLS)
	$(TOOLS)/bin/python -m pip install --quiet uv
	@touch $@

.PHONY: help run login demo test suite migrations coverage test-browser test-office test-postgres test-faults load \
	reliability lint types format bench bench-seating lock messages clean
