package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"punchcard/app/apptest"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/testmode"
	"punchcard/platform/testwait"
)

var program string

func TestMain(m *testing.M) {
	if testmode.Quick() {
		fmt.Println("make quick leaves out the tests of whole processes")
		return
	}
	folder, err := os.MkdirTemp("", "punchcard-program-")
	if err == nil {
		program, err = apptest.Build(context.Background(), folder, nil, "-ldflags=-s")
	}
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(folder) }() // dbtest.Main ends the process when a test failed
	dbtest.Main(m)
}

// process is a running server of a test.
type process struct {
	*apptest.Process
	t *testing.T
}

// start runs the server and waits until it serves.
func start(t *testing.T, flags ...string) *process {
	t.Helper()
	return startCommand(t, serveCommand(flags...))
}

// serveCommand runs the server on a free port.
func serveCommand(flags ...string) *exec.Cmd {
	return apptest.Command(context.Background(), program,
		append([]string{"serve", "--listen", "127.0.0.1:0", "--log", "warn"}, flags...)...)
}

// startCommand is start with a command that the caller made.
func startCommand(t *testing.T, command *exec.Cmd) *process {
	t.Helper()
	p, err := apptest.Start(command, &apptest.Log{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Signal(syscall.SIGKILL) }) // it has ended already when the test went well
	return &process{p, t}
}

// stop ends the server by the signal and returns its exit status.
func (p *process) stop(signal os.Signal) int {
	p.t.Helper()
	status, err := p.End(signal)
	if err != nil {
		p.t.Fatal(err)
	}
	return status
}

func (p *process) call(method, path, token string, fields url.Values) (status int, body string) {
	p.t.Helper()
	request, err := http.NewRequest(method, p.Base+path, strings.NewReader(fields.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func (p *process) token(path, name, password string) string {
	p.t.Helper()
	status, body := p.call("POST", path, "", url.Values{"username": {name}, "password": {password}})
	var answer struct{ Token string }
	if err := json.Unmarshal([]byte(body), &answer); err != nil || status != 200 {
		p.t.Fatalf("log-in of %s: %d %s", name, status, body)
	}
	return answer.Token
}

func flags(t *testing.T, engine string) []string {
	t.Helper()
	all := []string{"--data", t.TempDir()}
	if engine == "postgres" {
		all = append(all, "--database", dbtest.Config(t, engine).URL)
	}
	return all
}

// demonstration is the database file of a server that began with --demo, for tests to copy.
var demonstration = sync.OnceValues(func() ([]byte, error) {
	data, err := os.MkdirTemp("", "punchcard-demonstration-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(data) }() // a leftover does no harm
	p, err := apptest.Start(serveCommand("--data", data, "--demo"), &apptest.Log{})
	if err != nil {
		return nil, err
	}
	if err := p.Stop(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(data, "punchcard.db"))
})

// demoIn returns the flags of a server with a demonstration program in a data folder, which holds a copy of it.
func demoIn(t *testing.T, data string) []string {
	t.Helper()
	content, err := demonstration()
	if err == nil {
		err = os.WriteFile(filepath.Join(data, "punchcard.db"), content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return []string{"--data", data, "--demo"}
}

// demoFlags is flags with a demonstration program. On PostgreSQL the server makes it.
func demoFlags(t *testing.T, engine string) []string {
	t.Helper()
	if engine == "sqlite" {
		return demoIn(t, t.TempDir())
	}
	return append(flags(t, engine), "--demo")
}

// SIGTERM exits 0, SIGKILL does not ask; after either everything that was answered is there.
func TestNothingIsLostByARestart(t *testing.T) {
	dbtest.Both(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			flags := demoFlags(t, engine)
			server := start(t, flags...)
			user := server.token("/api/customer/login_check", "user@example.com", "loyalty")
			_, offers := server.call("GET", "/api/DEFAULT/customer/campaign/available", user, nil)
			id := regexp.MustCompile(`"campaignId":"([^"]+)"[^{]*"costInPoints":[1-9].*?"canBeBoughtByCustomer":true`).
				FindStringSubmatch(offers)
			if id == nil {
				t.Fatalf("nothing to buy: %s", offers)
			}
			buy := func() {
				t.Helper()
				if status, body := server.call("POST", "/api/DEFAULT/customer/campaign/"+id[1]+"/buy", user, nil); status != 200 {
					t.Fatalf("buy: %d %s", status, body)
				}
			}
			state := func() string {
				t.Helper()
				_, bought := server.call("GET", "/api/DEFAULT/customer/campaign/bought?perPage=100", user, nil)
				_, events := server.call("GET", "/api/event?direction=DESC&perPage=5",
					server.token("/api/admin/login_check", "admin", "open"), nil)
				return bought + events
			}
			server.awaitJobs()
			for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGKILL} {
				buy()
				before := state()
				if status := server.stop(signal); signal == syscall.SIGTERM && status != 0 {
					t.Errorf("SIGTERM: exit status %d, log: %s", status, server.Log)
				}
				server = start(t, flags...)
				if after := state(); after != before {
					t.Errorf("after %s:\n%s\nbefore:\n%s", signal, after, before)
				}
			}
			if status := server.stop(syscall.SIGTERM); status != 0 {
				t.Errorf("exit status %d", status)
			}
		})
	}
}

// awaitJobs waits for the first runs of all jobs of a demonstration, which append events such as those of expiry.
func (p *process) awaitJobs() {
	p.t.Helper()
	admin := p.token("/api/admin/login_check", "admin", "open")
	testwait.Until(p.t, "all jobs have run", func() bool {
		_, body := p.call("GET", "/api/admin/jobs?perPage=100", admin, nil)
		var list struct {
			Jobs []struct{ LastRun struct{ EndedAt string } }
		}
		if err := json.Unmarshal([]byte(body), &list); err != nil {
			p.t.Fatalf("%v in %s", err, body)
		}
		for _, job := range list.Jobs {
			if job.LastRun.EndedAt == "" {
				return false
			}
		}
		return len(list.Jobs) > 0
	})
}

func TestFirstStartWithoutDemo(t *testing.T) {
	server := start(t, flags(t, "sqlite")...)
	if status, _ := server.call("GET", "/api/healthcheck", "", nil); status != 204 {
		t.Errorf("health: %d", status)
	}
	for path, name := range map[string]string{
		"/api/admin/login_check": "admin", "/api/customer/login_check": "user@example.com",
	} {
		for _, password := range []string{"open", "loyalty"} {
			status, _ := server.call("POST", path, "", url.Values{"username": {name}, "password": {password}})
			if status != 401 {
				t.Errorf("the demonstration log-in %s / %s answers %d without --demo", name, password, status)
			}
		}
	}
	if status := server.stop(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// TestRevokedKey ends every access token by replacing the key that signed them. Refresh tokens stay valid.
func TestRevokedKey(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			flags := flags(t, engine)
			server := start(t, append(flags, "--admin-password", "Secret-1")...)
			token := server.token("/api/admin/login_check", "admin", "Secret-1")
			out, err := exec.Command(program, append([]string{"admin", "rotate-key", "--revoke"}, flags...)...).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "restart all servers") {
				t.Errorf("admin rotate-key: %v, %s", err, out)
			}
			if status := server.stop(syscall.SIGTERM); status != 0 {
				t.Errorf("exit status %d", status)
			}
			server = start(t, flags...)
			if status, body := server.call("GET", "/api/store", token, nil); status != 401 {
				t.Errorf("a token of the former key: %d %s", status, body)
			}
			server.token("/api/admin/login_check", "admin", "Secret-1")
		})
	}
}

func TestCommands(t *testing.T) {
	folder, junk := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(junk, "punchcard.db"), []byte(strings.Repeat("junk", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (string, error) {
		out, err := exec.Command(program, args...).CombinedOutput()
		return string(out), err
	}
	for _, step := range []struct {
		args []string
		want string
		ok   bool
	}{
		{[]string{"version"}, "0.", true},
		{[]string{"migrate", "--data", folder}, "schema 0 -> ", true},
		{[]string{"migrate", "--data", folder}, "schema ", true},
		{[]string{"admin", "create", "eve", "--data", folder}, "", false}, // there are no roles before the first start
		{[]string{"serve", "--timeout", "soon"}, "--timeout", false},
		{[]string{"serve", "--database", "postgres://127.0.0.1:1/none", "--data", folder, "--database-wait", "10ms"},
			"connect to PostgreSQL: not ready within 10ms: ", false},
		{[]string{"dance"}, "dance", false},
		{nil, "Usage: punchcard <command>", true},
		{[]string{"serve", "--timeout", "5"}, `--timeout: "5" is not a duration: write a number with a unit`, false},
		{[]string{"serve", "--trusted-proxy", "10.0.0"}, `--trusted-proxy: "10.0.0" is not a network: write`, false},
		{[]string{"restore", "--from"}, "--from: a value is missing after the flag", false},
		{[]string{"health", "--url", "http://127.0.0.1:1/"}, "or its address by --url", false},
		{[]string{"check", "--data", junk}, filepath.Join(junk, "punchcard.db") + " is no SQLite database", false},
		{[]string{"serve", "--data", folder, "--tls-cert", junk, "--tls-key", junk}, "--tls-cert " + junk, false},
	} {
		out, err := run(step.args...)
		if (err == nil) != step.ok || !strings.Contains(out, step.want) {
			t.Errorf("%v: %v, %s", step.args, err, out)
		}
	}
	server := start(t, "--data", folder)
	if out, err := run("serve", "--data", folder); err == nil || !strings.Contains(out, "another server uses the folder") {
		t.Errorf("a second server on one folder: %v, %s", err, out)
	}
	out, err := run("admin", "create", "eve", "--data", folder)
	password := regexp.MustCompile(`password (\S+)`).FindStringSubmatch(out)
	if err != nil || password == nil {
		t.Fatalf("admin create: %v, %s", err, out)
	}
	server.token("/api/admin/login_check", "eve", password[1])
	if out, err := run("admin", "rotate-key", "--data", folder); err != nil || !strings.Contains(out, "within a minute") {
		t.Errorf("admin rotate-key: %v, %s", err, out)
	}
	if status := server.stop(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d", status)
	}
}
