package tests

import (
	"path/filepath"
	"strings"
	"testing"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
	"punchcard/web/webtest"
)

// signUpScreens are those that visitors see who cannot sign in yet, or no more.
var signUpScreens = []screen{
	{app: "me", path: "/forgotten", name: "forgotten", walk: walkForgotten("Phone or e-mail")},
	{app: "me", path: "/reset/:token", name: "reset", example: exampleReset, walk: walkReset},
	{app: "me", path: "/activate", name: "activate", walk: walkActivate},
	{app: "me", path: "/activate/:token", name: "activate-link", example: exampleActivation, walk: walkActivation},
	{app: "me", path: "/confirm/:token", name: "confirm", example: exampleConfirm, walk: walkConfirm},
	{app: "me", path: "/unsubscribe/:token", name: "unsubscribe", example: exampleUnsubscribe, walk: walkUnsubscribe},
	{app: "till", path: "/forgotten", name: "forgotten", walk: walkForgotten("E-mail")},
	{app: "till", path: "/reset/:token", name: "reset", example: exampleSellerReset, walk: walkReset},
	{app: "cockpit", path: "/forgotten", name: "forgotten", walk: walkForgotten("User name or e-mail")},
	{app: "cockpit", path: "/reset/:token", name: "reset", example: exampleAdminReset, walk: walkReset},
	{app: "cockpit", path: "/invitation/:token", name: "invitation", example: exampleInvitation, walk: walkInvitation},
	{app: "cockpit", path: "/setup", name: "setup", walk: walkSetUpDone},
}

// beside runs an operation of the store DEFAULT, beside the server.
func (s *shop) beside(t *testing.T, run func(tx *db.Tx, of *store.Store) error) {
	t.Helper()
	d, err := dbopen.Open(t.Context(), db.Config{File: filepath.Join(s.data, "punchcard.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	of, _, err := store.NewDirectory(d).ByCode(t.Context(), store.DefaultCode)
	if err == nil {
		err = d.Write(t.Context(), func(tx *db.Tx) error { return run(tx, of) })
	}
	if err != nil {
		t.Fatal(err)
	}
}

// secret makes a secret of a message as the sender does.
func (s *shop) secret(t *testing.T, name string, m message.Message) (secret string) {
	t.Helper()
	s.beside(t, func(tx *db.Tx, of *store.Store) error {
		values, _, err := verification.Secrets[m.Event](tx, of, &m)
		secret = values[name]
		return err
	})
	if secret == "" {
		t.Fatalf("there is no reason for %s any more", m.Event)
	}
	return secret
}

// freshEmail returns an e-mail address that nobody has.
func freshEmail() string { return "n" + db.NewID()[24:] + "@example.org" }

// register adds a customer, by the path that is given, and returns their id and e-mail address.
func (s *shop) register(t *testing.T, token, path string) (id, email string) {
	t.Helper()
	email = freshEmail()
	var made struct{ CustomerID string }
	s.call(t, token, "POST", "/api/DEFAULT/"+path, map[string]any{"customer": map[string]any{
		"firstName": "Olaf", "lastName": "Lie", "email": email, "agreement1": true, "plainPassword": "Correct-Horse-7",
	}}, &made)
	return made.CustomerID, email
}

func exampleReset(t *testing.T, s *shop) string {
	t.Helper()
	id, email := s.register(t, "", "customer/self_register")
	return "/reset/" + s.secret(t, "token", message.Message{
		Event: template.CustomerPasswordReset, Role: access.Customer, RecipientID: id, Email: email,
	})
}

func exampleSellerReset(t *testing.T, s *shop) string {
	t.Helper()
	email := freshEmail()
	var made struct{ SellerID string }
	s.call(t, s.admin, "POST", "/api/DEFAULT/seller/register", map[string]any{"seller": map[string]any{
		"firstName": "Sam", "lastName": "Till", "email": email, "plainPassword": "Correct-Horse-7", "active": true,
		"posId": s.get(t, "/api/DEFAULT/pos", "pos", 0, "posId"),
	}}, &made)
	return "/reset/" + s.secret(t, "token", message.Message{
		Event: template.SellerPasswordReset, Role: access.Seller, RecipientID: made.SellerID, Email: email,
	})
}

func exampleAdminReset(t *testing.T, s *shop) string {
	t.Helper()
	email := freshEmail()
	var made struct {
		ID string `json:"adminId"`
	}
	s.call(t, s.admin, "POST", "/api/admin/data", map[string]any{"admin": map[string]any{
		"firstName": "Ada", "lastName": "Min", "email": email, "plainPassword": "Correct-Horse-7", "isActive": true,
	}}, &made)
	return "/reset/" + s.secret(t, "token", message.Message{
		Event: template.AdminPasswordReset, Role: access.Administrator, RecipientID: made.ID, Email: email,
	})
}

// invite invites somebody to the default store, with a role that may view everything, and returns the path of the link.
func (s *shop) invite(t *testing.T, email string) string {
	t.Helper()
	var made struct{ Path string }
	s.call(t, s.admin, "POST", "/api/admin/invitation", map[string]any{"admin": map[string]any{
		"firstName": "Ivo", "email": email, "storeRoles": []map[string]any{
			{"store": s.get(t, "/api/store?sort=code", "stores", 0, "storeId"), "role": 2},
		},
	}}, &made)
	return made.Path
}

func exampleInvitation(t *testing.T, s *shop) string {
	t.Helper()
	return s.invite(t, freshEmail())
}

// The invited one chooses a password, is signed in, and sees what the role in the store allows.
func walkInvitation(t *testing.T, s *shop, p *webtest.Page) {
	path := s.invite(t, "ivo@example.org")
	p.Go(path + "#ivo@example.org")
	p.WaitFor("heading", "Welcome. Choose your password")
	p.Type("New password", firstPassword)
	p.Click("Set password")
	p.WaitText("Reporter admin")
	p.Go("/DEFAULT/customers")
	p.WaitForNo("link", "Administrators")
	p.WaitFor("link", "Customers")
	p.WaitForNo("link", "Add a customer")
}

func exampleActivation(t *testing.T, s *shop) string {
	t.Helper()
	id, email := s.register(t, "", "customer/self_register")
	return "/activate/" + s.secret(t, "token", message.Message{
		Event: template.CustomerActivation, Role: access.Customer, RecipientID: id, Email: email,
	})
}

// changePhone makes a new phone of Anna wait for her confirmation, and returns a secret of its message.
func (s *shop) changePhone(t *testing.T, secret, phone string) string {
	t.Helper()
	id := annaID(t, s)
	s.beside(t, func(tx *db.Tx, of *store.Store) error {
		who, err := customer.Find(tx, of.Key, id)
		if err != nil {
			return err
		}
		return verification.RequestChange(tx, of, customer.ContactHeld{Customer: who, Field: "phone", Value: phone})
	})
	return s.secret(t, secret, message.Message{
		Event: template.ContactChange, Role: access.Customer, RecipientID: id, Phone: phone,
	})
}

func exampleConfirm(t *testing.T, s *shop) string {
	t.Helper()
	return "/confirm/" + s.changePhone(t, "token", "+48600100201")
}

// walkForgotten returns the walk of an app, with the label of its field.
func walkForgotten(label string) func(t *testing.T, s *shop, p *webtest.Page) {
	return func(t *testing.T, s *shop, p *webtest.Page) {
		p.Click("Send a link")
		p.WaitText("Enter the name you sign in with.")
		p.WaitUntil("the summary has the focus", "document.activeElement.matches('.summary')")
		p.Type(label, "nobody@example.org")
		p.Click("Send a link")
		p.WaitText("Look into your messages.")
		p.WaitText("If there is an account of nobody@example.org, a link is on its way.")
		p.Click("Send again")
		p.WaitText("If it is not there in a few minutes")
	}
}

func walkReset(t *testing.T, s *shop, p *webtest.Page) {
	address := webtest.Eval[string](p, "location.pathname")
	p.Type("New password", "short")
	p.Click("Set password")
	p.WaitText("Use at least 8 characters.")
	p.Type("New password", "Other-Horse-8")
	p.Click("Set password")
	p.WaitText("Your new password is set.")
	p.ClickRole("link", "Sign in")
	p.WaitText("Forgotten password")
	p.Go(address)
	p.Type("New password", "Other-Horse-9")
	p.Click("Set password")
	p.WaitText("This link was used already.")
	p.Click("Ask for a new link")
	p.WaitText("We send you a link for a new password.")
}

func walkActivate(t *testing.T, s *shop, p *webtest.Page) {
	p.Click("Send a link")
	p.WaitText("Enter the name you sign in with.")
	p.Type("E-mail", "olaf@example.org")
	p.Click("Send a link")
	p.WaitText("Open the link in the e-mail to olaf@example.org")
}

func walkActivation(t *testing.T, s *shop, p *webtest.Page) {
	address := webtest.Eval[string](p, "location.pathname")
	p.Click("Activate")
	p.WaitText("Your account is active.")
	p.Go(address)
	p.Click("Activate")
	p.WaitText("This link was used already.")
	p.Click("Ask for a new link")
	p.WaitText("Has it not arrived?")
}

// walkConfirm confirms a phone by the link and another one by the code.
func walkConfirm(t *testing.T, s *shop, p *webtest.Page) {
	p.ClickRole("button", "Confirm")
	p.WaitText("Your new contact is confirmed.")
	if got := s.get(t, "/api/DEFAULT/customer/"+annaID(t, s), "phone"); got != "+48600100201" {
		t.Errorf("the phone is %s", got)
	}
	code := s.changePhone(t, "code", "+48600100202")
	p.Go("/me/DEFAULT/account")
	p.WaitText("+48600100202: enter the code of the SMS there.")
	p.Type("Code", "none")
	p.ClickRole("button", "Confirm")
	p.WaitText("This link is not complete")
	p.Type("Code", code)
	p.ClickRole("button", "Confirm")
	p.WaitGone("Waiting for confirmation")
	if got := s.get(t, "/api/DEFAULT/customer/"+annaID(t, s), "phone"); got != "+48600100202" {
		t.Errorf("the phone is %s", got)
	}
}

// awaitPassword waits until a customer has got a temporary password.
func (s *shop) awaitPassword(t *testing.T, id string) {
	t.Helper()
	s.commits.Until(t, "the temporary password is in the mailbox", func() bool {
		return s.get(t, "/api/DEFAULT/admin/customer/"+id+"/account", "password") == "temporary"
	})
}

// TestCustomersWhoCannotSignIn shows what the cockpit says about them, and that staff can help.
func TestCustomersWhoCannotSignIn(t *testing.T) {
	s := openShop(t)
	waiting, _ := s.register(t, "", "customer/self_register")
	silent, _ := s.register(t, s.admin, "admin/customer/register")
	s.awaitPassword(t, silent)
	p := s.openAs(t, "cockpit", "/DEFAULT/customers/"+waiting, webtest.Options{})
	p.WaitText("Waits for activation")
	p.Click("Send again")
	p.WaitText("The message is on its way.")
	p.Click("Activate")
	p.Within("dialog", "").Click("Activate")
	p.WaitGone("Waits for activation")
	p.Go("/DEFAULT/customers/" + silent)
	p.WaitText("The temporary password was not changed yet")
	p.Click("Send again")
	p.WaitText("The message is on its way.")
}

// TestTemporaryPassword shows that a customer with a temporary password chooses one of their own at once.
func TestTemporaryPassword(t *testing.T) {
	s := openShop(t)
	id, email := s.register(t, s.admin, "admin/customer/register")
	s.awaitPassword(t, id) // the next one replaces it
	plain := s.secret(t, "password", message.Message{
		Event: template.TemporaryPassword, Role: access.Customer, RecipientID: id, Email: email,
	})
	p := webtest.Open(t, webtest.Options{Server: s.base})
	p.Go("/me/DEFAULT/sign-in")
	p.Type("E-mail", email)
	p.Type("Password", plain)
	p.ClickRole("button", "Sign in")
	p.WaitText("This password is temporary.")
	p.Type("Present password", plain)
	p.Type("New password", "Other-Horse-8")
	p.ClickRole("button", "Change password")
	p.WaitText("Your account")
	if text := p.Text(); strings.Contains(text, "temporary") {
		t.Errorf("the page still says %s", text)
	}
}

// TestRegistrationIsActivated shows the way of a new customer in the app: registration, the link, sign-in.
func TestRegistrationIsActivated(t *testing.T) {
	s := openShop(t)
	p := webtest.Open(t, webtest.Options{Server: s.base})
	p.Go("/me/DEFAULT/register")
	email := freshEmail()
	p.Type("First name", "Ole")
	p.Type("Last name", "Dahl")
	p.Type("E-mail", email)
	p.Type("Password", "Correct-Horse-7")
	p.Click("I accept the terms of the program")
	p.ClickRole("button", "Register")
	p.WaitText("Open the link in the e-mail to " + email)
	p.Click("Send again")
	id := s.get(t, "/api/DEFAULT/admin/customer?strict=1&email="+email, "customers", 0, "customerId")
	p.Go("/me/DEFAULT/activate/" + s.secret(t, "token", message.Message{
		Event: template.CustomerActivation, Role: access.Customer, RecipientID: id, Email: email,
	}))
	p.Click("Activate")
	p.WaitText("Your account is active.")
	p.ClickRole("link", "Sign in")
	p.Type("E-mail", email)
	p.Type("Password", "Correct-Horse-7")
	p.ClickRole("button", "Sign in")
	p.WaitFor("link", "Card")
}

func exampleUnsubscribe(t *testing.T, s *shop) string {
	t.Helper()
	id, _ := s.register(t, "", "customer/self_register")
	token := ""
	s.beside(t, func(tx *db.Tx, of *store.Store) (err error) {
		token, err = message.UnsubscribeToken(tx, of, id)
		return err
	})
	return "/unsubscribe/" + token
}

func walkUnsubscribe(t *testing.T, s *shop, p *webtest.Page) {
	p.Click("Send me no more of them")
	p.WaitText("You get no more news and offers.")
}

// TestActivationIsSwitchedOff shows what a store sees that cannot send messages, and the way out.
func TestActivationIsSwitchedOff(t *testing.T) {
	s := openShopWith(t)
	s.call(t, s.admin, "POST", "/api/DEFAULT/level/create", map[string]any{"level": map[string]any{
		"translations": map[string]any{"en": map[string]any{"name": "Base"}}, "active": true, "conditionValue": 0,
		"reward": map[string]any{"name": "Base", "value": 0, "code": "B"},
	}}, nil)
	waiting, _ := s.register(t, "", "customer/self_register")
	silent, _ := s.register(t, s.admin, "admin/customer/register")
	p := s.openAs(t, "cockpit", "/DEFAULT/customers/"+silent, webtest.Options{})
	p.WaitText("No password sent")
	p.WaitText("This store has no way to send the password")
	p.WaitForNo("button", "Send again")
	p.Go("/DEFAULT/customers/" + waiting)
	p.WaitText("This store has no way to send the activation message.")
	p.WaitForNo("button", "Send again")
	p.WaitFor("button", "Activate")
	p.Go("/DEFAULT/settings")
	p.WaitText("This store cannot send the activation message")
	p.Click("Customers who register themselves activate their account first")
	p.WaitGone("This store cannot send the activation message")
	p.Click("Customers who register themselves activate their account first")
	p.Axe()
	p.Click("Save")
	p.WaitText("The settings are saved.")
	p.Go("/DEFAULT/customers")
	p.WaitText("1 customer waits for activation")
	p.Click("Switch off activation")
	p.Within("dialog", "").Click("Switch off activation")
	p.WaitText("New customers need no activation any more.")
	if got := s.get(t, "/api/DEFAULT/settings", "settings", "accountActivationRequired"); got != "false" {
		t.Errorf("activation is still needed: %s", got)
	}
	if got := s.get(t, "/api/DEFAULT/settings", "settings", "allowCustomersProfileEdits"); got != "true" {
		t.Errorf("another switch changed: %s", got)
	}
}
