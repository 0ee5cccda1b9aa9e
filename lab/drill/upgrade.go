package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"punchcard/app/apptest"
	"punchcard/platform/db/dbtest"
)

// between is the number of writes that are acknowledged between two steps of an upgrade.
const between = 300

// maxPause is the longest time that a restart into another version may keep a client of SQLite waiting.
const maxPause = 5 * time.Second

// runUpgrade upgrades two nodes on PostgreSQL and one on SQLite, and takes them back.
func runUpgrade(ctx context.Context, folder string, out io.Writer) (err error) {
	p, err := buildReleases(ctx, folder)
	if err != nil {
		return err
	}
	cluster, err := dbtest.StartCluster(dbtest.Options{Durable: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cluster.Stop()) }()
	if err = cluster.CreateDatabase("upgrade"); err == nil {
		err = upgradeNodes(ctx, p, filepath.Join(folder, "postgres"), cluster.URL("upgrade"), between, out)
	}
	if err == nil {
		err = upgradeFile(ctx, p, filepath.Join(folder, "sqlite"), between, maxPause, out)
	}
	return err
}

// node is a place for a server: its folder, its address, and the process that runs there.
type node struct {
	flags  []string
	socket *os.File // kept open between two processes, as systemd does; nil without
	log    apptest.Log
	*apptest.Process
}

// start runs a program and waits until it serves.
func (n *node) start(ctx context.Context, program string) (err error) {
	command := apptest.Command(ctx, program, append([]string{"serve", "--log=warn", "--admin-password=" + adminPassword},
		n.flags...)...)
	if n.socket != nil {
		command = passSocket(command, n.socket)
	}
	n.Process, err = apptest.Start(command, &n.log)
	return err
}

// passSocket lets a command have a listener as systemd passes it.
func passSocket(command *exec.Cmd, socket *os.File) *exec.Cmd {
	passed := exec.Command("sh", append([]string{"-c", `LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"`}, command.Args...)...)
	passed.Env, passed.ExtraFiles = command.Env, []*os.File{socket}
	return passed
}

// underLoad runs a program with the flags, and lets clients write. They and the node end with the drill,
// unless it ends them before.
func underLoad(ctx context.Context, program string, flags []string, drill func(n *node, l *load) error) (err error) {
	return (&node{flags: flags}).underLoad(ctx, program, drill)
}

func (n *node) underLoad(ctx context.Context, program string, drill func(n *node, l *load) error) (err error) {
	if err := n.start(ctx, program); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.stop()) }()
	l, err := startLoad(ctx, n.Base)
	if err != nil {
		return err
	}
	defer l.stop()
	return drill(n, l)
}

// restart ends the process as an operator does, and runs another program in its place.
func (n *node) restart(ctx context.Context, program string) error {
	if err := n.stop(); err != nil {
		return err
	}
	return n.start(ctx, program)
}

// stop ends the process, if there is one.
func (n *node) stop() error {
	process := n.Process
	n.Process = nil
	if process == nil {
		return nil
	}
	return process.Stop()
}

// upgradeNodes brings two nodes to the next release and back, one by one, while clients write.
func upgradeNodes(ctx context.Context, p programs, folder, database string, writes int, out io.Writer) (err error) {
	nodes := make([]*node, 2)
	for i := range nodes {
		address, err := freeAddress()
		if err != nil {
			return err
		}
		nodes[i] = &node{flags: []string{
			"--database", database, "--data", filepath.Join(folder, fmt.Sprint(i)), "--listen", address,
		}}
		if err := nodes[i].start(ctx, p.current); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, nodes[i].stop()) }()
	}
	l, err := startLoad(ctx, nodes[0].Base, nodes[1].Base)
	if err != nil {
		return err
	}
	defer l.stop()
	if err := showPlan(ctx, p.next, nodes[0].flags[:4], out); err != nil {
		return err
	}
	for _, step := range []struct {
		node    *node
		program string
	}{{nodes[0], p.next}, {nodes[1], p.next}, {nodes[0], p.current}, {nodes[1], p.current}, {nodes[0], p.next}} {
		if err := l.more(ctx, writes); err != nil {
			return err
		}
		if err := step.node.restart(ctx, step.program); err != nil {
			return err
		}
	}
	if err := l.more(ctx, writes); err != nil {
		return err
	}
	if err := l.finish(ctx, nodes[0].Base); err != nil {
		return err
	}
	fmt.Fprintf(out, "PostgreSQL, two nodes, forwards and back: %v\n", l)
	return refuseThird(ctx, p, nodes, out)
}

// showPlan prints what the next release would do to the schema.
func showPlan(ctx context.Context, program string, flags []string, out io.Writer) error {
	plan, err := apptest.Command(ctx, program, append([]string{"migrate", "--plan"}, flags...)...).CombinedOutput()
	if err == nil && !strings.Contains(string(plan), "locks writes to customers; reads go on") {
		err = errors.New("the plan does not name the lock of the index")
	}
	if err != nil {
		return fmt.Errorf("migrate --plan: %w: %s", err, plan)
	}
	_, err = fmt.Fprintf(out, "%s", plan)
	return err
}

// refuseThird brings one node to the second release, whose schema the first one may not use any more.
func refuseThird(ctx context.Context, p programs, nodes []*node, out io.Writer) error {
	if err := nodes[0].restart(ctx, p.afterNext); err != nil {
		return err
	}
	if err := nodes[1].restart(ctx, p.next); err != nil {
		return err
	}
	err := nodes[1].restart(ctx, p.current) // its Process is nil afterwards, as it never served
	if err == nil || !strings.Contains(err.Error(), "which version "+versionAfter(1)+" of the program and later can use") {
		return fmt.Errorf("the program of two releases before starts with %w", err)
	}
	fmt.Fprintln(out, "the program of two releases before is refused, with what to do")
	output, err := apptest.Command(ctx, p.next, append([]string{"check"}, nodes[0].flags[:4]...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("check: %w: %s", err, output)
	}
	return nil
}

// upgradeFile restarts a server on SQLite into the next release and back, while clients write, none of which may wait
// for longer than the limit.
func upgradeFile(ctx context.Context, p programs, folder string, writes int, limit time.Duration,
	out io.Writer) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	socket, err := listener.(*net.TCPListener).File()
	if err != nil {
		return err
	}
	defer socket.Close()
	n := &node{flags: []string{"--data", folder}, socket: socket}
	return n.underLoad(ctx, p.current, func(n *node, l *load) error {
		for _, program := range []string{p.next, p.current, p.next} {
			if err := l.more(ctx, writes); err != nil {
				return err
			}
			if err := n.restart(ctx, program); err != nil {
				return err
			}
		}
		if err := l.more(ctx, writes); err != nil {
			return err
		}
		if err := l.finish(ctx, n.Base); err != nil {
			return err
		}
		fmt.Fprintf(out, "SQLite, forwards and back: %v\n", l)
		switch {
		case l.longest > limit:
			return fmt.Errorf("a client waited for %v, longer than %v", l.longest, limit)
		case l.refused > 0:
			return fmt.Errorf("%d connections were refused", l.refused)
		}
		return nil
	})
}
