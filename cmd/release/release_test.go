package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// An archive has its files in order, of root, with one time; a second one has the same bytes.
func TestArchivesAreReproducible(t *testing.T) {
	folder := t.TempDir()
	files := map[string]string{}
	for _, name := range []string{"punchcard", "LICENSE", "README.md"} {
		files[name] = filepath.Join(folder, name)
		if err := os.WriteFile(files[name], []byte("the content of "+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
	var first, second bytes.Buffer
	for _, to := range []*bytes.Buffer{&first, &second} {
		if err := writeArchive(to, "punchcard_1", files, at); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two archives of the same files differ")
	}
	unpacked, err := gzip.NewReader(&first)
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewReader(unpacked)
	var got []string
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %o %d %v", header.Name, header.Mode, header.Uid, header.ModTime.Equal(at)))
	}
	want := []string{
		"punchcard_1/LICENSE 644 0 true", "punchcard_1/README.md 644 0 true", "punchcard_1/punchcard 755 0 true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the archive has %q", got)
	}
}
