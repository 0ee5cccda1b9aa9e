package contract_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// The commands of the README run in a shell as they are, against the demonstration program.
func TestReadmeWalk(t *testing.T) {
	needCurl(t)
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, walk, found := strings.Cut(string(text), "## The same by API")
	walk, _, _ = strings.Cut(walk, "\n## ")
	if !found {
		t.Fatal("the README has no first walk")
	}
	script := "set -eu -o pipefail\n"
	for i, part := range strings.Split(walk, "```") {
		if code, isShell := strings.CutPrefix(part, "sh\n"); isShell && i%2 == 1 {
			script += code
		}
	}
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			base, _ := servertest.StartDemo(t, engine)
			out := shell(t, strings.ReplaceAll(script, "http://127.0.0.1:8080", base))
			for _, want := range []string{
				`"usageLeftForCustomer":2,"canBeBoughtByCustomer":true`, `"coupons":[{"code":"SPRING-1"`,
				`"name":"SPRING-1","used":true`, `"points":60,`, `Account.Event.PointsWereSpent`,
			} {
				if !strings.Contains(out, want) {
					t.Errorf("the walk's output lacks %s:\n%s", want, out)
				}
			}
		})
	}
}

func shell(t *testing.T, script string) string {
	t.Helper()
	out, err := exec.Command("bash", "-c", script).CombinedOutput()
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	return string(out)
}

// needCurl installs curl where it is missing and the test may install it.
func needCurl(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("curl"); err == nil {
		return
	}
	if os.Geteuid() != 0 {
		t.Fatal("the walk needs curl: install it")
	}
	shell(t, "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends curl")
}
