package api

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

// A table that is longer than a sheet goes on in another one, with the titles again. Another program reads what was
// written: text with all its characters, numbers, and cells as long as Excel allows.
func TestSheets(t *testing.T) {
	var written bytes.Buffer
	w := newSheet(&written)
	w.most = 3
	columns := []TableColumn{{Title: "Name"}, {Title: "Points", Number: true}}
	long := strings.Repeat("ü", sheetCell-1)
	rows := [][]string{
		{"Name", "Points"}, {` <Åse> & "Bø" `, "12.5"}, {"=1+1", "-3"}, {"line\nbreak", "1e9"}, {"6100000100000017", ""},
		{long + "😀", "0"},
	}
	for i, row := range rows {
		of := columns
		if i == 0 {
			of = make([]TableColumn, len(columns))
		}
		if err := w.row(of, row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.close(); err != nil {
		t.Fatal(err)
	}
	file, err := excelize.OpenReader(&written)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][][]string{
		"Sheet1": rows[:3], "Sheet2": {rows[0], rows[3], {"6100000100000017", ""}}, "Sheet3": {rows[0], {long, "0"}},
	}
	if diff := cmp.Diff([]string{"Sheet1", "Sheet2", "Sheet3"}, file.GetSheetList()); diff != "" {
		t.Fatal(diff)
	}
	for sheet, of := range want {
		for i, row := range of {
			for j, text := range row {
				at, err := excelize.CoordinatesToCellName(j+1, i+1)
				if err != nil {
					t.Fatal(err)
				}
				got, err := file.GetCellValue(sheet, at)
				if err != nil || got != text {
					t.Errorf("%s of %s is %.50q, want %.50q, %v", at, sheet, got, text, err)
				}
				kind, err := file.GetCellType(sheet, at)
				wanted := excelize.CellTypeInlineString
				if i > 0 && j == 1 && plainNumber.MatchString(text) {
					wanted = excelize.CellTypeUnset
				}
				if err != nil || kind != wanted {
					t.Errorf("%s of %s has the type %d, want %d, %v", at, sheet, kind, wanted, err)
				}
			}
		}
	}
}
