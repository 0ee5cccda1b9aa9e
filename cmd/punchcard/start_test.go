package main_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"punchcard/app/apptest"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/testwait"
)

// openToOthers gives everybody all permissions of a folder and what is in it, as copies and older programs do.
func openToOthers(t *testing.T, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			return os.Chmod(name, 0o777)
		} else if err == nil {
			return os.Chmod(name, 0o666)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkPrivate looks at the permissions of a folder and everything in it.
func checkPrivate(t *testing.T, when, folder string, contains ...string) {
	t.Helper()
	var found []string
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if info.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s: %s is %v", when, name, info.Mode())
		}
		found = append(found, filepath.Base(name))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range contains {
		if !strings.Contains(" "+strings.Join(found, " ")+" ", " "+name+" ") {
			t.Errorf("%s: no %s among %q", when, name, found)
		}
	}
}

// withoutUmask runs a command as if nothing were asked of the permissions of new files.
func withoutUmask(command *exec.Cmd) *exec.Cmd {
	return exec.Command("sh", append([]string{"-c", `umask 0; exec "$0" "$@"`}, command.Args...)...)
}

// Other users can read nothing, whatever the umask and the folder before the start.
func TestDataIsPrivate(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		flags := flags(t, engine)
		folder := flags[1]
		names := []string{"server.lock"}
		if engine == "sqlite" {
			names = append(names, "punchcard.db", "punchcard.db-wal", "punchcard.db-shm", "punchcard.db.migrate")
		}
		run := func(args ...string) {
			t.Helper()
			command := withoutUmask(exec.Command(program, append(args, flags...)...))
			if out, err := command.CombinedOutput(); err != nil {
				t.Fatalf("%q: %v, %s", args, err, out)
			}
		}
		openToOthers(t, folder)
		server := startCommand(t, withoutUmask(serveCommand(append(flags, "--demo")...)))
		newBuyer(server).buy()
		checkPrivate(t, "first start", folder, names...)
		server.stop(syscall.SIGKILL)
		checkPrivate(t, "crash", folder, names...)

		openToOthers(t, folder)
		server = startCommand(t, withoutUmask(serveCommand(flags...)))
		newBuyer(server).buy()
		checkPrivate(t, "another start", folder, names...)
		if !strings.Contains(server.Log.String(), "the data folder was open to other users") {
			t.Errorf("the log does not tell of the folder: %s", server.Log)
		}
		if engine == "sqlite" {
			backup := filepath.Join(t.TempDir(), "backup.db")
			run("backup", backup)
			if info, err := os.Stat(backup); err != nil || info.Mode() != 0o600 {
				t.Errorf("the backup is %v, %v", info.Mode(), err)
			}
			server.stop(syscall.SIGKILL)
			openToOthers(t, folder)
			run("restore", "--force", backup)
			checkPrivate(t, "restore", folder, "punchcard.db", "punchcard.db.before-restore")
			openToOthers(t, folder)
			run("admin", "create", "eve")
			checkPrivate(t, "admin create", folder)
			openToOthers(t, folder)
			run("migrate")
			checkPrivate(t, "migrate", folder)
			openToOthers(t, folder)
			run("reindex")
			checkPrivate(t, "reindex", folder)
		} else if status := server.stop(syscall.SIGTERM); status != 0 {
			t.Errorf("exit status %d", status)
		}
	})
}

// A folder that holds other files, too, may have to be open: it is left alone, and so is what is in it.
func TestSharedFolderIsRefused(t *testing.T) {
	folder := t.TempDir()
	other := filepath.Join(folder, "index.html")
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	openToOthers(t, folder)
	const want = `other users may enter the data folder`
	for _, args := range [][]string{
		{"serve", "--data", folder}, {"migrate", "--data", folder}, {"reindex", "--data", folder},
		{"recount", "--data", folder},
		{"admin", "create", "eve", "--data", folder}, {"restore", "--data", folder, other},
	} {
		if said, status := tool(t, args...); status != 1 || !strings.Contains(said, want) ||
			!strings.Contains(said, "chmod go= "+folder) || !strings.Contains(said, "index.html") {
			t.Errorf("%q: exit status %d, %s", args, status, said)
		}
	}
	for _, name := range []string{folder, other} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm()&0o066 != 0o066 {
			t.Errorf("%s is %v, %v", name, info.Mode(), err)
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	server := start(t, "--data", folder)
	if info, err := os.Stat(other); err != nil || info.Mode() != 0o666 {
		t.Errorf("the other file is %v, %v", info.Mode(), err)
	}
	if status := server.stop(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// SIGTERM ends a start that waits for PostgreSQL.
func TestStopWhileWaitingForPostgreSQL(t *testing.T) {
	log, command := &apptest.Log{}, serveCommand("--data", t.TempDir(), "--database",
		"postgres://127.0.0.1:1/none", "--database-wait", "1h")
	command.Stderr = log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() }) // it has ended already when the test went well
	testwait.Until(t, "the wait", func() bool { return strings.Contains(log.String(), "waiting for PostgreSQL") })
	if err := errors.Join(command.Process.Signal(syscall.SIGTERM), command.Wait()); err != nil {
		t.Errorf("%v, log: %s", err, log)
	}
}
