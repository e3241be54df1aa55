# kora: the commands of the repository. `make help` lists them.

# Pure Go everywhere but under the race detector, which needs a C compiler:
# mixing both would compile nearly everything twice.
export CGO_ENABLED = 0
# The race detector runs wherever a C compiler is; without one the tests run
# all the same, and say so.
RACE := $(shell command -v $${CC:-gcc} >/dev/null 2>&1 && echo -race)
GO ?= go
PKG ?= ./...
FUZZTIME ?= 20s
# A program under the race detector waits a second before it ends, for the sake of a race
# that is under way then; the tests start a thousand of them, and a twentieth will do.
export GORACE ?= atexit_sleep_ms=50
# The Kubernetes of the tests; empty is 1.36, or what KUBEBUILDER_ASSETS holds.
K8S ?=

comma := ,
PLATFORMS ?= linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64

.PHONY: help build package demo test test-browser e2e test-services test-cosign test-versions test-samples lint bench generate operator-soak fuzz coverage-spec cluster-build cluster-up cluster-down
help: ## list these commands
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  %-14s %s\n", $$1, $$2}'

build: ## build bin/kora
	$(GO) build -o bin/ ./plugin
	mv bin/plugin bin/kora

package: ## build what a release hands out into dist/: plugin archives, operator, lists of modules, checksums (PLATFORMS=OS/ARCH,…)
	$(GO) -C tools/package run . -out $(CURDIR)/dist -platforms $(PLATFORMS)

demo: ## render the agent type "coder" from the example patch
	@$(GO) run ./plugin render -patch-dir testdata/patches/example -agent-slug coder -sandbox

test: cluster-build ## run every test that Go alone can run, with the race detector where there is a C compiler
	@test -n "$(RACE)" || echo "no C compiler: the tests run without the race detector" >&2
	$(GO) -C tools/testcluster test ./...
	$(GO) -C tools/generate test ./...
	$(GO) -C tools/package test ./...
	CGO_ENABLED=$(if $(RACE),1,0) K8S=$(K8S) KORA_TESTCLUSTER_BIN="$$(K8S=$(K8S) bin/testcluster)" $(GO) test $(RACE) -short=false -shuffle=on -timeout 60m $(PKG)

test-helmfile: cluster-build ## run the reference by the real Helmfile, which is built first: half an hour on a busy machine
	$(GO) vet -tags helmfile ./generator/helmfile
	$(GO) test -tags helmfile -count=1 -timeout 90m -run RealHelmfile -v ./generator/helmfile

e2e: cluster-build ## the whole way on a blank cluster, with both Helms, a PostgreSQL and a Redis, which must be installed (K8S; E2E_HELM=helm-3 or helm-4 for one)
	$(GO) vet -tags e2e ./e2e
	K8S=$(K8S) KORA_TESTCLUSTER_BIN="$$(K8S=$(K8S) bin/testcluster)" $(GO) test -tags e2e -count=1 -timeout 60m -v -run EndToEnd ./e2e

test-browser: ## open the theme's page in a real Chromium, which must be installed
	$(GO) vet -tags browser ./plugin/theme
	$(GO) test -tags browser -count=1 -run Browser ./plugin/theme

test-services: ## preflight against a real PostgreSQL and a real Redis, which must be installed
	$(GO) vet -tags services ./operator/preflight/services
	$(GO) test -tags services -count=1 -run Services ./operator/preflight/services

COSIGN ?= $(HOME)/.cache/kora/cosign-v3.1.3/cosign
test-cosign: ## compare verdicts and time with cosign 3, which is built first: a quarter of an hour on an idle machine
	test -x $(COSIGN) || GOBIN=$(dir $(COSIGN)) GOFLAGS= $(GO) install github.com/sigstore/cosign/v3/cmd/cosign@v3.1.3
	$(GO) vet -tags cosign ./plugin
	COSIGN=$(COSIGN) $(GO) test -tags cosign -count=1 -v -run TestCosign ./plugin
	COSIGN=$(COSIGN) $(GO) test -run '^$$' -bench VerifyThirty ./plugin

test-versions: ## what a real API server takes, on the other two versions of Kubernetes
	for version in 1.34 1.35; do \
	  $(MAKE) cluster-build K8S=$$version && K8S=$$version $(GO) test -count=1 -run 'Cluster|Installs' ./internal/testcluster ./plugin/render ./plugin/release ./charts && K8S=$$version $(GO) test -count=1 ./operator/api/... || exit 1; \
	done

test-samples: cluster-build ## random valid values on a real API server: KORA_SAMPLES of them (500) from KORA_SEED (1) on
	KORA_SAMPLES=$${KORA_SAMPLES:-500} $(GO) test -count=1 -timeout 60m -run TestClusterTakesWhateverIsValid -v ./plugin/release

lint: ## gofmt, go vet, staticcheck, the floors, generated files fresh
	@out=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$out" || { echo "not gofmt'd:"; echo "$$out"; exit 1; }
	$(GO) vet $(PKG)
	$(GO) -C tools/testcluster vet ./...
	$(GO) tool -modfile=tools/lint/go.mod staticcheck $(PKG)
	$(GO) test ./internal/floors
	$(GO) -C tools/generate vet ./...
	$(GO) -C tools/package vet ./...
	$(GO) -C tools/generate run . -check
	$(GO) run ./internal/docgen -check
	$(GO) mod tidy -diff

generate: ## write every generated file
	$(GO) -C tools/generate run .
	$(GO) run ./internal/docgen
	rm -f helmfile/environments/example.yaml helmfile/values/kora.yaml # generate keeps what is yours
	$(GO) run ./plugin generate helmfile -o helmfile
	$(GO) run ./plugin generate argocd -e helmfile/environments/example.yaml -o argocd

bench: ## measure: in process, and whole processes beside kustomize build
	$(GO) test -run '^$$' -bench . -benchmem ./internal/... ./operator/... ./plugin/...
	tools/bench/compare.sh
	tools/bench/release.sh

operator-soak: cluster-build ## load and faults for the operator, an hour: writes docs/measurements/operator.md (TENANTS=100,300,1000 KILLS=50 SEED=1 MACHINE="what else ran")
	mkdir -p docs/measurements
	$(GO) test ./operator/soak -count=1 -timeout 120m -v -args -soak.tenants=$(or $(TENANTS),100$(comma)300$(comma)1000) -soak.kills=$(or $(KILLS),50) -soak.seed=$(or $(SEED),1) \
	  -soak.sync=1m -soak.steady=80s -soak.patience=20m -soak.outage -soak.machine="$(MACHINE)" -soak.report=$(CURDIR)/docs/measurements/operator.md

fuzz: ## run every fuzz target for FUZZTIME
	tools/fuzz.sh $(FUZZTIME)

coverage-spec: ## list the requirements that no test names
	@tools/coverage-spec.sh

cluster-build: ## build the Kubernetes control plane of the tests into the cache (K8S=1.34, 1.35 or 1.36)
	@$(GO) -C tools/testcluster build -o ../../bin/testcluster . && K8S=$(K8S) bin/testcluster >/dev/null

cluster-up: ## start the tests' cluster for a person, and print the lines for the shell
	@$(GO) build -o bin/cluster ./internal/testcluster/cmd/cluster && K8S=$(K8S) bin/cluster up

cluster-down: ## stop it
	@$(GO) build -o bin/cluster ./internal/testcluster/cmd/cluster && bin/cluster down
