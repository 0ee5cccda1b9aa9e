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
	"strconv"
	"strings"
	"syscall"

	"punchcard/app/apptest"
	"punchcard/platform/db/dbtest"
)

// runDatabase connects a server to PostgreSQL through PgBouncer, and to the one of several servers that takes writes.
func runDatabase(ctx context.Context, folder string, out io.Writer) (err error) {
	if err := need(ctx, map[string]string{"pgbouncer": "pgbouncer"}); err != nil {
		return err
	}
	program, err := apptest.Build(ctx, folder, []string{"CGO_ENABLED=0"})
	if err != nil {
		return err
	}
	var addresses []string // of a server that is not there, one that takes no writes, and one that does
	for range 3 {
		address, err := freeAddress()
		if err != nil {
			return err
		}
		addresses = append(addresses, address)
	}
	for _, address := range addresses[1:] {
		cluster, err := startCluster(address)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, cluster.Stop()) }()
		for _, name := range []string{"drill", "session", "transaction"} {
			if err := cluster.CreateDatabase(name); err != nil {
				return err
			}
		}
	}
	if _, err := (shell{}).do(ctx, "psql", "--quiet", "postgres://postgres@"+addresses[1]+"/postgres", "--command",
		"ALTER SYSTEM SET default_transaction_read_only = on", "--command", "SELECT pg_reload_conf()"); err != nil {
		return err
	}
	url := "postgres://postgres@" + strings.Join(addresses, ",") + "/drill?target_session_attrs=read-write"
	if err := writeThrough(ctx, program, filepath.Join(folder, "hosts"), url, out); err != nil {
		return err
	}
	fmt.Fprintln(out, "of three servers, the one that takes writes is used")
	return pool(ctx, program, folder, addresses[2], out)
}

// startCluster starts PostgreSQL at an address of this machine.
func startCluster(address string) (*dbtest.Cluster, error) {
	_, text, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		return nil, err
	}
	return dbtest.StartCluster(dbtest.Options{TCPPort: port})
}

// writeThrough starts a server with the address of a database, and lets clients write.
func writeThrough(ctx context.Context, program, folder, database string, out io.Writer) error {
	flags := []string{"--database", database, "--data", folder, "--listen=127.0.0.1:0", "--database-wait=0s"}
	return underLoad(ctx, program, flags, func(n *node, l *load) error {
		if err := l.more(ctx, between); err != nil {
			return err
		}
		if err := l.finish(ctx, n.Base); err != nil {
			return err
		}
		fmt.Fprintln(out, l)
		return nil
	})
}

// bouncer configures PgBouncer.
const bouncer = `[databases]
* = host=127.0.0.1 port=%s user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %s
unix_socket_dir =
auth_type = any
pool_mode = %s
default_pool_size = 40
`

// pool connects through PgBouncer: with sessions of their own, which works, and with shared ones, which is refused.
func pool(ctx context.Context, program, folder, server string, out io.Writer) error {
	_, to, err := net.SplitHostPort(server)
	if err != nil {
		return err
	}
	for mode, problem := range map[string]string{"session": "", "transaction": "the pooler shares sessions"} {
		address, err := freeAddress()
		if err != nil {
			return err
		}
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			return err
		}
		config := filepath.Join(folder, mode+".ini")
		if err := os.WriteFile(config, fmt.Appendf(nil, bouncer, to, port, mode), 0o600); err != nil {
			return err
		}
		command := exec.CommandContext(ctx, "pgbouncer", "--quiet", "--user=nobody", config)
		if err := command.Start(); err != nil {
			return err
		}
		err = await(ctx, func() error {
			connection, err := net.Dial("tcp", address)
			if err == nil {
				err = connection.Close()
			}
			return err
		})
		if err == nil {
			err = writeThrough(ctx, program, filepath.Join(folder, mode),
				"postgres://postgres@"+address+"/"+mode+"?sslmode=disable", out)
		}
		if problem != "" && err != nil && strings.Contains(err.Error(), problem) {
			fmt.Fprintln(out, "refused:", problem)
			err = nil
		} else if problem != "" {
			err = errors.Join(errors.New("shared sessions are not refused"), err)
		}
		if err := errors.Join(err, command.Process.Signal(syscall.SIGTERM)); err != nil {
			return fmt.Errorf("pool_mode=%s: %w", mode, err)
		}
		_ = command.Wait() // ended by the signal
	}
	return nil
}
