# The suite's front door: `make` lists what there is. Everything that is built lands in build/.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

GO ?= go
BUILD := build
# Sets CGO_CFLAGS for a recipe that builds with the tag; it ends the recipe with one clear line where headers are missing.
CUDA_ENV = env="$$(.ci/cuda-env)"; eval "$$env"

.PHONY: help test test-gpu bench junit kernels golden golden-gpu calibrate compare dist env check

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | awk -F'\t' '{printf "%-11s %s\n", $$1, $$2}'

test: ## run the suite on the simulated device: go test ./...
	$(GO) test ./...

test-gpu: ## run the suite on this machine's GPU (needs CUDA headers 12.4 to 13.x and a driver)
	@$(CUDA_ENV); set -x; $(GO) test -tags gpu -count=1 ./...

bench: ## run the benchmarks six times, into build/bench.txt for benchstat; on a GPU: make bench TAGS=gpu
	@mkdir -p $(BUILD)
	@if [ "$(TAGS)" = gpu ]; then $(CUDA_ENV); fi; set -x; \
	$(GO) test -tags '$(TAGS)' -run '^$$' -bench . -count 6 . | tee $(BUILD)/bench.txt

junit: ## run the suite and leave build/junit.xml; on a GPU: make junit TAGS=gpu
	@mkdir -p $(BUILD)
	@if [ "$(TAGS)" = gpu ]; then $(CUDA_ENV); fi; set -x; \
	$(GO) tool gotestsum --format testname --junitfile $(BUILD)/junit.xml -- -tags '$(TAGS)' -count=1 ./...

kernels: ## rebuild kernels/overlap.ptx from its source (needs clang-19, no CUDA toolkit)
	@command -v "$${CLANG:-clang-19}" >/dev/null || { echo "make kernels: no clang-19; install Debian's clang-19, or name another with CLANG=" >&2; exit 1; }
	kernels/build.sh

golden: ## make anew what is generated: goldens, tables, and the PTX where clang-19 is: go generate ./...
	$(GO) generate ./...

golden-gpu: ## take the goldens of the probes anew on this machine's GPU, and the tables that the simulator reads
	@$(CUDA_ENV); set -x; $(GO) test -tags gpu -count=1 -timeout 30m -run 'TestGolden' ./internal/probe -golden ../../testdata/probes
	$(GO) run ./internal/cmd/tables

# A GPU is what there is to calibrate; TAGS= tries it on the simulated device.
calibrate: TAGS ?= gpu
calibrate: ## measure this machine's GPU, as a machine for the simulated device: build/calibrate.json, build/machine.go.txt
	@mkdir -p $(BUILD)
	@if [ "$(TAGS)" = gpu ]; then $(CUDA_ENV); fi; set -x; \
	$(GO) build -tags '$(TAGS)' -o $(BUILD)/overlap ./cmd/overlap; \
	$(BUILD)/overlap calibrate --json $(BUILD)/calibrate.json -o $(BUILD)/machine.go.txt

compare: ## run the schedule as ours, as C++ and as PyTorch on this machine's GPU, and print the ratios
	@mkdir -p $(BUILD)
	@$(CUDA_ENV); set -x; $(GO) build -tags gpu -o $(BUILD)/overlap ./cmd/overlap
	$(GO) run ./internal/cmd/compare -ours $(BUILD)/overlap -out $(BUILD)/compare.json

dist: ## pack the suite for a GPU machine without Go: build/overlap-gpu-linux-amd64.tar.gz
	@$(CUDA_ENV); .ci/dist $(BUILD)

env: ## print the exports that a build with -tags gpu needs here: eval "$(make -s env)"
	@.ci/cuda-env

check: ## run everything that CI runs
	.ci/run
