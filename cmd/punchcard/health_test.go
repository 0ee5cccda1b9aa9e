package main_test

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// The command finds the server by the settings that the server has, also when it listens on all addresses.
func TestHealth(t *testing.T) {
	server := start(t, flags(t, "sqlite")...)
	_, port, _ := strings.Cut(strings.TrimPrefix(server.Base, "http://"), ":")
	ask := func(arguments ...string) error {
		command := exec.Command(program, append([]string{"health"}, arguments...)...)
		command.Env = append(command.Environ(), "PUNCHCARD_LISTEN=:"+port)
		return command.Run()
	}
	for _, arguments := range [][]string{nil, {"--ready"}} {
		if err := ask(arguments...); err != nil {
			t.Errorf("health %q of a running server: %v", arguments, err)
		}
	}
	server.stop(syscall.SIGTERM)
	for _, arguments := range [][]string{nil, {"--ready"}} {
		if ask(arguments...) == nil {
			t.Errorf("health %q of a server that has ended succeeds", arguments)
		}
	}
}
