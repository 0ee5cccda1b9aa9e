package bundle_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"punchcard/web/webtest"
)

// The logic of the apps without their pages: calls, sessions, the till's queue, routes, formats. The tests are
// web/tests/logic/*.test.js, which Node runs in milliseconds.
func TestLogic(t *testing.T) {
	node := webtest.NodeOnly(t)
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	tests, err := filepath.Glob(filepath.Join(root, "tests", "logic", "*.test.js"))
	if err != nil || len(tests) == 0 {
		t.Fatalf("no tests: %v", err)
	}
	folder := t.TempDir()
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: root, EntryPoints: tests, Outdir: folder, Write: true, Bundle: true,
		Tsconfig: filepath.Join(root, "tsconfig.json"), Platform: api.PlatformNode, Format: api.FormatESModule,
		Target: api.ES2022, OutExtension: map[string]string{".js": ".mjs"}, LogLevel: api.LogLevelSilent,
		Loader: map[string]api.Loader{".svg": api.LoaderFile, ".png": api.LoaderFile, ".go": api.LoaderText},
	})
	for _, problem := range result.Errors {
		t.Fatal(problem.Text)
	}
	command := exec.CommandContext(t.Context(), node, "--test", "--test-reporter=tap", folder)
	command.Env = append(os.Environ(), "NODE_NO_WARNINGS=1")
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	passed := 0
	if found := regexp.MustCompile(`(?m)^# pass (\d+)$`).FindSubmatch(output); found != nil {
		passed, err = strconv.Atoi(string(found[1]))
	}
	if err != nil || passed < len(tests) {
		t.Errorf("%d tests in %d files have passed (%v):\n%s", passed, len(tests), err, output)
	}
	t.Logf("%d tests in %d files", passed, len(tests))
}
