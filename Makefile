# make verify    the main job: judge every registered claim at the quick level       ARGS="PATTERN --level standard --json FILE"
# make test      all tests, on two workers                                           ARGS="-k laplace"
# make lint      ruff, mypy (strict), import contracts
# make bench     time, memory and growth, beside plain versions and other libraries  ARGS="lin_ucb --compare", ARGS=growth, ARGS=--help
# make deep      the heavy evidence: tests of audits, papers and theory at full scale; deleting papers
# make mutants   plant mistakes into algorithms/, say which audit notices each (hours)  ARGS="--only 'algorithms/mechanisms/*' --minutes 30"
# make findings  write docs/findings again                                           ARGS=wu_2023
# make api       write docs/reference/api.md again
# make proofs    search for the proofs of all lines again (minutes), keep them       ARGS=wu_2023
# make lock      resolve the dependencies again (keeps pins; UPGRADE=--upgrade moves them)
# make clean     remove .venv and everything that was built
#
# Each of the first five sets up .venv when it is missing or older than its lock file. PYTHON=python3.13 chooses the interpreter;
# without it: the one that made .venv, else python3, else 3.13, 3.12, 3.11, whichever is first to fit.

MAKEFLAGS += --no-print-directory
# Matrices here are small: threads of a linear algebra library's own only cost time.
export OPENBLAS_NUM_THREADS := 1
VENV := .venv
ARGS ?=
UPGRADE ?=

# A name that pyenv knows but has not selected is looked up in its versions.
ifdef PYTHON
CANDIDATES := "$(PYTHON)" "$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/*/bin/"$(PYTHON)"
else
CANDIDATES := $(VENV)/bin/python python3 python3.13 python3.12 python3.11
endif
PROBE := import os, sys; v = sys.version_info; (3, 11) <= v < (3, 14) and print("py%d%d" % v[:2], os.path.realpath(sys.executable))
FOUND := $(shell for p in $(CANDIDATES); do f=$$("$$p" -c '$(PROBE)' 2>/dev/null); if [ -n "$$f" ]; then echo "$$f"; break; fi; done)
TAG := $(firstword $(FOUND))
INTERPRETER := $(wordlist 2,99,$(FOUND))
STAMP := $(VENV)/$(or $(TAG),none).stamp
PEERS := .cache/peers/$(TAG).stamp
SAME := import sys; sys.exit("py%d%d" % sys.version_info[:2] != "$(TAG)")

.PHONY: setup verify test lint bench deep mutants findings api proofs lock clean

setup: $(STAMP)

verify: $(STAMP)
	@$(VENV)/bin/banditproof verify $(ARGS)

test: $(STAMP)
	@$(VENV)/bin/python -m pytest -q -n 2 --dist worksteal $(ARGS)

lint: $(STAMP)
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports --no-cache

bench: $(STAMP) $(PEERS)
	@PYTHONPATH=src $(VENV)/bin/python -m benchmarks $(ARGS)

deep: $(STAMP)
	@$(VENV)/bin/python -m pytest -q -n 2 --dist worksteal --deep tests/audits tests/papers tests/repository tests/theory $(ARGS)

mutants: $(STAMP)
	@PYTHONPATH=src $(VENV)/bin/python -m tests.support.mutants --jobs 2 $(ARGS)

findings: $(STAMP)
	@$(VENV)/bin/banditproof theory findings $(ARGS) --folder docs/findings

api: $(STAMP)
	@$(VENV)/bin/python -m banditproof.audits.reporting.reference docs/reference/api.md

proofs: $(STAMP)
	@$(VENV)/bin/banditproof theory proofs $(ARGS) --write

$(VENV)/none.stamp:
	@echo "banditproof needs Python 3.11, 3.12 or 3.13, and $(or $(PYTHON),python3) is none of them (name one: make test PYTHON=/path/to/python3.13)" >&2
	@exit 1

# uv from a hashed wheel fills the environment in seconds; where uv has no wheel or gets no connection (it looks for certificates in the
# system's store, then in its own), pip installs the same files in minutes.
# Bytecode is compiled here, ours too, because PYTHONDONTWRITEBYTECODE would make every later start pay for it; that of others' tests, a
# third of it, nobody needs. What is no Python, but is called so, is passed over.
SYNC = $(VENV)/bin/uv pip sync -q --no-config --python $(VENV)/bin/python --require-hashes
PIP = $(VENV)/bin/python -m pip install -qq --no-compile --disable-pip-version-check
COMPILEALL = $(VENV)/bin/python -m compileall -j 0
$(VENV)/py%.stamp: lock/py%.txt lock/uv.txt pyproject.toml
	@echo "setting up $(VENV): $(INTERPRETER), $< (once, about a minute)" >&2
	@rm -f $(VENV)/*.stamp
	@$(VENV)/bin/python -c '$(SAME)' 2>/dev/null && $(VENV)/bin/python -m pip --version >/dev/null 2>&1 \
	  || { rm -rf $(VENV); "$(INTERPRETER)" -m venv $(VENV); } \
	  || { echo "$(INTERPRETER) cannot make a virtual environment (Debian: apt install python3-venv)" >&2; exit 1; }
	@{ $(PIP) --require-hashes -r lock/uv.txt && { $(SYNC) --system-certs $< lock/uv.txt 2>/dev/null || $(SYNC) $< lock/uv.txt; }; } \
	  || { echo "uv did not do it: pip does, in some minutes" >&2; $(PIP) --no-deps --require-hashes -r $<; }
	@$(PIP) --no-index --no-deps --no-build-isolation -e .
	@$(COMPILEALL) -qq -x '/tests?/' $(VENV)/lib || true
	@$(COMPILEALL) -q src theory algorithms audits
	@touch $@

# Beside the environment, not in it: what is audited and tested never sees them. Their own dependencies are those of the product.
# Without them the other figures are still worth having: the table names what is missing.
$(PEERS): lock/peers.txt $(STAMP)
	@rm -rf .cache/peers/$(TAG) && mkdir -p .cache/peers
	@$(PIP) --no-deps --require-hashes --target .cache/peers/$(TAG) -r $< && touch $@ \
	  || echo "the libraries of $< could not be installed: they are missing from the table" >&2

COMPILE = .cache/lock/bin/uv pip compile -q --no-config --system-certs --generate-hashes --no-header --no-annotate --no-emit-index-url $(UPGRADE)
# All but docs: nothing here builds pages, and its packages are a third of all.
EXTRAS = $(patsubst %,--extra %,accounting cluster dev discrete parquet)

# In an environment of its own: the lock files may be what is broken.
lock:
	@"$(INTERPRETER)" -m venv .cache/lock
	@.cache/lock/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r lock/uv.txt
	@$(COMPILE) --universal --python-version 3.11 lock/uv.in -o lock/uv.txt
	@$(COMPILE) --no-deps --universal --python-version 3.11 lock/peers.in -o lock/peers.txt
	@$(COMPILE) $(EXTRAS) --python-version 3.11 pyproject.toml lock/build.in -o lock/py311.txt
	@$(COMPILE) $(EXTRAS) --python-version 3.12 pyproject.toml lock/build.in -o lock/py312.txt
	@$(COMPILE) $(EXTRAS) --python-version 3.13 pyproject.toml lock/build.in -o lock/py313.txt

clean:
	@rm -rf $(VENV) .cache build dist src/*.egg-info .hypothesis .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
	@find $(wildcard src theory algorithms audits tests benchmarks) -name __pycache__ -type d -prune -exec rm -rf {} +
