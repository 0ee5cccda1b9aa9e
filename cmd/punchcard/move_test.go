package main_test

import (
	"bufio"
	"io"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"punchcard/app/apptest"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/testwait"
)

// TestMoveIsStartedAgain kills a move of the demonstration in several places, on both databases. No server starts with
// what it leaves, the next move begins anew, and the result is served with what it holds.
func TestMoveIsStartedAgain(t *testing.T) {
	dbtest.Both(t)
	if !slices.Contains(dbtest.Engines, "postgres") {
		t.Skip("without PostgreSQL")
	}
	first, last := t.TempDir(), t.TempDir()
	demoIn(t, first)
	middle := dbtest.Empty(t, "postgres").URL
	for _, way := range []struct {
		from, to string
		serve    []string
	}{
		{"sqlite:" + first, middle, []string{"--data", t.TempDir(), "--database", middle}},
		{middle, "sqlite:" + last, []string{"--data", last}},
	} {
		for _, place := range []string{"making the indexes", "making the search index"} {
			killMove(t, way.from, way.to, place)
		}
		if way.to == middle { // the rows are committed, and the search index is empty
			out, err := apptest.Command(t.Context(), program, append([]string{"serve"}, way.serve...)...).CombinedOutput()
			if err == nil || !strings.Contains(string(out), "punchcard move has not finished filling this database") {
				t.Errorf("serve: %v, %s", err, out)
			}
		}
		var out []byte
		testwait.Until(t, "PostgreSQL has noticed the end of the killed move", func() bool {
			var err error
			out, err = moveCommand(t, way.from, way.to).CombinedOutput()
			if err != nil && !strings.Contains(string(out), "canceling statement due to lock timeout") {
				t.Fatalf("%v, %s", err, out)
			}
			return err == nil
		})
		if !strings.Contains(string(out), " 0 findings") {
			t.Errorf("the report: %s", out)
		}
		server := start(t, way.serve...)
		user := server.token("/api/customer/login_check", "user@example.com", "loyalty")
		if status, body := server.call("GET", "/api/DEFAULT/customer/campaign/bought", user, nil); status != 200 {
			t.Errorf("%d %s", status, body)
		}
		admin := server.token("/api/admin/login_check", "admin", "open")
		found := url.Values{"q": {"user@example.com"}}
		if status, body := server.call("GET", "/api/DEFAULT/customer?"+found.Encode(), admin, nil); status != 200 ||
			!strings.Contains(body, "user@example.com") {
			t.Errorf("%d %s", status, body)
		}
		refused, err := moveCommand(t, way.to, "sqlite:"+t.TempDir()).CombinedOutput()
		if err == nil || !strings.Contains(string(refused), "--from: ") {
			t.Errorf("a move from a running server: %v, %s", err, refused)
		}
		if status := server.stop(syscall.SIGTERM); status != 0 {
			t.Errorf("exit status %d", status)
		}
	}
}

func moveCommand(t *testing.T, from, to string) *exec.Cmd {
	t.Helper()
	return apptest.Command(t.Context(), program, "move", "--from", from, "--to", to)
}

// killMove kills a move when it prints a line.
func killMove(t *testing.T, from, to, line string) {
	t.Helper()
	testwait.Until(t, "a move prints "+line, func() bool {
		command := apptest.Command(t.Context(), program, "move", "--no-check", "--from", from, "--to", to)
		output, err := command.StderrPipe()
		if err == nil {
			err = command.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines, text, killed := bufio.NewScanner(output), "", false
		for !killed && lines.Scan() {
			text += lines.Text() + "\n"
			if killed = lines.Text() == line; killed {
				if err := command.Process.Kill(); err != nil {
					t.Error(err)
				}
			}
		}
		_, _ = io.Copy(io.Discard, output) // until it has ended
		_ = command.Wait()                 // it was killed
		if !killed && !strings.Contains(text, "lock timeout") {
			t.Fatalf("the move ended: %s", text)
		}
		return killed
	})
}
