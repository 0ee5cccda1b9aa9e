// Command testrun runs the tests of this repository, or those of packages such as ./core/api and ./lab/soak, and prints
// what each package took. The environment variable PUNCHCARD_TEST names the mode: "test" by default, which is make
// test, "all" or "quick". See platform/testmode.
//
// A package that takes more processor time than its budget runs again, alone, and fails a run of all packages if it is
// over once more: see budgets.txt. With -update-budgets, what is measured becomes the budgets.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"punchcard/platform/db/dbtest"
	"punchcard/platform/testmode"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == "measure" {
		os.Exit(measure(os.Args[2:]))
	}
	update := flag.Bool("update-budgets", false, "write what is measured, and a fifth, to "+budgetFile)
	flag.Usage = func() {
		fmt.Fprintf(os.Stderr, "usage: go run ./cmd/testrun [-update-budgets] [packages]\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *update && flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "testrun: budgets are those of all packages: name none")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	m, ok := modes[cmp.Or(os.Getenv(testmode.Variable), "test")]
	if !ok {
		fmt.Fprintf(os.Stderr, "testrun: %s is none of quick, test and all\n", testmode.Variable)
		os.Exit(2)
	}
	if err := run(ctx, m, flag.Args(), *update); err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, m mode, patterns []string, update bool) error {
	began := time.Now()
	allowed, err := readBudgets()
	if err != nil {
		return err
	}
	unit := machineUnit()
	race := m.race && hasCompiler(ctx)
	if !race && m.race {
		fmt.Println("No C compiler was found: the race detector is off.")
	}
	commands, err := m.commands(ctx, patterns, allowed, race)
	if err != nil {
		return err
	}
	var compiling sync.WaitGroup
	compiling.Go(func() { compile(ctx) })
	server, environment, err := shareServer()
	compiling.Wait()
	if err != nil {
		return err
	}
	results, err := newResults(append(environment, m.environment(ctx)...))
	if err != nil {
		return err
	}
	defer results.remove()
	ok := runSideBySide(ctx, commands, results)
	took, err := results.read()
	if err != nil {
		return err
	}
	again := map[string]result{}
	if ok && !update && len(patterns) == 0 {
		again, ok, err = results.repeat(ctx, commands, allowed.over(m.name, took, unit))
	}
	postgres := stopServer(server)
	allowed.print(os.Stdout, m.name, took, again, unit)
	results.printSum(os.Stdout, took, postgres, unit, time.Since(began))
	switch {
	case err != nil:
		return err
	case !ok:
		return fmt.Errorf("tests failed")
	case update:
		return allowed.update(m.name, took, unit)
	}
	if over := allowed.over(m.name, slices.Collect(maps.Values(again)), unit); len(over) > 0 {
		return fmt.Errorf("packages exceed their budgets twice: %s", strings.Join(over, ", "))
	}
	return nil
}

// runSideBySide runs two sequences of commands: one waits for a browser or compiles while the other computes. It
// reports whether all tests passed.
func runSideBySide(ctx context.Context, commands [2][]batch, results *results) bool {
	var both sync.WaitGroup
	passed := [2]bool{true, true}
	for i, batches := range commands {
		both.Go(func() {
			for _, b := range batches {
				passed[i] = b.test(ctx, results) && passed[i]
			}
		})
	}
	both.Wait()
	return passed[0] && passed[1]
}

// compile compiles what most tests need, while PostgreSQL is installed and started. The tests report what does not
// compile.
func compile(ctx context.Context) {
	command := exec.CommandContext(ctx, "go", "build", "./app")
	command.Env = append(os.Environ(), "CGO_ENABLED=0") // as the tests below, which find it in the cache
	_ = command.Run()
}

// shareServer starts a PostgreSQL server for the tests of all packages, and returns the environment that makes them use
// it, unless the environment of this command names a server. Tests that kill a server start their own.
func shareServer() (*dbtest.Cluster, []string, error) {
	if os.Getenv("PUNCHCARD_TEST_POSTGRES") != "" || !slices.Contains(dbtest.Engines, "postgres") {
		return nil, nil, nil
	}
	return dbtest.Share()
}

// stopServer stops the server, which would also end with this process, and returns the processor time it took.
func stopServer(server *dbtest.Cluster) time.Duration {
	if server == nil {
		return 0
	}
	before := processorTime(syscall.RUSAGE_CHILDREN)
	if err := server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "testrun: stop PostgreSQL:", err)
	}
	return processorTime(syscall.RUSAGE_CHILDREN) - before
}

// hasCompiler reports whether there is a C compiler, without which the race detector does not work.
func hasCompiler(ctx context.Context) bool {
	compiler, err := exec.CommandContext(ctx, "go", "env", "CC").Output()
	if err != nil {
		return false
	}
	_, err = exec.LookPath(strings.TrimSpace(string(compiler)))
	return err == nil
}
