# What there is to run; `make help` lists it. Needed: Go, CPython 3.11 or newer with its
# headers, and make. Everything else is fetched by `make setup` into a cache outside of
# the repository (CYBINDGO_CACHE, else ~/.cache/cybindgo), pinned by hash.

PYTHON ?= python3
GO ?= go
STATICCHECK ?= $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2

# How long `make fuzz` runs each target.
FUZZTIME ?= 1m

# The race detector needs a C compiler; where there is none, tests run without it.
RACE := $(if $(or $(shell command -v gcc),$(shell command -v clang)),-race)

# In a recipe: the environment that the tests run in, set up if it is not there yet.
WITH_ENV = env="$$($(PYTHON) tests/setup_env.py --print-env)" && set -a && eval "$$env" && set +a &&

.DEFAULT_GOAL := help
.PHONY: help setup generate check test test-go test-python test-threads test-model test-msvc test-gpu fuzz soak bench bench-go bench-python bench-emitted golden lint wheels archives dist

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## fetch what the tests need (compiler, headers, Cython, published wheels) and say where it is
	@$(PYTHON) tests/setup_env.py

generate: ## write generated/ from the committed history
	$(GO) run ./cmd/cybindgo generate

check: ## say whether generated/ is what would be generated
	$(GO) run ./cmd/cybindgo check

test: test-go test-python ## everything that has to pass

test-go: ## the Go tests, and whether generated/ is as generated
	$(GO) vet ./...
	$(WITH_ENV) $(GO) test $(RACE) -timeout 25m ./...
	$(GO) run ./cmd/cybindgo check

test-python: ## build what is generated, run it, hold it against the published packages
	$(WITH_ENV) "$$CYBINDGO_PYTHON" -m pytest tests

test-threads: ## first calls raced on free-threaded Python and under ThreadSanitizer
	$(WITH_ENV) "$$CYBINDGO_PYTHON" tests/threads/run.py

test-model: ## the publication protocol under model checkers, and whether the loader still says the same
	$(WITH_ENV) "$$CYBINDGO_PYTHON" tests/threads/model/run_model.py

test-msvc: ## the atomics for Windows, as Microsoft's compiler and clang see them
	$(WITH_ENV) "$$CYBINDGO_PYTHON" tests/threads/msvc/run_msvc.py

test-gpu: ## the generated driver bindings on this machine's driver and GPU, and first calls raced there
	$(WITH_ENV) "$$CYBINDGO_PYTHON" tests/gpu.py
	$(WITH_ENV) folder="$$(mktemp -d)" && trap 'rm -rf "$$folder"' EXIT && "$$CYBINDGO_PYTHON" tests/gpu_races.py prepare "$$folder" && \
		"$$CYBINDGO_PYTHON" "$$folder/gpu_races.py" run

# Every `func Fuzz...` there is. What one finds lies below testdata/fuzz, and
# stays there as a regression test.
fuzz: ## run each fuzz target for FUZZTIME (1m)
	@failed=; for target in $$(grep -rHo --include='*_test.go' '^func Fuzz[A-Za-z0-9]*' . | sed 's|/[^/]*:func |:|' | sort); do \
		echo "$$target"; \
		$(GO) test "$${target%%:*}" -run '^$$' -fuzz "^$${target##*:}\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x -parallel 2 || failed="$$failed $$target"; \
	done; \
	for found in $$(git ls-files --others --exclude-standard -- '*/testdata/fuzz/*'); do echo "$$found:"; cat "$$found"; done; \
	[ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }

soak: ## race, kill, crowd and load ten times as often and as much as the tests do
	$(WITH_ENV) "$$CYBINDGO_PYTHON" tests/threads/run.py --soak
	$(WITH_ENV) CYBINDGO_SOAK=1000 $(GO) test -timeout 2h -v ./internal/cli -run 'TestKilledWhileWriting|Beside|TestManyFunctions'

bench: bench-go bench-python ## measure; nothing is asserted

bench-go: ## Go benchmarks of each stage
	$(WITH_ENV) $(GO) test -run '^$$' -bench . -benchmem ./...

bench-python: ## the emitted loader against the published one
	$(WITH_ENV) "$$CYBINDGO_PYTHON" tests/bench_loader.py
	$(WITH_ENV) "$$CYBINDGO_PYTHON" tests/bench_headers.py

bench-emitted: ## building, calling and racing emitted loaders, beside the published style and locks
	$(WITH_ENV) "$$CYBINDGO_PYTHON" tests/bench_emitted.py

golden: ## rewrite the golden files from what comes out now; read the diff
	$(WITH_ENV) $(GO) test $$(grep -rl --include='*_test.go' 'flag.Bool("update"' . | xargs -r -n1 dirname | sort -u) -update

lint: ## gofmt, go vet, staticcheck
	@test -z "$$(gofmt -l . | tee /dev/stderr)"
	$(GO) vet ./...
	$(STATICCHECK) ./...

# What is published. VERSION is the tag of the commit, if it has one. The same commit and
# the same Go give the same bytes.
VERSION ?= $(shell git describe --tags --exact-match --match 'v[0-9]*' 2>/dev/null)
COMMIT ?= $(shell git rev-parse HEAD 2>/dev/null)
MKDIST = SOURCE_DATE_EPOCH="$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null)}" $(GO) run ./cmd/mkdist -version "$(VERSION)" -commit "$(COMMIT)"

wheels: ## the wheels that carry the program, for every platform, in dist/
	$(MKDIST) wheels

archives: ## archives with the program, manual pages and completions, in dist/
	$(MKDIST) archives

dist: ## both
	$(MKDIST) all
