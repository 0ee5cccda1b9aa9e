package tests

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"punchcard/web/webtest"
)

var importScreens = []screen{
	{app: "cockpit", path: "/imports", name: "imports", prepare: addImports, walk: walkImports},
	{app: "cockpit", path: "/imports/new", name: "import-new", walk: walkNewImport},
	{
		app: "cockpit", path: "/imports/:import", name: "import", walk: walkImport,
		example: func(t *testing.T, s *shop) string {
			addImports(t, s)
			return "/imports/" + s.get(t, "/api/DEFAULT/admin/import?kind=transfers", "imports", 0, "importId")
		},
	},
}

const someTransfers = `customerEmail;points;type;comment
user@example.com;10;adding;Welcome
nobody@example.org;5;adding;
user@example.com;999999;spending;Too much
`

// addImports imports a file with errors and one without, and checks another.
func addImports(t *testing.T, s *shop) {
	t.Helper()
	s.importFile(t, "admin/customer/import", "members.csv", "firstName,lastName,gender,email\nEva,Lund,female,"+
		"eva.lund@example.org\nPer,Vik,male,per.vik@example.org\n")
	s.importFile(t, "points/transfer/import?dryRun=1", "welcome.csv", someTransfers)
	s.importFile(t, "points/transfer/import", "welcome.csv", someTransfers)
}

// importFile imports a small file.
func (s *shop) importFile(t *testing.T, path, name, content string) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("file[file]", name)
	if err == nil {
		_, err = file.Write([]byte(content))
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), "POST", s.base+"/api/DEFAULT/"+path, &body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Authorization", "Bearer "+s.admin)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d", path, response.StatusCode)
	}
}

// Imports are filtered, and one is opened.
func walkImports(_ *testing.T, _ *shop, p *webtest.Page) {
	p.WaitText("members.csv")
	p.Select("Any kind", "Points")
	p.WaitGone("members.csv")
	p.WaitText("Check only")
	p.Select("Any state", "Stopped")
	p.WaitText("Nothing matches.")
	p.Select("Any state", "Any state")
	p.Select("Any kind", "Any kind")
	p.WaitText("members.csv")
	p.Click("Import a file")
	p.WaitPath("/DEFAULT/imports/new")
}

// A file is chosen after it was forgotten, refused, checked, and imported without choosing it again.
func walkNewImport(t *testing.T, s *shop, p *webtest.Page) {
	folder := t.TempDir()
	file := func(name, content string) string {
		place := filepath.Join(folder, name)
		if err := os.WriteFile(place, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return place
	}
	p.Click("Check the file")
	p.WaitText("This is needed.")
	p.Upload("File…", file("wrong.csv", "shoe size,points\n44,1\n"))
	p.WaitText("2 columns are left out.")
	p.Select("What", "Points")
	p.WaitText("Each line gives points to a customer")
	p.Upload("File…", file("points.csv", someTransfers))
	before := s.get(t, "/api/DEFAULT/points/transfer?perPage=1", "total")
	p.Click("Check the file")
	p.WaitText("1 record can be imported, 2 would be refused.")
	p.WaitText("not enough points")
	if after := s.get(t, "/api/DEFAULT/points/transfer?perPage=1", "total"); after != before {
		t.Errorf("a check has made transfers: %s, then %s", before, after)
	}
	p.Click("Import now")
	p.WaitText("1 record was imported, 2 were refused.")
	if after := s.get(t, "/api/DEFAULT/points/transfer?perPage=1", "total"); after == before {
		t.Error("the import has made no transfer")
	}
	p.Go("/DEFAULT/imports/new?kind=transfers")
	p.Upload("File…", file("points.csv", someTransfers))
	p.Click("Import now")
	d := p.Within("dialog", "This file was imported before")
	d.Click("Import it again")
	p.WaitText("1 record was imported, 2 were refused.")
	p.WaitText("This file was imported before")
}

// The refused records are shown; from the page another file is imported.
func walkImport(_ *testing.T, _ *shop, p *webtest.Page) {
	p.WaitText("1 record was imported, 2 were refused.")
	p.WaitText("nobody@example.org/(adding 5)")
	p.WaitText("There are not enough points.")
	p.WaitFor("button", "Download")
	p.Click("Import another file")
	p.WaitText("Each line gives points to a customer")
	p.Back()
	p.WaitText("Refused records")
}

// A file of a shop system is read as its columns say, a column is given a field, customers are added, and a later file
// changes them.
func TestImportAssistant(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	folder := t.TempDir()
	file := func(name, content string) string {
		place := filepath.Join(folder, name)
		encoded, err := charmap.Windows1252.NewEncoder().String(content)
		if err == nil {
			err = os.WriteFile(place, []byte(encoded), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return place
	}
	p := s.openAs(t, "cockpit", "/DEFAULT/imports/new?kind=customers", webtest.Options{Width: 1280, Height: 1400})
	p.Upload("File…", file("shop.csv", "Vorname;Familie;E-Mail-Adresse;Geburtstag;Newsletter;Ort\n"+
		"Jürgen;Müller;jm@example.org;29.02.1988;nein;Köln\nEva;Groß;eg@example.org;1.3.1990;ja;Bonn\n"))
	p.WaitText("1 column is left out.")
	p.WaitText("WINDOWS-1252")
	p.Select("Field of the column Familie", "Last name")
	p.WaitText("Each column has a field.")
	p.WaitText("1988-02-29")
	p.Axe()
	p.Click("Import now")
	p.WaitText("2 records were imported, 0 were refused.")
	id := s.get(t, "/api/DEFAULT/customer?strict=1&email=jm@example.org", "customers", 0, "customerId")

	p.Go("/DEFAULT/imports/new?kind=customers")
	p.Upload("File…", file("later.csv", "Vorname;Familie;E-Mail-Adresse;Geburtstag;Newsletter;Ort\n"+
		";Müller-Groß;JM@example.org;;ja;\n"))
	p.WaitText("As for your last file with these columns.")
	p.WaitText("Refused")
	p.Click("Update them…")
	p.WaitText("Changed")
	p.Axe()
	p.Click("Import now")
	p.WaitText("1 record was imported, 0 were refused.")
	of := "/api/DEFAULT/customer/" + id
	for member, want := range map[string]string{"firstName": "Jürgen", "lastName": "Müller-Groß", "agreement2": "false"} {
		if got := s.get(t, of, member); got != want {
			t.Errorf("%s is %s, want %s", member, got, want)
		}
	}
	p.Click("Undo the import")
	p.Within("dialog", "Undo this import?").Click("Undo it")
	p.WaitText("1 record was undone, 0 were left.")
	p.Axe()
	if got := s.get(t, of, "lastName"); got != "Müller" {
		t.Errorf("after undoing, the last name is %s", got)
	}
}
