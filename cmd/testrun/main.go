// Command testrun runs all tests of this repository, or those of packages such as ./api and ./lab/soak, and prints what
// each package took. The environment variable PUNCHCARD_TEST names the mode, see platform/testmode. Packages whose
// goroutines share memory run with the race detector, where there is a C compiler. The others start whole servers or
// browsers, which would be several times slower with it.
//
// A package that takes more processor time than its budget fails a run of all: see budget.go.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
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

// timeout is for one package. It only ends tests that hang.
const timeout = "-timeout=45m"

func main() {
	if len(os.Args) > 2 && os.Args[1] == "measure" {
		os.Exit(measure(os.Args[2:]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
		os.Exit(1)
	}
}

// batch is one go test command.
type batch struct {
	name     string // in the table of times, for those that test packages again
	folder   string // of the module; empty for that of the product
	race     bool
	packages []string
	flags    []string
	after    []string // flags of the tests themselves
}

// raced are the packages whose goroutines share memory.
var raced = []string{"./loyalty/...", "./platform/...", "./api/..."}

// raceOnce are the transcripts on one database, through a whole server with the race detector.
var raceOnce = batch{
	name: " (race)", race: true, packages: []string{"./app/tests/transcripts"},
	flags: []string{"-run=^TestTranscripts$/./sqlite"}, after: []string{"-rehearse=false"},
}

// lab are the programs that measure and break the product. They have a module of their own.
var lab = batch{folder: "lab", packages: []string{"./..."}}

// first are the plain packages that take longest. Begun last, they would run alone in the end.
var first = []string{"./web/tests", "./app/tests/transcripts", "./app/tests/trade", "./app/tests/plans"}

// run tests the packages with the paths, or all.
func run(ctx context.Context, paths []string) error {
	began := time.Now()
	plain, err := listTests(ctx, "./...", raced)
	if err != nil {
		return err
	}
	race := hasCompiler(ctx) && !testmode.Quick()
	if !race && !testmode.Quick() {
		fmt.Println("No C compiler was found: the race detector is off.")
	}
	var compiling sync.WaitGroup
	compiling.Go(func() { compile(ctx) })
	server, environment, err := shareServer()
	compiling.Wait()
	if err != nil {
		return err
	}
	if server != nil {
		defer func() { _ = server.Stop() }() // it also ends with this process
	}
	environment = append(environment, third(ctx))
	results, err := newResults()
	if err != nil {
		return err
	}
	defer results.remove()
	unit := machineUnit()
	// Two commands side by side: one waits for a browser or compiles while the other computes.
	var both sync.WaitGroup
	failed := make([]bool, 2)
	for i, batches := range [][]batch{
		{{packages: append(first, plain...)}},
		{{race: true, packages: raced}, lab, raceOnce},
	} {
		both.Go(func() {
			for _, b := range batches {
				b.limit(paths)
				if len(b.packages) > 0 && (race || b.name == "") && !b.test(ctx, race, environment, results) {
					failed[i] = true
				}
			}
		})
	}
	both.Wait()
	over, err := results.print(os.Stdout, unit, time.Since(began))
	switch {
	case err != nil:
		return err
	case failed[0] || failed[1]:
		return fmt.Errorf("tests failed")
	case over && len(paths) == 0:
		return fmt.Errorf("packages exceed their budgets")
	}
	return nil
}

// limit leaves those of the paths that the batch would test, unless there are none.
func (b *batch) limit(paths []string) {
	if len(paths) == 0 {
		return
	}
	patterns := b.packages
	b.packages = nil
	for _, path := range paths {
		inLab, isLab := strings.CutPrefix(path, "./lab/")
		if isLab != (b.folder == "lab") {
			continue
		}
		if isLab {
			path = "./" + inLab
		}
		if slices.ContainsFunc(patterns, func(pattern string) bool {
			folder, all := strings.CutSuffix(pattern, "/...")
			return path == folder || all && strings.HasPrefix(path, folder+"/")
		}) {
			b.packages = append(b.packages, path)
		}
	}
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

// listTests returns the packages of a pattern that no other pattern contains.
func listTests(ctx context.Context, pattern string, without []string) ([]string, error) {
	output, err := exec.CommandContext(ctx, "go", "list", pattern).Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", pattern, err)
	}
	var left []string
	for name := range strings.FieldsSeq(string(output)) {
		name = strings.Replace(name, "punchcard", ".", 1)
		inOther := false
		for _, other := range append(without, first...) {
			folder := strings.TrimSuffix(other, "/...")
			inOther = inOther || name == folder || folder != other && strings.HasPrefix(name, folder+"/")
		}
		if !inOther {
			left = append(left, name)
		}
	}
	return left, nil
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

// raceFlags exclude SQLite and argon2, which are slow under the race detector and share no memory: with them these
// tests would take twice as long. Packages that use generic types of the standard library, as sync.Map does, must not
// be excluded: the linker may take their copies of its functions, whose atomic operations the detector does not see.
const raceFlags = " -race -gcflags=modernc.org/...=-race=false -gcflags=golang.org/x/crypto/argon2=-race=false"

// test runs the command and reports whether all its tests passed. Programs that tests build use the same flags, so that
// packages are compiled once. Tests need no symbols, which take a third of the linker's time. make check and make quick
// vet.
func (b *batch) test(ctx context.Context, race bool, environment []string, results *results) bool {
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return false
	}
	arguments := append([]string{"test", "-vet=off", timeout, "-exec=" + self + " measure"}, b.flags...)
	command := exec.CommandContext(ctx, "go", slices.Concat(arguments, b.packages, b.after)...)
	flags, cgo := os.Getenv("GOFLAGS")+" -ldflags=-s", "0"
	if b.race && race {
		flags, cgo = flags+raceFlags, "1"
	}
	command.Dir = b.folder
	command.Env = append(append(os.Environ(), environment...), "GOFLAGS="+strings.TrimSpace(flags), "CGO_ENABLED="+cgo,
		// Makes the race detector clear the shadow of large allocations up to this many bytes rather than map it again,
		// which takes half of the time of its tests.
		"GORACE=clear_shadow_mmap_threshold=1000000000",
		resultsVariable+"="+results.file, suffixVariable+"="+b.name)
	command.Stdout, command.Stderr = &lines{to: os.Stdout}, &lines{to: os.Stderr}
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	return command.Run() == nil
}

// output orders the lines of commands that run side by side.
var output sync.Mutex

// lines writes what go test prints of a package at once, but for packages without tests.
type lines struct{ to io.Writer }

func (l *lines) Write(text []byte) (int, error) {
	output.Lock()
	defer output.Unlock()
	for line := range strings.Lines(string(text)) {
		if !strings.HasSuffix(line, "[no test files]\n") {
			if _, err := io.WriteString(l.to, line); err != nil {
				return 0, err
			}
		}
	}
	return len(text), nil
}

// measure runs the test binary of a package, and adds what it took to the results. It returns the exit status.
func measure(arguments []string) int {
	began := time.Now()
	command := exec.Command(arguments[0], arguments[1:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := command.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
		return 1
	}
	// The go command ends tests that hang by a signal, to which they answer with their stacks.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGQUIT, syscall.SIGTERM, os.Interrupt)
	go func() {
		for s := range signals {
			_ = command.Process.Signal(s) // it may have ended
		}
	}()
	err := command.Wait()
	state := command.ProcessState
	folder, folderErr := os.Getwd()
	if folderErr == nil {
		folderErr = addResult(folder, state.UserTime()+state.SystemTime(), time.Since(began))
	}
	if folderErr != nil {
		fmt.Fprintln(os.Stderr, "testrun:", folderErr)
		return 1
	}
	if err != nil {
		return cmp.Or(max(state.ExitCode(), 0), 1)
	}
	return 0
}
