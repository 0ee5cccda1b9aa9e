// Package apptest builds, starts, stops and kills servers, for tests and for the programs that
// measure and crash them. Temporary PostgreSQL servers are in platform/db/dbtest.
package apptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	startLimit = 5 * time.Minute // for the demonstration data, or the recovery after a crash
	stopLimit  = time.Minute     // more than a server takes to drain
)

// Build builds the product into the folder and returns the path of the program. The variables are
// added to the environment of the go command, the flags to those of go build.
func Build(ctx context.Context, folder string, variables []string, flags ...string) (program string, err error) {
	root, err := Root(ctx)
	if err != nil {
		return "", err
	}
	program = filepath.Join(folder, "punchcard")
	command := exec.CommandContext(ctx, "go", slices.Concat([]string{"build", "-o", program}, flags,
		[]string{"punchcard/cmd/punchcard"})...)
	command.Dir = root // with the versions of libraries in its go.mod
	command.Env = append(os.Environ(), variables...)
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the product: %w: %s", err, output)
	}
	return program, nil
}

// Root returns the folder of the repository, which holds the present folder.
func Root(ctx context.Context) (string, error) {
	output, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "punchcard").Output()
	if err != nil {
		return "", fmt.Errorf("go list -m punchcard: %w", err)
	}
	return strings.TrimSpace(string(output)), nil
}

// Command returns a command that runs a program without the settings in the environment of this
// process. The end of ctx stops the program with SIGTERM.
func Command(ctx context.Context, program string, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, program, arguments...)
	command.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "PUNCHCARD_")
	})
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = stopLimit
	return command
}

// Process is a server in a process of its own.
type Process struct {
	Base string // http://host:port
	Log  *Log   // its standard error

	command *exec.Cmd
	ended   chan struct{} // closed after the end
	err     error         // how it ended
}

// Start starts a server and returns once it prints its address. A start that takes longer than five
// minutes, or that ends, is an error with the end of the log.
func Start(command *exec.Cmd, log *Log) (*Process, error) {
	p := &Process{Log: log, command: command, ended: make(chan struct{})}
	command.Stderr = log.output()
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	late := time.AfterFunc(startLimit, func() { _ = command.Process.Kill() }) // Address reports the end
	defer late.Stop()
	base, err := findAddress(output)
	go func() {
		_, _ = io.Copy(io.Discard, output) // Wait closes the pipe, so it comes after the last line
		p.err = command.Wait()
		close(p.ended)
	}()
	if err != nil {
		<-p.ended
		return nil, errors.Join(fmt.Errorf("%s does not serve: %w: %s", filepath.Base(command.Path), err, log.Tail()), p.err)
	}
	p.Base = base
	return p, nil
}

// Await returns after the first response to a request, whatever its status.
func (p *Process) Await() error {
	response, err := http.Get(p.Base + "/api/healthcheck")
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// PID returns the id of the process.
func (p *Process) PID() int { return p.command.Process.Pid }

// Signal sends a signal. It does nothing after the end of the process.
func (p *Process) Signal(signal os.Signal) error {
	if err := p.command.Process.Signal(signal); !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}

// End sends a signal, waits for the end of the process and returns its exit status, which is -1
// after a signal. A process that does not end within a minute is killed.
func (p *Process) End(signal os.Signal) (status int, err error) {
	if err := p.Signal(signal); err != nil {
		return 0, err
	}
	late := time.AfterFunc(stopLimit, func() { _ = p.command.Process.Kill() }) // the status shows it
	defer late.Stop()
	<-p.ended
	if exit := (*exec.ExitError)(nil); p.err != nil && !errors.As(p.err, &exit) {
		return 0, p.err
	}
	return p.command.ProcessState.ExitCode(), nil
}

// Stop ends the server as an operator does. An exit status other than 0 is an error. A second call
// does nothing.
func (p *Process) Stop() error {
	status, err := p.End(syscall.SIGTERM)
	if err == nil && status != 0 {
		err = fmt.Errorf("%s ended with %w: %s", filepath.Base(p.command.Path), p.err, p.Log.Tail())
	}
	return err
}

// Kill ends the server at once, as a crash does. It is an error if the server had ended by itself.
func (p *Process) Kill() error {
	status, err := p.End(syscall.SIGKILL)
	if err == nil && status != -1 {
		err = fmt.Errorf("the server ended before it was killed, with status %d: %s", status, p.Log.Tail())
	}
	return err
}
