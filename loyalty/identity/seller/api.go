package seller

import (
	"errors"
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/password"
)

// Endpoints manage sellers: docs/behaviour/sellers.md.
func Endpoints() []api.Endpoint {
	view := access.AdministratorWith(access.Sellers, access.View)
	modify := access.AdministratorWith(access.Sellers, access.Modify)
	return []api.Endpoint{
		{Method: "GET", Path: "/api/{storeCode}/seller", Access: view, Handle: listSellers,
			Summary: "List sellers", Response: viewList{},
			Query: api.ListQuery(sortable.Columns, api.Filters(readFilter))},
		{Method: "POST", Path: "/api/{storeCode}/seller/register", Access: modify.WithoutKeys(), Factor: api.Always,
			Handle: register, Summary: "Register a seller", Response: registered{},
			Form:  func(g *form.Group) { readForm(g.Group("seller"), form.NotBlank) },
			Audit: api.Audited("RegisterSeller", "seller"), Secrets: []string{"password"}},
		{Method: "GET", Path: "/api/{storeCode}/seller/{seller}", Access: view.And(access.Seller), Handle: getSeller,
			Summary: "Show a seller", Response: sellerView{}},
		{Method: "GET", Path: "/api/{storeCode}/seller/me", Access: access.Only(access.Seller).WithPIN(),
			Handle: getSelf, Summary: "Show the calling seller", Response: sellerView{}},
		{Method: "PUT", Path: "/api/{storeCode}/seller/{seller}", Access: modify, Factor: api.Always,
			Handle:  change,
			Summary: "Replace the data of a seller; a blank password keeps the present one", Response: identity{},
			Form: func(g *form.Group) { readForm(g.Group("seller")) }, Audit: api.Audited("UpdateSeller", "seller")},
		{Method: "POST", Path: "/api/{storeCode}/seller/{seller}/activate", Access: modify, Factor: api.Always,
			Handle: activate, Summary: "Let a seller log in", Audit: api.Audited("ActivateSeller", "seller")},
		{Method: "POST", Path: "/api/{storeCode}/seller/{seller}/deactivate", Access: modify, Factor: api.Restricts,
			Handle: deactivate, Summary: "Let a seller log in no more",
			Audit: api.Audited("DeactivateSeller", "seller")},
		{Method: "POST", Path: "/api/{storeCode}/seller/{seller}/delete", Access: modify, Factor: api.Restricts,
			Handle: removeSeller, Summary: "Delete a seller", Audit: api.Audited("DeleteSeller", "seller")},
		{Method: "DELETE", Path: "/api/{storeCode}/seller/{seller}", Access: modify, Factor: api.Restricts,
			Handle: removeByMethod, Summary: "Delete a seller", Response: api.NoContent{},
			Audit: api.Audited("DeleteSeller", "seller")},
	}
}

type viewList struct {
	Sellers []sellerView `json:"sellers"`
	Total   int          `json:"total"`
}

type identity struct {
	SellerID string `json:"sellerId"`
}

type registered struct {
	SellerID string `json:"sellerId"`
	Password string `json:"password"`
	Email    string `json:"email"`
}

type sellerView struct {
	SellerID           string `json:"sellerId"`
	Name               string `json:"name"`
	FirstName          string `json:"firstName"`
	LastName           string `json:"lastName"`
	Email              string `json:"email"`
	Phone              string `json:"phone,omitempty"`
	POSID              string `json:"posId,omitempty"`
	POSName            string `json:"posName,omitempty"`
	POSCity            string `json:"posCity,omitempty"`
	Active             bool   `json:"active"`
	Deleted            bool   `json:"deleted"`
	AllowPointTransfer bool   `json:"allowPointTransfer"`
	AllowCouponUse     bool   `json:"allowCouponUse"`
	AllowCouponLookup  bool   `json:"allowCouponLookup"`
	AllowTransactions  bool   `json:"allowTransactions"`
	AllowCouponCancel  bool   `json:"allowCouponCancel"`
}

// views returns sellers of one store with their points of sale.
func views(tx *db.Tx, storeKey int64, sellers ...Seller) ([]sellerView, error) {
	var tills []string
	for _, s := range sellers {
		if s.POSID != "" {
			tills = append(tills, s.POSID)
		}
	}
	places, err := pos.FindAll(tx, storeKey, tills...)
	all := make([]sellerView, len(sellers))
	for i, s := range sellers {
		all[i] = sellerView{
			SellerID: s.ID, Name: strings.TrimSpace(s.FirstName + " " + s.LastName), FirstName: s.FirstName,
			LastName: s.LastName, Email: s.Email, Phone: s.Phone, POSID: s.POSID,
			Active: s.Active, Deleted: s.Deleted, AllowPointTransfer: s.AllowPointTransfer,
			AllowCouponUse: s.AllowCouponUse, AllowCouponLookup: s.AllowCouponLookup, AllowTransactions: s.AllowTransactions,
			AllowCouponCancel: s.AllowCouponCancel,
		}
		if p := places[s.POSID]; p != nil {
			all[i].POSName, all[i].POSCity = p.Name, p.Location.City
		}
	}
	return all, err
}

func listSellers(c *api.Call) error {
	request, err := c.ListRequest()
	if err != nil {
		return err
	}
	wanted := readFilter(request.Query)
	var response viewList
	err = c.Read(func(tx *db.Tx) error {
		var page []Seller
		err := eachOf(tx, c.Store.Key, request.OrderBy(sortable), func(s Seller) {
			if !wanted.matches(&s) {
				return
			}
			if response.Total >= request.Offset && len(page) < request.Limit {
				page = append(page, s)
			}
			response.Total++
		})
		if err != nil {
			return err
		}
		response.Sellers, err = views(tx, c.Store.Key, page...)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// filter selects sellers of the list. Its texts are folded; an empty text matches every seller.
type filter struct {
	firstName, lastName, phone, email string
	strict                            bool // compare whole values instead of substrings
}

func readFilter(query *form.Node) filter {
	text := func(name string) string { return fold(query.Child(name).Text()) }
	strict, _ := form.ParseBool(query.Child("strict").Text())
	return filter{text("firstName"), text("lastName"), text("phone"), text("email"), strict}
}

func (f *filter) matches(s *Seller) bool {
	for _, pair := range [...][2]string{
		{s.FirstName, f.firstName}, {s.LastName, f.lastName}, {s.Phone, f.phone}, {s.Email, f.email},
	} {
		value, wanted := fold(pair[0]), pair[1]
		if !strings.Contains(value, wanted) || f.strict && wanted != "" && value != wanted {
			return false
		}
	}
	return true
}

func getSeller(c *api.Call) error {
	id := strings.ToLower(c.PathValue("seller"))
	if c.Caller.Role == access.Seller && id != c.Caller.ID {
		return fault.ErrForbidden
	}
	return showSeller(c, id)
}

func getSelf(c *api.Call) error { return showSeller(c, c.Caller.ID) }

func showSeller(c *api.Call, id string) error {
	var response sellerView
	err := c.Read(func(tx *db.Tx) error {
		s, found, err := FindByID(tx, c.Store.Key, id)
		if err == nil && !found {
			err = fault.ErrNotFound
		}
		if err != nil {
			return err
		}
		all, err := views(tx, c.Store.Key, s)
		response = all[0]
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// register responds without the password, whose member is always empty.
func register(c *api.Call) error {
	group, in, err := readSeller(c, form.NotBlank)
	if err != nil {
		return err
	}
	var added Seller
	err = c.Write(func(tx *db.Tx) (err error) {
		added, err = Create(tx, c.Store.Key, in)
		audit.Of(tx).SetEntity(added.ID)
		if err == nil {
			permitRights(c.Caller, group, &Rights{}, &added.Rights)
			err = group.Err()
		}
		if err == nil {
			err = added.CheckOpens(c.Caller)
		}
		return err
	}, func() error { return c.OK(registered{SellerID: added.ID, Email: added.Email}) })
	return explainRefusal(group, err)
}

func change(c *api.Call) error {
	id := c.PathValue("seller")
	err := c.Read(func(tx *db.Tx) error { // an unknown seller is 404 even if the data has errors
		_, found, err := FindByID(tx, c.Store.Key, id)
		if err == nil && !found {
			err = fault.ErrNotFound
		}
		return err
	})
	if err != nil {
		return err
	}
	group, in, err := readSeller(c)
	if err != nil {
		return err
	}
	if in.PasswordHash != "" && c.Caller.Key != nil {
		return fault.ErrForbidden // API keys change no log-ins
	}
	err = c.Write(func(tx *db.Tx) error {
		before, after, err := replace(c, tx, id, in)
		if err != nil {
			return err
		}
		if before.Email != after.Email && c.Caller.Key != nil {
			return fault.ErrForbidden
		}
		if permitRights(c.Caller, group, &before.Rights, &after.Rights); group.Err() == nil {
			permitLogIn(c.Caller, group, &before, &after)
		}
		if err := group.Err(); err != nil {
			return err
		}
		return feature.React(tx, c.Store, Changed{&before, &after})
	}, func() error { return c.OK(identity{id}) })
	return explainRefusal(group, err)
}

// replace changes a seller, and ends the sessions that must end.
func replace(c *api.Call, tx *db.Tx, id string, in New) (before, after Seller, err error) {
	if _, err = store.Lock(tx, c.Store.Key); err != nil {
		return before, after, err
	}
	if before, _, err = FindByID(tx, c.Store.Key, id); err != nil {
		return before, after, err
	}
	ended, err := Change(tx, c.Store.Key, id, in)
	if err == nil && ended {
		err = feature.React(tx, c.Store, access.SessionsEnded{UserID: id, Links: true})
	}
	if err == nil {
		after, _, err = FindByID(tx, c.Store.Key, id)
	}
	return before, after, err
}

func activate(c *api.Call) error {
	return c.Write(func(tx *db.Tx) error {
		s, err := FindToOpen(tx, c.Caller, c.Store.Key, c.PathValue("seller"))
		if err != nil {
			return err
		}
		return Activate(tx, c.Store.Key, s.ID, true)
	}, c.Done)
}

func deactivate(c *api.Call) error {
	return after(c, func(tx *db.Tx, storeKey int64, id string) error { return Activate(tx, storeKey, id, false) },
		c.Done)
}

func removeSeller(c *api.Call) error   { return after(c, Delete, c.Done) }
func removeByMethod(c *api.Call) error { return after(c, Delete, c.NoContent) }

// after runs an operation, ends the sessions of the seller of the path, and responds.
func after(c *api.Call, run func(tx *db.Tx, storeKey int64, id string) error,
	respond func() error) error {
	id := c.PathValue("seller")
	return c.Write(func(tx *db.Tx) error {
		if err := run(tx, c.Store.Key, id); err != nil {
			return err
		}
		return feature.React(tx, c.Store, access.SessionsEnded{UserID: id, Links: true})
	}, respond)
}

const nameLimit = 255 // characters

// readSeller reads a seller's form and hashes the password, which takes too long for a transaction.
func readSeller(c *api.Call, passwordRules ...form.Rule) (*form.Group, New, error) {
	body, err := c.Body()
	if err != nil {
		return nil, New{}, err
	}
	g := form.Read(body, "seller")
	in, plain := readForm(g, passwordRules...)
	if err := g.Err(); err != nil || plain == "" {
		return g, in, err
	}
	in.PasswordHash, err = password.Hash(c.ClientContext(), plain)
	return g, in, err
}

func readForm(g *form.Group, passwordRules ...form.Rule) (in New, plain string) {
	in.FirstName = g.Text("firstName", form.NotBlank, form.MaxLength(nameLimit))
	in.LastName = g.Text("lastName", form.NotBlank, form.MaxLength(nameLimit))
	in.Email = g.Key("email", form.NotBlank, form.MaxLength(nameLimit), form.Email)
	if plain = g.Verbatim("plainPassword", passwordRules...); plain != "" {
		for _, problem := range password.Problems(plain, false) {
			g.AddError("plainPassword", problem)
		}
	}
	in.POSID = g.UUID("posId", form.NotBlank)
	in.Phone = g.Key("phone", form.MaxLength(64), form.Phone)
	in.Active, in.AllowPointTransfer = g.Checkbox("active"), g.Checkbox("allowPointTransfer")
	in.AllowCouponUse, in.AllowCouponLookup = sentSwitch(g, "allowCouponUse"), sentSwitch(g, "allowCouponLookup")
	in.AllowTransactions = sentSwitch(g, "allowTransactions")
	in.AllowCouponCancel = sentSwitch(g, "allowCouponCancel")
	return in, plain
}

// sentSwitch reads a switch that older clients do not send; nil if it was not sent.
func sentSwitch(g *form.Group, name string) *bool {
	if on := g.Checkbox(name); g.Submitted(name) {
		return &on
	}
	return nil
}

// explainRefusal adds the fields that an operation refused to the form.
func explainRefusal(g *form.Group, err error) error {
	refused, ok := errors.AsType[*Refused](err)
	if !ok {
		return err
	}
	if refused.EmailTaken {
		g.AddError("email", form.AlreadyUsed)
	}
	if refused.POSUnknown {
		g.AddError("posId", form.Invalid("unknown_point_of_sale"))
	}
	return g.Err()
}
