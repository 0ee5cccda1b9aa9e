// Package webtest drives a real browser in tests. A walk through a page finds elements by their accessible role and
// name, as a person with a screen reader does, and fails on errors that a person would not see: in the console, in the
// network, against the content policy.
package webtest

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"punchcard/platform/db/dbtest"
)

// Switch is the environment variable that leaves out the tests of the web apps if its value is "off".
const Switch = "PUNCHCARD_TEST_WEB"

// Chromium returns the path of a Chromium, and installs the Debian package where there is none and the system allows
// it. Otherwise the test fails.
func Chromium(t testing.TB) string {
	t.Helper()
	return program(t, "chromium", "chromium", "chromium-browser", "google-chrome", "chrome")
}

// Node returns the paths of node and npm. It installs them as Chromium does.
func Node(t testing.TB) (node, npm string) {
	t.Helper()
	return program(t, "nodejs", "node", "nodejs"), program(t, "npm", "npm")
}

// program returns the path of the first of the names in the PATH, or installs the package.
func program(t testing.TB, debianPackage string, names ...string) string {
	t.Helper()
	if os.Getenv(Switch) == "off" {
		t.Skip(Switch + "=off leaves out the tests of the web apps")
	}
	path, found, err := dbtest.Install(debianPackage, func() (string, bool) {
		for _, name := range names {
			if path, err := exec.LookPath(name); err == nil {
				return path, true
			}
		}
		return "", false
	})
	if err == nil && !found {
		err = fmt.Errorf("%s was not found in the PATH", names[0])
	}
	if err != nil {
		t.Fatalf("%v: install it, or run the tests as root on a Debian-like system; %s=off leaves out the tests of "+
			"the web apps", err, Switch)
	}
	return path
}
