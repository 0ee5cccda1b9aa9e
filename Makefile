# Go and make are enough to build and run. The tests install or start what else they need: PostgreSQL, Chromium, Node.

.PHONY: help run build test quick check bench soak drill faults fuzz pictures release

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 8

run: build ## build, and serve with a demonstration program in ./data
	bin/punchcard serve --demo

build: ## build bin/punchcard
	CGO_ENABLED=0 go build -trimpath -o bin/punchcard ./cmd/punchcard

test: ## run every test, on both databases and in a browser
	CGO_ENABLED=0 go run ./cmd/testrun

# Go does not run tests again whose packages have not changed.
quick: ## before each commit: vet, and the tests that need neither PostgreSQL, a browser nor the race detector
	go vet ./...
	go -C lab vet ./...
	CGO_ENABLED=0 PUNCHCARD_TEST_DATABASES=sqlite PUNCHCARD_TEST_WEB=logic go test -vet=off ./...
	CGO_ENABLED=0 PUNCHCARD_TEST_DATABASES=sqlite go -C lab test -vet=off ./...

check: ## the quick gate: format, vet, lint, the repository's own rules, known vulnerabilities
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "gofmt -w is needed for:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	go -C lab vet ./...
	go vet -tags faults ./cmd/punchcard
	go tool -modfile=tools.mod staticcheck ./...
	go -C lab tool -modfile=../tools.mod staticcheck ./...
	go test ./tidy
	@output=$$(go tool -modfile=tools.mod govulncheck ./... 2>&1) || case "$$output" in \
	*"fetching vulnerabilities: "*) output="govulncheck is skipped: its database https://vuln.go.dev cannot be reached." ;; \
	*) echo "$$output"; exit 1 ;; esac; echo "$$output"

bench: ## measure this machine
	go -C lab run ./bench

soak: ## kill the server or PostgreSQL under load, in 50 rounds or more on each database, and compare responses with stored rows
	CGO_ENABLED=0 GOFLAGS=-trimpath go -C lab run ./soak -ledger soak/ledger.jsonl

DRILL :=
drill: ## practise operating it, as root on Debian: DRILL="image upgrade" for some cases
	CGO_ENABLED=0 go -C lab run ./drill $(DRILL)

MODE := test
faults: ## plant small mistakes and show which test finds each: MODE=quick, test or all (for what test missed)
	CGO_ENABLED=0 go -C lab run ./faults -mode $(MODE)

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
