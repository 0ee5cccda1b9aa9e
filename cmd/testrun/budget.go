package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// budgetFile holds the processor seconds that packages may take, with what they start, on the machine of unitSeconds.
const budgetFile = "cmd/testrun/budgets.txt"

// smallBudget is for packages that the file does not list.
const smallBudget = 10

// reserve is the factor between the measured time and the budget.
const reserve = 1.2

// budgets are processor seconds by the mode and the package.
type budgets map[[2]string]float64

func readBudgets() (budgets, error) {
	text, err := os.ReadFile(budgetFile)
	if err != nil {
		return nil, err
	}
	return parseBudgets(string(text))
}

// parseBudgets reads lines of a mode, a package and seconds, separated by tabs. Lines with # are comments.
func parseBudgets(text string) (budgets, error) {
	all := budgets{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			return nil, fmt.Errorf("%s: %q has %d fields, want 3", budgetFile, line, len(fields))
		}
		seconds, err := strconv.ParseFloat(fields[2], 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", budgetFile, line, err)
		}
		all[[2]string{fields[0], fields[1]}] = seconds
	}
	return all, nil
}

// of returns the budget of a package in a mode.
func (b budgets) of(mode, name string) float64 { return cmp.Or(b[[2]string{mode, name}], smallBudget) }

// over returns the names of the packages that exceed their budgets on a machine.
func (b budgets) over(mode string, took []result, unit float64) []string {
	var names []string
	for _, one := range took {
		if one.processor > b.of(mode, one.name)*unit {
			names = append(names, one.name)
		}
	}
	slices.Sort(names)
	return names
}

// print writes the packages that took most, and those over their budgets with what they took again.
func (b budgets) print(to io.Writer, mode string, took []result, again map[string]result, unit float64) {
	const shown = 20 // the rest takes next to nothing
	fmt.Fprintf(to, "\n%10s %8s %8s  package\n", "processor", "budget", "time")
	for i, one := range took {
		allowed := b.of(mode, one.name) * unit
		note := ""
		if one.processor > allowed {
			note = "  over its budget"
			if second, ok := again[one.name]; ok {
				note += fmt.Sprintf("; again, alone: %.1f s", second.processor)
			}
		}
		if i < shown || note != "" {
			fmt.Fprintf(to, "%8.1f s %6.0f s %6.1f s  %s%s\n", one.processor, allowed, one.wall, one.name, note)
		}
	}
}

// update replaces the budgets of a mode by what was measured, and a fifth.
func (b budgets) update(mode string, took []result, unit float64) error {
	maps.DeleteFunc(b, func(key [2]string, _ float64) bool { return key[0] == mode })
	for _, one := range took {
		if seconds := math.Ceil(one.processor / unit * reserve); seconds > smallBudget {
			b[[2]string{mode, one.name}] = seconds
		}
	}
	return os.WriteFile(budgetFile, b.format(), 0o644)
}

// format returns the content of the file.
func (b budgets) format() []byte {
	var text bytes.Buffer
	fmt.Fprintf(&text, "# Processor seconds that packages may take with what they start: measured, and a fifth.\n"+
		"# Packages that are not listed may take %d. go run ./cmd/testrun -update-budgets measures again.\n"+
		"# A commit that raises one changes nothing else, and says why.\n", smallBudget)
	keys := slices.SortedFunc(maps.Keys(b), func(x, y [2]string) int { return slices.Compare(x[:], y[:]) })
	for _, key := range keys {
		fmt.Fprintf(&text, "%s\t%s\t%.0f\n", key[0], key[1], b[key])
	}
	return text.Bytes()
}

// unitSeconds is the processor time of work on the machine of the budgets.
const unitSeconds = 0.53

// machineUnit returns how slow this machine is, in comparison with that of the budgets: the processor time of a fixed
// piece of work. It is more than 1 on a slower machine, and when other work shares the caches.
func machineUnit() float64 {
	const rounds = 3
	times := make([]time.Duration, rounds)
	for i := range times {
		before := processorTime(syscall.RUSAGE_SELF)
		work()
		times[i] = processorTime(syscall.RUSAGE_SELF) - before
	}
	slices.Sort(times)
	return times[rounds/2].Seconds() / unitSeconds
}

// work hashes, sorts and allocates, as tests do.
func work() {
	text := make([]byte, 1<<20)
	for range 200 {
		sum := sha256.Sum256(text)
		copy(text, sum[:])
	}
	seed := uint32(1)
	for range 20 {
		numbers := make([]uint32, 200_000)
		for i := range numbers {
			seed = seed*1664525 + 1013904223
			numbers[i] = seed
		}
		slices.Sort(numbers)
	}
}
