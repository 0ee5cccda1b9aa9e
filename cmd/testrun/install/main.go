// Command install installs what the tests start, if it may, while other commands compile. It needs nothing but the
// standard library, so that it begins at once. Tests install what is missing by themselves, and report what fails.
package main

import (
	"fmt"
	"os"

	"punchcard/platform/testinstall"
)

func main() {
	if err := testinstall.Install(testinstall.PostgreSQL, testinstall.SSH, testinstall.Chromium, testinstall.Node,
		testinstall.NPM, testinstall.Python); err != nil {
		fmt.Fprintln(os.Stderr, "install:", err)
		os.Exit(1)
	}
}
