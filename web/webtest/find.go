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

// Switch is the environment variable that leaves out tests of the web apps: all if its value is "off", those that need
// a browser or a package manager if it is "logic".
const Switch = "PUNCHCARD_TEST_WEB"

// Chromium returns the path of a Chromium, and installs the Debian package where there is none and the system allows
// it. Otherwise the test fails. The headless shell has the same engine without a browser around it, and needs two
// thirds of the time.
func Chromium(t testing.TB) string {
	t.Helper()
	needMore(t)
	return program(t, "chromium-headless-shell", "chromium-headless-shell", "chromium", "chromium-browser",
		"google-chrome", "chrome")
}

// Node returns the paths of node and npm. It installs them as Chromium does.
func Node(t testing.TB) (node, npm string) {
	t.Helper()
	needMore(t)
	return NodeOnly(t), program(t, "npm", "npm")
}

// NodeOnly returns the path of node. It installs it as Chromium does.
func NodeOnly(t testing.TB) string {
	t.Helper()
	return program(t, "nodejs", "node", "nodejs")
}

// needMore skips a test that needs more than Node if the switch says so.
func needMore(t testing.TB) {
	t.Helper()
	if os.Getenv(Switch) == "logic" {
		t.Skip(Switch + "=logic leaves out the tests that need more than Node")
	}
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
