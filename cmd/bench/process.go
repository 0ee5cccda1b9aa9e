package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	stopLimit = 30 * time.Second // more than a server takes to drain
	logTail   = 2000             // bytes of a server's log in an error
)

// buildProduct builds the product as it is shipped.
func buildProduct(ctx context.Context, folder string) (program string, err error) {
	program = filepath.Join(folder, "punchcard")
	command := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", program, "punchcard/cmd/punchcard")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the product: %w: %s", err, output)
	}
	return program, nil
}

// server is a running product or ceiling.
type server struct {
	command *exec.Cmd
	address string // host and port
	log     string // file of its standard error
	ended   chan error
	started time.Duration // until the first answer
}

var serves = regexp.MustCompile(`serves http://(\S+)`)

// startServer runs a program and returns once it has answered a request.
func startServer(ctx context.Context, log string, input []byte, program string, arguments ...string) (*server, error) {
	file, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	command := exec.CommandContext(ctx, program, arguments...)
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = stopLimit
	command.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "PUNCHCARD_") // the product's settings
	})
	command.Stdin, command.Stderr = bytes.NewReader(input), file
	said, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if err := command.Start(); err != nil {
		return nil, err
	}
	s := &server{command: command, log: log, ended: make(chan error, 1)}
	lines := bufio.NewScanner(said)
	for s.address == "" && lines.Scan() {
		if found := serves.FindStringSubmatch(lines.Text()); found != nil {
			s.address = found[1]
		}
	}
	go func() {
		_, _ = io.Copy(io.Discard, said) // until the end of the process
		s.ended <- command.Wait()
	}()
	if s.address == "" {
		return nil, fmt.Errorf("%s does not serve: %w: %s", filepath.Base(program), <-s.ended, s.logTail())
	}
	answer, err := http.Get("http://" + s.address + "/api/healthcheck") // any answer will do
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	s.started = time.Since(began)
	return s, answer.Body.Close()
}

// stop ends the server as an operator does. A server that does not end well is an error; a second call does nothing.
func (s *server) stop() error {
	if s.ended == nil {
		return nil
	}
	signaled := s.command.Process.Signal(syscall.SIGTERM)
	if errors.Is(signaled, os.ErrProcessDone) {
		signaled = nil // the reason comes with its end
	}
	err := errors.Join(signaled, <-s.ended)
	s.ended = nil
	if err != nil {
		return fmt.Errorf("%s ended with %w: %s", s.command.Path, err, s.logTail())
	}
	return nil
}

func (s *server) logTail() string {
	text, err := os.ReadFile(s.log)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-logTail):])
}

// request sends one request and returns the body of its answer, which must have status 200.
func (s *server) request(method, path, token string) ([]byte, error) {
	request, err := http.NewRequest(method, "http://"+s.address+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s answers %s: %s: %s", method, path, response.Status, body, s.logTail())
	}
	return body, err
}

// startCeiling runs this program as the ceiling.
func startCeiling(ctx context.Context, log string, plan *ceilingPlan) (*server, error) {
	self, input, err := self(plan)
	if err != nil {
		return nil, err
	}
	return startServer(ctx, log, input, self, ceilingCommand)
}

// runLoad runs this program as the load generator.
func runLoad(ctx context.Context, plan *loadPlan) (*loadResult, error) {
	self, input, err := self(plan)
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, self, loadCommand)
	command.Stdin, command.Stderr = bytes.NewReader(input), os.Stderr
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("load generator: %w", err)
	}
	var result loadResult
	return &result, json.Unmarshal(output, &result)
}

func self(plan any) (program string, input []byte, err error) {
	if input, err = json.Marshal(plan); err != nil {
		return "", nil, err
	}
	program, err = os.Executable()
	return program, input, err
}
