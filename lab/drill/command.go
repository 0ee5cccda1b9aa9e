package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"
)

// shell runs programs with further variables of the environment.
type shell []string

// do runs a program and returns its standard output. An error has what it printed.
func (s shell) do(ctx context.Context, program string, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, program, arguments...)
	command.Env = append(os.Environ(), s...)
	var problems bytes.Buffer
	command.Stderr = &problems
	output, err := command.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s%s", program, strings.Join(arguments, " "), err, output, &problems)
	}
	return strings.TrimSpace(string(output)), err
}

// need installs Debian packages whose programs are missing. A machine that has others installs them by itself.
func need(ctx context.Context, packageOf map[string]string) error {
	var missing []string
	for program, name := range packageOf {
		if _, err := exec.LookPath(program); err != nil {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	apt := shell{"DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1"} // services are not started
	if _, err := apt.do(ctx, "apt-get", "update"); err != nil {
		return err
	}
	_, err := apt.do(ctx, "apt-get", append([]string{"install", "-y", "--no-install-recommends"}, missing...)...)
	return err
}

const (
	patience = 2 * time.Minute       // for what must happen
	pause    = 50 * time.Millisecond // between two looks
)

// await calls ready until it succeeds.
func await(ctx context.Context, ready func() error) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for {
		err := ready()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("not within %v: %w", patience, err)
		case <-time.After(pause):
		}
	}
}

// freeAddress returns an address on the loopback interface that was free a moment ago.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}
