package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// entry is a line of the ledger: one run on one database.
type entry struct {
	Date         string         `json:"date"`
	Commit       string         `json:"commit"` // see commitOf
	Engine       string         `json:"engine"`
	Seed         uint64         `json:"seed"`
	Rounds       int            `json:"rounds"`
	Strikes      map[string]int `json:"strikes"` // faults and disturbances by name
	Acknowledged int            `json:"acknowledged"`
	Unanswered   int            `json:"unanswered"`
	Operations   int            `json:"operations"` // in the checked histories
	Undecided    int            `json:"undecided"`  // histories that took too long to check
	Findings     int            `json:"findings"`
	Note         string         `json:"note,omitempty"` // written by hand: explains the findings
}

// kills returns how often the server or the database was killed.
func (e *entry) kills() int { return e.Strikes[string(killServer)] + e.Strikes[string(killDatabase)] }

// commitOf names the commit that is checked out in the folder, with a + when files other than the
// ledger have changed since. Without git it is unknown.
func commitOf(ctx context.Context, folder string) string {
	git := func(arguments ...string) (string, error) {
		command := exec.CommandContext(ctx, "git", arguments...)
		command.Dir = folder
		output, err := command.Output()
		return strings.TrimSpace(string(output)), err
	}
	commit, err := git("rev-parse", "--short=12", "HEAD")
	if err != nil {
		return "unknown"
	}
	changed, err := git("status", "--porcelain", "--", ":/", ":(exclude,top)lab/soak/ledger.jsonl")
	if err != nil || changed != "" {
		commit += "+"
	}
	return commit
}

// appendRuns appends a run to the ledger at the path. A run without a complete round leaves no line.
func appendRuns(path, commit string, seed uint64, all []totals) (err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	lines := json.NewEncoder(file)
	for _, t := range all {
		if t.rounds == 0 {
			continue
		}
		err := lines.Encode(entry{
			Date: time.Now().UTC().Format(time.DateOnly), Commit: commit, Engine: t.engine, Seed: seed, Rounds: t.rounds,
			Strikes: t.strikes, Acknowledged: t.verified, Unanswered: t.lost, Operations: t.operations,
			Undecided: t.undecided, Findings: t.findings,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// readLedger reads all lines; a missing ledger is empty.
func readLedger(path string) (all []entry, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); ; {
		if !lines.Scan() {
			return all, lines.Err()
		}
		var one entry
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, one)
	}
}

// printTotals prints the sums of the ledger for each database and for both.
func printTotals(out io.Writer, all []entry) error {
	sums := map[string]*entry{}
	for _, one := range all {
		for _, name := range []string{one.Engine, "total"} {
			if sums[name] == nil {
				sums[name] = &entry{Strikes: map[string]int{}}
			}
			sum := sums[name]
			sum.Rounds += one.Rounds
			sum.Acknowledged += one.Acknowledged
			sum.Operations += one.Operations
			sum.Undecided += one.Undecided
			sum.Findings += one.Findings
			for strike, n := range one.Strikes {
				sum.Strikes[strike] += n
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		sum := sums[name]
		var strikes []string
		for _, strike := range slices.Sorted(maps.Keys(sum.Strikes)) {
			strikes = append(strikes, fmt.Sprintf("%d %s", sum.Strikes[strike], strike))
		}
		_, err := fmt.Fprintf(out, "ledger, %s: %d kills, %d acknowledged writes, %d findings in %d rounds; "+
			"%d operations in histories, %d histories undecided; %s\n", name, sum.kills(), sum.Acknowledged, sum.Findings,
			sum.Rounds, sum.Operations, sum.Undecided, strings.Join(strikes, ", "))
		if err != nil {
			return err
		}
	}
	return nil
}
