package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Environment variables for the processes that measure a package.
const (
	resultsVariable = "PUNCHCARD_TESTRUN_RESULTS" // the file that collects the results
	suffixVariable  = "PUNCHCARD_TESTRUN_SUFFIX"  // added to the name of the package
)

// results are the times of packages, in a file to which each adds a line.
type results struct{ file, root string }

func newResults() (*results, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp("", "punchcard-testrun-")
	if err != nil {
		return nil, err
	}
	return &results{file.Name(), root}, file.Close()
}

func (r *results) remove() { _ = os.Remove(r.file) } // a leftover does no harm

// addResult adds the times of the package in a folder. A line is one write to a file that is open for appending.
func addResult(folder string, processor, wall time.Duration) error {
	file, err := os.OpenFile(os.Getenv(resultsVariable), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "%f\t%f\t%s\t%s\n", processor.Seconds(), wall.Seconds(), folder,
		os.Getenv(suffixVariable))
	return errors.Join(err, file.Close())
}

// result is the time that a package took, in seconds.
type result struct {
	name            string // relative to the module
	processor, wall float64
}

func (r *results) read() ([]result, error) {
	file, err := os.Open(r.file)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var all []result
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		fields := strings.Split(scanner.Text(), "\t")
		if len(fields) != 4 {
			return nil, fmt.Errorf("%s: %q", r.file, scanner.Text())
		}
		var one result
		if _, err := fmt.Sscan(fields[0]+" "+fields[1], &one.processor, &one.wall); err != nil {
			return nil, err
		}
		name, err := filepath.Rel(r.root, fields[2])
		if err != nil {
			return nil, err
		}
		one.name = filepath.ToSlash(name) + fields[3]
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b result) int { return cmp.Compare(b.processor, a.processor) })
	return all, scanner.Err()
}

// print writes the packages by processor time, and reports whether one exceeds its budget.
func (r *results) print(to io.Writer, unit float64, took time.Duration) (over bool, err error) {
	all, err := r.read()
	if err != nil {
		return false, err
	}
	const shown = 15 // the rest takes next to nothing
	var sum float64
	fmt.Fprintf(to, "\n%10s %8s %8s  package\n", "processor", "budget", "time")
	for i, one := range all {
		allowed := cmp.Or(budgets[one.name], budget) * unit
		sum += one.processor
		note := ""
		if one.processor > allowed {
			over, note = true, "  over its budget"
		}
		if i < shown || note != "" {
			fmt.Fprintf(to, "%8.1f s %6.0f s %6.1f s  %s%s\n", one.processor, allowed, one.wall, one.name, note)
		}
	}
	_, err = fmt.Fprintf(to, "%8.1f s %8s %6.1f s  all %d packages; this machine counts as %.2f of that of the budgets\n",
		sum, "", took.Seconds(), len(all), unit)
	return over, err
}
