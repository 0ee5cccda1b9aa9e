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
)

// timeout is for one package. It only ends tests that hang.
const timeout = "-timeout=45m"

// batch is one go test command.
type batch struct {
	name        string // after those of its packages in the table of times
	race        bool
	folder      string // of the module; the current one if empty
	packages    []string
	environment []string
}

// raceFlags exclude SQLite and argon2, which are slow under the race detector and share no memory: with them these
// tests would take twice as long. Packages that use generic types of the standard library, as sync.Map does, must not
// be excluded: the linker may take their copies of its functions, whose atomic operations the detector does not see.
const raceFlags = " -race -gcflags=modernc.org/...=-race=false -gcflags=golang.org/x/crypto/argon2=-race=false"

// test runs the command and reports whether all its tests passed. Programs that tests build use the same flags, so that
// packages are compiled one time. Tests need no symbols, which take a third of the linker's time. make check and make
// quick vet.
func (b batch) test(ctx context.Context, results *results) bool {
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return false
	}
	arguments := []string{"test", "-vet=off", timeout, "-exec=" + self + " measure"}
	command := exec.CommandContext(ctx, "go", append(arguments, b.packages...)...)
	command.Dir = b.folder
	flags, cgo := os.Getenv("GOFLAGS")+" -ldflags=-s", "0"
	if b.race {
		flags, cgo = flags+raceFlags, "1"
	}
	command.Env = slices.Concat(os.Environ(), results.environment, b.environment, []string{
		"GOFLAGS=" + strings.TrimSpace(flags), "CGO_ENABLED=" + cgo,
		// Makes the race detector clear the shadow of large allocations up to this many bytes rather than map it again,
		// which takes half of the time of its tests.
		"GORACE=clear_shadow_mmap_threshold=1000000000",
		resultsVariable + "=" + results.file, suffixVariable + "=" + b.name,
	})
	command.Stdout, command.Stderr = &lines{to: os.Stdout}, &lines{to: os.Stderr}
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	err = command.Run()
	results.addCommand(command.ProcessState)
	return err == nil
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

// orphanLimit is how long measure waits for processes that the tests left to end, as browsers do by themselves.
const orphanLimit = 10 * time.Second

// measure runs the test binary of a package, and adds what it took to the results. It returns the exit status.
func measure(arguments []string) int {
	began := time.Now()
	adoptOrphans()
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
	took := time.Since(began)
	waitForOrphans()
	folder, folderErr := os.Getwd()
	if folderErr == nil {
		folderErr = addResult(folder, processorTime(syscall.RUSAGE_CHILDREN), took)
	}
	if folderErr != nil {
		fmt.Fprintln(os.Stderr, "testrun:", folderErr)
		return 1
	}
	if err != nil {
		return cmp.Or(max(command.ProcessState.ExitCode(), 0), 1)
	}
	return 0
}

// waitForOrphans waits for the processes that the tests left, so that their time counts, until orphanLimit.
func waitForOrphans() {
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for end := time.Now().Add(orphanLimit); time.Now().Before(end); {
		pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		if err != nil && err != syscall.EINTR {
			return // there are none
		}
		if pid == 0 {
			<-poll.C
		}
	}
}

// processorTime returns the processor time of this process, or of its children that have ended.
func processorTime(who int) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(who, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
