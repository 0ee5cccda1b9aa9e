# Go and make are enough to build and run. The tests install or start what else they need: PostgreSQL, Chromium, Node.

# The race detector needs a C compiler. Without one the tests run without it, and say so.
HAS_CC := $(shell command -v $$(go env CC) 2>/dev/null)
# Excludes SQLite and argon2: both are slow under -race and share no memory. With them the tests would take twice as
# long.
RACE := $(if $(HAS_CC),-race -gcflags=modernc.org/...=-race=false -gcflags=golang.org/x/crypto/argon2=-race=false)
# Programs that tests build use the same flags, so that packages are compiled once. Tests need no symbols, which take a
# third of the linker's time.
TEST_FLAGS := GOFLAGS="$$GOFLAGS $(RACE) -ldflags=-s" CGO_ENABLED=$(if $(RACE),1,0)
# Makes the race detector clear the shadow of large allocations up to this many bytes rather than map it again, which
# takes half of the tests' time.
RACE_SETTINGS := GORACE=clear_shadow_mmap_threshold=1000000000

# Packages are tested in the order in which they are listed, as many at once as there are cores. These two take a third
# of the time each: begun last, they would run alone.
LONGEST := ./web/tests ./app

.PHONY: help run build test check bench soak fuzz pictures

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 8

run: build ## build, and serve with a demonstration program in ./data
	bin/punchcard serve --demo

build: ## build bin/punchcard
	CGO_ENABLED=0 go build -trimpath -o bin/punchcard ./cmd/punchcard

test: ## run every test, on both databases and in a browser
	$(if $(RACE),,@echo "No C compiler was found: the race detector is off.")
	go test -vet=all ./tidy # reads the source only, which takes ten times as long under the race detector
	$(RACE_SETTINGS) $(TEST_FLAGS) go test -vet=all -timeout 80m $(LONGEST) $$(go list ./... | grep -v '/tidy$$')

check: ## the quick gate: format, vet, lint, the repository's own rules, known vulnerabilities
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "gofmt -w is needed for:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	go vet -tags faults ./cmd/punchcard
	go tool -modfile=tools.mod staticcheck ./...
	go test ./tidy
	@output=$$(go tool -modfile=tools.mod govulncheck ./... 2>&1) || case "$$output" in \
	*"fetching vulnerabilities: "*) output="govulncheck is skipped: its database https://vuln.go.dev cannot be reached." ;; \
	*) echo "$$output"; exit 1 ;; esac; echo "$$output"

bench: ## measure this machine
	go run ./cmd/bench

soak: ## kill the server or PostgreSQL under load, 160 times on each database, and compare responses with stored rows
	CGO_ENABLED=0 GOFLAGS=-trimpath go run ./cmd/soak -ledger cmd/soak/ledger.jsonl

pictures: ## take the pictures of the web apps in docs/pictures again
	go test ./web/tests -run TestScreens -pictures

FUZZTIME := 4m
fuzz: ## run every fuzz target for FUZZTIME, 4 minutes each by default
	@go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./... | while read package; do \
		folder=$$(go list -f '{{.Dir}}' $$package); \
		for target in $$(cat $$folder/*_test.go | sed -n 's/^func \(Fuzz[A-Za-z0-9]*\)(.*/\1/p'); do \
			echo "$$package $$target"; \
			go test $$package -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) || exit 1; \
		done; \
	done

