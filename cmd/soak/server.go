package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	startLimit = time.Minute      // a start after a crash recovers the database first
	stopLimit  = 30 * time.Second // more than a server takes to drain
	logTail    = 3000             // bytes of the server's log in an error
)

// build builds the product with the settings of the environment: make soak sets those of what is shipped, and make test
// those of the tests, with the race detector. The tag adds the faults of cmd/punchcard/faults.go.
func build(ctx context.Context, folder string) (program string, err error) {
	program = filepath.Join(folder, "punchcard")
	command := exec.CommandContext(ctx, "go", "build", "-tags", "faults", "-o", program, "punchcard/cmd/punchcard")
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the product: %w: %s", err, output)
	}
	return program, nil
}

// server is the product, started again and again on one database.
type server struct {
	program string
	folder  string
	flags   []string // that say where the data is
	serving []string // that only the command serve takes

	command *exec.Cmd    // nil when it does not run
	address atomic.Value // http://host:port, a string; the last one while it does not run
	ended   chan error
	logged  int64 // bytes of the log that were looked at
}

// environment is that of this process without the product's settings.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "PUNCHCARD_")
	})
}

// base is the address that the server serves at.
func (s *server) base() string { return s.address.Load().(string) }

func (s *server) log() string { return filepath.Join(s.folder, "log") }

var serves = regexp.MustCompile(`serves (http://\S+)`)

// start runs the product and returns once it serves.
func (s *server) start(ctx context.Context) error {
	log, err := os.OpenFile(s.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	arguments := append([]string{"serve", "--listen", "127.0.0.1:0", "--log", "warn", "--admin-password", adminPassword},
		slices.Concat(s.flags, s.serving)...)
	command := exec.CommandContext(ctx, s.program, arguments...)
	if s.command == nil && s.ended == nil {
		if err := s.inject(injected{}); err != nil {
			return err
		}
	}
	command.Env, command.Stderr = append(environment(), faultsVariable+"="+s.faults()), log
	said, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	s.command, s.ended = command, make(chan error, 1)
	late := time.AfterFunc(startLimit, func() { _ = command.Process.Kill() }) // the error comes with its end
	defer late.Stop()
	lines := bufio.NewScanner(said)
	base := ""
	for base == "" && lines.Scan() {
		if found := serves.FindStringSubmatch(lines.Text()); found != nil {
			base = found[1]
		}
	}
	s.address.Store(base)
	ended := s.ended
	go func() {
		_, _ = io.Copy(io.Discard, said) // until the end of the process
		ended <- command.Wait()
	}()
	if base == "" {
		s.command = nil
		return fmt.Errorf("the server does not serve: %w: %s", <-ended, s.logTail())
	}
	return nil
}

// kill ends the server at once, as a crash does.
func (s *server) kill() error {
	if err := s.command.Process.Kill(); err != nil {
		return err
	}
	var killed *exec.ExitError
	err := <-s.ended
	s.command = nil
	if !errors.As(err, &killed) || killed.ExitCode() != -1 {
		return fmt.Errorf("the killed server ended with %w", err)
	}
	return nil
}

// stop ends the server as an operator does, after which its exit status must be 0. Without a server it does nothing.
func (s *server) stop() error {
	if s.command == nil {
		return nil
	}
	late := time.AfterFunc(stopLimit, func() { _ = s.command.Process.Kill() }) // which shows in its status
	defer late.Stop()
	err := errors.Join(s.command.Process.Signal(syscall.SIGTERM), <-s.ended)
	s.command = nil
	if err != nil {
		return fmt.Errorf("the server ended with %w: %s", err, s.logTail())
	}
	return nil
}

// pause stops the process where it is, and resume lets it go on. A server that ended meanwhile is left alone.
func (s *server) pause() error { return s.signal(syscall.SIGSTOP) }

func (s *server) resume() error { return s.signal(syscall.SIGCONT) }

func (s *server) signal(which os.Signal) error {
	if s.command == nil {
		return nil
	}
	return s.command.Process.Signal(which)
}

// faultsVariable is what cmd/punchcard/faults.go reads.
const faultsVariable = "FAULTS_FILE"

// injected are the faults inside the product.
type injected struct{ CommitDelay, ClockAhead time.Duration }

func (s *server) faults() string { return filepath.Join(s.folder, "faults") }

// inject changes the faults inside the running server, and those that the next one starts with.
func (s *server) inject(what injected) error {
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

func (s *server) logTail() string {
	text, err := os.ReadFile(s.log())
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-logTail):])
}

// complaints returns the lines of the log since the last call that tell of a defect: panics, and errors unless the
// database was away.
func (s *server) complaints(away bool) ([]string, error) {
	file, err := os.Open(s.log())
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if _, err := file.Seek(s.logged, io.SeekStart); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	s.logged += int64(len(text))
	var found []string
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "panic") || !away && strings.Contains(line, `"level":"ERROR"`) {
			found = append(found, line[:min(len(line), 500)])
		}
	}
	return found, nil
}

// check has the product check its database and returns what it found.
func (s *server) check(ctx context.Context) (findings []string, err error) {
	command := exec.CommandContext(ctx, s.program, append([]string{"check"}, s.flags...)...)
	command.Env = environment()
	output, err := command.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return strings.Split(strings.TrimSpace(string(output)), "\n"), nil
	}
	if err != nil {
		return nil, fmt.Errorf("check: %w: %s", err, output)
	}
	return nil, nil
}
