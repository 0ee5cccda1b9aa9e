package till

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
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
		{Method: "GET", Path: path, Access: view, Handle: listTills, Summary: "List the enrolled tills",
			Query: api.PageQuery[string](nil), Response: viewList{}},
		{Method: "POST", Path: path, Access: access.Only(access.Seller), Factor: api.Own,
			Summary: "Enrol the device of the page as a till",
			Handle:  func(c *api.Call) error { return enrolDevice(c, a) }, Form: api.Reads(readEnrolment),
			Response: identity{}, Unkeyed: true, Audit: named("EnrolTill"), NoDryRun: api.LogsIn},
		{Method: "DELETE", Path: path + "/{till}", Access: modify, Factor: api.Restricts, Summary: "Revoke a till",
			Handle: func(c *api.Call) error {
				return c.Write(func(tx *db.Tx) error {
					return revoke(tx, a, c.Store.Key, strings.ToLower(c.PathValue("till")))
				}, c.NoContent)
			}, Response: api.NoContent{}, Audit: named("RevokeTill")},
		{Method: "POST", Path: path + "/device", Access: access.Public(), Factor: api.NoWrite, Handle: showDevice,
			Summary: "Tell whether the device of the page is an enrolled till, and who can switch there",
			Form:    func(*form.Group) {}, Response: deviceView{}, Unkeyed: true,
			NoDryRun: api.LogsIn},
		{Method: "POST", Path: path + "/session", Access: access.Public(), Factor: api.NoSession,
			Summary: "Log in as seller with a PIN on an enrolled till",
			Handle:  func(c *api.Call) error { return enter(c, a) }, Form: api.Reads(readPIN), Response: entered{},
			Unkeyed: true, Audit: api.Audited("AuthenticationSuccess", "seller"),
			NoDryRun: api.LogsIn},
		{Method: "PUT", Path: "/api/{storeCode}/seller/pin", Access: access.Only(access.Seller), Factor: api.Proven,
			Summary: "Set one's own PIN", Handle: func(c *api.Call) error { return setPIN(c, a) },
			Form: api.Reads(readNewPIN), Response: api.NoContent{}, Audit: api.Audited("SetPIN", "seller"),
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

func listTills(c *api.Call) error {
	page, err := c.Page()
	if err != nil {
		return err
	}
	response := viewList{Tills: []tillView{}}
	err = c.Read(func(tx *db.Tx) error {
		found, total, err := readPage(tx, c.Store.Key, page)
		if err != nil {
			return err
		}
		response.Total = total
		response.Tills, err = views(tx, c.Store.Key, found)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
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

type enrolment struct{ name, password string }

func readEnrolment(g *form.Group) enrolment {
	return enrolment{
		name:     g.Text("name", form.NotBlank, form.MaxLength(maxName)),
		password: g.Verbatim("currentPassword", form.NotBlank),
	}
}

// cookie is the name of the cookie with the secret of a device. Each store has its own.
func cookie(c *api.Call) string { return "pc-device-" + c.Store.Code }

func enrolDevice(c *api.Call, a *auth.Auth) error {
	if err := c.SameOrigin(); err != nil {
		return err
	}
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body)
	given := readEnrolment(g)
	if _, err := a.Confirm(c, g, given.password); err != nil {
		return err
	}
	if err := g.Err(); err != nil {
		return err
	}
	var response identity
	secret, former := newSecret(), c.SecretCookie(cookie(c))
	err = c.Write(func(tx *db.Tx) error {
		t, err := enrol(tx, a, c.Store.Key, c.Caller.ID, given.name, secret, former)
		if err != nil {
			return err
		}
		response.ID = t.ID
		audit.Of(tx).SetEntity(t.ID)
		return nil
	}, func() error { return c.OK(response) })
	if err != nil {
		return err
	}
	c.SetSecretCookie(cookie(c), secret, DeviceLife)
	return nil
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

func showDevice(c *api.Call) error {
	if err := c.SameOrigin(); err != nil {
		return err
	}
	response := deviceView{Sellers: []sellerView{}}
	err := c.Read(func(tx *db.Tx) error {
		t, found, err := findBySecret(tx, c.Store.Key, c.SecretCookie(cookie(c)))
		if err != nil || !found {
			return err
		}
		response.Enrolled, response.Name = true, t.Name
		all, err := seller.NamesWithPIN(tx, c.Store.Key)
		for _, n := range all {
			response.Sellers = append(response.Sellers, sellerView{n.ID, nameOf(n)})
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
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
func enter(c *api.Call, a *auth.Auth) error {
	if err := c.SameOrigin(); err != nil {
		return err
	}
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body)
	in := readPIN(g)
	if err := g.Err(); err != nil {
		return err
	}
	secret := c.SecretCookie(cookie(c))
	try, err := checkPIN(c, secret, in)
	if err != nil {
		if errors.Is(err, errWrongPIN) && try.Hash != "" {
			c.LogInFailed(c.Store.Key, access.Seller, in.seller)
		}
		return err
	}
	var session *auth.Begun
	err = c.Step(func(tx *db.Tx) error {
		t, found, err := lockBySecret(tx, c.Store.Key, secret)
		if err == nil && !found { // revoked since
			err = errNotEnrolled
		}
		if err != nil {
			return err
		}
		same, err := seller.EnterByPIN(tx, c.Store.Key, in.seller, try)
		if err == nil && !same { // changed since
			err = errWrongPIN
		}
		if err == nil {
			session, err = a.BeginAtTill(tx, c, in.seller, t.ID)
		}
		return err
	})
	if err != nil {
		return err
	}
	c.SetSecretCookie(cookie(c), secret, DeviceLife)
	return a.RespondAtTill(c, session)
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

func readNewPIN(g *form.Group) newPIN {
	return newPIN{pin: seller.ReadPIN(g), password: g.Verbatim("currentPassword", form.NotBlank)}
}

func setPIN(c *api.Call, a *auth.Auth) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body)
	in := readNewPIN(g)
	if _, err := a.Confirm(c, g, in.password); err != nil {
		return err
	}
	if err := g.Err(); err != nil {
		return err
	}
	hash, err := password.Hash(c.ClientContext(), in.pin)
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error {
		audit.Of(tx).SetEntity(c.Caller.ID)
		return seller.SetPIN(tx, c.Store.Key, c.Caller.ID, hash)
	}, c.NoContent)
}
