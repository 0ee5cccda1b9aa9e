// Command build bundles the web apps into web/dist, compressed with gzip. Run it with: go generate ./web
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
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
		packed, err := compress(content)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dist, filepath.FromSlash(name)+".gz"), packed, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func compress(content []byte) ([]byte, error) {
	var packed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = writer.Write(content)
	err = errors.Join(err, writer.Close())
	return packed.Bytes(), err
}
