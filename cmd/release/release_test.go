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
	"strings"
	"testing"
	"time"

	"punchcard/app"
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

// The chart is packed as Helm reads it, with the version of the program.
func TestChart(t *testing.T) {
	r := &release{folder: t.TempDir()}
	if err := r.addChart("../../packaging/chart"); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(filepath.Join(r.folder, r.files[0]))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	texts, archive := map[string]string{}, tar.NewReader(unpacked)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		texts[header.Name] = string(text)
	}
	if texts["punchcard/templates/deployment.yaml"] == "" {
		t.Errorf("the archive has no deployment: %d files", len(texts))
	}
	for _, line := range []string{"\nversion: " + app.Version + "\n", "\nappVersion: " + app.Version + "\n"} {
		if !strings.Contains(texts["punchcard/Chart.yaml"], line) {
			t.Errorf("Chart.yaml has no line %q", line)
		}
	}
}
