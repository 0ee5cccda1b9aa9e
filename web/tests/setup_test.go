package tests

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/apptest"
	"punchcard/web/webtest"
)

// walkSetUpDone opens the set-up of a store that is set up.
func walkSetUpDone(t *testing.T, _ *shop, p *webtest.Page) {
	t.Helper()
	p.WaitText("The store is set up already")
	p.ClickRole("link", "Sign in")
	p.WaitText("Overview") // the walk is signed in
}

// startEmpty starts a server on an empty database, and returns the path of the link that it prints.
func startEmpty(t *testing.T) (base, path string) {
	t.Helper()
	config, err := configure(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	config.AdminPassword = ""
	var printed bytes.Buffer
	base, end, err := apptest.Serve(func(ctx context.Context, output io.Writer) error {
		return app.Serve(ctx, config, io.MultiWriter(&printed, output), output)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	link := regexp.MustCompile(`/setup#\S+`).Find(printed.Bytes())
	if link == nil {
		t.Fatalf("printed %q", &printed)
	}
	return base, string(link)
}

// The first administrator opens the link, chooses a password and names the store, and is signed in.
func TestSetUp(t *testing.T) {
	t.Parallel()
	base, path := startEmpty(t)
	p := webtest.Open(t, webtest.Options{Server: base})
	p.Go("/setup#wrong")
	p.WaitText("This link is no longer valid")
	p.Axe()
	p.Go("/")
	p.Go(path)
	p.WaitText("Set up your store")
	p.Axe()
	p.Click("Set up the store")
	p.WaitText("This is needed.")
	p.Type("Name of the store", "Corner Coffee")
	p.Type("Your password, as the administrator admin", firstPassword)
	p.Select("Currency", "PLN · Polish Zloty")
	p.Click("Look: colour and logo")
	p.Type("Accent colour (optional)", "#aa3300")
	p.Upload("Logo (optional)…", picture(t))
	p.Axe()
	p.Click("Set up the store")
	p.WaitText("First steps")
	p.WaitText("Corner Coffee")
	p.Go("/DEFAULT/settings")
	p.WaitFor("img", "Logo")
	p.WaitValue("Currency", "PLN")
	p.Go(path)
	p.WaitText("The store is set up already")
}

// From an empty installation to a used coupon: by 13 clicks and 9 fields at most, and without a refused form. The
// set-up adds the level and the rule.
func TestFirstCoupon(t *testing.T) {
	t.Parallel()
	base, path := startEmpty(t)
	owner := webtest.Open(t, webtest.Options{Server: base})
	owner.Go(path)
	owner.Type("Name of the store", "Corner Coffee")
	owner.Type("Your password, as the administrator admin", firstPassword)
	owner.Click("Set up the store")
	owner.ClickRole("link", "Welcome coupon")
	owner.WaitValue("Percentage off (optional)", "10")
	owner.Click("Save and activate")
	owner.WaitText("Welcome coupon is live.")
	owner.ClickRole("link", "Overview")
	owner.Type("Name", "Corner")
	owner.Click("Add the point of sale")
	owner.WaitText("Corner is saved.")
	owner.Type("First name", "Sam")
	owner.Type("Last name", "Seller")
	owner.Type("E-mail", "sam@example.org")
	owner.Click("Add the seller")
	owner.WaitText("The link for Sam")
	link := webtest.Eval[string](owner, "document.querySelector('.notice .copy').title")
	owner.Axe()
	owner.Click("Join without activation")
	owner.WaitText("New customers need no activation any more.")
	owner.Type("E-mail of a test customer", "ida@example.org")
	owner.Click("Add the customer")
	owner.WaitFor("link", "Open the till")
	owner.Axe()

	till := webtest.Open(t, webtest.Options{Server: base, Width: 1100, Height: 760})
	till.Go(strings.TrimPrefix(link, base))
	till.Type("New password", secondPassword)
	till.Click("Set password")
	till.WaitText("Ready for the next customer")
	till.Type("Scan or type: card, phone, e-mail, coupon …", "ida@example.org")
	till.Press("Enter")
	till.Click("Buy Welcome coupon")
	till.Within("dialog", "Buy “Welcome coupon”?").Click("Buy")
	till.WaitText("Usable now")
	till.ClickRole("button", "Use Welcome coupon")
	till.WaitText("Used: Welcome coupon")
	sum := webtest.Effort{
		Clicks: owner.Effort().Clicks + till.Effort().Clicks, Fields: owner.Effort().Fields + till.Effort().Fields,
	}
	if sum.Clicks > 13 || sum.Fields > 9 {
		t.Errorf("it took %d clicks and %d fields", sum.Clicks, sum.Fields)
	}
	owner.Click("Close Try it")
	owner.WaitGone("First steps")
}

// The country proposes the rest: a store in Germany has German texts only, its own name as that of its program, and
// whole points that do not expire, and can take customers at once.
func TestSetUpProposes(t *testing.T) {
	t.Parallel()
	base, path := startEmpty(t)
	p := webtest.Open(t, webtest.Options{Server: base})
	p.Go(path)
	p.Select("Country (optional)", "Germany")
	p.WaitValue("Currency", "EUR · Euro")
	p.WaitValue("Language of rewards and messages", "Deutsch")
	p.Type("Name of the store", "Café Linde")
	p.Type("Your password, as the administrator admin", firstPassword)
	p.Click("Set up the store")
	p.WaitText("First steps")
	p.Go("/DEFAULT/settings")
	p.WaitValue("Name of the program", "Café Linde")
	p.WaitValue("Several points are called", "Punkte")
	p.Go("/DEFAULT/levels")
	p.WaitText("Mitglied")
	p.Go("/DEFAULT/rules")
	p.WaitText("1 Punkt je EUR")
	p.Go("/DEFAULT/languages")
	p.WaitText("Deutsch")
	if strings.Contains(p.Text(), "Polski") {
		t.Error("the store has languages that nobody chose")
	}
	offerDoublePoints(p)
}

// offerDoublePoints adds a rule for a time by its two fields, and looks for it on the page to join.
func offerDoublePoints(p *webtest.Page) {
	p.Go("/DEFAULT/rules/new")
	p.ClickRole("link", "Double points…")
	p.WaitValue("Name", "Double points")
	p.WaitValue("Multiply by", "2")
	p.Type("From", "2020-01-01T00:00")
	p.Axe()
	p.Click("Save")
	p.WaitText("Double points is saved.")
	p.WaitText("All products")
	p.Go("/me/DEFAULT")
	p.WaitText("2 times the points for everything")
	p.WaitText("Until")
}
