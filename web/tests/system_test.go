package tests

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"punchcard/web/webtest"
)

var systemScreens = []screen{
	{app: "cockpit", path: "/settings", name: "settings", walk: walkSettings},
	{app: "cockpit", path: "/administrators", name: "administrators", walk: walkAdministrators},
	{app: "cockpit", path: "/administrators/new", name: "administrator-new", walk: walkNewAdministrator},
	{
		app: "cockpit", path: "/administrators/:admin", name: "administrator",
		example: func(t *testing.T, s *shop) string {
			t.Helper()
			return "/administrators/" + s.administrator(t, "eva@example.org")
		},
		walk: walkAdministrator,
	},
	{app: "cockpit", path: "/roles", name: "roles", walk: walkRoles},
	{app: "cockpit", path: "/roles/new", name: "role-new", walk: walkNewRole},
	{
		app: "cockpit", path: "/roles/:role", name: "role",
		example: func(*testing.T, *shop) string { return "/roles/3" }, walk: walkRole,
	},
	{app: "cockpit", path: "/stores", name: "stores", walk: walkStores},
	{app: "cockpit", path: "/clock", name: "clock", store: sandbox, walk: walkClock},
	{app: "cockpit", path: "/languages", name: "languages", walk: walkLanguages},
}

// administrator returns the id of an administrator of the default role, who is added if necessary.
func (s *shop) administrator(t *testing.T, email string) string {
	t.Helper()
	var all struct {
		Users []struct{ ID, Email string }
	}
	s.call(t, s.admin, "GET", "/api/admin?perPage=-1", nil, &all)
	for _, user := range all.Users {
		if user.Email == email {
			return user.ID
		}
	}
	var added struct{ AdminID string }
	s.call(t, s.admin, "POST", "/api/admin/data", map[string]any{"admin": map[string]any{
		"firstName": "Eva", "lastName": "Holm", "email": email, "plainPassword": firstPassword, "isActive": true,
	}}, &added)
	return added.AdminID
}

// picture writes a small PNG file and returns its path.
func picture(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "logo.png")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	leaf := image.NewRGBA(image.Rect(0, 0, 64, 32))
	for i := range 64 * 32 {
		leaf.Set(i%64, i/64, color.RGBA{R: 10, G: 170, B: 119, A: 255})
	}
	if err := png.Encode(file, leaf); err != nil {
		t.Fatal(err)
	}
	return name
}

// noPicture writes a file that is none and returns its path.
func noPicture(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "note.txt")
	if err := os.WriteFile(name, []byte("This is a note."), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// A changed setting changes nothing else: switches of other programs, and what somebody changed meanwhile, stay.
func walkSettings(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitValue("Name of the program", "Loyalty program")
	p.Type("Name of the program", "")
	p.Type("Accent colour (optional)", "green")
	p.Select("Points expire", "After some days")
	p.Type("Points live for", "0")
	p.Type("Without a purchase for", "-1")
	p.Click("Save")
	p.WaitText("Some fields need another value.")
	p.WaitText("Write a colour such as #0a7")
	p.WaitText("More than 0.")
	p.Type("Name of the program", "Leaf club")
	p.Type("Accent colour (optional)", "#0a7")
	p.Type("Points live for", "90")
	p.Type("Before a birthday", "3")
	p.Type("Without a purchase for", "60")
	p.Type("Sent at (optional)", "10:30")
	p.Click("Customers choose their own labels")
	p.Click("Give card numbers")
	p.Click("Generate Secret of the provider's answers")
	p.WaitText("Copy it now")
	p.Click("Save")
	p.WaitText("The settings are saved.")
	p.WaitText("There is one")
	for key, want := range map[string]string{
		"programName": "Leaf club", "accentColor": "#0a7", "pointsDaysActiveCount": "90", "customersMaySetLabels": "true",
		"issueLoyaltyCardNumbers": "false", "returns": "true", "allTimeNotLocked": "true",
		"allowCustomersProfileEdits": "true", "cashbackCallbackSigned": "true",
		"birthdayMessageDays": "3", "winBackDays": "60", "occasionMessagesAt": "10:30",
	} {
		if got := s.get(t, "/api/DEFAULT/settings", "settings", key); got != want {
			t.Errorf("%s is %s, not %s", key, got, want)
		}
	}
	p.Upload("Logo:…", picture(t))
	p.WaitText("Saved: Logo.")
	if size := s.get(t, "/api/DEFAULT/settings", "settings", "logo", "sizes", 0); size != "64x32" {
		t.Errorf("the logo has %s pixels", size)
	}
	p.Upload("Large picture:…", noPicture(t))
	p.WaitText("Choose a PNG, JPEG or GIF.")
	p.Click("Remove Logo")
	p.WaitText("Remove: Logo?")
	p.Within("dialog", "Remove: Logo?").Click("Remove")
	p.WaitGone("Remove: Logo?")
	p.WaitForNo("button", "Remove Logo")
}

func walkAdministrators(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("No Body")
	p.ClickRole("button", "Added")
	p.ClickRole("link", "Add an administrator")
	p.WaitText("Who is it?")
	p.Back()
	p.ClickRole("cell", "No Body…")
	p.WaitFor("heading", "No Body…")
}

// An invited person has a link, which is shown once, or gets it by e-mail. Another one needs a password that follows
// the rule. The key of an integration is shown once, too.
func walkNewAdministrator(t *testing.T, s *shop, p *webtest.Page) {
	p.Type("First name (optional)", "Ines")
	p.Type("E-mail", "ines@example.org")
	p.Click("In some stores…")
	p.Click("Invite")
	p.WaitText("This is needed.")
	p.Select("In Default store", "Full admin")
	p.Click("Invite")
	p.WaitText("It works once")
	p.Axe()
	asksBeforeClosing(t, p, "The link for Ines", "It works once")
	p.Click("I have handed it over")
	p.WaitText("Default store: Full admin")
	p.ClickRole("cell", "Ines…")
	p.WaitText("The invitation holds until")
	p.Click("Send again")
	p.WaitText("The invitation to ines@example.org is on its way.")
	p.Click("Withdraw")
	p.Within("dialog", "Withdraw the invitation of Ines?").Click("Withdraw")
	p.WaitText("The invitation of Ines is withdrawn.")
	p.WaitGone("ines@example.org")
	p.ClickRole("link", "Add an administrator")
	p.Click("A password that you type…")
	p.Type("First name (optional)", "Kim")
	p.Type("E-mail", "kim")
	p.Type("Password", "short")
	p.Click("Add")
	p.WaitText("This is no e-mail address.")
	p.WaitText("Use at least 8 characters.")
	p.Type("E-mail", "kim@example.org")
	p.Type("Password", firstPassword)
	p.Select("Role", "Full admin")
	p.Click("Add")
	p.WaitText("Kim is saved.")
	s.logInAs(t, "kim@example.org", firstPassword)
	p.ClickRole("link", "Add an administrator")
	p.Click("Integration…")
	p.Type("Name (optional)", "Web shop")
	p.Type("E-mail", "shop@example.org")
	p.Click("Add")
	p.WaitText("It is not shown again.")
	p.Axe()
	asksBeforeClosing(t, p, "The key of the integration", "It is not shown again.")
	p.Click("I have stored the key")
	p.WaitText("Web shop")
}

func walkAdministrator(t *testing.T, s *shop, p *webtest.Page) {
	id := s.administrator(t, "eva@example.org")
	p.WaitValue("Last name (optional)", "Holm")
	p.Type("E-mail", "")
	p.Click("Save")
	p.WaitText("This is needed.")
	p.Type("E-mail", "eva@example.org")
	p.Type("Last name (optional)", "Strand")
	p.Click("Save")
	p.WaitText("Eva Strand is saved.")
	p.ClickRole("cell", "Eva Strand…")
	p.Click("Offboard")
	p.WaitText("0 open links and invitations")
	p.Axe()
	p.Within("dialog", "Offboard Eva Strand?").Click("Offboard")
	p.WaitText("Eva Strand is switched off.")
	if active := s.get(t, "/api/admin/data/"+id, "isActive"); active != "false" {
		t.Error("she is still active")
	}
}

// A role that somebody has is not deleted: the dialog names them.
func walkRoles(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("Super admin")
	p.ClickRole("cell", "Nobody…")
	p.Click("Delete role")
	p.WaitText("1 administrator has this role.")
	p.Within("dialog", "Delete the role Nobody?").WaitText("No Body")
	p.Axe()
}

func walkNewRole(t *testing.T, s *shop, p *webtest.Page) {
	p.Type("Name", "Marketing")
	p.Click("Add")
	p.WaitText("Choose at least one.")
	p.Click("Rewards, purchases, cashback: Change")
	p.Click("Segments: See")
	p.Click("Add")
	p.WaitText("The role Marketing is saved.")
	p.ClickRole("cell", "Marketing…")
	p.WaitValue("Rewards, purchases, cashback: See", "true")
	p.WaitValue("Segments: Change", "false")
	p.Click("Delete role")
	p.Within("dialog", "Delete the role Marketing?").Click("Delete role")
	p.WaitText("The role Marketing is deleted.")
}

func walkRole(t *testing.T, s *shop, p *webtest.Page) {
	p.Click("Everything: Change") // the role may change everything but where messages with secrets go
	p.Click("Everything: Change")
	p.Type("Name", "")
	p.Click("Save")
	p.WaitText("This is needed.")
	p.Type("Name", "Auditor")
	p.Click("Save")
	p.WaitText("The role Auditor is saved.")
	var role struct {
		Permissions []struct{ Resource, Access string }
	}
	s.call(t, s.admin, "GET", "/api/admin/acl/role/3", nil, &role)
	for _, p := range role.Permissions {
		if p.Access != "VIEW" {
			t.Errorf("it may still change %s", p.Resource)
		}
	}
	if len(role.Permissions) != 20 {
		t.Errorf("it has %d permissions", len(role.Permissions))
	}
}

func walkStores(t *testing.T, s *shop, p *webtest.Page) {
	p.Click("Open a store")
	dialog := p.Within("dialog", "Open a store")
	dialog.Type("Code", "admin")
	dialog.Select("Currency", "NOK · Norwegian Krone")
	dialog.Click("Open the store")
	p.WaitText("This is needed.")
	p.WaitText("This word is reserved.")
	dialog.Type("Name", "North shop")
	dialog.Type("Code", "NORTH")
	dialog.Click("Open the store")
	p.WaitText("North shop is open.")
	p.WaitPath("/NORTH")
	p.Go("/NORTH/stores")
	p.Type("Search", "north")
	p.WaitGone("Empty store")
	p.ClickRole("cell", "North shop…")
	id := s.get(t, "/api/store?name=north", "stores", 0, "storeId")
	rename := func(name string) {
		s.call(t, s.admin, "PUT", "/api/store/"+id, map[string]any{
			"store": map[string]any{"name": name, "active": true},
		}, nil)
	}
	edit := p.Within("dialog", "Store: North shop")
	edit.Type("Name", "Northern shop")
	rename("Their shop")
	edit.Click("Save")
	edit.WaitText("Somebody else has changed the same")
	p.Axe()
	edit.Click("Keep mine and save")
	p.WaitText("Northern shop is saved.")
	p.WaitFor("button", "Switch off Northern shop") // and until the list was read again: it would show the next name
	rename("Most northern shop")                    // which switching off keeps
	p.Click("Switch off Northern shop")
	p.Within("dialog", "Switch Northern shop off?").Click("Switch off")
	p.WaitText("Northern shop is switched off.")
	p.WaitPath("/DEFAULT")
	if active := s.get(t, "/api/store?name=most+northern", "stores", 0, "active"); active != "false" {
		t.Error("the store is still on")
	}
}

// sandbox returns the code of a sandbox store, which is opened if necessary.
func sandbox(t *testing.T, s *shop) string {
	t.Helper()
	const code = "SANDBOX"
	if s.get(t, "/api/store?name=Sand", "total") == "0" {
		s.call(t, s.admin, "POST", "/api/store", map[string]any{"store": map[string]any{
			"code": code, "name": "Sand", "currency": "EUR", "active": true, "sandbox": true,
		}}, nil)
	}
	return code
}

// The clock moves by a step and until a moment, and what became due is named. The bar at the top shows the time of the
// store.
func walkClock(t *testing.T, s *shop, p *webtest.Page) {
	s.call(t, s.admin, "POST", "/api/SANDBOX/level/create", map[string]any{"level": map[string]any{
		"translations": map[string]any{"en": map[string]any{"name": "Friend"}}, "active": true, "conditionValue": 0,
		"reward": map[string]any{"name": "Hello", "value": 1, "code": "HI"},
	}}, nil)
	const register = "/api/SANDBOX/customer/register"
	s.call(t, s.admin, "POST", register, map[string]any{"customer": map[string]any{
		"firstName": "Sam", "lastName": "Dune", "email": "sam@example.org", "agreement1": true, "active": true,
	}}, nil)
	s.call(t, s.admin, "POST", "/api/SANDBOX/points/transfer/add", map[string]any{"transfer": map[string]any{
		"customer": s.get(t, "/api/SANDBOX/customer?strict=1&email=sam@example.org", "customers", 0, "customerId"),
		"points":   100, "validityDuration": 20,
	}}, nil)
	p.WaitText("Not ahead")
	p.Click("30 days")
	p.WaitText("The clock moves forward by 30 days.")
	p.Axe()
	p.Click("Move the clock")
	p.WaitText("What became due")
	p.WaitText("Unlock and expire points")
	const outstanding = "/api/SANDBOX/admin/analytics/series?metric=pointsOutstanding"
	if points := s.get(t, outstanding, "total", "value"); points != "0" {
		t.Errorf("%s points have not expired", points)
	}
	p.Click("Move until then")
	p.WaitText("Choose how far, or until when.")
	p.Type("Until", "2020-01-01T10:00")
	p.Click("Move until then")
	p.Click("Move the clock")
	p.WaitText("The clock only moves forward.")
	p.Type("Until", "2031-05-06T10:00")
	p.Click("Move until then")
	p.WaitText("6 May 2031")
	p.Click("Move the clock")
	p.WaitFor("link", "Sandbox, 6 May 2031, 10:0…")
	p.Go("/DEFAULT/clock")
	p.WaitText("is no sandbox")
	p.WaitForNo("link", "Sandbox clock")
}

func walkLanguages(t *testing.T, s *shop, p *webtest.Page) {
	p.Click("Add a language")
	dialog := p.Within("dialog", "Add a language")
	dialog.Click("More")
	dialog.WaitFor("field", "Place in lists")
	dialog.WaitForNo("field", "Texts of your own apps")
	dialog.Type("Language", "Deutsch")
	dialog.Type("Code", "german")
	dialog.Click("Add")
	p.WaitText("Write the code of a language, such as de or pt_BR.")
	dialog.Type("Code", "de")
	dialog.Click("Add")
	p.WaitText("Deutsch is saved.")
	p.Click("Deutsch…")
	edit := p.Within("dialog", "Language: Deutsch")
	edit.Type("Language", "Deutsch (Sie)")
	s.call(t, s.admin, "PUT", "/api/admin/translations/de", map[string]any{
		"translation": map[string]any{"name": "Deutsch", "order": 3, "content": `{"theirs": "too"}`},
	}, nil)
	edit.Click("Save")
	p.WaitText("Deutsch (Sie) is saved.")
	if content := s.get(t, "/api/admin/translations/de", "content"); content != `{"theirs": "too"}` {
		t.Errorf("the texts are %s", content)
	}
	p.Reload()
	p.Click("Deutsch (Sie)…")
	edit = p.Within("dialog", "Language: Deutsch (Sie)")
	edit.Click("More")
	edit.WaitValue("Texts of your own apps", `{"theirs": "too"}`)
	p.Press("Escape")
	p.Click("Remove Deutsch (Sie)")
	p.WaitText("All texts in Deutsch (Sie) are lost")
	p.Within("dialog", "Remove Deutsch (Sie)?").Click("Remove")
	p.WaitText("Deutsch (Sie) is removed.")
	var all struct{ Translations []struct{ Code string } }
	s.call(t, s.admin, "GET", "/api/admin/translations", nil, &all)
	var codes []string
	for _, l := range all.Translations {
		codes = append(codes, l.Code)
	}
	if got := strings.Join(codes, " "); got != "en pl" {
		t.Errorf("the languages are %s", got)
	}
}
