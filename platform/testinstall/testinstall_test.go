package testinstall

import (
	"os"
	"path/filepath"
	"testing"
)

// The newest PostgreSQL or the one in the PATH is found by both of its programs, through links.
func TestPostgresInThePath(t *testing.T) {
	real, links := t.TempDir(), t.TempDir()
	for _, name := range []string{"initdb", "postgres"} {
		if err := os.WriteFile(filepath.Join(real, name), []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(real, "initdb"), filepath.Join(links, "initdb")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", links)
	want, err := filepath.EvalSymlinks(real)
	if err != nil {
		t.Fatal(err)
	}
	if got, found, err := PostgreSQL.Path(); got != want || !found || err != nil {
		t.Errorf("found %q, %v, %v, want %s", got, found, err, want)
	}
}

// The first name that is there is taken. What is missing and cannot be installed is not found, which is no error.
func TestProgramsInThePath(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("PATH", folder) // without apt-get
	p := Program{"some-package", inPath("first", "second")}
	if _, found, err := p.Path(); found || err != nil {
		t.Errorf("before: found %v, %v", found, err)
	}
	for _, name := range []string{"second", "first"} {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		if got, found, err := p.Path(); got != file || !found || err != nil {
			t.Errorf("found %q, %v, %v, want %s", got, found, err, file)
		}
	}
}
