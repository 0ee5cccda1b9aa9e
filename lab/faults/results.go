package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

// result is a line of the file of results.
type result struct {
	Commit  string   `json:"commit"`
	Mode    string   `json:"mode"`
	Fault   string   `json:"fault"`
	Tests   []string `json:"tests"` // that failed; none when the fault was not found
	Seconds int      `json:"seconds"`
}

func (r *result) text() string {
	if len(r.Tests) == 0 {
		return "NOT FOUND"
	}
	return "found by " + strings.Join(r.Tests, ", ")
}

// results are those of a commit.
type results struct {
	file string
	all  []result
}

// readResults reads the results of a commit. A missing file has none.
func readResults(name, commit string) (*results, error) {
	r := &results{file: name}
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var one result
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if one.Commit == commit {
			r.all = append(r.all, one)
		}
	}
	return r, lines.Err()
}

func (r *results) add(one result) error {
	r.all = append(r.all, one)
	file, err := os.OpenFile(r.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(json.NewEncoder(file).Encode(one), file.Close())
}

// of returns the result of a fault in a mode, and whether there is one.
func (r *results) of(mode, name string) (result, bool) {
	at := slices.IndexFunc(r.all, func(one result) bool { return one.Mode == mode && one.Fault == name })
	if at < 0 {
		return result{}, false
	}
	return r.all[at], true
}

// leftBy returns the faults that a mode has not found. All must have been planted in it.
func (r *results) leftBy(mode string, planted []fault) (left []fault, err error) {
	for _, f := range planted {
		one, known := r.of(mode, f.name)
		if !known {
			return nil, fmt.Errorf("%s has no result of %s at this commit: run -mode %s first", r.file, f.name, mode)
		}
		if len(one.Tests) == 0 {
			left = append(left, f)
		}
	}
	return left, nil
}

// print lists which test finds which fault in a mode. It is an error if all were planted and fewer than the goal are
// found.
func (r *results) print(to io.Writer, mode string, complete bool) error {
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	found := 0
	for _, f := range faults {
		one, known := r.of(mode, f.name)
		if mode == "all" && !known { // found by the mode before
			one, known = r.of("test", f.name)
		}
		if !known {
			continue
		}
		if len(one.Tests) > 0 {
			found++
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", f.name, one.text(), f.breaks)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(to, "%s finds %d of %d faults\n", mode, found, len(faults))
	if complete && found < goals[mode] {
		return fmt.Errorf("%d faults are found, want %d", found, goals[mode])
	}
	return nil
}

// failedTest finds the tests without their parts, and failedPackage the packages, in the output of go test.
var (
	failedTest    = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)
	failedPackage = regexp.MustCompile(`(?m)^FAIL\t(\S+)( \[build failed\])?`)
)

// failures returns the tests that failed, or the packages of those that ended without a name. It returns none if a
// package could not be built.
func failures(output string) (names []string) {
	for _, found := range failedPackage.FindAllStringSubmatch(output, -1) {
		if found[2] != "" {
			return nil
		}
		names = append(names, found[1])
	}
	if tests := failedTest.FindAllStringSubmatch(output, -1); tests != nil {
		names = nil
		for _, found := range tests {
			names = append(names, found[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
