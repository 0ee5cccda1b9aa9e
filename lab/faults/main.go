// Command faults plants small mistakes one after the other, and shows which test finds each: that no behaviour has lost
// its test. It works on the last commit, in a clone of the repository, and never in the tree of its user.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"punchcard/app/apptest"
	"punchcard/platform/testmode"
)

// goals are how many faults each mode finds at least. What "all" runs is left over by "test".
var goals = map[string]int{"quick": 20, "test": 29, "all": len(faults)}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	mode := flag.String("mode", "test", "how much is tested: quick, test or all, as make quick, test and test-all do; "+
		"all tests only what test did not find at the same commit")
	results := flag.String("results", "faults.jsonl", "file that gets a line for each fault; faults that it has for the "+
		"commit and the mode are not planted again")
	only := flag.String("only", "", "names of faults, separated by commas; empty plants all")
	flag.Parse()
	if err := run(ctx, *mode, *results, *only, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, mode, file, only string, out io.Writer) (err error) {
	if goals[mode] == 0 {
		return fmt.Errorf("-mode: there is no mode %q", mode)
	}
	chosen, err := choose(only)
	if err != nil {
		return err
	}
	root, err := apptest.Root(ctx)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "punchcard-faults-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	c := &clone{folder: filepath.Join(folder, "clone"), mode: mode, out: out}
	if err := c.open(ctx, root); err != nil {
		return err
	}
	r, err := readResults(file, c.commit)
	if err != nil {
		return err
	}
	if mode == "all" {
		if chosen, err = r.leftBy("test", chosen); err != nil {
			return err
		}
	}
	for _, f := range chosen {
		if _, known := r.of(mode, f.name); known {
			continue
		}
		found, err := c.try(ctx, f)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if err := r.add(found); err != nil {
			return err
		}
	}
	return r.print(out, mode, only == "")
}

// choose returns the faults with the names, or all.
func choose(names string) ([]fault, error) {
	if names == "" {
		return faults, nil
	}
	var chosen []fault
	for name := range strings.SplitSeq(names, ",") {
		at := slices.IndexFunc(faults, func(f fault) bool { return f.name == name })
		if at < 0 {
			return nil, fmt.Errorf("-only: there is no fault %q", name)
		}
		chosen = append(chosen, faults[at])
	}
	return chosen, nil
}

// clone is a copy of the repository in which faults are planted.
type clone struct {
	folder, commit, mode string
	out                  io.Writer
	packages             *packages
}

func (c *clone) open(ctx context.Context, root string) (err error) {
	if _, err := c.git(ctx, root, "clone", "--quiet", "--shared", "--no-checkout", root, c.folder); err != nil {
		return err
	}
	if c.commit, err = c.git(ctx, root, "rev-parse", "HEAD"); err != nil {
		return err
	}
	if _, err := c.git(ctx, c.folder, "checkout", "--quiet", "--detach", c.commit); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "commit %s, mode %s\n", c.commit, c.mode)
	c.packages, err = readPackages(ctx, c.folder)
	return err
}

func (c *clone) git(ctx context.Context, folder string, arguments ...string) (string, error) {
	output, err := exec.CommandContext(ctx, "git", append([]string{"-C", folder}, arguments...)...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("git %s: %w: %s", arguments[0], err, output)
	}
	return strings.TrimSpace(string(output)), err
}

// try plants a fault, tests until a test fails, and takes the fault out again.
func (c *clone) try(ctx context.Context, f fault) (found result, err error) {
	began := time.Now()
	found = result{Commit: c.commit, Mode: c.mode, Fault: f.name}
	if err := f.plant(c.folder); err != nil {
		return found, err
	}
	defer func() {
		err = errors.Join(err, c.restore(context.WithoutCancel(ctx)))
	}()
	if err := c.build(ctx, f); err != nil {
		return found, err
	}
	for _, group := range c.packages.around(f.file) {
		if found.Tests, err = c.broken(ctx, f, group); err != nil {
			return found, err
		}
		if len(found.Tests) > 0 {
			break
		}
	}
	found.Seconds = int(time.Since(began).Seconds())
	_, err = fmt.Fprintf(c.out, "%s: %s (%d s)\n", f.name, found.text(), found.Seconds)
	return found, err
}

// restore takes a fault out, with what was bundled from it.
func (c *clone) restore(ctx context.Context) error {
	if _, err := c.git(ctx, c.folder, "reset", "--quiet", "--hard"); err != nil {
		return err
	}
	_, err := c.git(ctx, c.folder, "clean", "--quiet", "--force", "-d")
	return err
}

// plant makes the mistake in the tree in a folder.
func (f *fault) plant(folder string) error {
	name := filepath.Join(folder, filepath.FromSlash(f.file))
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if n := strings.Count(string(text), f.before); n != 1 {
		return fmt.Errorf("it does not apply: %s has the text %d times:\n%s", f.file, n, f.before)
	}
	return os.WriteFile(name, []byte(strings.Replace(string(text), f.before, f.after, 1)), 0o644)
}

// build compiles the product with the fault, and bundles the web apps if it is theirs.
func (c *clone) build(ctx context.Context, f fault) error {
	if strings.HasPrefix(f.file, "web/") {
		if output, err := c.goTool(ctx, "generate", "./web"); err != nil {
			return fmt.Errorf("it cannot be bundled: %w: %s", err, output)
		}
	}
	if output, err := c.goTool(ctx, "build", "./..."); err != nil {
		return fmt.Errorf("it does not compile: %w: %s", err, output)
	}
	return nil
}

// goTool runs the go command in the clone. Without the path of the clone in them, packages are compiled once for all
// clones.
func (c *clone) goTool(ctx context.Context, arguments ...string) (output string, err error) {
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir = c.folder
	command.Env = append(os.Environ(), append(testmode.Environment(c.mode), "GOFLAGS=-trimpath", "CGO_ENABLED=0")...)
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	text, err := command.CombinedOutput()
	return string(text), err
}

// broken returns the tests of packages that fail with a fault, which is planted, and not without it.
func (c *clone) broken(ctx context.Context, f fault, packages []string) ([]string, error) {
	failed, err := c.test(ctx, packages)
	if err != nil || len(failed) == 0 {
		return nil, err
	}
	if err := c.restore(ctx); err != nil {
		return nil, err
	}
	before, err := c.test(ctx, packages)
	if err != nil {
		return nil, err
	}
	if len(before) > 0 {
		fmt.Fprintf(c.out, "fail without %s, too: %s\n", f.name, strings.Join(before, ", "))
	}
	failed = slices.DeleteFunc(failed, func(test string) bool { return slices.Contains(before, test) })
	return failed, errors.Join(f.plant(c.folder), c.build(ctx, f))
}

// test tests packages and returns the tests that failed.
func (c *clone) test(ctx context.Context, packages []string) (failed []string, err error) {
	output, err := c.goTool(ctx, append([]string{"run", "./cmd/testrun"}, packages...)...)
	if err == nil {
		return nil, nil
	}
	if failed = failures(output); len(failed) == 0 || ctx.Err() != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(packages, " "), errors.Join(err, ctx.Err()), output)
	}
	return failed, nil
}
