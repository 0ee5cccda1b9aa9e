package till

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/form"
	"punchcard/platform/password"
)

// Endpoints returns the endpoints of docs/behaviour/cashier-pin.md. Those of a device are for pages alone, because they
// read its cookie.
func Endpoints(a *auth.Auth) []api.Endpoint {
	view := access.AdministratorWith(access.POS, access.View).And(access.Seller)
	modify := access.AdministratorWith(access.POS, access.Modify).And(access.Seller)
	named := func(event string) api.Audit { return api.Audited(event, "till") }
	const path = "/api/{storeCode}/till"
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: view, Summary: "List the enrolled tills",
			Do: api.Read(api.InPages[string](nil), listTills)},
		{Method: "POST", Path: path, Access: access.Only(access.Seller), Factor: api.Own,
			Summary: "Enrol the device of the page as a till",
			Do:      api.Write(confirmed(a, readEnrolment), enrolDevice(a)).First((*api.Call).SameOrigin), Unkeyed: true,
			Audit: named("EnrolTill"), NoDryRun: api.LogsIn},
		{Method: "DELETE", Path: path + "/{till}", Access: modify, Factor: api.Restricts, Summary: "Revoke a till",
			Do: api.Act(func(w *api.Writing) (api.NoContent, error) {
				return api.NoContent{}, revoke(w.Tx, a, w.Store.Key, w.PathID("till"))
			}), Audit: named("RevokeTill")},
		{Method: "POST", Path: path + "/device", Access: access.Public(), Factor: api.NoWrite,
			Do:      api.Read(device, showDevice),
			Summary: "Tell whether the device of the page is an enrolled till, and who can switch there", Unkeyed: true,
			NoDryRun: api.LogsIn},
		{Method: "POST", Path: path + "/session", Access: access.Public(), Factor: api.NoSession,
			Summary: "Log in as seller with a PIN on an enrolled till",
			Do:      api.Respond(api.Body("", readPIN), enter(a)).First((*api.Call).SameOrigin), Unkeyed: true,
			Audit:    api.Audited("AuthenticationSuccess", "seller"),
			NoDryRun: api.LogsIn},
		{Method: "PUT", Path: "/api/{storeCode}/seller/pin", Access: access.Only(access.Seller), Factor: api.Proven,
			Summary: "Set one's own PIN", Do: api.Write(api.Prepared(confirmed(a, readNewPIN), hashPIN), setPIN),
			Audit:    api.Audited("SetPIN", "seller"),
			NoDryRun: api.HasPassword},
	}
}

type viewList struct {
	Tills []tillView `json:"tills"`
	Total int        `json:"total"`
}

type tillView struct {
	ID             string `json:"tillId"`
	Name           string `json:"name"`
	POSID          string `json:"posId,omitempty"`
	POSName        string `json:"posName,omitempty"`
	EnrolledBy     string `json:"enrolledBy"` // id of a seller
	EnrolledByName string `json:"enrolledByName"`
	EnrolledAt     string `json:"enrolledAt"`
}

type identity struct {
	ID string `json:"tillId"`
}

func listTills(r *api.Reading, page api.Page) (viewList, error) {
	found, total, err := readPage(r.Tx, r.Store.Key, page)
	if err != nil {
		return viewList{}, err
	}
	all, err := views(r.Tx, r.Store.Key, found)
	return viewList{all, total}, err
}

// views adds the names of points of sale and sellers.
func views(tx *db.Tx, storeKey int64, found []Till) ([]tillView, error) {
	places, people := map[string]bool{}, map[string]bool{}
	for i := range found {
		people[found[i].EnrolledBy] = true
		if found[i].POSID != "" {
			places[found[i].POSID] = true
		}
	}
	posNames, err := pos.Names(tx, storeKey, slices.Collect(maps.Keys(places))...)
	if err != nil {
		return nil, err
	}
	names, err := seller.FindNames(tx, storeKey, slices.Collect(maps.Keys(people))...)
	all := make([]tillView, len(found))
	for i, t := range found {
		all[i] = tillView{
			ID: t.ID, Name: t.Name, POSID: t.POSID, POSName: posNames[t.POSID], EnrolledBy: t.EnrolledBy,
			EnrolledByName: nameOf(names[t.EnrolledBy]), EnrolledAt: api.Timestamp(t.EnrolledAt, time.UTC),
		}
	}
	return all, err
}

func nameOf(n seller.Named) string { return strings.TrimSpace(n.FirstName + " " + n.LastName) }

// confirmed reads a form with the password of the caller.
func confirmed[In interface{ currentPassword() string }](a *auth.Auth, read func(g *form.Group) In) api.Input[In] {
	return api.BodyInCall("", func(c *api.Call, g *form.Group) (In, error) {
		in := read(g)
		_, err := a.Confirm(c, g, in.currentPassword())
		return in, err
	}, api.Reads(read))
}

type enrolment struct{ name, password string }

func (e enrolment) currentPassword() string { return e.password }

func readEnrolment(g *form.Group) enrolment {
	return enrolment{
		name:     g.Text("name", form.NotBlank, form.MaxLength(maxName)),
		password: g.Verbatim("currentPassword", form.NotBlank),
	}
}

// cookie is the name of the cookie with the secret of a device. Each store has its own.
func cookie(c *api.Call) string { return "pc-device-" + c.Store.Code }

func enrolDevice(a *auth.Auth) func(w *api.Writing, given enrolment) (identity, error) {
	return func(w *api.Writing, given enrolment) (identity, error) {
		secret, former := newSecret(), w.SecretCookie(cookie(w.Call))
		t, err := enrol(w.Tx, a, w.Store.Key, w.Caller.ID, given.name, secret, former)
		if err != nil {
			return identity{}, err
		}
		w.Entry().SetEntity(t.ID)
		w.Then(func() { w.SetSecretCookie(cookie(w.Call), secret, DeviceLife) })
		return identity{t.ID}, nil
	}
}

// deviceView has the names on the screen of a till before anybody is signed in.
type deviceView struct {
	Enrolled bool         `json:"enrolled"`
	Name     string       `json:"name,omitempty"`
	Sellers  []sellerView `json:"sellers"` // who have a PIN, by name
}

type sellerView struct {
	ID   string `json:"sellerId"`
	Name string `json:"name"`
}

// device reads the secret of the device of a page. The body is empty.
var device = api.InCall(nil, func(c *api.Call) (secret string, err error) {
	return c.SecretCookie(cookie(c)), c.SameOrigin()
}).DescribedAs(nil, func(*form.Group) {})

func showDevice(r *api.Reading, secret string) (deviceView, error) {
	response := deviceView{Sellers: []sellerView{}}
	t, found, err := findBySecret(r.Tx, r.Store.Key, secret)
	if err != nil || !found {
		return response, err
	}
	response.Enrolled, response.Name = true, t.Name
	all, err := seller.NamesWithPIN(r.Tx, r.Store.Key)
	for _, n := range all {
		response.Sellers = append(response.Sellers, sellerView{n.ID, nameOf(n)})
	}
	return response, err
}

type given struct{ seller, pin string }

func readPIN(g *form.Group) given {
	return given{seller: g.UUID("seller", form.NotBlank), pin: g.Verbatim("pin", form.NotBlank)}
}

// entered is the response to a log-in with a PIN. The refresh token is in the cookie of the till's session.
type entered struct {
	Token string `json:"token"`
}

// enter logs a seller in with a PIN. The try is counted before the PIN is checked.
func enter(a *auth.Auth) func(c *api.Call, in given) (entered, error) {
	return func(c *api.Call, in given) (response entered, err error) {
		secret := c.SecretCookie(cookie(c))
		try, err := checkPIN(c, secret, in)
		if err != nil {
			if errors.Is(err, errWrongPIN) && try.Hash != "" {
				c.LogInFailed(c.Store.Key, access.Seller, in.seller)
			}
			return response, err
		}
		session, err := begin(c, a, secret, in, try)
		if err != nil {
			return response, err
		}
		c.SetSecretCookie(cookie(c), secret, DeviceLife)
		response.Token, err = a.TokenAtTill(c, session)
		return response, err
	}
}

// begin begins the session of a seller whose PIN is right, unless that has changed since.
func begin(c *api.Call, a *auth.Auth, secret string, in given, try seller.PINTry) (session *auth.Begun, err error) {
	err = c.Step(func(tx *db.Tx) error {
		t, found, err := lockBySecret(tx, c.Store.Key, secret)
		if err == nil && !found { // revoked
			err = errNotEnrolled
		}
		if err != nil {
			return err
		}
		same, err := seller.EnterByPIN(tx, c.Store.Key, in.seller, try)
		if err == nil && !same {
			err = errWrongPIN
		}
		if err == nil {
			session, err = a.BeginAtTill(tx, c, in.seller, t.ID)
		}
		return err
	})
	return session, err
}

// checkPIN counts a try at a PIN on an enrolled till, and checks it.
func checkPIN(c *api.Call, secret string, in given) (try seller.PINTry, err error) {
	err = c.DB().Write(c.Context(), func(tx *db.Tx) error {
		_, found, err := findBySecret(tx, c.Store.Key, secret)
		if err == nil && !found {
			err = errNotEnrolled
		}
		if err != nil {
			return err
		}
		try, err = seller.TryPIN(tx, c.Store.Key, in.seller)
		return err
	})
	if err != nil {
		return try, err
	}
	matches, err := password.Verify(c.ClientContext(), in.pin, try.Hash)
	switch {
	case err != nil && try.Hash != "": // not checked
		return try, errors.Join(err, c.DB().Write(c.Context(), func(tx *db.Tx) error {
			return seller.UndoPINTry(tx, c.Store.Key, in.seller)
		}))
	case err == nil && !matches:
		err = errWrongPIN
	}
	return try, err
}

type newPIN struct{ pin, password string }

func (p newPIN) currentPassword() string { return p.password }

func readNewPIN(g *form.Group) newPIN {
	return newPIN{pin: seller.ReadPIN(g), password: g.Verbatim("currentPassword", form.NotBlank)}
}

func hashPIN(c *api.Call, in newPIN) (hash string, err error) {
	return password.Hash(c.ClientContext(), in.pin)
}

func setPIN(w *api.Writing, hash string) (api.NoContent, error) {
	w.Entry().SetEntity(w.Caller.ID)
	return api.NoContent{}, seller.SetPIN(w.Tx, w.Store.Key, w.Caller.ID, hash)
}
