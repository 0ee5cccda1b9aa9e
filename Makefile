# What can be done with this repository. A Go toolchain and make are enough; the tests bring what else they need.

# The race detector is written in C: without a C compiler the tests run without it, and say so.
HAS_CC := $(shell command -v $$(go env CC) 2>/dev/null)
# It leaves alone what works longest, on memory that nobody shares: SQLite, which is C that was translated to Go, and
# the hash of passwords. Watching them would double the time of the tests.
RACE := $(if $(HAS_CC),-race -gcflags=modernc.org/...=-race=false -gcflags=golang.org/x/crypto/argon2=-race=false)
# The programs that tests build are built like the tests, unless they say otherwise: what both consist of is compiled
# once. Tests need no symbols, which take the linker a third of its time.
TEST_FLAGS := GOFLAGS="$$GOFLAGS $(RACE) -ldflags=-s" CGO_ENABLED=$(if $(RACE),1,0)
# The race detector maps its notes on each large piece of memory anew, page by page: half of the time of the tests. Up
# to this many bytes it clears them instead.
RACE_SETTINGS := GORACE=clear_shadow_mmap_threshold=1000000000

.PHONY: help run build test check bench soak fuzz

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 8

run: build ## build, and serve with a demonstration program in ./data
	bin/punchcard serve --demo

build: ## build bin/punchcard
	CGO_ENABLED=0 go build -trimpath -o bin/punchcard ./cmd/punchcard

test: ## run every test, on both databases
	$(if $(RACE),,@echo "No C compiler was found: the race detector is off.")
	$(RACE_SETTINGS) $(TEST_FLAGS) go test -vet=all -timeout 40m ./...

check: ## the quick gate: format, vet, lint, rules of the house, known vulnerabilities
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "gofmt -w is needed for:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	go vet -tags faults ./cmd/punchcard
	go tool -modfile=tools.mod staticcheck ./...
	go test ./tidy
	@said=$$(go tool -modfile=tools.mod govulncheck ./... 2>&1) || case "$$said" in \
	*"fetching vulnerabilities: "*) said="govulncheck is skipped: its database https://vuln.go.dev cannot be reached." ;; \
	*) echo "$$said"; exit 1 ;; esac; echo "$$said"

bench: ## measure this machine
	go run ./cmd/bench

soak: ## kill the server under load, 200 times a database, compare answers with what is stored, add up in cmd/soak/ledger.jsonl
	CGO_ENABLED=0 GOFLAGS=-trimpath go run ./cmd/soak -ledger cmd/soak/ledger.jsonl

FUZZTIME := 4m
fuzz: ## run every fuzz target for FUZZTIME, 4 minutes each by default
	@go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./... | while read package; do \
		folder=$$(go list -f '{{.Dir}}' $$package); \
		for target in $$(cat $$folder/*_test.go | sed -n 's/^func \(Fuzz[A-Za-z0-9]*\)(.*/\1/p'); do \
			echo "$$package $$target"; \
			go test $$package -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) || exit 1; \
		done; \
	done

