package clients_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"punchcard/app/servertest"
	"punchcard/platform/testwait"
	"punchcard/web/webtest"
)

var blocks = regexp.MustCompile("(?s)```(sh|ts)\n(.*?)```")

// The blocks of docs/tutorial.md are run in their order: first those of the shell, then the shop in TypeScript.
func TestTutorial(t *testing.T) {
	text, err := os.ReadFile("../../../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	code := map[string]string{}
	for _, block := range blocks.FindAllStringSubmatch(string(text), -1) {
		code[block[1]] += block[2] + "echo\n"
	}
	server := site{url: servertest.StartServer(t, "sqlite", nil)}
	output := server.output(t, "bash", "-euo", "pipefail", "-c", code["sh"])
	for _, want := range []string{
		`"points":40,`, `"toPay":22,`, `"state":"confirmed"`, `"code":"FIVE"`, `"pointsEarned":22`, `"cursor":"`,
		`"signingSecret":"whsec_`,
	} {
		if !strings.Contains(output, want) {
			t.Errorf("the shell does not print %s:\n%s", want, output)
		}
	}
	server.key = regexp.MustCompile(`pck_test_\w+`).FindString(output)
	shop := t.TempDir()
	built := api.Build(api.BuildOptions{
		Stdin: &api.StdinOptions{
			Contents: strings.TrimSuffix(code["ts"], "echo\n"), Loader: api.LoaderTS, ResolveDir: shop,
		},
		Alias:  map[string]string{"@punchcard/client": absolute(t, "typescript/src/index.ts")},
		Bundle: true, Format: api.FormatESModule, Target: api.ES2022, Outfile: filepath.Join(shop, "shop.mjs"), Write: true,
	})
	for _, problem := range built.Errors {
		t.Error(problem.Text)
	}
	output = server.output(t, webtest.NodeOnly(t), filepath.Join(shop, "shop.mjs"))
	for _, want := range []string{
		"18 to pay, 18 points earned\n0 points are left\n", "Platform.Domain.Transaction.Event.TransactionWasRegistered\n",
	} {
		if !strings.Contains(output, want) {
			t.Errorf("the shop in TypeScript does not print %q:\n%s", want, output)
		}
	}
}

func absolute(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(clients, name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// output runs a program as run does, and returns what it prints.
func (s site) output(t *testing.T, program string, arguments ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit())
	defer cancel()
	command := exec.CommandContext(ctx, program, arguments...)
	command.Env = append(os.Environ(), "PUNCHCARD_URL="+s.url, "PUNCHCARD_KEY="+s.key)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, output)
	}
	return string(output)
}
