package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"punchcard/app/apptest"
	"punchcard/platform/job"
)

// build builds the product with the flags of the environment, which make soak sets to those of a
// release, and make test to those of the tests, with the race detector. The tag adds the faults of
// cmd/punchcard/faults.go.
func build(ctx context.Context, folder string) (program string, err error) {
	return apptest.Build(ctx, folder, nil, "-tags", "faults")
}

// server is the product, which is restarted again and again on one database.
type server struct {
	program string
	folder  string
	flags   []string // say where the data is
	queue   *queue   // nil for none

	process *apptest.Process // nil when it does not run
	address atomic.Value     // http://host:port, a string; the last one while it does not run
	log     *apptest.Log     // of all its processes

	injected injected
	downtime time.Duration // simulated, see kill
}

// openServer returns a server that is not started yet.
func openServer(program, folder string, flags []string, q *queue) (*server, error) {
	log, err := apptest.CreateLog(filepath.Join(folder, "log"))
	if err != nil {
		return nil, err
	}
	s := &server{program: program, folder: folder, flags: flags, queue: q, log: log}
	return s, s.inject(injected{})
}

// base returns the address of the server.
func (s *server) base() string { return s.address.Load().(string) }

// start runs the product and returns once it serves.
func (s *server) start(ctx context.Context) error {
	command := apptest.Command(ctx, s.program, slices.Concat([]string{"serve", "--listen", "127.0.0.1:0",
		"--log", "warn", "--admin-password", adminPassword}, s.flags, s.queue.flags())...)
	command.Env = append(command.Env, faultsVariable+"="+s.faults())
	process, err := apptest.Start(command, s.log)
	if err != nil {
		return err
	}
	s.process = process
	s.address.Store(process.Base)
	return nil
}

// kill ends the server at once, as a crash does. The clock of the next process is ahead by the term of
// a lease, as if the server had been down for so long. So the relay and the jobs work at once, instead
// of waiting until the leases of the killed process expire.
func (s *server) kill() error {
	process := s.process
	s.process = nil
	s.downtime += job.LeaseTerm
	return errors.Join(process.Kill(), s.inject(s.injected))
}

// stop ends the server as an operator does, after which its exit status must be 0. Without a server
// it does nothing.
func (s *server) stop() error {
	if s.process == nil {
		return nil
	}
	process := s.process
	s.process = nil
	return process.Stop()
}

// switchQueue restarts the running server if it has another message queue.
func (s *server) switchQueue(ctx context.Context, q *queue) error {
	if s.queue == q {
		return nil
	}
	if err := s.stop(); err != nil {
		return err
	}
	s.queue = q
	return s.start(ctx)
}

// pause stops the process where it is, and resume continues it. They do nothing after its end.
func (s *server) pause() error { return s.signal(syscall.SIGSTOP) }

func (s *server) resume() error { return s.signal(syscall.SIGCONT) }

func (s *server) signal(which os.Signal) error {
	if s.process == nil {
		return nil
	}
	return s.process.Signal(which)
}

// faultsVariable is the environment variable that cmd/punchcard/faults.go reads.
const faultsVariable = "FAULTS_FILE"

// injected are the faults inside the product.
type injected struct{ CommitDelay, ClockAhead time.Duration }

func (s *server) faults() string { return filepath.Join(s.folder, "faults") }

// inject changes the faults inside the running server, and those that the next one starts with.
func (s *server) inject(what injected) error {
	s.injected = what
	what.ClockAhead += s.downtime
	text, err := json.Marshal(what)
	if err != nil {
		return err
	}
	if err := os.WriteFile(s.faults()+".new", text, 0o600); err != nil {
		return err
	}
	if err := os.Rename(s.faults()+".new", s.faults()); err != nil { // the server reads the whole file or none
		return err
	}
	return s.signal(syscall.SIGUSR1)
}

// complaints returns the lines of the log since the last call that report a defect: panics, and errors
// unless the database was away.
func (s *server) complaints(away bool) []string {
	var found []string
	for line := range strings.Lines(s.log.Next()) {
		if strings.Contains(line, "panic") || !away && strings.Contains(line, `"level":"ERROR"`) {
			found = append(found, line[:min(len(line), 500)])
		}
	}
	return found
}

// check runs punchcard check on the database and returns its findings.
func (s *server) check(ctx context.Context) (findings []string, err error) {
	output, err := apptest.Command(ctx, s.program, append([]string{"check"}, s.flags...)...).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return strings.Split(strings.TrimSpace(string(output)), "\n"), nil
	}
	if err != nil {
		return nil, fmt.Errorf("check: %w: %s", err, output)
	}
	return nil, nil
}
