package api

import (
	"bufio"
	"bytes"
	"testing"
)

func TestCells(t *testing.T) {
	for cell, want := range map[string]string{
		"":            "",
		"plain":       "plain",
		"two words":   `"two words"`,
		"a,b":         `"a,b"`,
		"a\tb":        "\"a\tb\"",
		"line\nbreak": "\"line\nbreak\"",
		`say "ah"`:    `"say ""ah"""`,
		"=1+1":        "'=1+1",
		"@SUM(A1)":    "'@SUM(A1)",
		"+cmd|x":      "'+cmd|x",
		"-2+3":        "'-2+3",
		"+4790000001": "+4790000001",
		"-12.50":      "-12.50",
		"\tx":         "\"'\tx\"",
	} {
		var out bytes.Buffer
		table := &CSV{bufio.NewWriter(&out)}
		if err := table.Row(cell, "z"); err != nil {
			t.Fatal(err)
		}
		if err := table.Close(); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); got != want+",z\n" {
			t.Errorf("%q is written as %q", cell, got)
		}
	}
}
