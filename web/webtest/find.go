// Package webtest drives a real browser in tests. A walk through a page finds elements by their accessible role and
// name, as a person with a screen reader does, and fails on errors that a person would not see: in the console, in the
// network, against the content policy.
package webtest

import (
	"fmt"
	"os"
	"testing"

	"punchcard/platform/testinstall"
)

// Switch is the environment variable that leaves out tests of the web apps: all if its value is "off", those that need
// a browser or a package manager if it is "logic".
const Switch = "PUNCHCARD_TEST_WEB"

// Chromium returns the path of a Chromium, and installs the Debian package where there is none and the system allows
// it. Otherwise the test fails.
func Chromium(t testing.TB) string {
	t.Helper()
	needMore(t)
	return program(t, "Chromium", testinstall.Chromium)
}

// Node returns the paths of Node and its package manager. It installs them as Chromium does.
func Node(t testing.TB) (nodePath, npmPath string) {
	t.Helper()
	needMore(t)
	return NodeOnly(t), program(t, "npm", testinstall.NPM)
}

// NodeOnly returns the path of node. It installs it as Chromium does.
func NodeOnly(t testing.TB) string {
	t.Helper()
	return program(t, "Node", testinstall.Node)
}

// needMore skips a test that needs more than Node if the switch says so.
func needMore(t testing.TB) {
	t.Helper()
	if os.Getenv(Switch) == "logic" {
		t.Skip(Switch + "=logic leaves out the tests that need more than Node")
	}
}

// program returns the path of a program, and installs it if it is missing.
func program(t testing.TB, name string, p testinstall.Program) string {
	t.Helper()
	if os.Getenv(Switch) == "off" {
		t.Skip(Switch + "=off leaves out the tests of the web apps")
	}
	path, found, err := p.Path()
	if err == nil && !found {
		err = fmt.Errorf("%s was not found", name)
	}
	if err != nil {
		t.Fatalf("%v: install it, or run the tests as root on a Debian-like system; %s=off leaves out the tests of "+
			"the web apps", err, Switch)
	}
	return path
}
