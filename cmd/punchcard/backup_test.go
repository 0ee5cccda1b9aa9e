package main_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/testwait"
)

// tool runs the program beside whatever runs, and returns what it said and its exit status.
func tool(t *testing.T, args ...string) (said string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit()) // a server that should not start is ended
	defer cancel()
	out, err := exec.CommandContext(ctx, program, args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit != nil {
		status = exit.ExitCode()
	}
	return string(out), status
}

// byHand runs a statement on the database of the flags, beside a server or not.
func byHand(t *testing.T, flags []string, statement string, args ...any) {
	t.Helper()
	config := db.Config{File: filepath.Join(flags[1], "punchcard.db")}
	if len(flags) > 2 {
		config.URL = flags[3]
	}
	d, err := dbopen.Open(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	err = d.Write(context.Background(), func(tx *db.Tx) error {
		n, err := tx.Exec(statement, args...)
		if err == nil && n == 0 {
			err = errors.New("no row was changed by " + statement)
		}
		return err
	})
	if err := errors.Join(err, d.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestCheckExitStatus(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			flags := flags(t, engine)
			server := start(t, flags...)
			const newest = `(SELECT MAX(version_id) FROM goose_db_version)`
			for _, step := range []struct {
				name, before string
				status       int
				says         *regexp.Regexp
			}{
				{"a live database", "", 0, regexp.MustCompile(`(?m)^\d+ rules checked, 0 findings$`)},
				{"a finding", `UPDATE roles SET permissions = 'oops' WHERE role_id = 1`, 1,
					regexp.MustCompile(`(?m)^admin\.permissions: store 0, 1: is oops, should be JSON$`)},
				{"repaired", `UPDATE roles SET permissions = '{}' WHERE role_id = 1`, 0, regexp.MustCompile(`, 0 findings`)},
				{"a newer schema", `UPDATE goose_db_version SET version_id = 9999 WHERE version_id = ` + newest, 0,
					regexp.MustCompile(`, 0 findings`)},
				{"a schema that is too new", `UPDATE schema_programs SET made_by = '9.1.0', oldest = '9.0.0'`, 2,
					regexp.MustCompile(`schema 9999 of version 9\.1\.0, which version 9\.0\.0 of the program and later can use`)},
				{"an older schema", `DELETE FROM goose_db_version WHERE version_id = 9999`, 2,
					regexp.MustCompile(`made by an older program; run punchcard migrate`)},
			} {
				if step.before != "" {
					byHand(t, flags, step.before)
				}
				if said, status := tool(t, append([]string{"check"}, flags...)...); status != step.status ||
					!step.says.MatchString(said) {
					t.Errorf("%s: exit status %d, %s", step.name, status, said)
				}
			}
			if status := server.stop(syscall.SIGTERM); status != 0 {
				t.Errorf("the server ended with %d", status)
			}
		})
	}
	if said, status := tool(t, "check", "--data", t.TempDir()); status != 2 || !strings.Contains(said, "no database") {
		t.Errorf("without a database: exit status %d, %s", status, said)
	}
}

// giver gives a customer points, one at a time.
type giver struct {
	server      *process
	admin, user string // token, id
}

func newGiver(t *testing.T, server *process) *giver {
	t.Helper()
	g := &giver{server: server, admin: server.token("/api/admin/login_check", "admin", "open")}
	_, body := server.call("GET", "/api/DEFAULT/admin/customer?email=user@example.com", g.admin, nil)
	found := regexp.MustCompile(`"customerId":"([^"]+)"`).FindStringSubmatch(body)
	if found == nil {
		t.Fatalf("no customer: %s", body)
	}
	g.user = found[1]
	return g
}

func (g *giver) give(t *testing.T) {
	t.Helper()
	status, body := g.server.call("POST", "/api/DEFAULT/points/transfer/add", g.admin,
		url.Values{"transfer[customer]": {g.user}, "transfer[points]": {"1"}})
	if status != 200 {
		t.Errorf("give: %d %s", status, body)
	}
}

// earned is how many points the customer ever got.
func (g *giver) earned(t *testing.T) float64 {
	t.Helper()
	status, body := g.server.call("GET", "/api/DEFAULT/admin/customer/"+g.user+"/status", g.admin, nil)
	var answer struct{ TotalEarnedPoints float64 }
	if err := json.Unmarshal([]byte(body), &answer); err != nil || status != 200 || answer.TotalEarnedPoints == 0 {
		t.Fatalf("status: %d %s", status, body)
	}
	return answer.TotalEarnedPoints
}

// commands are the shell commands of a section of docs/backup.md, the parts under its headings one by one.
func commands(t *testing.T, section string) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/backup.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	chapter, heading := "", ""
	for i, piece := range strings.Split("\n"+string(text), "\n```") {
		if i%2 == 1 {
			if language, code, _ := strings.Cut(piece, "\n"); language == "sh" && (chapter == section || chapter == "") {
				parts[heading] += code + "\n"
			}
			continue
		}
		for line := range strings.SplitSeq(piece, "\n") {
			if name, is := strings.CutPrefix(line, "## "); is {
				chapter, heading = name, ""
			} else if name, is := strings.CutPrefix(line, "### "); is {
				heading = name
			}
		}
	}
	return parts
}

// shell runs commands with the program and PostgreSQL's programs in the PATH.
func shell(t *testing.T, folder, commands string, environment ...string) {
	t.Helper()
	programs, err := dbtest.Programs()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("bash", "-euc", commands)
	command.Dir = folder
	command.Env = append(append(os.Environ(), "PATH="+filepath.Dir(program)+":"+programs+":"+os.Getenv("PATH")),
		environment...)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, commands, out)
	}
}

// restoredPostgres names a database that is not there yet, for the commands of the document.
func restoredPostgres(t *testing.T) (address string, environment []string) {
	t.Helper()
	cluster, err := dbtest.Postgres()
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("restored_%d", os.Getpid())
	t.Cleanup(func() {
		if err := cluster.DropDatabase(name); err != nil {
			t.Error(err)
		}
	})
	parsed, err := url.Parse(cluster.URL(name))
	if err != nil {
		t.Fatal(err)
	}
	return parsed.String(), []string{"NAME=" + strings.TrimPrefix(parsed.Path, "/"), "RESTORED=" + parsed.String()}
}

// The commands of docs/backup.md give back what there was at the moment of the backup, taken while points are given.
func TestBackupDocument(t *testing.T) {
	for engine, section := range map[string]string{"sqlite": "SQLite", "postgres": "PostgreSQL"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			flags := append(flags(t, engine), "--log", "error")
			folder, environment := t.TempDir(), []string{"PUNCHCARD_DATA=" + flags[1]}
			restored := append([]string{}, flags...)
			if engine == "postgres" {
				var more []string
				restored[3], more = restoredPostgres(t)
				environment = append(append(environment, "PUNCHCARD_DATABASE="+flags[3]), more...)
			}
			parts := commands(t, section)
			server := start(t, append(flags, "--demo")...)
			g := newGiver(t, server)
			g.give(t)
			least := g.earned(t)
			done := make(chan struct{})
			var giving sync.WaitGroup
			giving.Go(func() {
				for {
					select {
					case <-done:
						return
					default:
						g.give(t)
					}
				}
			})
			shell(t, folder, parts[""]+parts["Back up"], environment...)
			close(done)
			giving.Wait()
			most := g.earned(t)
			g.give(t) // is lost
			if status := server.stop(syscall.SIGTERM); status != 0 {
				t.Fatalf("exit status %d", status)
			}
			shell(t, folder, parts[""]+parts["Restore"], environment...)
			g.server = start(t, restored...)
			if earned := g.earned(t); earned < least || earned > most {
				t.Errorf("%v points are restored, want %v to %v", earned, least, most)
			}
			g.give(t)
			if status, body := g.server.call("GET", "/api/healthcheck", "", nil); status != 204 {
				t.Errorf("health: %d %s", status, body)
			}
			if said, status := tool(t, append([]string{"check"}, restored...)...); status != 0 {
				t.Errorf("check: %d %s", status, said)
			}
			if engine == "sqlite" {
				shell(t, folder, commands(t, "When")[""], environment...)
			}
		})
	}
}

// The commands about a copy off the machine give back everything that a server wrote before it was killed.
func TestCopyDocument(t *testing.T) {
	data, folder := t.TempDir(), t.TempDir()
	copies := "file://" + filepath.Join(folder, "copies")
	flags := []string{"--data", data, "--demo", "--replicate", copies}
	server := start(t, append(flags, "--replicate-sync")...)
	g := newGiver(t, server)
	for range 3 {
		g.give(t)
	}
	before := g.earned(t)
	if status := server.stop(syscall.SIGKILL); status != -1 {
		t.Errorf("exit status %d", status)
	}
	parts := commands(t, "A copy off the machine")
	shell(t, folder, parts["Restore to a moment"], "PUNCHCARD_DATA="+data, "COPY="+copies)
	g.server = start(t, flags...)
	if after := g.earned(t); after != before {
		t.Errorf("%v points are restored, want %v", after, before)
	}
	if status := g.server.stop(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d", status)
	}
	for says, args := range map[string][]string{
		"the copy has no snapshot from before": {"--from", copies, "--at", "2001-01-01T00:00:00Z"},
		"there is no copy at this place":       {"--from", copies + "/none"},
		"want either a backup or --from":       {},
		"--at needs --from":                    {"--at", "2001-01-01T00:00:00Z", "backup.db"},
	} {
		said, status := tool(t, append([]string{"restore", "--verify"}, args...)...)
		if status != 2 || !strings.Contains(said, says) {
			t.Errorf("%v: exit status %d, %s", args, status, said)
		}
	}
	said, status := tool(t, "serve", "--data", data, "--replicate", "s3://b", "--replicate-secret-key", "x")
	if status == 0 || !strings.Contains(said, "is not taken from the command line") {
		t.Errorf("a secret on the command line: exit status %d, %s", status, said)
	}
}

// What could destroy something is refused, and leaves everything as it was.
func TestBackupRefuses(t *testing.T) {
	folder, backup := t.TempDir(), filepath.Join(t.TempDir(), "backup.db")
	server := start(t, "--data", folder)
	run := func(status int, says string, args ...string) {
		t.Helper()
		if said, got := tool(t, args...); got != status || !strings.Contains(said, says) {
			t.Errorf("%q: exit status %d, %s", args, got, said)
		}
	}
	run(0, "verified", "backup", "--data", folder, backup)
	run(1, "exists already; --force replaces it", "backup", "--data", folder, backup)
	run(0, "verified", "backup", "--data", folder, "--force", backup)
	run(1, "another server uses the folder", "restore", "--data", folder, "--force", backup)
	run(1, "it is a database in use", "restore", "--data", t.TempDir(), filepath.Join(folder, "punchcard.db"))
	if status := server.stop(syscall.SIGTERM); status != 0 {
		t.Fatalf("exit status %d", status)
	}
	run(1, "exists already; --force replaces it", "restore", "--data", folder, backup)

	good, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	before := listing(t, folder)
	for name, content := range map[string][]byte{
		"empty": {}, "text": []byte("no database"), "short": good[:len(good)/2],
		"damaged": append(append(append([]byte{}, good[:8192]...), make([]byte, 65536)...), good[8192+65536:]...),
	} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		run(1, file+" is not restored", "restore", "--data", folder, "--force", file)
	}
	other := t.TempDir()
	run(0, "verified", "restore", "--data", other, backup)
	byHand(t, []string{"--data", other}, `UPDATE goose_db_version SET version_id = 9999 WHERE version_id = 101`)
	byHand(t, []string{"--data", other}, `UPDATE schema_programs SET oldest = '9.0.0'`)
	newer := filepath.Join(t.TempDir(), "newer.db")
	run(1, "install one of those, or restore a backup from before the upgrade", "backup", "--data", other, newer)
	if _, err := os.Stat(newer); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a backup that is refused is there: %v", err)
	}
	if after := listing(t, folder); after != before {
		t.Errorf("refused restores changed the folder:\n%s\nbefore:\n%s", after, before)
	}
	run(1, "pg_dump: docs/backup.md", "backup", "--database", "postgres://127.0.0.1:1/none", newer)
	run(1, "pg_restore: docs/backup.md", "restore", "--database", "postgres://127.0.0.1:1/none", newer)

	run(0, "the former database is", "restore", "--data", folder, "--force", backup)
	run(0, ", 0 findings", "check", "--data", folder)
	if entries, err := filepath.Glob(folder + "/punchcard.db*"); err != nil || strings.Join(entries, " ") !=
		filepath.Join(folder, "punchcard.db")+" "+filepath.Join(folder, "punchcard.db.before-restore")+" "+
			filepath.Join(folder, "punchcard.db.migrate") {
		t.Errorf("the folder holds %q, %v", entries, err)
	}
}

// listing returns the files of a folder with their sizes.
func listing(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&all, entry.Name(), info.Size(), info.ModTime())
	}
	return all.String()
}
