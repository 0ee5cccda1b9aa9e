// Package clients_test packs the clients of the API, installs them, and runs them against a server.
package clients_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/password"
	"punchcard/web/webtest"
)

func TestMain(m *testing.M) {
	password.Cheapen()
	servertest.Main(m, webtest.Stop)
}

const clients = "../../../clients"

// site is a server with a key for programs.
type site struct{ url, key string }

func serve(t *testing.T) site {
	t.Helper()
	admin, _, _ := servertest.StartShop(t, "sqlite")
	for i := range 4 { // events to read
		admin.JSON("POST", "/api/DEFAULT/admin/customer/register", servertest.Registration(servertest.Object{
			"email": fmt.Sprintf("reader-%d@example.com", i)}))
	}
	made := admin.JSON("POST", "/api/admin/key", servertest.Object{"key": servertest.Object{"name": "Client",
		"permissions": []servertest.Object{
			{"resource": "POS", "access": "VIEW"}, {"resource": "POS", "access": "MODIFY"},
			{"resource": "EVENT", "access": "VIEW"},
		}}})
	return site{admin.Base, made["secret"].(string)}
}

// run runs a program in a folder, with the address of the server and the key in its environment.
func (s site) run(t *testing.T, folder, program string, arguments ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, arguments...)
	command.Dir = folder
	command.Env = append(os.Environ(), "PUNCHCARD_URL="+s.url, "PUNCHCARD_KEY="+s.key, "GOFLAGS=-trimpath", "GOWORK=off",
		"PATH="+filepath.Dir(program)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	if output, err := command.CombinedOutput(); err != nil {
		t.Errorf("%s %v: %v\n%s", program, arguments, err, output)
	}
}

func copied(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(filepath.Join(clients, from))); err != nil {
		t.Fatal(err)
	}
	return to
}

func TestGo(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	serve(t).run(t, copied(t, "go"), goTool, "test", "-count=1", "./...")
}

func TestTypeScript(t *testing.T) {
	node, npm := webtest.Node(t)
	source := copied(t, "typescript")
	built := api.Build(api.BuildOptions{
		EntryPoints: []string{filepath.Join(source, "src", "index.ts")}, Outdir: filepath.Join(source, "dist"),
		Bundle: true, Format: api.FormatESModule, Target: api.ES2022, Write: true,
	})
	for _, problem := range built.Errors {
		t.Error(problem.Text)
	}
	s := serve(t)
	s.run(t, source, npm, "pack", "--silent")
	packed, err := filepath.Glob(filepath.Join(source, "*.tgz"))
	if err != nil || len(packed) != 1 {
		t.Fatalf("%v, %v", packed, err)
	}
	shop := t.TempDir()
	if err := os.WriteFile(filepath.Join(shop, "package.json"), []byte(`{"private":true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s.run(t, shop, npm, "install", "--offline", "--no-audit", "--no-fund", packed[0])
	check, err := os.ReadFile(filepath.Join(source, "check.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(shop, "check.mjs"), check, 0o600); err != nil {
		t.Fatal(err)
	}
	s.run(t, shop, node, "check.mjs")
}

// The client in Python is run from a zip archive of its package, which Python imports as it does a wheel.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal("python3 is needed to test the client in Python: ", err)
	}
	source, s := copied(t, "python"), serve(t)
	s.run(t, source, python, "-m", "zipfile", "-c", "punchcard.whl", "punchcard")
	shop := t.TempDir()
	check, err := os.ReadFile(filepath.Join(source, "check.py"))
	if err != nil {
		t.Fatal(err)
	}
	text := "import sys\nsys.path.insert(0, sys.argv[1])\n" + string(check)
	if err := os.WriteFile(filepath.Join(shop, "check.py"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s.run(t, shop, python, "check.py", filepath.Join(source, "punchcard.whl"))
}

// The clients have the version of the program.
func TestVersions(t *testing.T) {
	for file, line := range map[string]string{
		"typescript/package.json": `"version": "` + app.Version + `",`,
		"python/pyproject.toml":   `version = "` + app.Version + `"`,
	} {
		text, err := os.ReadFile(filepath.Join(clients, file))
		if err != nil || !strings.Contains(string(text), line) {
			t.Errorf("clients/%s does not have the line %s (%v)", file, line, err)
		}
	}
}
