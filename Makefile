# What there is to run; `make help` lists it. Needed: Go, CPython 3.11 or newer with its
# headers, and make. Everything else is fetched by `make setup` into a cache outside of
# the repository (CYBINDGO_CACHE, else ~/.cache/cybindgo), pinned by hash.

PYTHON ?= python3
GO ?= go
STATICCHECK ?= $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2

# The race detector needs a C compiler; where there is none, tests run without it.
RACE := $(if $(or $(shell command -v gcc),$(shell command -v clang)),-race)

# In a recipe: the environment that the tests run in, set up if it is not there yet.
WITH_ENV = env="$$($(PYTHON) tests/setup_env.py --print-env)" && set -a && eval "$$env" && set +a &&

.DEFAULT_GOAL := help
.PHONY: help setup generate check test test-go test-python test-gpu bench bench-go bench-python golden lint

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

test-gpu: ## the generated driver bindings on this machine's driver and GPU
	$(WITH_ENV) "$$CYBINDGO_PYTHON" tests/gpu.py

bench: bench-go bench-python ## measure; nothing is asserted

bench-go: ## Go benchmarks of each stage
	$(WITH_ENV) $(GO) test -run '^$$' -bench . -benchmem ./...

bench-python: ## the emitted loader against the published one
	$(WITH_ENV) "$$CYBINDGO_PYTHON" tests/bench_loader.py
	$(WITH_ENV) "$$CYBINDGO_PYTHON" tests/bench_headers.py

golden: ## rewrite the golden files from what comes out now; read the diff
	$(WITH_ENV) $(GO) test $$(grep -rl --include='*_test.go' 'flag.Bool("update"' . | xargs -r -n1 dirname | sort -u) -update

lint: ## gofmt, go vet, staticcheck
	@test -z "$$(gofmt -l . | tee /dev/stderr)"
	$(GO) vet ./...
	$(STATICCHECK) ./...
