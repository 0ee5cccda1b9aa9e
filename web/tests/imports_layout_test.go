package tests

import (
	"os"
	"path/filepath"
	"testing"

	"punchcard/web/webtest"
)

// What a file does not tell is asked for, what it says is shown as it will be stored, and what cannot be read is
// explained.
func TestImportAssistantAsks(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	folder := t.TempDir()
	file := func(name, content string) string {
		place := filepath.Join(folder, name)
		if err := os.WriteFile(place, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return place
	}
	p := s.openAs(t, "cockpit", "/DEFAULT/imports/new?kind=transfers", webtest.Options{
		Width: 1280, Height: 1600, Allow: []string{"400"},
	})
	p.Upload("File…", file("points.xlsx", "PK\x03\x04\x14\x00"))
	p.WaitText("This is a workbook of a spreadsheet.")
	p.Upload("File…", file("points.tsv", "Points at Café Linde\n\ncustomerEmail\ttype\tpoints\tcomment\n"+
		"user@example.com\tadding\t1.500\t12\" tin\n"))
	p.WaitText("Numbers such as 1.500 can be read in two ways.")
	p.WaitText("1,500")
	p.Select("Numbers", "1,234.50")
	p.WaitGone("Numbers such as 1.500")
	p.WaitText("1.5")
	p.WaitText("12\" tin")
	p.Axe()
	p.Select("Numbers", "1.234,50")
	p.WaitText("1,500")
	p.Click("Import now")
	p.WaitText("1 record was imported, 0 were refused.")
	const newest = "/api/DEFAULT/points/transfer?perPage=1&sort=createdAt&direction=DESC"
	if got := s.get(t, newest, "transfers", 0, "value"); got != "1500" {
		t.Errorf("the file has given %s points", got)
	}

	p.Go("/DEFAULT/imports/new?kind=customers")
	p.Upload("File…", file("names.csv", "Vorname;Name;E-Mail;Tags;Accepts SMS Marketing\n"+
		"Karla;Vogel;karla@example.org;vip, regular;no\n"))
	p.WaitText("tag:vip;tag:regular;smsMarketing:no")
	p.WaitValue("Field of the column Name", "Last name")
	p.WaitText("Vogel")
	p.Select("Field of the column Name", "Full name")
	p.WaitValue("Field of the column Vorname", "Leave out")
	p.WaitText("1 column is left out.")
	p.Select("Field of the column Vorname", "First name")
	p.WaitValue("Field of the column Name", "Leave out")
	p.Select("Field of the column Name", "Last name")
	p.WaitText("Each column has a field.")
	p.Axe()
	p.Click("Import now")
	p.WaitText("1 record was imported, 0 were refused.")
	const karla = "/api/DEFAULT/customer?strict=1&email=karla@example.org"
	if got := s.get(t, karla, "customers", 0, "lastName"); got != "Vogel" {
		t.Errorf("the last name is %s", got)
	}
}
