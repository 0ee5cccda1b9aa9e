package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"punchcard/app/apptest"
)

// server is a running product or ceiling.
type server struct {
	*apptest.Process
	started time.Duration // until the first response
}

// startServer runs a program and returns once it has responded to a request.
func startServer(ctx context.Context, log string, input []byte, program string, arguments ...string) (*server, error) {
	file, err := apptest.CreateLog(log)
	if err != nil {
		return nil, err
	}
	defer file.Close() // the process has it open
	command := apptest.Command(ctx, program, arguments...)
	command.Stdin = bytes.NewReader(input)
	began := time.Now()
	process, err := apptest.Start(command, file)
	if err != nil {
		return nil, err
	}
	if err := process.Await(); err != nil {
		return nil, errors.Join(err, process.Stop())
	}
	return &server{process, time.Since(began)}, nil
}

// request sends one request, with JSON unless the text is empty, and returns the body of the response, which must have
// status 200 or 204.
func (s *server) request(method, path, token, text string) ([]byte, error) {
	request, err := http.NewRequest(method, s.Base+path, strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK && response.StatusCode != http.StatusNoContent {
		err = fmt.Errorf("%s %s responds with %s: %s: %s", method, path, response.Status, body, s.Log.Tail())
	}
	return body, err
}

// statements returns how many statements the product has run, or 0 if it does not count them: an older build.
func (s *server) statements() (int64, error) {
	n, err := s.metric("punchcard_database_statements_total")
	return int64(n), err
}

// metric returns a metric of the product, or 0 if it does not have it.
func (s *server) metric(name string) (float64, error) {
	text, err := s.request("GET", "/metrics", metricsToken, "")
	for line := range strings.Lines(string(text)) {
		if number, found := strings.CutPrefix(line, name+" "); found {
			return strconv.ParseFloat(strings.TrimSpace(number), 64)
		}
	}
	return 0, err
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
