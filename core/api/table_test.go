package api

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
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
		"x;=1+1":      `"x;'=1+1"`,
		"x,=1+1":      `"x,'=1+1"`,
		"x\n=1+1":     "\"x\n'=1+1\"",
		`x;"=1+1"`:    `"x;""'=1+1"""`,
		"; =1;+4;-2":  `"; '=1;'+4;'-2"`,
		"＝1+1":        "'＝1+1",
		"a=b":         "a=b",
		"'=1+1":       "''=1+1",
		"'ere":        "'ere",
		"-12,50":      `"'-12,50"`,
	} {
		var out bytes.Buffer
		table := newCSV(bufio.NewWriter(&out), tableOptions{})
		if err := table.row(nil, []string{cell, "z"}); err != nil {
			t.Fatal(err)
		}
		if err := table.close(); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); got != want+",z\n" {
			t.Errorf("%q is written as %q", cell, got)
		}
	}
}

// Whatever a cell holds and a spreadsheet separates cells by, none of them is a formula.
func TestNoCellIsAFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := rapid.SliceOfN(rapid.StringOfN(rapid.SampledFrom([]rune("=+-@;,\t\r\n\"' x1")), 0, 8, -1), 1, 3).
			Draw(t, "cells")
		var out bytes.Buffer
		table := newCSV(bufio.NewWriter(&out), tableOptions{})
		if err := table.row(nil, append([]string{"x"}, cells...)); err != nil {
			t.Fatal(err)
		}
		if err := table.close(); err != nil {
			t.Fatal(err)
		}
		for _, separator := range ",;\t" {
			lines := csv.NewReader(strings.NewReader(out.String()))
			lines.Comma, lines.FieldsPerRecord, lines.LazyQuotes = separator, -1, true
			found, err := lines.ReadAll()
			if err != nil {
				continue // a quote that does not end: the reader takes the rest for one cell
			}
			for _, line := range found {
				for _, cell := range line {
					bare := strings.TrimLeft(cell, ` "`)
					if bare != "" && strings.ContainsRune("=+-@", rune(bare[0])) && strings.Trim(bare[1:], `0123456789. "`) != "" {
						t.Fatalf("%q is read with %q as %q", out.String(), separator, cell)
					}
				}
			}
		}
	})
}

// Whatever a cell holds, a reader of our files gets it back.
func TestCellsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.StringOfN(rapid.SampledFrom([]rune("=+-@＝＋－＠;,\t\r\n\"' x1")), 0, 8, -1).Draw(t, "cell")
		if got := FromCSV(harmless(cell)); got != cell {
			t.Fatalf("%q is written as %q and read as %q", cell, harmless(cell), got)
		}
	})
}

// Numbers have a comma in files that are separated by semicolons, unless the client says otherwise. Text stays.
func TestDecimalsOfCSV(t *testing.T) {
	columns := []TableColumn{{Title: "Card"}, {Title: "Points", Number: true}, {Title: "Spent", Number: true}}
	for want, o := range map[string]tableOptions{
		"1.5,-12.5,7\n":       {},
		"1.5;\"-12,5\";7\n":   {separator: "semicolon"},
		"1.5;-12.5;7\n":       {separator: "semicolon", decimal: "."},
		"1.5\t\"-12,5\"\t7\n": {separator: "tab", decimal: ","},
		"1.5,\"-12,5\",7\n":   {decimal: ","},
	} {
		var out bytes.Buffer
		table := newCSV(bufio.NewWriter(&out), o)
		if err := errors.Join(table.row(columns, []string{"1.5", "-12.5", "7"}), table.close()); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("%+v: %q, want %q", o, out.String(), want)
		}
	}
}
