package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPurchasesThatWriteTooMuchAreAProblem(t *testing.T) {
	writes := func(name, engine string, each ...int64) *result {
		var rounds []round
		for _, bytes := range each {
			rounds = append(rounds, round{rate: 1, written: written{server: bytes, database: 9 * bytes}, answered: 10})
		}
		return measured(engine, name, 64, rounds, rounds)
	}
	for engine, limit := range writtenLimits {
		little, much := int64(limit), int64(limit)+100
		for _, c := range []struct {
			found   *result
			options options
			want    string
		}{
			{writes("buy-spread", engine, much, little, little), options{grown: 1}, ""}, // the median counts
			{writes("buy-spread", engine, much, much, little), options{grown: 1},
				"a purchase writes " + kilobytes(limit+100) + " kB, more than " + kilobytes(limit) + " kB"},
			{writes("buy-spread", engine, much), options{grown: 50}, ""},
			{writes("buy-spread", engine, much), options{grown: 1, quick: true}, ""},
			{writes("list-bought", engine, much), options{grown: 1}, ""},
		} {
			err := c.found.checkWritten(&c.options)
			if (err != nil) != (c.want != "") || err != nil && err.Error() != c.want {
				t.Errorf("%s %s with %+v: %v, want %q", engine, c.found.scenario.name, c.options, err, c.want)
			}
		}
	}
}

func TestReadNumber(t *testing.T) {
	name := filepath.Join(t.TempDir(), "io")
	if err := os.WriteFile(name, []byte("read_bytes: 7\nwrite_bytes: 4096 B\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := readNumber(name, "write_bytes"); err != nil || n != 4096 {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := readNumber(name, "wchar"); err == nil || !strings.Contains(err.Error(), "has no wchar") {
		t.Errorf("a missing name: %v", err)
	}
}
