package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// network is a bridge with machines, each a network namespace with one address. Nothing connects it to this machine's
// own network.
type network struct{ namespaces []string }

const (
	outside       = "punchcard-drill" // namespace with the bridge, on the clients' side
	networkPrefix = "10.77.0.0/24"
)

// machineName returns the namespace of a machine, counted from 1.
func machineName(number int) string { return outside + strconv.Itoa(number) }

func machineAddress(number int) string { return "10.77.0." + strconv.Itoa(number) }

// ip runs the program of this name.
func ip(ctx context.Context, arguments string) error {
	_, err := shell{}.do(ctx, "ip", strings.Fields(arguments)...)
	return err
}

// openNetwork makes the namespaces, and first removes those that a killed drill left.
func openNetwork(ctx context.Context, machines int) (*network, error) {
	n := &network{namespaces: []string{outside}}
	commands := []string{
		"link add bridge type bridge", "link set bridge up", "link set lo up",
		"address add " + machineAddress(254) + "/24 dev bridge",
	}
	for number := 1; number <= machines; number++ {
		n.namespaces = append(n.namespaces, machineName(number))
		commands = append(commands, fmt.Sprintf("link add m%d type veth peer name eth0 netns %s", number,
			machineName(number)), fmt.Sprintf("link set m%d master bridge up", number))
	}
	if err := n.close(ctx); err != nil {
		return nil, err
	}
	if err := n.build(ctx, commands, machines); err != nil {
		return nil, errors.Join(err, n.close(context.WithoutCancel(ctx)))
	}
	return n, nil
}

// build makes the namespaces, runs the commands in the one outside, and gives each machine its address.
func (n *network) build(ctx context.Context, commands []string, machines int) error {
	for _, name := range n.namespaces {
		if err := ip(ctx, "netns add "+name); err != nil {
			return err
		}
	}
	for _, command := range commands {
		if err := ip(ctx, "-netns "+outside+" "+command); err != nil {
			return err
		}
	}
	for number := 1; number <= machines; number++ {
		for _, command := range []string{
			"address add " + machineAddress(number) + "/24 dev eth0", "link set lo up", "link set eth0 up",
		} {
			if err := ip(ctx, "-netns "+machineName(number)+" "+command); err != nil {
				return err
			}
		}
	}
	return nil
}

// setCut takes a machine off the network, or puts it back. What it sends, and what is sent to it, vanishes.
func (n *network) setCut(ctx context.Context, number int, cut bool) error {
	state := "up"
	if cut {
		state = "down"
	}
	return ip(ctx, fmt.Sprintf("-netns %s link set m%d %s", outside, number, state))
}

// close kills everything in the namespaces that exist, and removes these.
func (n *network) close(ctx context.Context) error {
	listed, err := shell{}.do(ctx, "ip", "netns", "list")
	if err != nil {
		return err
	}
	for line := range strings.Lines(listed) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !slices.Contains(n.namespaces, name) {
			continue
		}
		left, err := processes(ctx, name)
		if err != nil {
			return err
		}
		if err := signalAll(left, syscall.SIGKILL); err != nil {
			return err
		}
		if err := ip(ctx, "netns delete "+name); err != nil {
			return err
		}
	}
	return nil
}

// processes returns the processes of a namespace that have one of the names, or all if there is no name.
func processes(ctx context.Context, namespace string, names ...string) (ids []int, err error) {
	listed, err := shell{}.do(ctx, "ip", "netns", "pids", namespace)
	if err != nil {
		return nil, err
	}
	for _, text := range strings.Fields(listed) {
		name, err := os.ReadFile(filepath.Join("/proc", text, "comm"))
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
			continue // it has ended
		}
		if err != nil {
			return nil, err
		}
		if len(names) > 0 && !slices.Contains(names, string(bytes.TrimSpace(name))) {
			continue
		}
		id, err := strconv.Atoi(text)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func signalAll(ids []int, signal syscall.Signal) error {
	for _, id := range ids {
		if err := syscall.Kill(id, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return err
		}
	}
	return nil
}

// inNamespace starts a command in a namespace, as a user, with its output in a file. It ends with the namespace.
func inNamespace(ctx context.Context, namespace, user, log string, arguments ...string) error {
	file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	command := exec.CommandContext(ctx, "ip", append([]string{"netns", "exec", namespace,
		"setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups"}, arguments...)...)
	command.Stdout, command.Stderr = file, file
	if err := command.Start(); err != nil {
		return err
	}
	go func() { _ = command.Wait() }() // it is killed sooner or later
	return nil
}
