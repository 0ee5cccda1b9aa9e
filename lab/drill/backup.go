package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"punchcard/app/apptest"
	"punchcard/platform/db/dbtest"
)

// archived is a PostgreSQL server whose WAL pgBackRest archives, as docs/backup.md says.
type archived struct {
	folder   string
	programs string // folder of PostgreSQL's
	port     string
}

// runBackup destroys a PostgreSQL server after a backup and further writes, and restores it.
func runBackup(ctx context.Context, folder string, out io.Writer) (err error) {
	if err := need(ctx, map[string]string{"pgbackrest": "pgbackrest"}); err != nil {
		return err
	}
	program, err := apptest.Build(ctx, folder, []string{"CGO_ENABLED=0"})
	if err != nil {
		return err
	}
	s, err := openArchived(ctx, folder)
	if err != nil {
		return err
	}
	if err := s.start(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.kill(context.WithoutCancel(ctx))) }()
	if err := s.execute(ctx, "CREATE DATABASE punchcard"); err != nil {
		return err
	}
	flags := []string{"--database", s.url(), "--data", filepath.Join(folder, "node"), "--listen=127.0.0.1:0",
		"--result-window=1000000"}
	return underLoad(ctx, program, flags, func(n *node, l *load) error { return s.lose(ctx, program, n, l, out) })
}

// lose destroys the server after a backup, restores it, and compares.
func (s *archived) lose(ctx context.Context, program string, n *node, l *load, out io.Writer) error {
	if err := s.backUp(ctx, l, out); err != nil {
		return err
	}
	if err := errors.Join(l.finish(ctx, n.Base), n.stop()); err != nil {
		return err
	}
	// What archive_timeout does within a minute: the rest of the WAL is archived.
	if err := s.execute(ctx, "SELECT pg_switch_wal()"); err != nil {
		return err
	}
	if err := s.backRest(ctx, "check"); err != nil {
		return err
	}
	if err := s.kill(ctx); err != nil {
		return err
	}
	if err := os.RemoveAll(s.data()); err != nil {
		return err
	}
	began := time.Now()
	if err := s.restore(ctx, program); err != nil {
		return err
	}
	if err := n.start(ctx, program); err != nil {
		return err
	}
	if err := l.compare(ctx, n.Base); err != nil {
		return err
	}
	fmt.Fprintf(out, "the data folder was destroyed; %d acknowledged writes are restored and checked after %.1f s\n",
		l.count(), time.Since(began).Seconds())
	return nil
}

// openArchived makes an empty server that belongs to the user postgres.
func openArchived(ctx context.Context, folder string) (*archived, error) {
	s := &archived{folder: folder}
	var err error
	if s.programs, err = dbtest.Programs(); err != nil {
		return nil, err
	}
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	_, s.port, _ = strings.Cut(address, ":")
	text, err := os.ReadFile("packaging/cluster/pgbackrest.conf")
	if err != nil {
		return nil, err
	}
	filled := strings.NewReplacer("${FOLDER}", folder, "pg1-port=5432", "pg1-port="+s.port).Replace(string(text))
	if err := os.WriteFile(s.config(), []byte(filled), 0o644); err != nil {
		return nil, err
	}
	if _, err := (shell{}).do(ctx, "chown", "--recursive", "postgres", folder); err != nil {
		return nil, err
	}
	if err := s.as(ctx, filepath.Join(s.programs, "initdb"), "--no-sync", "--auth=trust", "--locale=C", "--encoding=UTF8",
		"--pgdata="+s.data()); err != nil {
		return nil, err
	}
	settings := fmt.Sprintf("listen_addresses = '127.0.0.1'\nport = %s\nunix_socket_directories = '%s'\n"+
		"archive_mode = on\narchive_timeout = 60\n"+
		"archive_command = 'pgbackrest --config=%s --stanza=punchcard archive-push %%p'\n",
		s.port, folder, s.config())
	return s, os.WriteFile(filepath.Join(s.data(), "postgresql.auto.conf"), []byte(settings), 0o644)
}

func (s *archived) data() string { return filepath.Join(s.folder, "postgresql") }

func (s *archived) config() string { return filepath.Join(s.folder, "pgbackrest.conf") }

func (s *archived) url() string { return "postgres://postgres@127.0.0.1:" + s.port + "/punchcard" }

// as runs a program as the user postgres.
func (s *archived) as(ctx context.Context, command ...string) error {
	_, err := shell{}.do(ctx, "setpriv", append([]string{"--reuid=postgres", "--regid=postgres", "--clear-groups"},
		command...)...)
	return err
}

// execute runs a statement.
func (s *archived) execute(ctx context.Context, statement string) error {
	return s.as(ctx, "psql", "--quiet", "--host="+s.folder, "--port="+s.port, "--command="+statement)
}

func (s *archived) backRest(ctx context.Context, command ...string) error {
	return s.as(ctx, append([]string{"pgbackrest", "--config=" + s.config(), "--stanza=punchcard",
		"--log-level-console=warn"}, command...)...)
}

func (s *archived) start(ctx context.Context) error {
	return s.as(ctx, filepath.Join(s.programs, "pg_ctl"), "--pgdata="+s.data(), "--timeout=120", "--silent",
		"--log="+filepath.Join(s.folder, "server.log"), "start")
}

// kill ends the server as the loss of its machine does. It does nothing without a server.
func (s *archived) kill(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(s.data(), "postmaster.pid")); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return s.as(ctx, filepath.Join(s.programs, "pg_ctl"), "--pgdata="+s.data(), "--mode=immediate", "--silent", "stop")
}

// backUp makes a full backup and an incremental one while clients write.
func (s *archived) backUp(ctx context.Context, l *load, out io.Writer) error {
	for _, command := range [][]string{
		{"stanza-create"}, {"check"}, {"--type=full", "backup"}, {"--type=incr", "backup"},
	} {
		if err := l.more(ctx, between); err != nil {
			return err
		}
		began := time.Now()
		if err := s.backRest(ctx, command...); err != nil {
			return err
		}
		fmt.Fprintf(out, "pgbackrest %s: %.1f s\n", strings.Join(command, " "), time.Since(began).Seconds())
	}
	return l.more(ctx, between)
}

// restore restores the backup and all archived WAL, and checks the data.
func (s *archived) restore(ctx context.Context, program string) error {
	if err := s.backRest(ctx, "restore"); err != nil {
		return err
	}
	if err := s.start(ctx); err != nil {
		return err
	}
	if err := await(ctx, func() error { return s.execute(ctx, "CREATE TEMPORARY TABLE ready ()") }); err != nil {
		return err
	}
	_, err := shell{}.do(ctx, program, "check", "--database", s.url())
	return err
}
