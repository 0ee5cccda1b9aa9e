# Go and make are enough to build and run. The tests install or start what else they need: PostgreSQL, Chromium, Node.

.PHONY: help run build test test-all quick check bench soak drill faults fuzz pictures release

# One setting for all commands, so that Go compiles each package a single time. Data for debuggers, which stack traces do
# not need, would take a tenth of that time.
FLAGS := -trimpath -gcflags=all=-dwarf=false
export CGO_ENABLED := 0
export GOFLAGS := $(strip $(FLAGS) $(filter-out $(FLAGS),$(GOFLAGS)))

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 8

run: build ## build, and serve with a demonstration program in ./data
	bin/punchcard serve --demo

# The compiler takes a sixth less time, and up to 900 MB of memory, when it collects its garbage less often.
build: ## build bin/punchcard
	GOGC=400 go build -ldflags=-s -o bin/punchcard ./cmd/punchcard

# PostgreSQL, Chromium and Node are installed, if they are missing, while the tests compile.
test: ## run every test, and those of locks, batches and SQL that differs on both databases
	@go run ./cmd/testrun/install & go run ./cmd/testrun; status=$$?; wait; exit $$status

test-all: ## run every test on both databases, with the race detector, in all states of the screens: about 40 minutes
	@go run ./cmd/testrun/install & PUNCHCARD_TEST=all go run ./cmd/testrun; status=$$?; wait; exit $$status

# Go does not run tests again whose packages have not changed.
QUICK := PUNCHCARD_TEST=quick PUNCHCARD_TEST_DATABASES=sqlite PUNCHCARD_TEST_WEB=logic
quick: ## before each commit: vet, and the tests that need neither PostgreSQL, a browser nor the race detector
	go vet ./...
	go -C lab vet ./...
	$(QUICK) go test -vet=off -ldflags=-s ./...
	$(QUICK) go -C lab test -vet=off -ldflags=-s ./...

check: ## the quick gate: format, vet, lint, the repository's own rules, known vulnerabilities
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "gofmt -w is needed for:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	go -C lab vet ./...
	go vet -tags faults ./cmd/punchcard
	go tool -modfile=tools.mod staticcheck ./...
	go -C lab tool -modfile=../tools.mod staticcheck ./...
	go test -vet=off -ldflags=-s ./tidy
	@output=$$(go tool -modfile=tools.mod govulncheck ./... 2>&1) || case "$$output" in \
	*"fetching vulnerabilities: "*) output="govulncheck is skipped: its database https://vuln.go.dev cannot be reached." ;; \
	*) echo "$$output"; exit 1 ;; esac; echo "$$output"

bench: ## measure this machine
	go -C lab run ./bench

soak: ## kill the server or PostgreSQL under load, in 50 rounds or more on each database, and compare responses with stored rows
	go -C lab run ./soak -ledger soak/ledger.jsonl

DRILL :=
drill: ## practise operating it, as root on Debian: DRILL="image upgrade" for some cases
	go -C lab run ./drill $(DRILL)

MODE := test
faults: ## plant small mistakes and show which test finds each: MODE=quick, test or all (for what test missed)
	go -C lab run ./faults -mode $(MODE)

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

release: ## build binaries, packages, SBOM and checksums into dist; RELEASE_KEY=FILE signs them with an SSH key
	rm -rf dist
	go run ./cmd/release -key "$(RELEASE_KEY)"
