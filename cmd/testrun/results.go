package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Environment variables for the processes that measure a package.
const (
	resultsVariable = "PUNCHCARD_TESTRUN_RESULTS" // the file that collects the results
	suffixVariable  = "PUNCHCARD_TESTRUN_SUFFIX"  // added to the name of the package
)

// results are the times of packages, in a file to which each adds a line.
type results struct {
	file, root  string
	environment []string // of the tests

	mutex    sync.Mutex
	commands time.Duration // processor time of the go commands, with the tests
}

func newResults(environment []string) (*results, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp("", "punchcard-testrun-")
	if err != nil {
		return nil, err
	}
	return &results{file: file.Name(), root: root, environment: environment}, file.Close()
}

func (r *results) remove() { _ = os.Remove(r.file) } // a leftover does no harm

// addCommand adds the processor time of a go command that has ended, with that of its children.
func (r *results) addCommand(state *os.ProcessState) {
	if state == nil { // it did not start
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.commands += state.UserTime() + state.SystemTime()
}

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

// repeat runs packages that exceeded their budgets again, one after the other, and returns what they took then. It
// reports whether their tests passed.
func (r *results) repeat(ctx context.Context, commands [2][]batch, names []string) (map[string]result, bool, error) {
	again, ok := map[string]result{}, true
	for _, name := range names {
		fmt.Printf("%s exceeded its budget: again, alone\n", name)
		before, err := r.read()
		if err != nil {
			return nil, false, err
		}
		ok = batchOf(commands, name).test(ctx, r) && ok
		after, err := r.read()
		if err != nil {
			return nil, false, err
		}
		for _, one := range after {
			if one.name == name && !slices.Contains(before, one) {
				again[name] = one
			}
		}
	}
	return again, ok, nil
}

// batchOf returns the command that tests one package alone.
func batchOf(commands [2][]batch, name string) batch {
	for _, b := range slices.Concat(commands[0], commands[1]) {
		pkg, ok := strings.CutSuffix(name, b.name)
		if b.folder != "" && ok {
			pkg, ok = strings.CutPrefix(pkg, b.folder+"/")
		}
		pkg = "./" + pkg
		if _, contained := split([]string{pkg}, b.packages); ok && len(contained) > 0 {
			b.packages = contained
			return b
		}
	}
	return batch{packages: []string{"./" + name}}
}

// printSum writes where the processor time went.
func (r *results) printSum(to io.Writer, took []result, postgres time.Duration, unit float64, wall time.Duration) {
	var tests float64
	for _, one := range took {
		tests += one.processor
	}
	compiling := max(0, r.commands.Seconds()-tests)
	fmt.Fprintf(to, "%8.1f s of processor in %.0f s: tests %.1f s, compiling and linking %.1f s, "+
		"shared PostgreSQL %.1f s\n%d packages; this machine counts as %.2f of that of the budgets\n",
		tests+compiling+postgres.Seconds(), wall.Seconds(), tests, compiling, postgres.Seconds(), len(took), unit)
}
