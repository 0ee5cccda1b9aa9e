// Command build bundles the web apps into web/dist. Run it with: go generate ./web
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"punchcard/web/bundle"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run bundles the sources in a folder, and replaces its dist folder by the result.
func run(folder string) error {
	files, err := bundle.Build(folder)
	if err != nil {
		return err
	}
	dist := filepath.Join(folder, "dist")
	if err := os.RemoveAll(dist); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dist, "assets"), 0o755); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dist, filepath.FromSlash(name)), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
