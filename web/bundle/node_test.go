package bundle_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"punchcard/web/webtest"
)

// The sources have no errors of types and are formatted, and the vendored libraries are what the package manager
// installs for the versions in the lock file.
func TestTypesAndLibraries(t *testing.T) {
	node, npm := webtest.Node(t)
	run := func(program string, arguments ...string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), program, arguments...)
		command.Dir = root
		command.Env = append(os.Environ(), "PATH="+filepath.Dir(node)+string(filepath.ListSeparator)+os.Getenv("PATH"))
		if output, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v\n%s", program, arguments, err, output)
		}
	}
	if !installed(t) {
		run(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	}
	run(node, filepath.Join("node_modules", "typescript", "bin", "tsc"), "--noEmit")
	run(node, filepath.Join("node_modules", "prettier", "bin", "prettier.cjs"), "--check", "**/*.{ts,tsx,mjs}")

	list, err := os.ReadFile(filepath.Join(root, "vendor", "files.json"))
	if err != nil {
		t.Fatal(err)
	}
	libraries := map[string][]string{}
	if err := json.Unmarshal(list, &libraries); err != nil {
		t.Fatal(err)
	}
	for library, files := range libraries {
		for _, name := range files {
			file := filepath.Join(filepath.FromSlash(library), filepath.FromSlash(name))
			vendored, err := os.ReadFile(filepath.Join(root, "vendor", file))
			if err != nil {
				t.Fatal(err)
			}
			original, err := os.ReadFile(filepath.Join(root, "node_modules", file))
			if err != nil || !bytes.Equal(vendored, original) {
				t.Errorf("web/vendor/%s is not the one of the lock file (%v): run npm run vendor in web", file, err)
			}
		}
	}
}

// installed reports whether node_modules is what the lock file says. A copy of the lock file marks it after this test
// has installed it.
func installed(t *testing.T) bool {
	t.Helper()
	wanted, err := os.ReadFile(filepath.Join(root, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	mark := filepath.Join(root, "node_modules", ".installed-lock.json")
	marked, err := os.ReadFile(mark)
	if err == nil && bytes.Equal(wanted, marked) {
		return true
	}
	t.Cleanup(func() {
		if !t.Failed() {
			if err := os.WriteFile(mark, wanted, 0o644); err != nil {
				t.Error(err)
			}
		}
	})
	return false
}
